"""The papers' tables and figures recomputed, printed beside what the papers print."""

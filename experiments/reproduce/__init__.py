"""The papers' tables and figures recomputed, printed beside the published ones."""

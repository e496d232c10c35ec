"""`show`, `explain`, `lint`, `diagnose`, `convert`, `data`, `generate`: what is there, and why."""

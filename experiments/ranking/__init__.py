"""`rank`, `match`, `demo`, `run`: metrics on pairs and tasks."""

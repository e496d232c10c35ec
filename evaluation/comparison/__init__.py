"""Many systems on one task: contingency tables, tests of all pairs, corrections, cautions."""

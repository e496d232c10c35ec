"""What every floor uses and no ontology needs to know: files written whole, input files refused in a sentence, results as tables, progress, wording."""

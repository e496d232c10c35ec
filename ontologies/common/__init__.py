"""What every floor uses: files written whole, inputs refused in a sentence, tables, progress."""

"""What every floor uses: files written whole, inputs refused, tables (text to LaTeX), progress."""

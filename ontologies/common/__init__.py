"""What every floor uses: files written whole, tables, progress, memory, how kernels are compiled."""

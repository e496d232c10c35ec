"""What every floor uses: files written whole, tables, progress, memory, compiling of kernels."""

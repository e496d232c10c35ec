"""Tools of every floor: files written whole, tables, progress, memory, compiling of kernels."""

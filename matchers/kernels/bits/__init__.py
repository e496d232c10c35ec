"""512 truth values at once, as vectors and columns (the only place that knows LLVM)."""

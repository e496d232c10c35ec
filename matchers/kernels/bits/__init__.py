"""512 truth values at once: vectors, sums, columns, division (the only place that knows LLVM)."""

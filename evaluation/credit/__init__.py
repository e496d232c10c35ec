"""What each found and each reference correspondence earns: all measures are sums of it."""

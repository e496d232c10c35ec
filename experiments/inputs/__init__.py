"""What the user named, read and checked: files, names, clusters, weights; what to be wary of."""

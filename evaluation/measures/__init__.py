"""Every measure by name, called as (alignment, reference, context)."""

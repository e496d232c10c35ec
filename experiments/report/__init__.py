"""What a person sees of a result: tables, figures, pages."""

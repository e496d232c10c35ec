"""What results hold in common: cautions, where they come from, and how they are stored."""

"""Speed and accuracy, measured here and now."""

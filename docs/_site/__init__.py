"""What the site needs beside Sphinx: formulas without scripts, links that work in the repository, one look for pictures."""

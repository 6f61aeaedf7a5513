"""What the site needs beside Sphinx: formulas without scripts, links that also work in the repository, one look for pictures."""

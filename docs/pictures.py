"""Draw ``docs/pictures`` anew from the examples: ``python docs/pictures.py [name ...]``.

The gallery draws its pictures while the site is built. A few stand in README and the guides, too, and are kept as files: each
is the figure of the example of its name.
"""

import runpy
import sys
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def draw(name: str) -> None:
    """Run an example and save its figure."""
    from _site.look import apply

    apply()
    runpy.run_path(str(HERE / "examples" / f"plot_{name}.py"))
    plt.gcf().savefig(HERE / "pictures" / f"{name}.png", bbox_inches="tight")
    plt.close("all")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or sorted(path.stem for path in (HERE / "pictures").glob("*.png")):
        print(f"== {chosen}")
        draw(chosen)

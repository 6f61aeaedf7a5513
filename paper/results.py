"""Where results go: small JSON files and pictures in one folder, and how a run is set up."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["HERE", "Run"]

#: The results that are kept with the project.
HERE = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Run:
    """How the experiments are run: the folder of raw data, the number of random orders, where results are written."""

    data: str | None = None
    out: Path = HERE
    quick: bool = False

    def orders(self, full: int) -> int:
        """The number of random orders: ``full``, or two in the quick version."""
        return 2 if self.quick else full

    def write(self, name: str, content: Any) -> Any:
        """Write a result as JSON, numbers rounded to seven digits, and return it as it will be read."""
        self.out.mkdir(parents=True, exist_ok=True)
        plain = _plain(content)
        text = json.dumps(plain, indent=1, ensure_ascii=False)
        (self.out / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        return plain

    def read(self, name: str) -> Any:
        """Read a result."""
        return json.loads((self.out / f"{name}.json").read_text(encoding="utf-8"))

    def picture(self, name: str) -> Path:
        """The path of a picture, to which an ending is added."""
        return self.out / f"{name}.png"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.7g}")
    return value.item() if isinstance(value, np.generic) else value

"""One thing per feature, found by the feature's name when asked for."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from misieve._errors import DataError
from misieve.merging import Counts

__all__ = ["ByName", "Missing", "NoFeature"]


class Missing(NamedTuple):
    """The incomplete samples of one feature, see :attr:`misieve.Tables.missing`."""

    by_class: Counts
    by_value: Counts


class NoFeature(DataError, KeyError):
    """An unknown name: also a KeyError, so that Mapping's methods work."""

    __str__ = Exception.__str__


class ByName(Mapping[Any, Any]):
    """A view: ``get`` is called with the place of a feature in ``place``, its name's."""

    def __init__(self, place: Callable[[Any], int], names: Callable[[], tuple[Any, ...]], get: Callable[[int], Any]) -> None:
        self._place, self._names, self._get = place, names, get

    def __getitem__(self, name: Any) -> Any:
        return self._get(self._place(name))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return repr(dict(self))

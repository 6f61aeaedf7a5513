"""What is known about columns before they are counted: ``like=``, ``categories=``, ``bins=``, and the first of many batches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from misieve._errors import DataError, OptionError
from misieve.binning import checked_bins
from misieve.encode import Encoder, encode_numbers
from misieve.frames import Batch, Column
from misieve.frames.column import absent
from misieve.labels import Labels, canonical_labels
from misieve.levels import Levels
from misieve.tables import Tables
from misieve.target import Target

__all__ = ["align", "declared_categories", "encoder_of", "like_earlier", "like_first"]

Declared = Mapping[Any, Labels]


def declared_categories(batch: Batch, categories: Any, target: Any) -> tuple[dict[Any, Labels], Labels | None]:
    """The option ``categories=`` by feature, and the classes where it names the target (None when it has no name)."""
    if categories is None:
        return {}, None
    if isinstance(categories, Mapping):
        listed = dict(categories)
        classes = listed.pop(target, None) if target is not None else None
        known = {batch.name(i) for i in range(batch.width)}
        for name in listed:
            if name not in known:
                raise OptionError(f"categories must name columns of X, {name!r} is none")
        declared = {name: _labels(own, f"column {name!r}") for name, own in listed.items()}
        return declared, None if classes is None else _labels(classes, f"target {target!r}")
    if not _is_list(categories):
        raise OptionError(f"categories must be a dict by column name or a list, not {type(categories).__name__}")
    if len(categories) and all(_is_list(one) for one in categories):
        if len(categories) != batch.width:
            raise OptionError(f"categories must have one list for each of {batch.width} features, found {len(categories)}")
        names = [batch.name(i) for i in range(batch.width)]
        return {name: _labels(own, f"column {name!r}") for name, own in zip(names, categories, strict=True)}, None
    shared = canonical_labels(categories, "categories=")
    return {batch.name(i): shared for i in range(batch.width)}, None


def _labels(values: Any, where: str) -> Labels:
    if not _is_list(values):
        raise OptionError(f"categories of {where} must be a list of values, not {values!r}")
    return canonical_labels(values, where)


def _is_list(value: Any) -> bool:
    if isinstance(value, (str, bytes, Mapping)):
        return False
    return hasattr(value, "__iter__") and hasattr(value, "__len__")


def encoder_of(
    batch: Batch, bins: Any, like: Tables | None, declared: Declared, weights: NDArray[np.float64] | None, target: Target
) -> Encoder:
    """How columns are encoded; the cuts of ``like`` stand in for ``bins``."""
    fractions = overridden = frozenset(declared)
    if like is not None:
        fractional = [any(isinstance(value, float) for value in pool) for pool in like._levels.pools]
        if any(fractional):
            fractions |= {name for name, pool in zip(like, like._levels.pool_of.tolist(), strict=True) if fractional[pool]}
        bins_of = {name: like.categories[name][: len(cuts) + 1] for name, cuts in like.cuts.items()}
        return Encoder(cuts=dict(like.cuts), names_of_bins=bins_of, fractions=fractions, overridden=overridden, weights=weights)
    encoder = Encoder(
        fractions=fractions, overridden=overridden, weights=weights, classes=target.codes, n_classes=len(target.classes)
    )
    if bins is None:
        return encoder
    if not isinstance(bins, Mapping):
        number = checked_bins(bins)
        if not isinstance(number, (int, str)):
            raise OptionError("cut points belong to one column: give bins as a dict by column name, or as one number for all")
        encoder.bins = number
        return encoder
    names = {batch.name(i) for i in range(batch.width)}
    for name, own in bins.items():
        if name not in names:
            raise OptionError(f"bins must name columns of X, {name!r} is none")
        checked = checked_bins(own)
        if isinstance(checked, (int, str)):
            encoder.own_bins[name] = checked
        else:
            encoder.cuts[name] = checked
    return encoder


def like_earlier(batch: Batch, like: Tables) -> Batch:
    """The features of an earlier batch, in its order; an array takes the names of its columns from there."""
    if isinstance(batch.names, int):
        if batch.width != len(like):
            raise DataError(f"X must have the {len(like)} features of like=, found {batch.width} columns")
        return replace(batch, names=like.names)
    return _reordered(batch, like.features)


def like_first(batch: Batch, first: Tables) -> Batch:
    """Features in the order of the first of many batches; DataError unless a later one has the same."""
    if isinstance(batch.names, int):
        if batch.width != len(first):
            raise DataError(
                f"batches must have the same columns, found {batch.width} instead of {len(first)} from row {batch.start} on"
            )
        return batch
    return _reordered(batch, first.features)


def _reordered(batch: Batch, wanted: Sequence[Any]) -> Batch:
    assert not isinstance(batch.names, int)
    if batch.names == tuple(wanted):
        return batch
    here, there = set(batch.names), set(wanted)
    if here != there:
        found = next((f"{name!r} is absent" for name in wanted if name not in here), None)
        found = found or next(f"{name!r} is new" for name in batch.names if name not in there)
        raise DataError(f"batches must have the same columns as the first, but {found} (from row {batch.start} on)")
    return replace(batch, names=tuple(wanted))


def align(batch: Batch, tables: Tables, declared: Declared, like: Tables | None) -> Tables:
    """Put the categories into the places that an earlier batch or the options give them."""
    if declared:
        names = tables.features
        levels = Levels.of(declared.get(name, own) for name, own in zip(names, tables.categories.values(), strict=True))
        empty = np.zeros((int(levels.offsets[-1]), len(tables.classes)), np.int64)
        tables = tables._with(tables.classes, levels, [empty, np.zeros_like(tables.class_counts), None, None]) + tables
        _refuse_others(batch, tables, declared)
    return tables if like is None else like.zeros() + tables


def _refuse_others(batch: Batch, tables: Tables, declared: Declared) -> None:
    """A value that was counted but not declared is an error, which names its first row."""
    for feature, name in enumerate(tables.features):
        own = declared.get(name)
        if own is None or len(tables._levels[feature]) == len(own):
            continue
        others = {value for value in tables._levels[feature] if value is not None} - set(own)
        if others:
            row, value = _first_of(batch, feature, others)
            raise DataError(
                f"column {name!r} must have one of its declared categories {list(own)}, found {value!r} "
                f"(row {batch.where(row)})"
            )


def _first_of(batch: Batch, feature: int, values: set[Any]) -> tuple[int, Any]:
    if batch.sparse is not None:
        column = Column(np.asarray(batch.sparse[:, [feature]].todense()).ravel())
    else:
        column = batch.columns([feature], 1)[0]
    column = encode_numbers(column, fractions=True)
    assert column.labels is not None
    codes = np.where(absent(column), -1, column.values.astype(np.int64))
    distinct, first = np.unique(codes, return_index=True)
    distinct, first = distinct[distinct >= 0], first[distinct >= 0]
    labels = canonical_labels(column.labels(distinct), "a column")
    return min((int(row), value) for row, value in zip(first.tolist(), labels, strict=True) if value in values)

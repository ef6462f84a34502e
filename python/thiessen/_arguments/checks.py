# SPDX-License-Identifier: Apache-2.0
"""Arguments that are not arrays, checked and in the form for the core."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from operator import index
from typing import Any

import numpy as np


def needed(package: str, who: str, module: str = "") -> Any:
    """A module of a package, its main one by default. Raise ImportError where it is not there."""
    try:
        import_module(package)
        return import_module(module or package)
    except ImportError:
        raise ImportError(f"{who} the package {package}: pip install {package}") from None


def to_number(name: str, value: Any) -> int | float:
    """A Python number, from a scalar of any library."""
    if type(value) is int or type(value) is float:
        return value
    number = value
    if hasattr(value, "item") and value is not np.ma.masked and _is_numeric(value):
        with suppress(ValueError, RuntimeError):
            number = value.item()
    if isinstance(number, np.longdouble):
        if float(number) != number and not np.isnan(number):
            raise ValueError(f"{name} = {number}; must be a number that float64 holds")
        return float(number)
    if isinstance(number, (int, float)) and not isinstance(number, (bool, np.ndarray)):
        return number
    raise TypeError(f"{name} = {value!r}; must be a number")


def to_cell_value(name: str, value: Any) -> int | float:
    """The number of a value that cells may have, boolean ones too."""
    return int(value) if isinstance(value, (bool, np.bool_)) else to_number(name, value)


def to_cell_values(name: str, values: Any) -> list[int | float]:
    """A list of at least one of them, from one or any iterable of them."""
    numbers = [to_cell_value(name, each) for each in (values if np.iterable(values) else (values,))]
    if not numbers:
        raise ValueError(f"{name} is empty; must have one number or more")
    return numbers


def _is_numeric(value: Any) -> bool:
    """False for dates, which would be counts of their units."""
    dtype = getattr(value, "dtype", None)
    return not isinstance(dtype, np.dtype) or dtype.kind in "biuf"


def to_float(name: str, value: Any) -> float:
    """A Python float, from a scalar of any library."""
    number = to_number(name, value)
    try:
        return float(number)
    except OverflowError:
        raise ValueError(
            f"{name} is an integer beyond float64; must be less than 2**1024"
        ) from None


_NARROW: dict[str, Any] = {"float32": np.float32, "float16": np.float16}


def as_written(value: Any, number: float) -> float:
    """The number of a scalar: of a type narrower than float64 its shortest decimal, so that
    np.float32(0.1) is 0.1."""
    narrow = _NARROW.get(str(getattr(value, "dtype", "")).rpartition(".")[2])
    return float(str(narrow(number))) if narrow else number


def to_length(name: str, value: Any) -> float:
    """A length, or a limit of lengths, as it was written."""
    return as_written(value, to_float(name, value))


def to_floats(name: str, values: Any) -> list[float]:
    """A list of at least one Python float, from one number or any iterable of them."""
    if not np.iterable(values):
        return [to_float(name, values)]
    numbers = [to_float(f"{name}[{i}]", each) for i, each in enumerate(values)]
    if not numbers:
        raise ValueError(f"{name} is empty; must have one number or more")
    return numbers


def is_held(number: float, dtype: np.dtype) -> bool:
    """Whether a number, NaN too, is a value of the dtype."""
    if dtype.kind == "f":
        if number != number or abs(number) == math.inf or dtype.itemsize > 8:
            return True
        greatest = float(np.finfo(dtype).max)
        return abs(number) <= greatest and float(dtype.type(number)) == number
    bounds = np.iinfo(dtype)
    return bool(bounds.min <= number <= bounds.max and number == int(number))


def require_held(name: str, number: float, dtype: np.dtype) -> None:
    """Raise ValueError for a number that is no value of the dtype."""
    if not is_held(number, dtype):
        raise ValueError(f"{name} = {number}; must be a value of the dtype {dtype}")


_USUAL_TEXTS = frozenset(("auto", "euclidean", "exact"))


def to_text(name: str, value: Any) -> str:
    """A string that the core can take and repeat in a message."""
    if type(value) is str and value in _USUAL_TEXTS:
        return value
    if not isinstance(value, str):
        raise TypeError(f"{name} = {value!r}; must be a string")
    if not (value.isascii() and value.isprintable()):
        raise ValueError(f"{name} = {value!r}; must be of printable ASCII characters")
    return value


def to_switch(name: str, value: Any) -> bool:
    if value is True or value is False:
        return value
    if not isinstance(value, np.bool_):
        raise TypeError(f"{name} = {value!r}; must be True or False")
    return bool(value)


def to_float_dtype(name: str, value: Any) -> np.dtype:
    """The dtype of distances, costs and maps."""
    try:
        dtype = np.dtype(object if value is None else value)  # None would be float64
    except (TypeError, ValueError, SyntaxError):
        dtype = np.dtype(object)
    if dtype not in (np.float32, np.float64):
        raise ValueError(f"{name} = {value!r}; must be 'float32' or 'float64'")
    return dtype


def to_extents(shape: Any) -> list[int]:
    """The extents of a grid or of a picture, checked one by one."""
    if not np.iterable(shape):
        raise TypeError(f"shape = {shape!r}; must be integers, one for each axis")
    return [to_extent(axis, size) for axis, size in enumerate(shape)]


def to_grid(shape: Any) -> tuple[int, ...]:
    """The extents of a grid of two axes or three."""
    extents = tuple(to_extents(shape))
    if len(extents) not in (2, 3):
        raise ValueError(f"shape = {extents}; must have 2 or 3 axes")
    return extents


def to_extent(axis: int, size: Any) -> int:
    extent = to_integer(f"shape[{axis}]", size)
    if not 0 <= extent <= 2**30:
        raise ValueError(f"shape[{axis}] = {extent}; must be 0 to 2**30")
    return extent


def to_lengths(name: str, value: Any, rank: int) -> list[float]:
    """A number for each axis; the empty list where none is given."""
    if value is None:
        return []
    if not np.iterable(value):
        return [to_length(name, value)] * rank
    numbers = [to_length(f"{name}[{i}]", number) for i, number in enumerate(value)]
    if len(numbers) != rank:
        raise ValueError(f"{name} has {len(numbers)} values; must have one for each of {rank} axes")
    return numbers


def to_weights(spacing: Iterable[float]) -> tuple[list[int], Fraction]:
    """Lengths, through their shortest decimal forms, as integers without a common divisor, and the
    unit of these."""
    exact = [Fraction(repr(float(each))) for each in spacing]
    denominator = math.lcm(*(each.denominator for each in exact))
    numerators = [int(each * denominator) for each in exact]
    divisor = math.gcd(*numerators)
    return [each // divisor for each in numerators], Fraction(divisor, denominator)


def to_flags(name: str, value: Any, rank: int) -> list[bool]:
    if value is None:
        return []
    listed = list(value) if np.iterable(value) else [value] * rank
    for flag in listed:
        if not isinstance(flag, (bool, np.bool_)):
            raise TypeError(f"{name} = {value!r}; must be True or False, or one of them per axis")
    flags = [bool(flag) for flag in listed]
    if len(flags) != rank:
        raise ValueError(f"{name} has {len(flags)} values; must have one for each of {rank} axes")
    return flags


def to_integer(name: str, value: Any) -> int:
    """A Python integer, from one of any library; True is none."""
    number: Any = None if isinstance(value, (bool, np.bool_)) else value
    try:
        return index(number)
    except TypeError:
        raise TypeError(f"{name} = {value!r}; must be an integer") from None


def to_place(name: str, value: Any) -> list[int]:
    """A cell by its coordinates."""
    if not np.iterable(value) or isinstance(value, str):
        raise TypeError(f"{name} = {value!r}; must be integers, one for each axis")
    return [to_whole(f"{name}[{axis}]", each, 0, 2**30) for axis, each in enumerate(value)]


def to_whole(name: str, value: Any, least: int, most: int) -> int:
    number = to_integer(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} = {number}; must be {least} to {most}")
    return number


_NEIGHBOURS = {
    2: {4: "faces", 8: "corners", 16: "knights"},
    3: {6: "faces", 18: "edges", 26: "corners"},
}


def to_connectivity(
    name: str, value: Any, rank: int, words: Iterable[str] = ("faces", "edges", "corners")
) -> str:
    """What the core calls the connectivity with so many neighbours, of those with these words."""
    number = to_integer(name, value)
    known = {count: word for count, word in _NEIGHBOURS[rank].items() if word in words}
    if number not in known:
        *others, last = map(str, known)
        raise ValueError(f"{name} = {number}; must be {', '.join(others)} or {last} in {rank}-D")
    return known[number]


def to_colour(name: str, value: Any) -> str:
    """Six hexadecimal digits."""
    try:
        if isinstance(value, str):
            digits = value.removeprefix("#")
            parts = [int(digits[i : i + 2], 16) for i in (0, 2, 4)] if len(digits) == 6 else []
        else:
            parts = [to_integer(name, part) for part in value]
    except (TypeError, ValueError):
        parts = []
    if len(parts) != 3 or not all(0 <= part <= 255 for part in parts):
        raise ValueError(f"{name} = {value!r}; must be three integers of 0 to 255, or '#rrggbb'")
    return "".join(f"{part:02x}" for part in parts)

# SPDX-License-Identifier: Apache-2.0
"""From the options that a caller gave to those of an operation of the core: a walk over the core's
table of options (`fields`), which is the same for all languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import _core
from .checks import (
    to_cell_value,
    to_cell_values,
    to_connectivity,
    to_extents,
    to_flags,
    to_float,
    to_float_dtype,
    to_floats,
    to_integer,
    to_length,
    to_lengths,
    to_number,
    to_switch,
    to_text,
    to_whole,
)
from .fields import DEFAULTS, FIELDS, Field
from .options import Options
from .running import reporter, to_strict, to_thread_count

Told = list[tuple[str, int, str]]
"""Kind, count and text of each warning of a call."""


class CoreOptions(dict[str, Any]):
    """Options of an operation of the core by their names, and, as attributes, how it runs."""

    device: str = "auto"
    threads: int = 0
    progress: Any = None
    stream: int = 0
    wait: bool = False


def on_one_thread(**options: Any) -> CoreOptions:
    """Options of an operation that is too short for a device or for threads."""
    own = CoreOptions(options)
    own.device, own.threads = "cpu", 1
    return own


def _to_count(name: str, value: Any, field: Field, _: int) -> int:
    if field.least is None or field.greatest is None:
        return to_integer(name, value)
    return to_whole(name, value, int(field.least), int(field.greatest))


def _to_counts(name: str, value: Any, field: Field, rank: int) -> list[int]:
    if field.per_axis:
        return to_extents(value)
    return [_to_count(name, each, field, rank) for each in value]


def _to_choice(name: str, value: Any, field: Field, rank: int) -> str:
    if name == "distance_type":
        return "f64" if to_float_dtype(name, value) == np.float64 else "f32"
    if field.takes_counts:
        return to_connectivity(name, value, rank, field.choices)
    return to_text(name, value)


def _to_numbers(name: str, value: Any, field: Field, rank: int) -> list[float]:
    return to_lengths(name, value, rank) if field.per_axis else to_floats(name, value)


def _to_label(name: str, value: Any, field: Field) -> int | float:
    return to_cell_value(name, value) if field.takes_none else to_number(name, value)


def _to_number(name: str, value: Any, field: Field, _: int) -> float:
    """Costs are those of results, which are compared as they are; lengths are read as written."""
    return to_float(name, value) if field.unit == "costs" else to_length(name, value)


_CONVERTERS: Mapping[str, Callable[[str, Any, Field, int], Any]] = {
    "flag": lambda name, value, *_: to_switch(name, value),
    "number": _to_number,
    "count": _to_count,
    "choice": _to_choice,
    "label": lambda name, value, field, _: _to_label(name, value, field),
    "text": lambda name, value, *_: to_text(name, value),
    "numbers": _to_numbers,
    "counts": _to_counts,
    "flags": lambda name, value, _, rank: to_flags(name, value, rank),
    "labels": lambda name, value, *_: to_cell_values(name, value),
}
"""How a kind of option is checked and put into the core's form."""


def core_options(
    operation: str, options: Options, rank: int = 2, device: str = "auto"
) -> CoreOptions:
    """What the caller gave of the options that an operation has, for rasters of `rank` axes. What
    is not given stays as the core has it."""
    own = CoreOptions()
    own.device = device
    fields = FIELDS[operation]
    for name, value in vars(options).items():
        field = fields.get(name)
        if field is None:
            continue
        if value is None and (field.takes_none or DEFAULTS.get(name) is None):
            if field.takes_none:
                own[name] = "none"
        else:
            own[name] = _CONVERTERS[field.kind](name, value, field, rank)
    if "strict" in fields and to_strict(options.strict):
        own["strict"] = True
    threads = to_thread_count(options.threads)
    if threads:
        own.threads = threads
    return own


def run(
    operation: str,
    inputs: dict[str, Any],
    options: CoreOptions,
    progress: Any = None,
    outputs: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], Told]:
    """Run an operation, and have `progress` told of it: the results, and the warnings."""
    with reporter(progress) as report:
        options.progress = report
        return _core.run(operation, inputs, {} if outputs is None else outputs, options)

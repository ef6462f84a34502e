# SPDX-License-Identifier: Apache-2.0
"""Values of options drawn at random, by the core's tables of options."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from thiessen._arguments.fields import FIELDS

NUMBERS = st.sampled_from([0, 1, 2, 3, -1, 2.0, 1.5, 255, math.nan, math.inf, -0.0, 2**40, 10**30])
LENGTHS = st.sampled_from([1, 2, 3, 6])
RARELY = st.integers(0, 3).map(lambda n: n == 0)


def _in_range(field, numbers):
    least = -math.inf if field.least is None else field.least
    greatest = math.inf if field.greatest is None else field.greatest
    return st.sampled_from([number for number in numbers if least <= number <= greatest])


def value_of(field, rank):
    """A value of an option, for rasters of so many axes: of the right kind, in the range that the
    table has, if not in those that other options and the arrays leave."""
    if field.kind == "choice":
        names = st.sampled_from(field.choices)
        return st.one_of(names, st.sampled_from([4, 8, 26])) if field.takes_counts else names
    if field.kind == "number":
        return _in_range(field, [-30, -0.5, 0, 0.25, 1, 1.5, 2, 3, 7.25, math.inf])
    if field.kind == "count":
        return _in_range(field, [-1, 0, 1, 2, 5])
    one = {"flag": st.booleans(), "label": NUMBERS, "text": st.sampled_from(["circle:4", "square"])}
    if field.kind in one:
        return one[field.kind]
    each = {"flags": st.booleans(), "labels": NUMBERS, "counts": _in_range(field, [1, 2, 4])}
    element = each.get(field.kind, LENGTHS)
    if field.per_axis:
        return st.one_of(element, st.lists(element, min_size=rank, max_size=rank))
    return st.lists(element, min_size=1, max_size=3)


@st.composite
def options_of(draw, operation, rank, names=None):
    """Some options of an operation, or some of these names."""
    chosen = FIELDS[operation].items()
    drawn = {
        name: value_of(field, rank) for name, field in chosen if names is None or name in names
    }
    return {name: draw(values) for name, values in drawn.items() if draw(RARELY)}

# SPDX-License-Identifier: Apache-2.0
"""What this build can use, and what it holds."""

from __future__ import annotations

from typing import NamedTuple

from . import _core

__all__ = ["Device", "Method", "devices", "release_scratch"]


class Method(NamedTuple):
    """One way of computing."""

    name: str
    exact: bool


class Device(NamedTuple):
    """One usable unit, or the reason why a backend has none."""

    name: str
    description: str
    available: bool
    reason: str
    methods: tuple[Method, ...]
    cost_methods: tuple[str, ...] = ()


def devices() -> list[Device]:
    """What every backend of this build can use, in the order in which device="auto" prefers them.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.devices()[0].name
    'cpu'
    """
    return [
        Device(
            each.name,
            each.description,
            each.available,
            each.reason,
            tuple(Method(method.name, method.exact) for method in each.methods),
            tuple(each.cost_methods),
        )
        for each in _core.devices()
    ]


def release_scratch() -> None:
    """Give back the scratch memory that is kept between the calls of this thread."""
    _core.release_scratch()

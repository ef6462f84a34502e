# SPDX-License-Identifier: Apache-2.0
"""The devices of this build, their scratch memory, and waiting for them."""

from __future__ import annotations

from typing import NamedTuple

from . import _core


class Method(NamedTuple):
    """One way of computing.

    It is exact by all metrics except the ones in `approximate_metrics`.
    """

    name: str
    exact: bool
    approximate_metrics: tuple[str, ...] = ()


class Device(NamedTuple):
    """One usable unit, or the reason why a backend has none."""

    name: str
    description: str
    available: bool
    reason: str
    methods: tuple[Method, ...]
    cost_methods: tuple[str, ...] = ()


def devices() -> list[Device]:
    """List the devices of every backend of this build, in the order of preference of "auto".

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
            tuple(
                Method(method.name, method.exact, tuple(method.approximate_metrics))
                for method in each.methods
            ),
            tuple(each.cost_methods),
        )
        for each in _core.devices()
    ]


def release_scratch() -> None:
    """Give back the scratch memory that is kept between the calls of this thread."""
    _core.release_scratch()


def synchronize() -> None:
    """Wait for the calls of this thread on CUDA devices.

    Calls on arrays in CUDA memory return at once. Their results are in order on the stream of the
    arrays' library, so there is no need to wait for them. This function raises errors that only the
    device can find, such as points that are not finite.

    Raises
    ------
    ValueError
        A point in CUDA memory is not as it must be; the message has its number. The outputs of its
        call hold anything.
    RuntimeError
        The device failed.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.synchronize()
    """
    _core.synchronize()

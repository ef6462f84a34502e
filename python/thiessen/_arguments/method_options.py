# SPDX-License-Identifier: Apache-2.0
"""What one family of methods takes besides what all methods take: `method_options=`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

import numpy as np

from ..typing import Allotment, FloodingMethod, MethodName, Noise, StepRule
from .checks import to_switch, to_text, to_whole

_MOST_SITES = 2**60
_LONGEST_STEP = 2**30


def _to_steps(steps: Any) -> tuple[int, ...]:
    listed = list(steps) if np.iterable(steps) and not isinstance(steps, str) else [steps]
    if not listed:
        raise ValueError("steps is empty; must have one number or more")
    return tuple(to_whole(f"steps[{i}]", step, 1, _LONGEST_STEP) for i, step in enumerate(listed))


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "steps": lambda name, value: _to_steps(value),
    "step_rule": to_text,
    "pattern": to_text,
    "noise": to_text,
    "seed": lambda name, value: to_whole(name, value, 0, 2**64 - 1),
    "literal": to_switch,
    "step": lambda name, value: to_whole(name, value, 1, _LONGEST_STEP),
    "sites": lambda name, value: to_whole(name, value, 0, _MOST_SITES),
    "allotment": to_text,
    "labels_carried": to_switch,
}
"""How the options of all families are checked; None stands for the default of some."""


class _Checked:
    """Options whose values are checked when they are given."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if value is not None or getattr(type(self), name) is not None:
                object.__setattr__(self, name, _CHECKS[name](name, value))  # it is frozen


@dataclass(frozen=True, kw_only=True)
class Flooding(_Checked):
    """Options of jump flooding, for the methods whose names have "jfa" in them.

    Parameters
    ----------
    steps : int or sequence of int, optional
        Jump lengths of the passes in cells, 1 to 2**30 each. Default: the method's own.
    step_rule : {"pow2", "half", "quarter", "third"}, optional
        Rule by which steps become shorter; p cells are the longest axis: powers of two, the first
        at least p/2; p/2, p/4, p/8, rounded down; p/2, p/8, p/32, rounded up; p/3, p/9, p/27,
        rounded up. Not together with `steps`. Default: the method's own.
    pattern : str, optional
        Places that a cell reads: "square", "circle:N" or "random-circle:N", N of 1 to 64 points;
        circles in 2-D only. Default: the method's own.
    noise : {"none", "in-place", "mask"}, optional
        Random sites for cells that hold none. Default: the method's own.
    seed : int
        Seed of noise and random circles; 0 to 2**64 - 1.
    literal : bool
        For "jfa-coeurjolly" and "jfa-thrust" only: an empty cell measures as if it held the site
        (n, 0) below a raster of n rows, as in the tutorial, and may stay empty.

    Raises
    ------
    ValueError, TypeError
        An option breaks a rule; `nearest_site` raises for a pattern or a noise that is unknown.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.Flooding(steps=[4, 2, 1])
    Flooding(steps=(4, 2, 1), step_rule=None, pattern=None, noise=None, seed=0, literal=False)
    """

    steps: int | Iterable[int] | None = None
    step_rule: StepRule | None = None
    pattern: str | None = None
    noise: Noise | None = None
    seed: int = 0
    literal: bool = False


@dataclass(frozen=True, kw_only=True)
class Growing(_Checked):
    """Options of the method "circle-growing".

    Parameters
    ----------
    step : int
        By how many cells the radius grows from round to round; 1 to 2**30. Results do not depend
        on it.

    Raises
    ------
    ValueError, TypeError
        The step breaks a rule.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.Growing(step=4)
    Growing(step=4)
    """

    step: int = 1


@dataclass(frozen=True, kw_only=True)
class Scanning(_Checked):
    """Options of the methods "raster-gpu" and "brute-force". Results do not depend on them.

    Parameters
    ----------
    sites : int, optional
        For "raster-gpu" only: up to this number of sites, every cell is compared with all of them.
        With more, each cell looks around itself until it meets one. 0 to 2**60. Default: the number
        that was measured for the device.
    allotment : {"cyclic", "contiguous"}, optional
        For "brute-force" on cuda and opencl only: whether each of K threads takes one cell of each
        K, or cells in one piece. Default: cyclic.

    Raises
    ------
    ValueError, TypeError
        An option breaks a rule; `nearest_site` raises for an allotment that is unknown, and for an
        option of the other method.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.Scanning(sites=1000)
    Scanning(sites=1000, allotment=None)
    """

    sites: int | None = None
    allotment: Allotment | None = None


@dataclass(frozen=True, kw_only=True)
class Spreading(_Checked):
    """Options of the methods "dilation" and "expansion".

    Parameters
    ----------
    labels_carried : bool
        As Tu and Wang have them, on the CPU: a dilated cell takes the first of the labels that
        reach it in its round, and a cell expands its neighbourhood until a site is met. Not exact.

    Raises
    ------
    ValueError, TypeError
        The option breaks a rule.

    Examples
    --------
    >>> import thiessen
    >>> thiessen.Spreading(labels_carried=True)
    Spreading(labels_carried=True)
    """

    labels_carried: bool = False


MethodOptions: TypeAlias = Flooding | Growing | Scanning | Spreading

_FAMILIES: dict[str, type[MethodOptions]] = {
    **dict.fromkeys(get_args(FloodingMethod), Flooding),
    "circle-growing": Growing,
    "raster-gpu": Scanning,
    "dilation": Spreading,
    "expansion": Spreading,
    "brute-force": Scanning,
}


_NAMES_IN_CORE = {(Growing, "step"): "growth_step", (Scanning, "sites"): "scan_sites"}
"""Options that have a longer name where all methods share one table."""


def core_options_of(method: Any, method_options: Any) -> dict[str, Any]:
    """Options of a family of methods as the core takes them. Raises TypeError for options of
    another family."""
    if method_options is None or method not in get_args(MethodName):
        return {}  # the core knows the method, or refuses it
    given = type(method_options).__name__
    if not isinstance(method_options, _Checked):
        raise TypeError(
            f"method_options is a {given}; must be a Flooding, a Growing, a Scanning or a Spreading"
        )
    family = _FAMILIES.get(method)
    if family is None:
        raise TypeError(f"method_options is a {given}; must be None, as {method!r} has no options")
    if type(method_options) is not family:
        raise TypeError(
            f"method_options is a {given}; must be a {family.__name__} for the method {method!r}"
        )
    return {
        _NAMES_IN_CORE.get((family, name), name): value
        for name, value in vars(method_options).items()
    }

# SPDX-License-Identifier: Apache-2.0
"""The values of `progress=`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .running import progress_of, unreported


@contextmanager
def reporter(progress: Any) -> Iterator[Callable[[float], object] | None]:
    """What the core calls with a fraction from 0 to 1 that grows.

    progress    None; a callable of one float; True for a bar of tqdm, which is shown until the end;
                a bar of tqdm, which is brought to its total.
    """
    progress = progress_of(progress)
    if progress is None or progress is False:
        yield None
        return
    with unreported():
        yield from _reporter(progress)


def _reporter(progress: Any) -> Iterator[Callable[[float], object] | None]:
    if progress is True or _is_bar_type(progress):
        with _bar_type(progress)(total=1.0, bar_format="{l_bar}{bar}| {elapsed}") as bar:
            yield _bar_reporter(bar)
    elif hasattr(progress, "update") and hasattr(progress, "total"):
        yield _bar_reporter(progress)
    elif callable(progress):
        yield progress
    else:
        raise TypeError(
            f"progress = {progress!r}; must be None, True, a callable of one float or a bar of tqdm"
        )


def _is_bar_type(progress: Any) -> bool:
    return isinstance(progress, type) and hasattr(progress, "update") and hasattr(progress, "close")


def _bar_type(progress: Any) -> Any:
    if progress is not True:
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress = True needs the package tqdm: pip install tqdm") from None
    return tqdm


def _bar_reporter(bar: Any) -> Callable[[float], object]:
    total = 1.0 if bar.total is None else bar.total
    start = bar.n
    return lambda fraction: bar.update(start + fraction * (total - start) - bar.n)

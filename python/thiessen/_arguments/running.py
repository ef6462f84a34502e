# SPDX-License-Identifier: Apache-2.0
"""How calls run: on which device, with how many threads, who is told of progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .checks import to_switch, to_text, to_whole


@dataclass(frozen=True)
class _Settings:
    device: str | None = None
    threads: int | None = None
    progress: Any = None
    strict: bool | None = None


_NOTHING = _Settings()
_SETTINGS: ContextVar[_Settings] = ContextVar("thiessen.running", default=_NOTHING)


@contextmanager
def running(
    *,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> Iterator[None]:
    """Say for all calls inside of a ``with`` how they run.

    A keyword of a single call goes first. What is not given stays as it is outside.

    Parameters
    ----------
    device : str, optional
        "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1", as of `nearest_site`.
    threads : int, optional
        Threads of the CPU.
    progress : optional
        A callable of one float from 0 to 1, True for a bar of tqdm, or such a bar. False of a
        single call switches it off.
    strict : bool, optional
        Every `ThiessenWarning` is an error.

    Returns
    -------
    context manager

    Raises
    ------
    ValueError, TypeError
        An argument breaks a rule.

    Notes
    -----
    The settings belong to a thread, or to a task of asyncio: other ones do not see them. Functions
    that have no such keyword do not change.

    Examples
    --------
    >>> import thiessen
    >>> with thiessen.running(device="cpu", threads=2):
    ...     labels, distance = thiessen.nearest_site([[7, 0, 0, 9]])
    >>> labels
    array([[7, 7, 9, 9]])
    """
    given = {
        "device": None if device is None else to_text("device", device),
        "threads": None if threads is None else to_whole("threads", threads, 1, 1024),
        "progress": progress,
        "strict": None if strict is None else to_switch("strict", strict),
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    token = _SETTINGS.set(replace(_SETTINGS.get(), **chosen))
    try:
        yield
    finally:
        _SETTINGS.reset(token)


def to_device(device: Any, otherwise: str = "auto") -> str:
    """The device of a call."""
    if device is None:
        return _SETTINGS.get().device or otherwise
    return to_text("device", device)


def set_device(options: Any, device: Any, otherwise: str = "auto") -> None:
    """Let the core run a call on a device, unless it does so by itself."""
    name = to_device(device, otherwise)
    if name != "auto":
        options.device = name


def to_thread_count(threads: Any) -> int:
    """The threads of a call; 0 for as many as there are processors."""
    if threads is None:
        return _SETTINGS.get().threads or 0
    return to_whole("threads", threads, 1, 1024)


def to_strict(strict: Any) -> bool:
    """Whether what a call would warn of is an error."""
    if strict is None:
        return _SETTINGS.get().strict or False
    return to_switch("strict", strict)


@contextmanager
def unreported() -> Iterator[None]:
    """Keep what a call calls itself from telling of its own progress."""
    settings = _SETTINGS.get()
    token = None if settings.progress is None else _SETTINGS.set(replace(settings, progress=None))
    try:
        yield
    finally:
        if token is not None:
            _SETTINGS.reset(token)


def progress_of(progress: Any) -> Any:
    """Who is told of the progress of a call."""
    return _SETTINGS.get().progress if progress is None else progress

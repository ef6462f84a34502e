# SPDX-License-Identifier: Apache-2.0
"""How calls run: on which device, with how many threads, who is told of progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .checks import needed, to_switch, to_text, to_whole


@dataclass(frozen=True)
class _Settings:
    device: str | None = None
    threads: int | None = None
    progress: Any = None
    strict: bool | None = None


_NOTHING = _Settings()
_SETTINGS: ContextVar[_Settings] = ContextVar("thiessen.running", default=_NOTHING)
_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "device": to_text,
    "threads": lambda name, value: to_whole(name, value, 1, 1024),
    "strict": to_switch,
}


@contextmanager
def running(
    *,
    device: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    strict: bool | None = None,
) -> Iterator[None]:
    """Say for all calls inside of a ``with`` how they run.

    A keyword of a single call comes first. Settings that are not given stay as they are outside.

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
    given = {"device": device, "threads": threads, "strict": strict}
    chosen = {name: _CHECKS[name](name, each) for name, each in given.items() if each is not None}
    if progress is not None:
        chosen["progress"] = progress
    with _changed(**chosen):
        yield


@contextmanager
def _changed(**changed: Any) -> Iterator[None]:
    token = _SETTINGS.set(replace(_SETTINGS.get(), **changed))
    try:
        yield
    finally:
        _SETTINGS.reset(token)


def _setting(name: str, given: Any, otherwise: Any) -> Any:
    """What a call is given, or else what `running` says."""
    if given is None:
        return getattr(_SETTINGS.get(), name) or otherwise
    return _CHECKS[name](name, given)


def to_device(device: Any, otherwise: str = "auto") -> str:
    """The device of a call."""
    return _setting("device", device, otherwise)


def set_device(options: Any, device: Any, otherwise: str = "auto") -> None:
    """Let the core run a call on a device, unless it does so by itself."""
    name = to_device(device, otherwise)
    if name != "auto":
        options.device = name


def to_thread_count(threads: Any) -> int:
    """The threads of a call; 0 for as many as there are processors."""
    return _setting("threads", threads, 0)


def to_strict(strict: Any) -> bool:
    """Whether what a call would warn of is an error."""
    return _setting("strict", strict, False)


@contextmanager
def reporter(progress: Any) -> Iterator[Callable[[float], object] | None]:
    """What the core calls with a fraction from 0 to 1 that grows.

    progress    None; a callable of one float; True for a bar of tqdm, which is shown until the end;
                a bar of tqdm, which is brought to its total.
    """
    progress = _SETTINGS.get().progress if progress is None else progress
    if progress is None or progress is False:
        yield None
        return
    with _changed(progress=None):  # what a call calls itself does not tell of its own
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
    return needed("tqdm", "progress = True needs", "tqdm.auto").tqdm


def _bar_reporter(bar: Any) -> Callable[[float], object]:
    total = 1.0 if bar.total is None else bar.total
    start = bar.n
    return lambda fraction: bar.update(start + fraction * (total - start) - bar.n)

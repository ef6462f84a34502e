# SPDX-License-Identifier: Apache-2.0
"""pytest plugin: puts our facades in the place of a peer's functions before its tests are read.

The run fails if a test looks up anything else, if a function is never called, if too few tests
pass, or if a deselected test is not there.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
import stand_in
from table import PEERS

PEER = next(peer for peer in PEERS if peer.name == os.environ["THIESSEN_PEER"])


def degrees_as_metres(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Coordinates that are called lat and lon, though lengths are measured along them."""
    raster = args[0]
    if kwargs.get("distance_metric") == "GREAT_CIRCLE":
        return
    for name in {"lat", "lon"} & set(getattr(raster, "coords", ())):
        raster[name].attrs.setdefault("units", "m")


class Swap:
    """Our functions in the peer's module, counting their calls."""

    def __init__(self) -> None:
        if PEER.stand_in:
            stand_in.install(PEER.home)
        home = importlib.import_module(PEER.home)
        facade = importlib.import_module(PEER.facade)
        self.home = home
        self.calls = dict.fromkeys(PEER.functions, 0)
        self.theirs = {name: getattr(home, name, None) for name in PEER.functions}
        self.ours = {name: self._counted(name, getattr(facade, name)) for name in PEER.functions}
        for name, ours in self.ours.items():
            setattr(home, name, ours)
        self._keep_marks()

    def _counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            if PEER.adapt:
                globals()[PEER.adapt](args, kwargs)
            return function(*args, **kwargs)

        return counted

    def _keep_marks(self) -> None:
        """SciPy's tests look up which array libraries a function takes by the function itself."""
        arrays = sys.modules.get("scipy._lib._array_api")
        table = getattr(arrays, "xp_capabilities_table", {})
        for name, theirs in self.theirs.items():
            if theirs in table:
                table[self.ours[name]] = table[theirs]

    def leaks(self, test_module: Any) -> list[str]:
        """The peer's functions that a test module still holds."""
        theirs = {id(function) for function in self.theirs.values() if function is not None}
        names = {**vars(test_module), **vars(self.home)}
        return [name for name, value in names.items() if id(value) in theirs]


SWAP = Swap()
DROPPED: dict[str, int] = dict.fromkeys(PEER.deselected, 0)
FAULTS: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    keep, drop = [], []
    for item in items:
        name = getattr(item, "originalname", item.name)
        if name in DROPPED:
            DROPPED[name] += 1
            drop.append(item)
        else:
            keep.append(item)
    if drop:
        config.hook.pytest_deselected(items=drop)
        items[:] = keep
    FAULTS.extend(f"deselected {name} is not there" for name, n in DROPPED.items() if not n)
    for module in {item.module for item in keep if isinstance(item, pytest.Function)}:
        FAULTS.extend(f"{module.__name__} holds the peer's {name}" for name in SWAP.leaks(module))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    passed = len(terminalreporter.stats.get("passed", []))
    if passed < PEER.fewest:
        FAULTS.append(f"{passed} tests passed; must be {PEER.fewest} or more")
    FAULTS.extend(f"{name} was never called" for name, n in SWAP.calls.items() if not n)
    write = terminalreporter.write_line
    package = importlib.import_module(PEER.home.split(".")[0])
    version = getattr(package, "__version__", PEER.fetched.partition("==")[2])
    calls = ", ".join(f"{name} {n} times" for name, n in SWAP.calls.items())
    write(f"{PEER.name} {version}: {passed} passed; ours called: {calls}")
    for name, reason in PEER.deselected.items():
        write(f"deselected {name} ({DROPPED[name]}): {reason}")
    for fault in FAULTS:
        write(f"fault: {fault}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    # The summary comes after pytest has settled its exit status.
    if FAULTS:
        raise SystemExit(1)

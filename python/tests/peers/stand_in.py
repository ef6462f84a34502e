# SPDX-License-Identifier: Apache-2.0
"""NumPy in the place of CuPy, so that tests of functions on a GPU can run on ours without one."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy


def install(home: str) -> None:
    """Where CuPy is not installed, make it importable, and a module of this name."""
    if _is_importable("cupy"):
        return
    cupy: Any = types.ModuleType("cupy")
    public = {name: getattr(numpy, name) for name in dir(numpy) if name[0] != "_"}
    vars(cupy).update(public, asnumpy=numpy.asarray, testing=_testing())
    sys.modules["cupy"] = cupy
    _make(home)


def _is_importable(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def _make(name: str) -> types.ModuleType:
    """An empty module, and those around it."""
    parent, _, last = name.rpartition(".")
    module = sys.modules[name] = types.ModuleType(name)
    if parent:
        setattr(_make(parent) if parent not in sys.modules else sys.modules[parent], last, module)
    return module


def _testing() -> Any:
    """What the tests take from cupy.testing, besides what numpy.testing has."""
    testing: Any = types.ModuleType("cupy.testing")
    vars(testing).update(
        assert_allclose=numpy.testing.assert_allclose,
        assert_array_equal=numpy.testing.assert_array_equal,
        with_requires=lambda *requirements: lambda test: test,
        numpy_cupy_allclose=_compare_with_scipy,
    )
    return testing


def _compare_with_scipy(scipy_name: str) -> Callable[..., Any]:
    """Decorator of a test that is called with NumPy and SciPy, and with CuPy and its SciPy: what it
    returns must be the same."""

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def both(*args: Any, **kwargs: Any) -> None:
            import cupy
            import cupyx.scipy
            import scipy

            wanted = test(*args, xp=numpy, **{scipy_name: scipy}, **kwargs)
            found = test(*args, xp=cupy, **{scipy_name: cupyx.scipy}, **kwargs)
            numpy.testing.assert_allclose(found, wanted)

        signature = inspect.signature(test)
        parameters = [p for p in signature.parameters.values() if p.name not in ("xp", scipy_name)]
        vars(both)["__signature__"] = signature.replace(parameters=parameters)
        return both

    return decorate

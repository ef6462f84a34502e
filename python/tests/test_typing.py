# SPDX-License-Identifier: Apache-2.0
"""What type checkers see: overloads, words, and that they are what functions do take."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import thiessen
from thiessen import _core, typing
from thiessen._arguments.core_options import CoreOptions

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]


def test_calls_are_typed() -> None:
    """mypy finds what typed/calls.py says that it finds, and nothing else."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", PROJECT / "pyproject.toml"]
    command += ["--cache-dir", PROJECT / "build" / "mypy", HERE / "typed" / "calls.py"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["slabs", "typing", "metrics", "compat"])
def test_modules_show_their_public_names(name: str) -> None:
    modules = [importlib.import_module(f"thiessen.{name}")]
    if name == "compat":
        modules += [getattr(thiessen.compat, each) for each in thiessen.compat.__all__]
    for module in modules:
        assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize(
    ("name", "by_position"),
    [
        ("nearest_site", ["sites"]),
        ("voronoi", ["points", "shape"]),
        ("distance_transform", ["sites"]),
        ("expand_labels", ["labels", "max_distance"]),
        ("cost_distance", ["sites"]),
        ("least_cost_path", ["back_link", "start"]),
        ("least_cost_line", ["found", "start"]),
        ("cost_table", ["origins", "destinations"]),
        ("least_cost_network", ["sites"]),
        ("corridor", ["first", "second"]),
        ("material_map", ["shape", "material"]),
        ("connected_components", ["image"]),
        ("random_sites", ["shape", "count"]),
        ("compare", ["a", "b"]),
        ("site_statistics", ["labels"]),
        ("adjacency", ["labels"]),
        ("touching", ["labels"]),
        ("render", ["labels"]),
        ("plot", ["labels"]),
        ("overlay", ["image", "labels", "options"]),
    ],
)
def test_nothing_else_goes_by_position(name: str, by_position: list[str]) -> None:
    parameters = inspect.signature(getattr(thiessen, name)).parameters.values()
    found = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
    assert found == by_position


def test_words_are_those_of_the_core() -> None:
    """What the library names on this machine is among the words; the rest is for other devices."""
    methods: set[str] = set()
    costs: set[str] = set()
    for device in thiessen.devices():
        methods |= {method.name for method in device.methods}
        costs |= set(device.cost_methods)
    assert methods <= set(get_args(typing.MethodName))
    assert set(get_args(typing.MethodName)) - methods <= {"jfa-thrust"}
    assert costs == set(get_args(typing.CostMethod))
    with pytest.raises(ValueError, match="must be one of") as caught:
        thiessen.nearest_site([[1]], metric="none")  # type: ignore[call-overload]
    assert all(repr(name) in str(caught.value) for name in get_args(typing.Metric))


def test_a_misspelt_option_of_the_core_is_an_error() -> None:
    inputs = {"sites": np.ones((1, 1))}
    with pytest.raises(ValueError, match="max_distanc is no option .*; did you mean max_distance"):
        _core.run("nearest_site", inputs, {}, CoreOptions(max_distanc=3))
    with pytest.raises(ValueError, match="metres is no output of nearest_site"):
        _core.run("nearest_site", inputs, {"metres": None}, CoreOptions())
    with pytest.raises(ValueError, match="nearest is no operation"):
        _core.run("nearest", inputs, {}, CoreOptions())

# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings and pages run as they stand, and docstrings tell of every parameter."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import thiessen

README = Path(__file__).resolve().parents[2] / "README.md"
PAGES = README.parent / "docs"
ELSEWHERE = "torch"
"""What needs PyTorch has its tests in tests/torch."""
WITH_EXAMPLES = [
    page
    for page in sorted(PAGES.glob("*.md"))
    if ">>> " in page.read_text() and page.stem != ELSEWHERE
]
OPTIONS = doctest.NORMALIZE_WHITESPACE
"""NumPy breaks lines of arrays at a width that depends on its version."""


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(thiessen.__path__, "thiessen.")
    names = sorted(info.name for info in found if ELSEWHERE not in info.name)
    return [thiessen] + [importlib.import_module(name) for name in names]


def functions() -> dict[str, Callable[..., Any]]:
    """What users call: the functions of the package and of its facades."""
    found: dict[str, Callable[..., Any]] = {}
    for module in modules():
        public = module in (*(thiessen, thiessen.slabs, thiessen.metrics),)
        public |= module.__name__.startswith("thiessen.compat.")
        if not public or "._" in module.__name__:
            continue
        for name in getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"]):
            member = getattr(module, name)
            if inspect.isfunction(member) and member.__module__.startswith("thiessen"):
                found[f"{module.__name__}.{name}"] = member
    return found


FUNCTIONS = functions()


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples_of_module(module: ModuleType) -> None:
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_examples_of_page(page: Path) -> None:
    """All examples of a page in one namespace; a fence ends an example as an empty line does."""
    text = re.sub(r"^ *```.*$", "", page.read_text(), flags=re.MULTILINE)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0))
    assert runner.tries > 0
    assert runner.failures == 0


def test_example_of_the_readme_runs() -> None:
    """Its blocks of Python, in one namespace."""
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["labels"][0, 0] == 7
    assert names["picture"].shape == (600, 800, 3)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_tells_of_every_parameter(name: str) -> None:
    parameters = set(inspect.signature(FUNCTIONS[name]).parameters)
    section = sections(FUNCTIONS[name]).get("Parameters", "")
    heads = [line for line in section.splitlines() if line and not line[0].isspace()]
    told = {name for head in heads for name in re.split(r",\s*", head.split(" : ")[0].strip())}
    assert parameters <= told, f"missing: {', '.join(sorted(parameters - told))}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstring_has_its_sections(name: str) -> None:
    """All of them, in this order. A function without parameters has little to say, and a facade
    leaves notes and examples to what it stands in for."""
    expected = ["Parameters", "Returns", "Raises", "Notes", "Examples"]
    found = list(sections(FUNCTIONS[name]))
    if not inspect.signature(FUNCTIONS[name]).parameters:
        expected = [section for section in expected if section in found]
    elif ".compat." in name:
        expected = [
            each for each in expected if each in ("Parameters", "Returns", "Raises", *found)
        ]
    assert found == expected


def sections(function: Callable[..., Any]) -> dict[str, str]:
    """The sections of a docstring, in their order."""
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.getdoc(function) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))

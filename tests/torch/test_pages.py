# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/torch.md and of docstrings run as they stand, and docstrings are complete."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest
import thiessen.torch

PAGE = Path(__file__).resolve().parents[2] / "docs" / "torch.md"
SECTIONS = ["Parameters", "Returns", "Raises", "Notes", "Examples"]


def test_examples_of_the_page() -> None:
    text = re.sub(r"^ *```.*$", "", PAGE.read_text(), flags=re.MULTILINE)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0))
    assert runner.tries > 0
    assert runner.failures == 0


def test_examples_of_docstrings() -> None:
    tried = doctest.testmod(thiessen.torch)
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize("name", thiessen.torch.__all__)
def test_docstrings(name: str) -> None:
    function = getattr(thiessen.torch, name)
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.getdoc(function) or "", flags=re.MULTILINE)
    assert parts[1::2] == SECTIONS
    heads = [line for line in parts[2].splitlines() if line and not line[0].isspace()]
    told = {each for head in heads for each in re.split(r",\s*", head.split(" : ")[0].strip())}
    assert set(inspect.signature(function).parameters) <= told

# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/torch.md run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "torch.md"


def test_examples_of_the_page() -> None:
    text = re.sub(r"^ *```.*$", "", PAGE.read_text(), flags=re.MULTILINE)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0))
    assert runner.tries > 0
    assert runner.failures == 0

# SPDX-License-Identifier: Apache-2.0
"""What an index of packages shows of thiessen, beyond what pyproject.toml says.

scikit-build-core asks for it. The description is the README. Its links to files of the checkout
would be dead there: they lead to the address under which these files can be seen,
THIESSEN_FILES_URL in the environment. Without it the text of a link stays alone, and pictures go.

The licence of a wheel is that of all its parts (THIRD-PARTY-NOTICES.md). The source distribution
holds no part of others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LICENCE = "Apache-2.0"
OF_WHEELS = ("BSD-3-Clause", "BSL-1.0", "MIT")
OF_CUDA = ("Apache-2.0 WITH LLVM-exception", "LicenseRef-NVIDIA-CUDA-Toolkit-EULA")

TO_FILE = r"\[([^\]]*)\]\((?!https?://|#)([^)]*)\)"
PICTURE_WITH_CAPTION = re.compile(rf"^!{TO_FILE}\n\n\*[^*]*\*\n\n", re.MULTILINE)
PICTURE = re.compile("!" + TO_FILE)
LINK = re.compile("(?<!!)" + TO_FILE)
WHERE_NEXT = re.compile(r"^Read on: .*?\n\n", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)


class Metadata:
    """The provider: `[[tool.dynamic-metadata]]` in pyproject.toml."""

    is_wheel = True

    def build_state(self, state: str) -> None:
        self.is_wheel = state != "sdist"

    def dynamic_wheel(self, settings: Mapping[str, Any]) -> dict[str, bool]:
        return {"license": True}

    def dynamic_metadata(
        self, settings: Mapping[str, Any], project: Mapping[str, Any]
    ) -> dict[str, str | dict[str, str]]:
        files = files_address()
        readme = Path("README.md").read_text(encoding="utf-8")
        with_cuda = os.environ.get("THIESSEN_WITH_CUDA") == "ON"
        return {
            "readme": {"content-type": "text/markdown", "text": description(readme, files)},
            "license": licence(with_cuda) if self.is_wheel else LICENCE,
            "urls": addresses(files),
        }


def files_address() -> str:
    """Where the files of the checkout can be seen, with no slash at the end; may be empty."""
    files = os.environ.get("THIESSEN_FILES_URL", "").rstrip("/")
    if files and not re.fullmatch(r"https?://[^\s()]+", files):
        raise ValueError(f"THIESSEN_FILES_URL = {files}; must be an address of http or https")
    return files


def description(readme: str, files: str) -> str:
    """The README without relative links; code stays as it is."""
    parts = CODE.split(readme)
    parts[::2] = [without_relative_links(part, files) for part in parts[::2]]
    return "".join(parts)


def without_relative_links(text: str, files: str) -> str:
    if not files:
        for nothing_without_links in (WHERE_NEXT, PICTURE_WITH_CAPTION, PICTURE):
            text = nothing_without_links.sub("", text)
        return LINK.sub(r"\1", text)
    # Where a site shows a page about a file, the file itself is beside it.
    raw = re.sub(r"/(blob|src)/", "/raw/", files)
    return LINK.sub(rf"[\1]({files}/\2)", PICTURE.sub(rf"![\1]({raw}/\2)", text))


def licence(with_cuda: bool) -> str:
    """The licences of a wheel, as an expression of SPDX."""
    return " AND ".join((LICENCE, *OF_WHEELS, *(OF_CUDA if with_cuda else ())))


def addresses(files: str) -> dict[str, str]:
    if not files:
        return {}
    return {
        "Source": files,
        "Documentation": f"{files}/docs/index.md",
        "Changelog": f"{files}/CHANGELOG.md",
    }

# SPDX-License-Identifier: Apache-2.0
"""What an index of packages shows: a description whose links work there, and the licences of what a wheel holds."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = "https://forge.example/team/thiessen/blob/v0.1.0"
TARGET = re.compile(r"\[[^\]]*\]\(([^)]*)\)")


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "package_metadata", ROOT / "python" / "package_metadata.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


package_metadata = load()


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_without_an_address_the_description_has_no_relative_link():
    text = package_metadata.description(README, "")
    assert [target for target in TARGET.findall(without_code(text)) if "://" not in target] == []
    assert "[all pages]" not in text and "Read on" not in text
    assert "raster Voronoi diagrams" in text and "(docs/" not in text


def test_links_lead_to_files_of_the_checkout():
    text = without_code(package_metadata.description(README, FILES))
    targets = TARGET.findall(text)
    assert len(targets) == len(TARGET.findall(without_code(README)))
    ours = [target for target in targets if target.startswith("https://forge.example/")]
    assert any("/raw/v0.1.0/docs/images/" in target for target in ours)
    for target in ours:
        path = re.sub(r"^https://forge.example/team/thiessen/(blob|raw)/v0.1.0/|#.*$", "", target)
        assert (ROOT / path).is_file(), target


def test_code_of_the_description_is_that_of_the_readme():
    code = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    assert code.findall(package_metadata.description(README, "")) == code.findall(README)


@pytest.mark.parametrize(("state", "cuda", "licence"), [
    ("sdist", "ON", "Apache-2.0"),
    ("wheel", "OFF", "Apache-2.0 AND BSD-3-Clause AND BSL-1.0 AND MIT"),
    ("wheel", "ON", "Apache-2.0 AND BSD-3-Clause AND BSL-1.0 AND MIT AND Apache-2.0 WITH LLVM-exception"
                    " AND LicenseRef-NVIDIA-CUDA-Toolkit-EULA"),
])  # fmt: skip
def test_licence_is_that_of_what_is_inside(monkeypatch, state, cuda, licence):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("THIESSEN_WITH_CUDA", cuda)
    monkeypatch.setenv("THIESSEN_FILES_URL", FILES + "/")
    provider = package_metadata.Metadata()
    provider.build_state(state)
    found = provider.dynamic_metadata({}, {})
    assert found["license"] == licence
    assert found["urls"]["Changelog"] == FILES + "/CHANGELOG.md"
    assert found["readme"]["content-type"] == "text/markdown"


def test_every_licence_has_its_notice():
    notices = (ROOT / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
    for name in package_metadata.OF_WHEELS:
        assert name in notices
    assert "NVIDIA CUDA Toolkit EULA" in notices and "LLVM exceptions" in notices


@pytest.mark.parametrize("address", ["forge.example/thiessen", "file:///thiessen", "https://a b"])
def test_a_wrong_address_is_an_error(monkeypatch, address):
    monkeypatch.setenv("THIESSEN_FILES_URL", address)
    with pytest.raises(ValueError, match=f"^THIESSEN_FILES_URL = {address}; must be"):
        package_metadata.files_address()


def test_without_an_address_there_are_no_addresses(monkeypatch):
    monkeypatch.delenv("THIESSEN_FILES_URL", raising=False)
    assert package_metadata.addresses(package_metadata.files_address()) == {}

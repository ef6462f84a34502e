# SPDX-License-Identifier: Apache-2.0
"""How `make docs` makes the documentation site from the pages of this repository.

The source folder of the site is that of the repository, so that a link from one page to another, to
a source file or to a table of measurements is the same on the site and where the repository is
browsed.
"""

import sys
from pathlib import Path

from sphinx import addnodes

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

project = "thiessen"
author = "The thiessen developers"
project_copyright = author
version = release = (ROOT / "VERSION").read_text().strip()

extensions = [
    "myst_parser",
    "sphinx_external_toc",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "breathe",
    "sphinx_copybutton",
]
needs_sphinx = "9.0"
root_doc = "docs/index"
external_toc_path = "docs/toc.yml"
include_patterns = [
    "*.md",
    "bench/README.md",
    "bench/results/*.md",
    "data/README.md",
    "docs/*.md",
    "docs/adr/*.md",
    "docs/reference/*.md",
]
exclude_patterns = [".*", "build", "out", "src", "tests", "python", "include"]

# Headings of the first four levels are targets of links, named as forges name them.
myst_heading_anchors = 4

# The compiled module is not needed to read the Python ones; its names stand where users never look.
autodoc_mock_imports = ["thiessen._core", "dask", "torch"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
default_role = "py:obj"

breathe_projects = {"thiessen": str(ROOT / "build" / "docs" / "doxygen" / "xml")}
breathe_default_project = "thiessen"
# The namespace is opened by every header; a parameter in backticks may have the name of attributes
# of several classes.
suppress_warnings = ["duplicate_declaration.cpp", "ref.python"]
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}

html_theme = "furo"
html_static_path = ["site"]
html_css_files = ["tables-and-pictures.css"]
html_title = f"thiessen {version}"
html_copy_source = False
html_show_sphinx = False
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

# Names that other trades use for the subject of a page. The search of the site lists this page
# first for such a name, because a main entry of the index has a score of 100 and a word of a title
# has 15. The entries stand here and not in the page, because a forge would show them in the text.
SEARCH_NAMES = {"docs/cost-distance": ("cost allocation",)}


def setup(app):
    app.connect("doctree-read", _exempt_front_page)
    app.connect("doctree-read", _enter_search_names)
    app.connect("autodoc-process-docstring", _drop_what_says_nothing)


def _exempt_front_page(app, doctree):
    """The repository's front page is read for its links alone: no list and no search has it."""
    if app.env.docname == "README":
        app.env.metadata["README"].update(orphan=True, nosearch=True)


def _enter_search_names(app, doctree):
    """Gives the page the main entries of SEARCH_NAMES, which lead to its top."""
    names = SEARCH_NAMES.get(app.env.docname, ())
    if names:
        doctree += addnodes.index(entries=[("single", name, "", "main", None) for name in names])


def _drop_what_says_nothing(app, what, name, member, options, lines):
    """The package's list of its functions, and what Python says of fields without a docstring."""
    if name == "thiessen" or (lines and lines[0].startswith("Alias for field number")):
        lines.clear()

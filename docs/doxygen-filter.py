#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows Doxygen a public header as it understands it.

It takes a class template that stands on another specialisation of itself for a circle, so the base
is left out. A struct of C and its typedef of the same name are two things to it, so the typedef is
left out.

A header tells of arguments as a table of two columns, a name and what it is:

    /// sites   raster of any element type
    ///         and of any strides
    /// out     see below

Doxygen would make one paragraph of that. Every row becomes an item of a Markdown list here. A table
of more columns stays as it is, in letters of one width.

usage: docs/doxygen-filter.py HEADER
"""

import re
import sys

COMMENT = re.compile(r"^( *(?:///| \*) ?)(.*)$")
ROW = re.compile(r"^([A-Za-z_][\w.,>: -]*?) {2,}(\S.*)$")
WIDE = re.compile(r"\S {2,}\S")
SIMPLER = [
    (re.compile(r"^class (\w+) : public \1<.*> \{$"), r"class \1 {"),
    (re.compile(r"^typedef struct (\w+) \{$"), r"struct \1 {"),
    (re.compile(r"^\} \w+;$"), "};"),
]
CONTINUED = re.compile(r"^ {2,}(\S.*)$")


def simplified(line):
    for pattern, simple in SIMPLER:
        line = pattern.sub(simple, line)
    return line


def with_tables(lines):
    """The lines of a header, rows of tables as items of lists."""
    state = "text"
    for line in lines:
        comment = COMMENT.match(line)
        lead, text = comment.groups() if comment else ("", "")
        row, continued = ROW.match(text), CONTINUED.match(text)
        if state == "wide":
            if not continued:
                state = "text"
                yield f"{lead.rstrip()} ~~~"
            yield line
        elif row and WIDE.search(row[2]):
            state = "wide"
            yield f"{lead}~~~{{.unparsed}}"
            yield line
        elif row:
            state = "list"
            yield f"{lead}- `{row[1]}`: {row[2]}"
        elif state == "list" and continued:
            yield f"{lead}  {continued[1]}"
        else:
            state = "text"
            yield line


def main(arguments):
    with open(arguments[0], encoding="utf-8") as header:
        lines = [simplified(line) for line in header.read().splitlines()]
    print("\n".join(with_tables(lines)))


if __name__ == "__main__":
    main(sys.argv[1:])

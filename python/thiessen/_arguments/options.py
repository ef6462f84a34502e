# SPDX-License-Identifier: Apache-2.0
"""The options of a call as one object, which is passed whole from the verb to the core."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import tables
from .fields import HELP

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    Unpack = Any  # annotations alone name it

Function = TypeVar("Function", bound=Callable[..., Any])
Described = TypeVar("Described")


class Options:
    """The options that a caller gave, by their names; others have their defaults.

    >>> options = Options({"spacing": 2})
    >>> options.spacing, options.metric, vars(options)
    (2, 'euclidean', {'spacing': 2})
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.__dict__.update(given)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def but(self, **changed: Any) -> Options:
        """The same with other values of some."""
        return Options({**vars(self), **changed})

    def some(self, names: Iterable[str]) -> dict[str, Any]:
        """The values of these, by their names."""
        return {name: getattr(self, name) for name in names}


for _name, _default in tables.DEFAULTS.items():
    setattr(Options, _name, _default)


def takes(table: type, operation: str = "nearest_site") -> Callable[[Function], Function]:
    """Give a function with ``**options`` the signature that a table of options makes: what help()
    and inspect show. `collect` gives the function the options."""
    named = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=tables.DEFAULTS[name], annotation=kind
        )
        for name, kind in tables.annotations_of(table).items()
    ]

    def sign(function: Function) -> Function:
        own = inspect.signature(function)
        first = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        signed: Any = function
        signed.__signature__ = own.replace(parameters=[*first, *named])
        signed.__options__ = frozenset(each.name for each in named)
        return described_by(table, operation)(function)

    return sign


_PARAMETERS = re.compile(r"^( *)Parameters\n *-+\n(.*?)(?=\n\n *\w+\n *-+\n)", re.M | re.S)
_END_OF_HEAD = re.compile(r" : |\n")
_OTHERS = re.compile(r"^ *options as of (`\w+`)$", re.M)
_NO_CHANGE: dict[str, tuple[Any, ...]] = {
    "strict": (False,), "progress": (False,), "periodic": (False,), "device": ("auto", "cpu"),
    "batch_axes": ((), []),
}  # fmt: skip
"""Values that ask for nothing, so that kinds of arrays without the option take them."""


def described_by(table: type, operation: str = "nearest_site") -> Callable[[Described], Described]:
    """Complete the docstring of a function or a class. Its line "options as of `verb`" becomes the
    names of the options of a table that it does not describe itself; without such a line these
    get, in the table's order, what the core tells of the options of an operation."""

    def describe(described: Described) -> Described:
        text = described.__doc__ or ""
        found = _PARAMETERS.search(text)
        if found:
            described.__doc__ = (
                text[: found.start(2)]
                + _described(found, table, HELP[operation])
                + text[found.end(2) :]
            )
        return described

    return describe


def _described(found: re.Match[str], table: type, told: Mapping[str, str]) -> str:
    indent, text = found.groups()
    kinds = tables.annotations_of(table)
    parts = re.split(rf"\n(?={indent}\w)", text)
    names = [re.findall(r"\w+", _END_OF_HEAD.split(part, 1)[0]) for part in parts]
    others = [name for name in kinds if not any(name in own for own in names)]
    if _OTHERS.search(text):
        line = rf"{indent}{', '.join(others)} : optional\n{indent}    As of \1."
        parts = [_OTHERS.sub(line, part) for part in parts]
        names = [others if "options" in own else own for own in names]
    else:
        for name in others:
            if name in told:
                part = f"{name} : {kinds[name]}, default {tables.DEFAULTS[name]!r}\n{told[name]}"
                parts.append(indent + part.replace("\n", f"\n{indent}    "))
                names.append([name])
    order = {name: i for i, name in enumerate(kinds)}  # what the table does not have is first
    places = [min((order[name] for name in own if name in order), default=-1) for own in names]
    return "\n".join(part for _, part in sorted(zip(places, parts), key=lambda pair: pair[0]))


def collect(function: Any, given: Mapping[str, Any], **others: Any) -> Options:
    """The options that a function with a table got, and `others` besides. Raise TypeError for one
    that is not in the table."""
    if not function.__options__.issuperset(given):
        name = next(name for name in given if name not in function.__options__)
        known = [*inspect.signature(function).parameters]
        meant = likely(name, known)
        raise TypeError(
            f"{function.__qualname__}() got an unexpected keyword argument {name!r}{meant}"
        )
    if "strict" not in function.__options__:  # then `running` does not speak of it
        others["strict"] = False
    return Options({**others, **given})


def likely(word: Any, known: Iterable[str]) -> str:
    """The end of a message about a word that is not known: what it hardly differs from."""
    found = get_close_matches(str(word), known, 1, 0.6)
    return f"; did you mean {found[0]!r}?" if found else ""


def to_choice(name: str, value: Any, known: Iterable[str]) -> str:
    """One of several words."""
    words = tuple(known)
    if not isinstance(value, str) or value not in words:
        listed = ", ".join(map(repr, words))
        raise ValueError(f"{name} = {value!r}; must be one of {listed}{likely(value, words)}")
    return value


def refuse_others(options: Options, passed: Iterable[str], where: str) -> None:
    """Raise ValueError for an option that is not among those passed on, unless it has the default;
    `where` tells of what that is so."""
    for name, value in others_than(options, passed).items():
        is_short = isinstance(value, (str, int, float))
        shown = f"= {value!r}" if is_short else f"is a {type(value).__name__}"
        raise ValueError(f"{name} {shown}; must be {tables.DEFAULTS[name]!r} {where}")


def others_than(options: Options, passed: Iterable[str]) -> dict[str, Any]:
    """The options that are not among those passed on and have not their defaults."""
    return {
        name: value
        for name, value in vars(options).items()
        if name in tables.DEFAULTS and name not in passed and not is_default(name, value)
    }


def is_default(name: str, value: Any) -> bool:
    """Whether an option says what it says where nobody gives it."""
    default = tables.DEFAULTS[name]
    if isinstance(value, np.generic):
        value = value.item()
    if value is default or (type(value) is type(default) and value == default):
        return True
    return any(type(value) is type(same) and value == same for same in _NO_CHANGE.get(name, ()))

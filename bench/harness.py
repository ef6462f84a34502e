# SPDX-License-Identifier: Apache-2.0
"""What all comparisons share: flags, rounds, times, checks, medians, ratios and tables.

A comparison is a list of cases. For each round a case makes new inputs, and a call for each contender, ours first;
what a contender needs besides is made before the clock starts. All have a turn in a round, and another one comes first
in the next. The answers of each round are checked. The first round is for that alone, since threads start and memory is
new in it; only calls of more than 5 s count there already. Short calls are repeated, and their mean counts. Who has
used up `--seconds` sits out the other rounds of a case. Times are medians of the rounds; "ratio" is how many times as
long as the first contender one takes, as the median of the ratios of the rounds.
"""

import argparse
import contextlib
import filecmp
import importlib.metadata
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .report import figure

SLOW = 5.0  # seconds: longer calls are not repeated for being cold
SHORT = 0.05  # seconds: calls that take less are repeated for as long, as the first one is cold
HELP = {"seconds": "of timed calls of a contender in a case; one call at least"}
BUILT = "build/release/cli/thiessen"
COMMAND = BUILT if os.path.exists(BUILT) else shutil.which("thiessen") or BUILT


@dataclass
class Told:
    """What a call tells besides its answer."""

    answer: Any = None
    seconds: float | None = None  # where they are not those of the clock
    figures: dict[str, float] = field(default_factory=dict)  # columns of their own
    parts: int = 1  # the time is that of one of so many


@dataclass
class Case:
    name: str
    make: Callable[[int], dict[str, Callable[[], Any]]]  # the contenders of a round
    check: Callable[[dict[str, Any]], dict[str, str] | None] = lambda answers: None
    """Raises if answers are wrong; may return remarks. It has those of the contenders that had a turn, ours first."""
    cells: int = 0
    repeats: bool = True  # whether a call can be made once more


def program(doc, *packages, timer=None, short=SHORT, **flags):
    """Makes a program of a module by the last function in it. That gets the flags, and yields cases, rows of tables
    (dicts), and notes (texts). The versions of the packages are told. `threads` are those of calls in Python."""

    def run(cases):
        if cases.__module__ == "__main__":
            with Report(parsed(doc, **flags), packages, timer or wall, short) as report:
                for item in cases(report.options):
                    report.show(item)
        return cases

    return run


def parsed(doc, *, rounds=5, seconds=20.0, **flags):
    """The flags that all have, and those of one by their defaults."""
    parser = argparse.ArgumentParser(
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="small inputs and few rounds, to see that all runs")
    add("--json", action="store_true", help="rows of JSON instead of tables")
    add("--output", help="a file that gets what is printed, too")
    add("--folder", help="where files go, and stay (default: a temporary one)")
    add_flags(parser, HELP, rounds=(rounds, min(rounds, 2)), seconds=seconds, **flags)
    return parser.parse_args()


def add_flags(parser, help, **flags):
    """Flags by their defaults: of a pair, the second one is for --quick; a list is given with commas."""
    quick = {}
    for name, default in flags.items():
        usual, quick[name] = default if isinstance(default, tuple) else (default, default)
        kind = {"action": "store_true"} if usual is False else {"type": reader(usual)}
        text = ",".join(map(str, usual)) if isinstance(usual, list) else str(usual)
        note = f"{help.get(name, '')} ({text})" if usual else help.get(name, "")
        note = note.strip().replace("%", "%%")
        parser.add_argument(f"--{name.replace('_', '-')}", default=usual, help=note, **kind)
    if "--quick" in sys.argv:
        parser.set_defaults(**quick)


def reader(default):
    if isinstance(default, list):
        of_item = type(default[0]) if default else str
        return lambda text: [of_item(item) for item in text.split(",")]
    return str if default is None else type(default)


def wall(call, count):
    """Seconds of a call, and the answer of the last one."""
    return timed(time.perf_counter, call, count)


def processor(call, count):
    """The same of the process on all processors, which other work on the machine hardly lengthens."""
    return timed(time.process_time, call, count)


def timed(now, call, count):
    start = now()
    for _ in range(count):
        answer = call()
    return (now() - start) / count, answer


def take(call, timer=wall, short=SHORT):
    """What a call tells, with its seconds."""
    seconds, answer = timer(call, 1)
    tells_time = isinstance(answer, Told) and answer.seconds is not None
    if not tells_time and seconds < short:
        seconds, answer = timer(call, int(short / max(seconds, 1e-5)) + 1)
    told = answer if isinstance(answer, Told) else Told(answer)
    told.seconds = (told.seconds if tells_time else seconds) / told.parts
    return told


class Report:
    """Measures cases, and shows rows as they come: on the console and in a file."""

    def __init__(self, options, packages, timer, short):
        self.options, self.packages, self.timer, self.short = options, packages, timer, short
        self.rows, self.columns = [], None

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        given, enter = self.options, self.stack.enter_context
        folder = given.folder or enter(tempfile.TemporaryDirectory(prefix="thiessen-bench-"))
        given.folder = pathlib.Path(folder)
        given.folder.mkdir(parents=True, exist_ok=True)
        self.file = enter(open(given.output, "w")) if given.output else None
        if "threads" in given:
            import thiessen

            enter(thiessen.running(threads=given.threads))
        self.say(f"{versions(*self.packages)}\n")
        return self

    def __exit__(self, *raised):
        if self.options.json:
            self.print(json.dumps(self.rows, indent=1, default=float))
        self.stack.close()

    def print(self, text):
        for file in filter(None, (sys.stdout, self.file)):
            print(text, file=file, flush=True)

    def say(self, text):
        if not self.options.json:
            self.print(text)

    def add(self, *rows):
        """Rows with the same columns as those before stand in one table with them."""
        self.rows += rows
        columns = list(dict.fromkeys(name for row in rows for name in row))
        if columns != self.columns:
            if self.columns:
                self.say("")
            self.say(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
            self.columns = columns
        for row in rows:
            self.say(f"| {' | '.join(shown(row.get(name, '')) for name in columns)} |")

    def show(self, item):
        if isinstance(item, str):
            self.say(f"\n{item}\n" if self.columns else f"{item}\n")
            self.columns = None
        elif isinstance(item, dict):
            self.add(item)
        else:
            self.add(*self.rows_of(item))

    def rows_of(self, case):
        if not self.rows:
            clock = "processor time" if self.timer is processor else "time"
            self.say(f"Medians of {self.options.rounds} rounds, {clock}\n")
        took, remarks = {}, {}
        for number in range(self.options.rounds + 1):
            calls = case.make(number)
            names = list(calls)
            waiting = [name for name in names if self.wants_turn(took.get(name, []))]
            if not waiting:
                break
            waiting = [name for name in names if name in waiting or name == names[0]]
            first = number % len(waiting)
            answers = {}
            for name in waiting[first:] + waiting[:first]:
                told = take(calls[name], self.timer, self.short if case.repeats else 0)
                answers[name], told.answer = told.answer, None
                if number or told.seconds * told.parts > SLOW:
                    took.setdefault(name, []).append(told)
            remarks |= case.check({name: answers[name] for name in waiting}) or {}
        return [row_of(case, name, took, took[names[0]], remarks) for name in names]

    def wants_turn(self, took):
        seconds = [told.seconds * told.parts for told in took]
        spent = sum(seconds) + statistics.median(seconds) if took else 0
        return len(took) < self.options.rounds and spent <= self.options.seconds


def row_of(case, name, took, ours, remarks):
    seconds = statistics.median(told.seconds for told in took[name])
    row = {"case": case.name, "who": name, "ms": seconds * 1e3}
    row["ratio"] = statistics.median(b.seconds / a.seconds for a, b in zip(ours, took[name]))
    if case.cells:
        row["Mcell/s"] = case.cells / seconds / 1e6
    for column in took[name][0].figures:
        row[column] = statistics.median(told.figures[column] for told in took[name])
    if remarks:
        row["answer"] = remarks.get(name, "")
    return row


def shown(value):
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else figure(value)


def versions(*packages):
    def version(name):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return f"{name} {importlib.metadata.version(name)}"

    return ", ".join(filter(None, map(version, ("thiessen", "numpy", *packages))))


# ---- Checks


def close(**tolerances):
    """Every answer is ours but for rounding."""

    def check(answers):
        ours, *theirs = answers.values()
        for answer in theirs:
            np.testing.assert_allclose(answer, ours, **tolerances)

    return check


def equal(answers):
    """Every answer is ours, to the bit: arrays, tuples of arrays, or paths of files."""
    ours, *theirs = answers.values()
    assert all(same(answer, ours) for answer in theirs), f"{', '.join(answers)}: answers differ"


def same(a, b):
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, os.PathLike):
        return filecmp.cmp(a, b, shallow=False)
    return np.array_equal(a, b) and a.dtype == b.dtype


# ---- Contenders that are programs


def process(*words, answer=None, **given):
    """Runs a program; tells its time, its memory (at least that of its parent), and the answer: or else what it has
    printed."""
    start = time.perf_counter()
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, **given)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise SystemExit(f"failed: {' '.join(child.args)}")
    figures = {"processor s": usage.ru_utime + usage.ru_stime, "peak GiB": usage.ru_maxrss / 2**20}
    return Told(text if answer is None else answer, time.perf_counter() - start, figures)


def compute(*words, answer=None):
    """Runs the command; its time is that of the call alone, as it tells. The answer is a function of nothing."""
    report = json.loads(process(*words, "--json", "--overwrite").answer)
    milliseconds = next(step["ms"] for step in report["steps"] if step["name"] == "compute")
    return Told(answer and answer(), milliseconds / 1e3)


def available(makers):
    """What the functions make, by name, of those that can; of the others it is told why."""
    made = {}
    for name, make in makers.items():
        try:
            made[name] = make()
        except (ImportError, AttributeError, OSError, RuntimeError, TypeError) as error:
            yield f"{name} is not measured: {str(error).partition(chr(10))[0]}"
    return made

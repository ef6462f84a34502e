# SPDX-License-Identifier: Apache-2.0
"""`python -m bench`: measures thiessen and its peers, and writes tables and pictures."""

import argparse
import dataclasses
import os
import pathlib
import shlex
import sys
import time

from . import plots, record, report
from .cases import (
    KINDS,
    OWN_KINDS,
    SHAPE_SIZES,
    SIZES,
    Case,
    parse_size,
    shape_cases,
    standard_cases,
)
from .peers import BOTH, DISTANCE, LABELS, PEERS, US, VARIANTS, Memcpy
from .run import Settings, entries_of, measure_case
from .shapes import SHAPES

TASKS = {"labels": LABELS, "distance": DISTANCE, "both": BOTH}
HELP = {
    "rounds": "the most rounds of a case",
    "seconds": "of timed calls of one peer in a case; one call at least",
    "slow_seconds": "a call that takes longer is not repeated",
    "limit_seconds": "for all that happens in one turn",
    "minutes": "no case begins later",
}
QUICK = [Case("1000x800", "1%"), Case("64x64x64", "1%")]
QUICK_SHAPES = [Case("1000x800", "nuclei"), Case("64x64x64", "vessels")]
SHAPE_PEERS = ["SciPy", "edt", "OpenCV"]


def listed(check):
    """Reads a list with commas, every item of which passes the check."""

    def items(text):
        for item in text.split(","):
            check(item)
        return text.split(",")

    return items


def one_of(names):
    def check(name):
        if name not in names:
            raise argparse.ArgumentTypeError(f"{name}; there are {', '.join(names)}")

    return check


def kind_of_sites(text):
    if text not in (*KINDS, *OWN_KINDS, *SHAPES[2], *SHAPES[3]):
        float(text.removesuffix("%")) if text.endswith("%") else int(text)


def count_of_threads(text):
    return len(os.sched_getaffinity(0)) if text == "all" else int(text)


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    add = parser.add_argument
    kinds = ", ".join(KINDS + OWN_KINDS).replace("%", "%%")
    add("--sizes", type=listed(parse_size), help="WxH or WxHxD, with commas")
    add(
        "--sites",
        type=listed(kind_of_sites),
        help=f"kinds of sites: {kinds}, other numbers, shares",
    )
    add("--peers", type=listed(one_of(PEERS)), help=f"of {', '.join(PEERS)}")
    add("--tasks", type=listed(one_of(TASKS)), default=list(TASKS), help=f"of {', '.join(TASKS)}")
    add("--threads", type=listed(count_of_threads), default=["1", "all"], help="numbers, or all")
    add(
        "--shapes",
        action="store_true",
        help=f"masks, coasts, vessels ... instead of dots; peers are {', '.join(SHAPE_PEERS)}",
    )
    add("--full", action="store_true", help="all peers in all cases: takes hours")
    add("--quick", action="store_true", help="two small cases, to see that all runs")
    add("--output", default="build/bench", help="folder for tables and pictures")
    add("--redraw", metavar="FILE", help="measure nothing: tables and pictures of a results.json")
    for field in dataclasses.fields(Settings):
        add(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"{HELP[field.name]} (%(default)s)",
        )
    options = parser.parse_args(arguments)
    options.sizes = options.sizes or list(SHAPE_SIZES if options.shapes else SIZES)
    options.peers = options.peers or (SHAPE_PEERS if options.shapes else PEERS.keys() - VARIANTS)
    if options.shapes and options.sites:
        parser.error("--shapes and --sites exclude each other: --sites takes shapes, too")
    if options.quick:
        options.rounds = min(options.rounds, 2)
    return options


def cases_of(options):
    if options.quick:
        return QUICK_SHAPES if options.shapes else QUICK
    if options.shapes:
        return shape_cases(options.sizes)
    return standard_cases(options.sizes, options.sites, options.full)


def write_tables(folder, results, unmeasured, context):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.md").write_text(report.markdown(results, unmeasured, context))
    record.write(folder / "results.json", results, unmeasured, context)


def measure(options, arguments, threads):
    """Measures all cases, as far as there is time, and writes the tables after each of them."""
    settings = Settings(**{f.name: getattr(options, f.name) for f in dataclasses.fields(Settings)})
    tasks = [TASKS[name] for name in options.tasks]
    peers = [name for name in PEERS if name in {*options.peers, Memcpy.name, US}]
    cases = cases_of(options)
    command = " ".join(["python -m bench", shlex.join(arguments)]).strip()
    start = time.monotonic()
    results, unmeasured = [], []

    def say(text):
        print(f"{time.monotonic() - start:6.0f} s  {text}", file=sys.stderr, flush=True)

    def write():
        write_tables(options.output, results, unmeasured, report.context_of(command, results))

    # What is ours alone comes last: it can be missed, should the time be over.
    for case in sorted(cases, key=lambda case: not case.peers):
        if time.monotonic() - start > settings.minutes * 60:
            unmeasured.append(case)
            continue
        entries, left_out = entries_of(case, peers, tasks, threads)
        measured = measure_case(case, entries, settings, say)
        results.append(report.CaseResult(case, *measured, left_out))
        results.sort(key=lambda result: cases.index(result.case))
        # After each case, so that a run that is ended early leaves what it has.
        write()
    write()
    return results


def main(arguments):
    options = parsed(arguments)
    if options.redraw:
        results, unmeasured, context = record.read(pathlib.Path(options.redraw))
        threads = sorted({m.entry.threads for result in results for m in result.measurements})
        write_tables(options.output, results, unmeasured, context)
    else:
        threads = sorted({count_of_threads(text) for text in options.threads})
        results = measure(options, arguments, threads)
    plots.write(options.output, results, threads)
    print(report.summary(results))
    print(f"tables and pictures are in {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])

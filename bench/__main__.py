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
    EVERY_KIND,
    SHAPE_SIZES,
    SIZES,
    cases_of,
    shape_cases,
    standard_cases,
)
from .harness import add_flags
from .peers import BOTH, DISTANCE, LABELS, PEERS, US, VARIANTS, Memcpy
from .run import Settings, entries_of, measure_case
from .shapes import SHAPES

TASKS = {"labels": LABELS, "distance": DISTANCE, "both": BOTH}
SHAPE_PEERS = ["SciPy", "edt", "OpenCV"]
HELP = {
    "sizes": "WxH or WxHxD, with commas",
    "sites": f"kinds of sites: {', '.join(EVERY_KIND)}, other numbers, shares, shapes",
    "peers": f"of {', '.join(PEERS)}",
    "threads": "numbers, or all",
    "shapes": f"masks, coasts, vessels ... instead of dots; peers are {', '.join(SHAPE_PEERS)}",
    "full": "all peers in all cases: takes hours",
    "quick": "two small cases, to see that all runs",
    "output": "folder for tables and pictures",
    "redraw": "measure nothing: tables and pictures of a results.json",
    "rounds": "the most rounds of a case",
    "seconds": "of timed calls of one peer in a case; one call at least",
    "slow_seconds": "a call that takes longer is not repeated",
    "limit_seconds": "for all that happens in one turn",
    "minutes": "no case begins later",
}


def check_items(parser, name, items, known, also=lambda item: False):
    for item in items:
        if item not in known and not also(item):
            parser.error(f"--{name} {item}; there are {', '.join(known)}")


def is_number_or_share(text):
    return text.removesuffix("%").replace(".", "", text.endswith("%")).isdigit()


def count_of_threads(text):
    return len(os.sched_getaffinity(0)) if text == "all" else int(text)


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, allow_abbrev=False)
    settings = dataclasses.asdict(Settings())
    settings["rounds"] = settings["rounds"], 2
    add_flags(
        parser,
        HELP,
        sizes=[],
        sites=[],
        peers=[],
        tasks=[*TASKS],
        threads=["1", "all"],
        shapes=False,
        full=False,
        quick=False,
        output="build/bench",
        redraw="",
        **settings,
    )
    options = parser.parse_args(arguments)
    kinds = (*EVERY_KIND, *SHAPES[2], *SHAPES[3])
    check_items(parser, "sites", options.sites, kinds, is_number_or_share)
    check_items(parser, "peers", options.peers, PEERS)
    check_items(parser, "tasks", options.tasks, TASKS)
    options.sizes = options.sizes or list(SHAPE_SIZES if options.shapes else SIZES)
    options.peers = options.peers or (SHAPE_PEERS if options.shapes else PEERS.keys() - VARIANTS)
    if options.shapes and options.sites:
        parser.error("--shapes and --sites exclude each other: --sites takes shapes, too")
    return options


def chosen_cases(options):
    if options.quick:
        return cases_of("shapes-quick" if options.shapes else "bench-quick")
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
    cases = chosen_cases(options)
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

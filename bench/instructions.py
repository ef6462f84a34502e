#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of small fixed cases, and compares them with the counts on record.

Unlike times, counts are the same on a busy machine. What is counted is a call with its scratch memory in
place: the difference between programs of one call and of three, halved. Valgrind's processor has AVX2 and nothing
newer, so counts are those of that instruction set; they belong to a compiler, which is on record with them.

    make bench-instructions [BENCH_ARGS=--update]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

RECORD = pathlib.Path(__file__).with_name("instruction-counts.json")
TOLERANCE = 0.02  # of the count; changes of the C library make up less


def collected(program, case, calls):
    # Only within the calls: Highway's library measures its timer when it is loaded, for as long as
    # that takes.
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += ["--toggle-collect=thiessen::nearest_site(*"]
    done = subprocess.run(
        [*command, program, case, str(calls)], check=True, capture_output=True, text=True
    )
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def counted(program, case):
    return (collected(program, case, 3) - collected(program, case, 1)) // 2


def cases_of(program):
    """As the program says itself."""
    usage = subprocess.run([program], check=False, capture_output=True, text=True).stderr
    return usage.split(":")[-1].split()


def compiler(program):
    """As the program says itself."""
    done = subprocess.run(
        ["readelf", "--string-dump=.comment", program], check=True, capture_output=True, text=True
    )
    return re.search(r"\]\s+(.+)", done.stdout)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true", help="put what is counted on record")
    options = parser.parse_args()
    record = json.loads(RECORD.read_text())
    counts = {case: counted(options.program, case) for case in cases_of(options.program)}
    print("| case | instructions of a call | on record | change |\n| --- | --- | --- | --- |")
    for case, count in counts.items():
        before = record["counts"].get(case)
        then = f"{before:,} | {count / before - 1:+.1%}" if before else "- | new"
        print(f"| {case} | {count:,} | {then} |")
    if options.update:
        new = {"compiler": compiler(options.program), "counts": counts}
        RECORD.write_text(json.dumps(new, indent=2) + "\n")
        return
    if compiler(options.program) != record["compiler"]:
        sys.exit(
            f"bench: the counts on record are those of {record['compiler']}: nothing to compare with"
        )
    slower = [c for c in counts if counts[c] > record["counts"].get(c, counts[c]) * (1 + TOLERANCE)]
    if slower:
        sys.exit(f"bench: more instructions than on record: {', '.join(slower)}")


if __name__ == "__main__":
    main()

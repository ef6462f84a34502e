# SPDX-License-Identifier: Apache-2.0
"""What each engine earns, from the lines that thiessen_ablation wrote with --json.

A ratio is the time without the engine over that with all of them. Earned are the cases with at least the ratio that
is asked for, apart from inputs that attack a method; lost are those that are as much faster without it. Cases in which
an engine has nothing to do have no line.

usage: python3 -m bench.ablation.report FILE… [--least 1.3] [--cases N]
"""

import argparse
import json
import statistics
from pathlib import Path


def read_rows(files):
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def name_of(row):
    return f"{row['case']}; {row['output']}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument(
        "--least", type=float, default=1.3, help="the ratio that an engine is to earn"
    )
    parser.add_argument("--cases", type=int, default=5, help="so many of the best and worst cases")
    arguments = parser.parse_args()
    rows = read_rows(arguments.files)
    for row in rows:
        if not row["equal"] or row["out"] is False:
            print(f"WRONG: {name_of(row)}: {row['engine']}: {row['off_stages']}")
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    print("| without | cases | median | earned | earned, attacks | lost |")
    print("| --- | --- | --- | --- | --- | --- |")
    for engine in engines:
        own = [row for row in rows if row["engine"] == engine]
        earned = [row for row in own if row["ratio"] >= arguments.least]
        attacks = sum("attack" in row["case"] for row in earned)
        lost = sum(row["ratio"] <= 1 / arguments.least for row in own)
        median = statistics.median(row["ratio"] for row in own)
        print(
            f"| {engine} | {len(own)} | {median:.2f} | {len(earned) - attacks} | {attacks} | {lost} |"
        )
    for engine in engines:
        print(f"\nWithout {engine}: ms with all, ms without, ratio\n")
        own = sorted(
            (row for row in rows if row["engine"] == engine), key=lambda row: -row["ratio"]
        )
        shown = own[: arguments.cases]
        shown += [row for row in own[-arguments.cases :] if row not in shown]
        for row in shown:
            print(
                f"    {row['on_ms']:10.2f} {row['off_ms']:10.2f} {row['ratio']:7.3f}  {name_of(row)}"
            )


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How wrong the methods of jump flooding are: `thiessen voronoi --verify` on many layouts of sites.

Each entry is the share of cells in per cent whose site is not as near as the nearest one (ties are no
errors), counted over all runs, and behind it the largest error in cells. Layouts: `random`; `circle`,
5,000 samples of one; `line`, a straight one of cells; `blobs`, discs of radius 1 to 40.

    python3 bench/flooding_errors.py [--thiessen build/release/cli/thiessen] [--runs 3] [--quick]
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import tempfile

import numpy as np

METHODS = {
    "jfa": [],
    "1+jfa": [],
    "jfa+1": [],
    "jfa+2": [],
    "jfa2": [],
    "jfa-noise": [],
    "jfa-plus": [],
    "jfa-star": [],
    "jfa-star, square": ["--method", "jfa-star", "--pattern", "square"],
    "jfa, circle:12": ["--method", "jfa", "--pattern", "circle:12"],
    "jfa, random-circle:12": ["--method", "jfa", "--pattern", "random-circle:12"],
}

LAYOUTS = [
    ("random", 512, 1_000),
    ("random", 512, 10_000),
    ("random", 720, 2_000),
    ("random", 1024, 10_486),
    ("random", 1024, 524_288),
    ("random", 2048, 10_000),
    ("random", 2048, 41_943),
    ("random", 4096, 10_000),
    ("random", 4096, 167_772),
    ("circle", 2048, 5_000),
    ("line", 2048, 0),
    ("blobs", 2048, 200),
]


def make_sites(layout, side, count, run):
    """A raster of uint8, or None where the command draws the sites itself."""
    if layout == "random":
        return None
    sites = np.zeros((side, side), np.uint8)
    draw = np.random.default_rng(run)
    if layout == "circle":
        angle = 2 * math.pi * np.arange(count) / count + draw.random()
        radius = side * (0.45 - 0.02 * run)
        y, x = (side / 2 + radius * f(angle) for f in (np.sin, np.cos))
    elif layout == "line":
        along = np.linspace(0, 1, 2 * side)
        y, x = side * (0.1 + 0.05 * run + 0.6 * along), side * (0.2 + 0.7 * along)
    else:
        rows, columns = np.mgrid[-40:41, -40:41]
        y, x = [], []
        for _ in range(count):
            disc = rows**2 + columns**2 <= draw.integers(1, 41) ** 2
            centre = draw.integers(0, side, 2)
            y.append(np.clip(centre[0] + rows[disc], 0, side - 1))
            x.append(np.clip(centre[1] + columns[disc], 0, side - 1))
        y, x = np.concatenate(y), np.concatenate(x)
    sites[np.rint(y).astype(int), np.rint(x).astype(int)] = 1
    return sites


def verify(command, method, sites, folder):
    """What --verify reports, and the number of passes."""
    arguments = [command, "voronoi", *sites, "--labels", folder / "labels.npy", "--overwrite"]
    arguments += METHODS[method] or ["--method", method]
    done = subprocess.run([*arguments, "--verify", "--json"], check=True, capture_output=True)
    report = json.loads(done.stdout)
    phases = next(step["phases"] for step in report["steps"] if step["name"] == "compute")
    details = " ".join(phase.get("detail", "") for phase in phases if "pass" in phase["name"])
    return report["verify"], len(re.findall(r"\d+", details))


def measure(command, layout, runs):
    """A row of the table."""
    kind, side, count = layout
    entries = []
    for method in METHODS:
        wrong, cells, error, passes = 0, 0, 0.0, 0
        for run in range(runs):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                raster = make_sites(kind, side, count, run)
                if raster is None:
                    sites = ["--random", str(count), "--size", f"{side}x{side}"]
                else:
                    np.save(folder / "sites.npy", raster)
                    sites = ["--sites", folder / "sites.npy"]
                found, passes = verify(command, method, [*sites, "--seed", str(run)], folder)
            wrong += found["wrong"]
            cells += found["cells"]
            error = max(error, found["largest_error_cells"])
        share = 100 * wrong / cells
        entries.append(f"{share:.2g} ({passes}p, {error:.2g})" if wrong else f"0 ({passes}p)")
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--thiessen", default="build/release/cli/thiessen")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="sides up to 1024 only")
    arguments = parser.parse_args()
    print("| sites |", " | ".join(METHODS), "|")
    print("| --- |", " | ".join("---" for _ in METHODS), "|")
    for layout in LAYOUTS:
        kind, side, count = layout
        if arguments.quick and side > 1024:
            continue
        entries = measure(arguments.thiessen, layout, arguments.runs)
        name = f"{kind}, {side}²" + (f", {count:,}" if count else "")
        print(f"| {name} |", " | ".join(entries), "|", flush=True)


if __name__ == "__main__":
    main()

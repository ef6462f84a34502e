# SPDX-License-Identifier: Apache-2.0
"""How wrong the methods of jump flooding are: `thiessen voronoi --verify` on many layouts of sites.

Each entry is the share of cells in per cent whose site is not as near as the nearest one (ties are no
errors), counted over all runs, and behind it the largest error in cells. Layouts: `random`; `circle`,
5,000 samples of one; `line`, a straight one of cells; `blobs`, discs of radius 1 to 40.

    python3 -m bench.flooding_errors [--command build/release/cli/thiessen] [--rounds 3] [--quick]
"""

import json
import math
import re
import subprocess

import numpy as np

from . import harness

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


def row_of(options, layout):
    """A row of the table."""
    kind, side, count = layout
    row = {"sites": f"{kind}, {side}²" + (f", {count:,}" if count else "")}
    for method in METHODS:
        wrong, cells, error, passes = 0, 0, 0.0, 0
        for run in range(options.rounds):
            raster = make_sites(kind, side, count, run)
            if raster is None:
                sites = ["--random", str(count), "--size", f"{side}x{side}"]
            else:
                np.save(options.folder / "sites.npy", raster)
                sites = ["--sites", options.folder / "sites.npy"]
            words = [*sites, "--seed", str(run)]
            found, passes = verify(options.command, method, words, options.folder)
            wrong += found["wrong"]
            cells += found["cells"]
            error = max(error, found["largest_error_cells"])
        share = 100 * wrong / cells
        row[method] = f"{share:.2g} ({passes}p, {error:.2g})" if wrong else f"0 ({passes}p)"
    return row


@harness.program(__doc__, rounds=3, command=harness.COMMAND)
def cases(options):
    for layout in LAYOUTS:
        if not options.quick or layout[1] <= 1024:
            yield row_of(options, layout)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the papers from a folder that thiessen-bench filled: whatever is there is drawn.

usage: bench/papers/plots.py FOLDER [FOLDER ...]
"""

import csv
import pathlib
import sys

import matplotlib
import numpy as np
from matplotlib import pyplot

matplotlib.use("agg")
# Small files, the same each time.
matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "thiessen"}

MOST_ENTROPY = np.log2(9)  # of a window of 3 x 3 cells
LOG = ("log", {})
ERRORS = {"yscale": ("symlog", {"linthresh": 1e-3})}  # from none to all
BINARY = {"xscale": ("log", {"base": 2})}


def table(folder, name):
    """The rows of a table by column, numbers as such; no rows if there is no such table."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: number(text) for key, text in row.items()} for row in csv.DictReader(file)]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def way(row):
    """ "raster-gpu, cpu, 2 threads": a method on a device."""
    threads = row.get("threads")
    count = f", {threads:.0f} thread{'s' if threads > 1 else ''}" if threads else ""
    return f"{row['method']}, {row['device']}{count}"


def lines(axes, rows, name, x, y, styles=None):
    """A line for each name, with points from left to right."""
    found = {}
    for row in rows:
        if row.get(y) not in ("", None):
            found.setdefault(name(row), []).append((row[x], row[y]))
    markers = "osD^v<>ph*Xd8"
    for i, (label, points) in enumerate(found.items()):
        style = {"color": f"C{i % 10}", "ls": "--" if i > 9 else "-"} | (styles or {}).get(
            label, {}
        )
        axes.plot(*zip(*sorted(points)), label=label, marker=markers[i % 13], ms=4, lw=1.3, **style)
    axes.grid(alpha=0.3)


def save(figure, path, bbox_inches="tight"):
    """Write a figure; the legend of each plot stands at its right."""
    for axes in figure.axes:
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small")
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, bbox_inches=bbox_inches, metadata=metadata)
    pyplot.close(figure)
    print(path)


def plot(path, rows, name, x, y, styles=None, **settings):
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    lines(axes, rows, name, x, y, styles)
    for axis in ("xscale", "yscale"):
        scale, options = settings.pop(axis, ("linear", {}))
        getattr(axes, f"set_{axis}")(scale, **options)
        if scale == "symlog":
            axes.set_ylim(0, 150)  # per cent
    axes.set(**settings)
    save(figure, path)


def panels(path, images, titles, scale=1, **settings):
    """Pictures side by side, a cell being so many pixels wide and high."""
    images = list(images)
    height, width = (scale * extent for extent in images[0].shape[:2])
    gap, title = 10, 24
    size = np.array([len(images) * (width + gap) - gap, height + title])
    figure = pyplot.figure(figsize=size / 100, dpi=100)
    for i, image in enumerate(images):
        corners = np.array([[i * (width + gap), 0], [width, height]]) / size
        axes = figure.add_axes((*corners[0], *corners[1]))
        axes.imshow(image, interpolation="nearest", aspect="auto", **settings)
        axes.set_title(titles[i], fontsize="small")
        axes.axis("off")
    save(figure, path, bbox_inches=None)


def colours(labels):
    """A light colour for every label, and white where there is none."""
    palette = np.random.default_rng(0).integers(60, 240, (labels.max() + 1, 3), dtype=np.uint8)
    palette[0] = 255
    return palette[labels]


def rasters(folder, names):
    paths = [folder / f"{name}.npy" for name in names]
    return [np.load(path) for path in paths] if all(path.exists() for path in paths) else []


def middle(raster, side=180):
    top, left = ((max(extent - side, 0)) // 2 for extent in raster.shape)
    return raster[top : top + side, left : left + side]


def method(row):
    return row["method"]


def draw_passes(folder):
    """Entropy and errors of the case of the slides, by pass."""
    rows = table(folder, "passes")
    if not rows:
        return
    passes = {"xlabel": "passes done"}
    entropy, wrong = "local entropy in bits", "wrong cells in %"
    plot(folder / "entropy-by-pass.svg", rows, method, "pass", "entropy", ylabel=entropy, **passes)
    plot(
        folder / "wrong-by-pass.svg",
        rows,
        method,
        "pass",
        "wrong_percent",
        ylabel=wrong,
        **ERRORS,
        **passes,
    )


def draw_sweep(folder):
    """Time and errors by size, for each number of sites."""
    rows = table(folder, "sweep")
    for sites in sorted({row["sites"] for row in rows}):
        some = [row for row in rows if row["sites"] == sites]
        settings = {"xlabel": "size: cells along an axis", "title": f"{sites:.0f} sites"}
        path = folder / f"time-by-size-{sites:.0f}.svg"
        plot(path, some, method, "width", "ms", ylabel="ms", yscale=LOG, **BINARY, **settings)
        path = folder / f"wrong-by-size-{sites:.0f}.svg"
        some = [row for row in some if row["method"] != "exact"]
        plot(
            path,
            some,
            method,
            "width",
            "wrong_percent",
            ylabel="wrong cells in %",
            **ERRORS,
            **BINARY,
            **settings,
        )


def draw_states(folder):
    """The slides' figures: two answers; states after four passes, and their entropy."""
    same_step = ["jfa-star, pass 4", "jfa+1, pass 4", "exact"]
    if found := rasters(folder, ["answers-circle", "answers-grid"]):
        panels(folder / "answers.png", map(colours, found), ["jfa-star-paper", "jfa+1-paper"])
    names = ["circle", "grid", "exact"]
    if found := rasters(folder, [f"same-step-{name}" for name in names]):
        panels(folder / "same-step.png", map(colours, found), same_step)
    if found := rasters(folder, [f"entropy-{name}" for name in names]):
        settings = {"cmap": "gray", "vmin": 0, "vmax": MOST_ENTROPY}
        panels(folder / "entropy.png", map(middle, found), same_step, scale=2, **settings)


def draw_raster(folder):
    """Figure 2 of Tu and Wang with the paper's own lines, and time by number of sites."""
    paper = [
        {
            "name": f"paper: {name}",
            "ms": row[column],
            "height": row["height"],
            "width": row["width"],
        }
        for row in table(folder, "paper")
        for name, column in [
            ("scan", "scan_ms"),
            ("distance transform", "distance_transform_ms"),
            ("GPU", "gpu_ms"),
        ]
    ]
    styles = {row["name"]: {"color": "black", "ls": ls} for row, ls in zip(paper, ("-", "--", ":"))}
    grow = ("circle-growing", "dilation", "expansion")
    for name, x in [("by_size", "megacells"), ("by_sites", "sites")]:
        rows = [
            row
            for row in table(folder, name)
            if row["method"] not in grow and not row.get("allotment")
        ]
        if not rows:
            continue
        if name == "by_size" and rows[0]["sites"] == 100:
            rows = paper + rows
        for row in rows:
            row["megacells"] = row["height"] * row["width"] / 1e6
        scales = {"yscale": LOG, "xscale": LOG if x == "sites" else ("linear", {})}
        labels = {"ylabel": "ms", "xlabel": "sites" if x == "sites" else "millions of cells"}
        path = folder / f"time-{name.replace('_', '-')}.svg"
        plot(
            path, rows, lambda row: row.get("name") or way(row), x, "ms", styles, **scales, **labels
        )


def draw_stiffness(folder):
    """Figures 1 and 2 of Toss and Comba: a map, its cells with sites in red, the speed-up."""
    if found := rasters(folder, ["map", "cells", "sites"]):
        stiffness, cells, sites = found
        panels(
            folder / "figure-1a.png",
            [stiffness],
            ["(a) stiffness, the darker the softer"],
            scale=3,
            cmap="gray",
        )
        picture = colours(cells)
        picture[sites != 0] = (255, 0, 0)
        panels(folder / "figure-1b.png", [picture], ["(b) cells of the sites"], scale=3)
    rows = table(folder, "times")
    if not rows:
        return
    rows = speed_ups(rows)
    figure, both = pyplot.subplots(2, 1, figsize=(7, 8), layout="constrained")
    for axes, kind, title in zip(
        both, ("uniform", "gradient"), ("(a) Uniform stiffness", "(b) Gradient stiffness")
    ):
        lines(axes, [row for row in rows if row["map"] == kind], way, "cells", "speed_up")
        axes.set(
            title=title,
            xlabel="cells",
            ylabel="times faster than the sequential method",
            yscale="log",
        )
        axes.set_xscale("log", base=2)
    save(figure, folder / "figure-2.svg")


def speed_ups(rows):
    """How many times as fast as the sequential method the others are, on the maps of the paper."""

    def case(row):
        return row["method"] == "paper", row["map"], row["height"], row["width"]

    def is_sequential(row):
        return row["method"] == "dijkstra" or row["device"] == "Core i7-930"

    before = {case(row): row["mean_ms"] for row in rows if is_sequential(row)}
    return [
        row
        | {"cells": row["height"] * row["width"], "speed_up": before[case(row)] / row["mean_ms"]}
        for row in rows
        if not is_sequential(row) and (True, *case(row)[1:]) in before
    ]


def main(folders):
    if not folders:
        raise SystemExit(__doc__)
    for folder in map(pathlib.Path, folders):
        for draw in (draw_passes, draw_sweep, draw_states, draw_raster, draw_stiffness):
            draw(folder)


if __name__ == "__main__":
    main(sys.argv[1:])

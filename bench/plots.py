# SPDX-License-Identifier: Apache-2.0
"""Pictures of the measurements: speed against sites and against size, and scratch memory."""

import pathlib

from .peers import COPY, US

ONE_KIND = "1%"  # of the pictures that have one kind of sites


def name_of(measurement):
    entry = measurement.entry
    return entry.peer if entry.task == COPY else f"{entry.peer}: {entry.task}"


def lines_of(results, position, threads):
    """For each name the points (position, Mpixel/s)."""
    lines = {}
    for result in results:
        for m in result.measurements:
            # Who has one thread only takes part in the picture of many with that one.
            best = max(
                other.entry.threads
                for other in result.measurements
                if (other.entry.peer, other.entry.task) == (m.entry.peer, m.entry.task)
            )
            if m.ms and m.entry.threads == min(threads, best):
                lines.setdefault(name_of(m), []).append((position(result), result.speed(m)))
    return {name: sorted(points) for name, points in lines.items()}


def style_of(name, names):
    if name == "memcpy":
        return {"color": "0.6", "linestyle": ":", "linewidth": 2}
    ours = name.startswith(US + ":")
    alike = [other for other in names if other.startswith(US + ":") == ours]
    palette = (
        ["#c1121f", "#e85d04", "#f4a261"] if ours else [f"C{i}" for i in (0, 2, 4, 5, 6, 7, 8, 9)]
    )
    place = alike.index(name)
    return {
        "color": palette[place % len(palette)],
        "linewidth": 2.5 if ours else 1.3,
        "linestyle": "-" if ours or place < len(palette) else "--",
        "marker": "o",
        "markersize": 5 if ours else 3,
    }


def draw_speeds(path, results, position, label, title, thread_counts):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(thread_counts), figsize=(6 * len(thread_counts) + 2.5, 5), sharey=True, squeeze=False
    )
    names = sorted({name for n in thread_counts for name in lines_of(results, position, n)})
    for axis, threads in zip(axes[0], thread_counts):
        for name, points in sorted(lines_of(results, position, threads).items()):
            axis.plot(*zip(*points), label=name, **style_of(name, names))
        axis.set(xscale="log", yscale="log", xlabel=label)
        axis.set_title(f"{title}, {threads} thread{'s' if threads > 1 else ''}")
        axis.grid(alpha=0.3, which="both")
    axes[0][0].set_ylabel("Mpixel/s")
    axes[0][-1].legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small")
    figure.savefig(path, dpi=100, bbox_inches="tight")
    pyplot.close(figure)


def draw_scratch(path, result):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    bars = {
        name_of(m): m.scratch / result.case.cells
        for m in result.measurements
        if m.ms and m.entry.task != COPY and m.entry.threads == 1
    }
    names = sorted(bars, key=bars.get, reverse=True)
    figure, axis = pyplot.subplots(figsize=(8, 0.35 * len(names) + 1.2))
    colours = ["#c1121f" if name.startswith(US + ":") else "C0" for name in names]
    axis.barh(names, [bars[name] for name in names], color=colours)
    axis.set(xlabel="scratch memory, bytes a cell", title=str(result.case))
    axis.grid(alpha=0.3, axis="x")
    figure.savefig(path, dpi=100, bbox_inches="tight")
    pyplot.close(figure)


def write(folder, results, thread_counts):
    """The pictures that these results allow."""
    folder = pathlib.Path(folder)
    sizes = {result.case.size for result in results}
    for size in sizes:
        random = [r for r in results if r.case.size == size and r.case.kind[0].isdigit()]
        if len(random) > 2:
            path = folder / f"sites-{size}.png"
            draw_speeds(path, random, lambda r: r.site_count, "sites", size, thread_counts)
    for rank in (2, 3):
        alike = [r for r in results if len(r.case.shape) == rank and r.case.kind == ONE_KIND]
        if len(alike) > 1:
            draw_speeds(
                folder / f"size-{rank}d.png",
                alike,
                lambda r: r.case.cells,
                "cells",
                f"{rank}-D, {ONE_KIND[:-1]} % sites",
                thread_counts,
            )
    alike = [r for r in results if r.case.kind == ONE_KIND and r.case.peers]
    if alike:
        # The largest one that most have been measured in.
        def weight(result):
            return sum(bool(m.ms) for m in result.measurements), result.case.cells

        draw_scratch(folder / "scratch.png", max(alike, key=weight))

# SPDX-License-Identifier: Apache-2.0
"""From measurements to tables: Markdown for readers, JSON for programs."""

import json
import pathlib

import cupy as cp

from ..report import figure, table
from .peers import COPY, DISTANCE, LABELS

HEAD = """\
# Measurements on a GPU

{machine}

{versions}

One run of `{command}`: by events of the device, medians of {rounds} rounds, in which everyone has a turn; each call has
another input than the one before ({inputs} in rotation), calls of less than 3 ms are repeated for as long. *copies*: the
time as a multiple of that of a copy from device to device of the raster of sites (4 bytes a cell; of points: of a memset of
the labels). *CuPy*: how many times faster than CuPy's `distance_transform_edt` for the same: its indices for our
labels, its float32 distances for ours. *Scratch*: bytes a cell beyond inputs and results; CuPy's: what its pool holds.
*Answer*: distances of all cells (of every so many rows of the larger rasters) against those of our labels.
Rasters of more than 2^29 cells are taken by one after the other, not by turns.
"""

COLUMNS = ("who", "gives", "ms", "copies", "times CuPy", "scratch", "answer")


def times_cupy(result, row):
    name = {LABELS: "CuPy, indices", DISTANCE: "CuPy, float32 distances"}.get(row.gives)
    rival = result.row(name, row.gives)
    return rival.median / row.median if rival and rival is not row else None


def line(result, row):
    if not row.ms:
        return [row.who, row.gives, *["-"] * 4, row.failed]
    copy = result.copy()
    cells = [row.who, row.gives, figure(row.median), figure(row.median / copy) if copy else "-"]
    if row.gives == COPY:
        return [*cells, "-", "-", "-"]
    cells.append(figure(times_cupy(result, row)))
    return [*cells, f"{row.scratch / result.case.cells:.2f}", row.answer or "-"]


def summary(results):
    """The rows of thiessen alone."""
    lines = [
        [result.case.size, str(result.case).split(", ", 1)[1], *line(result, row)]
        for result in results
        for row in result.rows
        if row.who.startswith("thiessen")
    ]
    return table(["cells", "sites", *COLUMNS], lines)


def machine():
    device = cp.cuda.Device()
    properties = cp.cuda.runtime.getDeviceProperties(device.id)
    driver = cp.cuda.runtime.driverGetVersion()
    return (
        f"{properties['name'].decode()}, {properties['multiProcessorCount']} multiprocessors, "
        f"{properties['totalGlobalMem'] / 2**30:.0f} GiB; CUDA {driver // 1000}.{driver % 1000 // 10} by its driver"
    )


def write(folder, results, context):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    parts = [HEAD.format(**context), "## thiessen\n", summary(results)]
    for result in results:
        parts.append(f"## {result.case}\n")
        parts.append(table(COLUMNS, [line(result, row) for row in result.rows]))
        if result.left_out:
            reasons = "; ".join(f"{who}: {why}" for who, why in result.left_out.items())
            parts.append(f"Not measured: {reasons}.\n")
    (folder / "gpu.md").write_text("\n".join(parts))
    data = context | {"cases": [as_json(result) for result in results]}
    (folder / "gpu.json").write_text(json.dumps(data, indent=1) + "\n")


def as_json(result):
    return {
        "size": result.case.size,
        "kind": result.case.kind,
        "points": result.case.points,
        "left_out": result.left_out,
        "rows": [
            {
                "who": row.who,
                "gives": row.gives,
                "median_ms": row.median,
                "ms": row.ms,
                "scratch_bytes": row.scratch,
                "answer": row.answer,
                "failed": row.failed,
                "copies": row.median / result.copy() if row.ms and result.copy() else None,
                "times_cupy": times_cupy(result, row) if row.ms else None,
            }
            for row in result.rows
        ],
    }

# SPDX-License-Identifier: Apache-2.0
"""How much memory and time cost distance takes in slabs, against the same run at once.

    python3 -m bench.large.cost [--size N] [--maps noise,maze] [--sites N] [--memory SIZE] [--folder FOLDER]

Makes square NPY maps of f32, noise and a maze (the command's own), and rasters of sites, unless they are there:
so many random ones for noise, one in the first corner for the maze. Then the command writes labels and costs, in
slabs within --memory, and at once; the files must be equal. Needs NumPy; for the full size
about 12 GB of memory and 20 GB of disk.
"""

import json
import subprocess
from functools import partial

import numpy as np

from .. import harness
from . import make_once

SEED = 1


def make_noise(path, size):
    random = np.random.default_rng(SEED)
    for row in np.lib.format.open_memmap(path, "w+", np.float32, (size, size)):
        row[:] = 0.1 + 0.9 * random.random(size, np.float32)


def make_maze(path, size, command):
    # The map is all that counts; one site has the run done soon.
    subprocess.run(
        [command, "cost", "--map", f"maze:{SEED}", "--random", "1", "--size", f"{size}x{size}",
         "--max-distance", "1", "--write-map", path, "-q"],
        check=True,
    )  # fmt: skip


def make_sites(path, size, count):
    """Random sites 1, 2, ..., or one in the first cell."""
    cells = np.lib.format.open_memmap(path, "w+", np.int32, (size, size))
    random = np.random.default_rng(SEED)
    places = random.integers(0, size * size, count) if count > 1 else np.zeros(1, np.int64)
    cells.reshape(-1)[places] = np.arange(1, count + 1)


def case_of(options, kind):
    size = options.size
    paths = {
        name: options.folder / f"cost-{kind}-{size}-{name}.npy"
        for name in (
            "map",
            "sites",
            *(f"{way}-{name}" for way in WAYS for name in ("labels", "costs")),
        )
    }
    if kind == "noise":
        make_once(make_noise, paths["map"], size)
    else:
        make_once(make_maze, paths["map"], size, options.command)
    make_once(make_sites, paths["sites"], size, options.sites if kind == "noise" else 1)

    def run(way):
        files = [paths[f"{way}-{name}"] for name in ("labels", "costs")]
        told = harness.process(
            *(options.command, "cost", "--stiffness", paths["map"], "--sites", paths["sites"]),
            *("--labels", files[0], "--distance", files[1], "--overwrite", "--json", "-q"),
            *WAYS[way](options, kind),
        )
        report = json.loads(told.answer)
        told.answer = files
        told.figures["slabs"] = report.get("slabs", 1)
        told.figures |= {f"visits for {what}": n for what, n in report.get("visits", {}).items()}
        return told

    calls = {way: partial(run, way) for way in WAYS}
    return harness.Case(f"{kind}, {size} x {size}", lambda _: calls, harness.equal, size * size)


WAYS = {
    "at once": lambda options, kind: ["--memory", "1T"],
    "in slabs": lambda options, kind: ["--memory", options.memory],
}


@harness.program(
    __doc__,
    rounds=1,
    seconds=float("inf"),
    command=harness.COMMAND,
    size=(16384, 256),
    maps=["noise", "maze"],
    sites=(10_000, 10),
    memory="1G",
)
def cases(options):
    for kind in options.maps:
        yield case_of(options, kind)

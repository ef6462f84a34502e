# SPDX-License-Identifier: Apache-2.0
"""Walks by `thiessen cost --elevation` against GRASS `r.walk`, where that is installed.

    python -m bench.compare.walk --size 2000

Both walk over the same hills from the same start: with 8 and with 16 neighbours, and over a friction that is
added. A time of thiessen is that of the whole process, files included, with all
threads or with one; a time of r.walk is that of the module alone, its maps being in GRASS already. Costs are
compared in double: the table has the greatest difference of a cell, as a part of its cost, and how many
cells differ by more than one part in a million.
"""

import os
from functools import partial

import numpy as np

from .. import harness
from .grass import Grass

CELL = 10.0
"""Metres."""

FRICTION = ["--cost", "friction.npy", "--walk-map", "adds"]
CASES = {
    "8 neighbours": (["--connectivity", "8"], "friction=none"),
    "16 neighbours": (["--connectivity", "16"], "-k friction=none"),
    "8 neighbours, friction": (["--connectivity", "8", *FRICTION], "friction=friction"),
    "16 neighbours, friction": (["--connectivity", "16", *FRICTION], "-k friction=friction"),
}
"""For each case the arguments of thiessen, and those of r.walk."""


def hills(size, seed):
    """Heights of some hundred metres: noise whose waves are the higher the longer they are."""
    rng = np.random.default_rng(seed)
    waves = np.fft.rfft2(rng.standard_normal((size, size)))
    along = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :])
    along[0, 0] = np.inf
    heights = np.fft.irfft2(waves / along**2, (size, size))
    return 300 * heights / heights.std()


def ours(options, own, threads):
    told = harness.process(
        *(options.command, "cost", "--elevation", "dem.npy", "--walk", "langmuir"),
        *("--spacing", f"{CELL},{CELL}", "--sites", "start.csv", "--distance-type", "f64"),
        *("--distance", "out.npy", "--threads", threads, "--overwrite", "--quiet", *own),
        cwd=options.folder,
    )
    return harness.Told(np.load(options.folder / "out.npy"), told.seconds)


def r_walk(grass, arguments):
    place = CELL * (grass.shape[0] // 2 + 0.5)
    start = f"start_coordinates={place},{CELL * grass.shape[0] - place}"
    seconds = grass.seconds_of(f"r.walk {arguments} elevation=dem output=out {start} memory=2000")
    return harness.Told(grass.costs("out"), seconds)


def case_of(options, name, grass):
    own, peer = CASES[name]

    def make(number):
        maps = {
            "dem": hills(options.size, number),
            "friction": np.random.default_rng(number).uniform(0, 2, (options.size,) * 2),
            "none": np.zeros((options.size,) * 2),
        }
        for name, cells in maps.items():
            np.save(options.folder / f"{name}.npy", cells)
            if grass:
                grass.bring(name, cells)
        calls = {
            f"thiessen, {threads} thread{'s' if threads > 1 else ''}": partial(
                ours, options, own, threads
            )
            for threads in sorted({1, options.threads})
        }
        if grass:
            calls["r.walk"] = partial(r_walk, grass, peer)
        return calls

    def differences(answers):
        """How far costs differ, as parts of a cost."""
        harness.equal({who: costs for who, costs in answers.items() if who != "r.walk"})
        if "r.walk" not in answers:
            return {}
        theirs, (costs, *_) = answers["r.walk"], answers.values()
        parts = np.abs(costs - theirs) / np.maximum(theirs, 1)
        return {"r.walk": f"at most {parts.max():.2g}; {(parts > 1e-6).mean():.2g} of the cells"}

    return harness.Case(f"{name}, {options.size} x {options.size}", make, differences)


@harness.program(
    __doc__,
    rounds=3,
    seconds=600.0,
    threads=os.cpu_count(),
    command=harness.COMMAND,
    size=(2000, 100),
)
def cases(options):
    middle = options.size // 2
    (options.folder / "start.csv").write_text(f"{middle},{middle}\n")
    peers = {"r.walk": partial(Grass, options.folder, (options.size,) * 2, CELL)}
    grass = (yield from harness.available(peers)).get("r.walk")
    for name in CASES:
        yield case_of(options, name, grass)

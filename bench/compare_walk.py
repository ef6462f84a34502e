# SPDX-License-Identifier: Apache-2.0
"""Walks by `thiessen cost --elevation` against GRASS `r.walk`, where that is installed.

    python -m bench.compare_walk --size 2000

Both walk over the same hills from the same start: with 8 and with 16 neighbours, and over a friction that is
added. The rounds are interleaved. A time of thiessen is that of the whole process, files included, with all
threads or with one; a time of r.walk is that of the module alone, its maps being in GRASS already. Costs are
compared in double: the table has the greatest difference of a cell, as a part of its cost, and how many
cells differ by more than one part in a million.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

CELL = 10.0
"""Metres."""

CASES = {
    "8 neighbours": (["--connectivity", "8"], "friction=none"),
    "16 neighbours": (["--connectivity", "16"], "-k friction=none"),
    "8 neighbours, friction": (
        ["--connectivity", "8", "--cost", "friction.npy", "--walk-map", "adds"],
        "friction=friction",
    ),
    "16 neighbours, friction": (
        ["--connectivity", "16", "--cost", "friction.npy", "--walk-map", "adds"],
        "-k friction=friction",
    ),
}
"""For each case the arguments of thiessen, and those of r.walk."""

PREPARE = """
g.region w=0 s=0 e={side} n={side} rows={size} cols={size} --quiet
for map in dem friction none; do
  r.in.bin -f input=$map.bin output=$map bytes=8 n={side} s=0 e={side} w=0 rows={size} cols={size} --quiet
done
"""

WALK = """
start=$(date +%s.%N)
r.walk {arguments} elevation=dem output=out start_coordinates={x},{y} memory=2000 --overwrite --quiet
end=$(date +%s.%N)
awk "BEGIN {{ print $end - $start }}" > seconds.txt
r.out.bin -f input=out output=out.bin bytes=8 --overwrite --quiet
"""


def hills(size: int, seed: int) -> np.ndarray:
    """Heights of some hundred metres: noise whose waves are the higher the longer they are."""
    rng = np.random.default_rng(seed)
    waves = np.fft.rfft2(rng.standard_normal((size, size)))
    along = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :])
    along[0, 0] = np.inf
    heights = np.fft.irfft2(waves / along**2, (size, size))
    return 300 * heights / heights.std()


class Grass:
    """A location of GRASS with the maps in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._command = ["grass", str(folder / "location" / "PERMANENT"), "--exec", "bash", "-e"]
        subprocess.run(
            ["grass", "-c", "EPSG:32631", "-e", str(folder / "location")],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def run(self, script: str) -> None:
        file = self.folder / "script.sh"
        file.write_text(script)
        subprocess.run(
            [*self._command, str(file)], check=True, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def seconds(self) -> float:
        return float((self.folder / "seconds.txt").read_text())

    def costs(self, size: int) -> np.ndarray:
        return np.fromfile(self.folder / "out.bin").reshape(size, size)


def write_maps(folder: Path, size: int) -> None:
    maps = {
        "dem": hills(size, 1),
        "friction": np.random.default_rng(2).uniform(0, 2, (size, size)),
        "none": np.zeros((size, size)),
    }
    for name, cells in maps.items():
        np.save(folder / f"{name}.npy", cells)
        cells.tofile(folder / f"{name}.bin")


def compare(ours: np.ndarray, theirs: np.ndarray) -> dict[str, float]:
    """How far costs differ, as parts of a cost."""
    parts = np.abs(ours - theirs) / np.maximum(theirs, 1)
    return {
        "greatest_difference": float(parts.max()),
        "differing_cells": float((parts > 1e-6).mean()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--size", type=int, default=2000, help="cells along each axis")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--command", default=shutil.which("thiessen") or "thiessen")
    arguments = parser.parse_args()
    size = arguments.size
    middle = size // 2
    report: dict[str, object] = {"size": size, "rounds": arguments.rounds}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_maps(folder, size)
        (folder / "start.csv").write_text(f"{middle},{middle}\n")
        grass = Grass(folder) if shutil.which("grass") else None
        if grass is not None:
            grass.run(PREPARE.format(side=CELL * size, size=size))
        for case, (own, peer) in CASES.items():
            taken: dict[str, list[float]] = {}
            for _ in range(arguments.rounds):
                for threads in sorted({1, arguments.threads}):
                    start = time.perf_counter()
                    subprocess.run(
                        [arguments.command, "cost", "--elevation", "dem.npy", "--walk", "langmuir",
                         "--spacing", f"{CELL},{CELL}", "--sites", "start.csv", "--distance-type", "f64",
                         "--distance", "out.npy", "--threads", str(threads), "--overwrite", "--quiet", *own],
                        check=True, cwd=folder,
                    )  # fmt: skip
                    taken.setdefault(f"thiessen_{threads}", []).append(time.perf_counter() - start)
                if grass is not None:
                    place = CELL * (middle + 0.5)
                    grass.run(WALK.format(arguments=peer, x=place, y=CELL * size - place))
                    taken.setdefault("r.walk", []).append(grass.seconds())
            found: dict[str, float] = {
                f"{way}_s": round(statistics.median(seconds), 2) for way, seconds in taken.items()
            }
            if grass is not None:
                found |= compare(np.load(folder / "out.npy"), grass.costs(size))
            report[case] = found
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

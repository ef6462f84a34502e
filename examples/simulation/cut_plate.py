# SPDX-License-Identifier: Apache-2.0
"""A plate of soft material with stiff inclusions is cut by a moving blade, as in cut_plate.cpp.

The nodes of a simulation are sites, and a node moves what is near to it through stiff material. The
blade makes a few cells impassable in each frame; `solve()` computes what that changes, and
`RegionStatistics` what the nodes hold that this concerns. The animation is an APNG (.png), a WebP
(.webp) or a GIF (.gif).

    python examples/simulation/cut_plate.py --out out/plate.webp
    python examples/simulation/cut_plate.py --out out/plate.png --pack FOLDER

The second one packs frames that cut_plate.cpp wrote to FOLDER.
"""

import argparse
import math
import time
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

HEIGHT, WIDTH, NODES = 200, 500, 200
BLADE = 3
"""Cells along each side."""


def make_plate() -> np.ndarray:
    """Soft, with nine stiff discs."""
    y, x = np.indices((HEIGHT, WIDTH))
    inside = (y - HEIGHT // 2) ** 2 + (x % 56 - 28) ** 2 < 20**2
    return np.where(inside, 1.0, 0.2).astype(np.float32)


def first_cell(frame: int, frames: int) -> tuple[int, int]:
    """Where the blade is: it swings up and down from left to right."""
    way = frame / frames
    y = HEIGHT / 2 + 0.35 * HEIGHT * math.sin(4 * math.pi * way)
    return int(y) - 1, int(5 + (WIDTH - 10) * way) - 1


def run(frames: int, every: int, out: Path | None) -> None:
    stiffness = make_plate()
    nodes = thiessen.random_sites((HEIGHT, WIDTH), NODES, seed=1)
    solver = thiessen.CostSolver(nodes, stiffness=stiffness, tight_barriers=True)
    labels = solver.outputs.labels
    regions = thiessen.RegionStatistics(labels, field=stiffness)
    y, x = np.indices((BLADE, BLADE))

    pictures: list[Image.Image] = []
    milliseconds: list[float] = []
    changed = 0
    lightest = math.inf
    for frame in range(frames):
        first = first_cell(frame, frames)
        box = tuple(slice(place, place + BLADE) for place in first)
        stiffness[box] = 0
        cut = np.ravel_multi_index((first[0] + y, first[1] + x), labels.shape).ravel()
        start = time.perf_counter()
        solver.update_box(first, stiffness[box])
        changes = solver.solve()
        regions.update(cut)
        regions.update(solver.changed_cells().cell)
        shares = regions.statistics(regions.changes().labels)
        milliseconds.append(1e3 * (time.perf_counter() - start))
        changed += changes.cells
        lightest = min(lightest, shares.mass.min(initial=math.inf))

        if frame % every == 0:
            print(
                f"frame {frame:3}: {changes.cells:5} cells of {len(changes.sites):2} nodes "
                f"changed, {milliseconds[-1]:.3f} ms"
            )
            if out is not None:
                picture = thiessen.render(labels, distance=solver.outputs.distance)
                pictures.append(Image.fromarray(picture))

    print(f"{frames} frames, {changed} cells changed, lightest node {lightest:.1f}")
    print(f"median {np.median(milliseconds):.3f} ms a frame, at most {max(milliseconds):.3f}")
    if out is not None:
        write_animation(out, pictures)


def write_animation(path: Path, pictures: list[Image.Image]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    options = {"lossless": True} if path.suffix == ".webp" else {}
    first, *others = pictures
    first.save(path, save_all=True, append_images=others, duration=100, loop=0, **options)
    print(f"{path}: {len(pictures)} pictures")


def pack(folder: Path, out: Path) -> None:
    """Packs pictures of the C++ program, in the order of their names."""
    paths = sorted(folder.glob("frame-*.ppm"))
    if not paths:
        raise SystemExit(f"cut_plate: {folder} has no frame-*.ppm")
    write_animation(out, [Image.open(path) for path in paths])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=int, default=300, metavar="N")
    parser.add_argument("--every", type=int, default=5, metavar="N", help="frames to a picture")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the animation")
    parser.add_argument("--pack", type=Path, metavar="FOLDER", help="of pictures by cut_plate.cpp")
    arguments = parser.parse_args()
    if arguments.frames < 1 or arguments.every < 1:
        parser.error("--frames and --every must be >= 1")
    if arguments.pack is None:
        run(arguments.frames, arguments.every, arguments.out)
    elif arguments.out is None:
        parser.error("--pack needs --out")
    else:
        pack(arguments.pack, arguments.out)

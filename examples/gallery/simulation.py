# SPDX-License-Identifier: Apache-2.0
"""A foam on a torus: cells of even size by Lloyd's relaxation of a periodic Voronoi diagram.

Each step moves every point to the centre of its cell. Both axes are periodic, so there is no
border to pile up at, and the diagram tiles the plane. The steps write into the same arrays, and
allocate none for results. Points are multiples of 1/65536 of a cell, as the library rounds them.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

SIZE, POINTS, STEPS = 500, 150, 100


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    start = np.argwhere(thiessen.random_sites((SIZE, SIZE), POINTS, seed=12)).astype(np.float64)
    results = {
        "site_index": np.empty((SIZE, SIZE), np.int64),
        "distance": np.empty((SIZE, SIZE), np.float32),
    }
    grid = np.indices((SIZE, SIZE)).reshape(2, -1)

    points = start.copy()
    for step in range(STEPS):
        cells = thiessen.voronoi(
            points, (SIZE, SIZE), periodic=True, outputs=("site_index", "distance"), out=results
        )
        owner = cells.site_index.ravel()
        areas = np.bincount(owner, minlength=POINTS)
        if step in (0, 9, STEPS - 1):
            energy = np.mean(cells.distance.astype(np.float64) ** 2)
            print(
                f"step {step + 1}: areas of {areas.min()} to {areas.max()} cells, "
                f"{100 * areas.std() / areas.mean():.1f} % apart; mean square distance {energy:.0f}"
            )
        for axis in (0, 1):
            # from the point to each of its cells, the short way around the torus
            away = (grid[axis] - points[owner, axis] + SIZE / 2) % SIZE - SIZE / 2
            centre = points[:, axis] + np.bincount(owner, away) / areas
            points[:, axis] = np.rint(centre * 65536) / 65536 % SIZE

    picture = np.hstack([paint(start), np.full((SIZE, 16, 3), 255, np.uint8), paint(points)])
    Image.fromarray(picture).save(out / "simulation.png", optimize=True)


def paint(points: np.ndarray) -> np.ndarray:
    cells = thiessen.voronoi(points, (SIZE, SIZE), periodic=True)
    centres = np.zeros((SIZE, SIZE), np.uint8)
    centres[tuple(np.rint(points).astype(int).T % SIZE)] = 1
    return thiessen.render(cells.labels, sites=centres)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

# SPDX-License-Identifier: Apache-2.0
"""A ball in dots that all stand for the same amount of ink.

Dots begin where chance throws them on the ink. `fit_weights` gives every dot a cell that holds as
much ink as those of the others, and the dot moves to the centre of its cell: ten times. So dots are
as dense as the ink is dark, and nearly equally far from their neighbours.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

SIZE = 600
DOTS = 3000
RADIUS = 2.8  # of a dot, in cells


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    ink = ball()
    dots = throw(ink)

    for _ in range(10):
        fitted = thiessen.fit_weights(dots, ink.shape, density=ink, allowed_miss=0.1)
        cells = thiessen.voronoi(
            dots, ink.shape, weights=fitted.weights, weighting="power", outputs="labels"
        ).labels
        dots = thiessen.site_statistics(cells, field=ink).mass_centroid

    loads = fitted.loads / fitted.loads.mean()
    print(f"{len(dots)} dots")
    print(f"ink in a cell: {loads.min():.2f} to {loads.max():.2f} of the mean")

    distance = thiessen.voronoi(dots, ink.shape, outputs="distance").distance
    dark = np.clip(RADIUS + 0.5 - distance, 0, 1)  # smooth edges
    picture = np.rint(255 * (1 - dark)).astype(np.uint8)
    Image.fromarray(picture).save(out / "stippling.png", optimize=True)


def throw(ink: np.ndarray) -> np.ndarray:
    """Places as dense as the ink."""
    random = np.random.default_rng(1)
    places = random.uniform(0, SIZE - 1, (40 * DOTS, 2))
    y, x = np.rint(places).astype(int).T
    hit = random.uniform(0, ink.max(), len(places)) < ink[y, x]
    return places[hit][:DOTS]


def ball() -> np.ndarray:
    """The ink on a ball that is lit from the upper left, with a shadow below it."""
    y, x = np.mgrid[:SIZE, :SIZE] / (SIZE / 2) - 1
    height = np.sqrt(np.maximum(0.64 - x * x - y * y, 0)) / 0.8
    light = np.maximum(0.6 * height - 0.55 * x / 0.8 - 0.55 * y / 0.8, 0)
    shadow = np.maximum(1 - ((x - 0.15) / 0.8) ** 2 - ((y - 0.84) / 0.1) ** 2, 0)
    on_ball = x * x + y * y < 0.64
    ink: np.ndarray = np.where(on_ball, 1.02 - np.minimum(light, 1), 0.02 + 0.6 * shadow)
    return ink.astype(np.float32)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

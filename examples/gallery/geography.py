# SPDX-License-Identifier: Apache-2.0
"""Which coast or border is nearest, how far is it, and where is the most remote place?

The map has 41 coasts, borders and islands between Asia and New Zealand, on cells of 5 km. It is an
image of zeros and ones, so the connected areas (`components=8`) tell one from another. Every cell
is allocated to the nearest, in metres, in bands of 200 km. The plane is true to areas,
so the shares of the sea are right; distances are true from its centre and close to it elsewhere.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

DATA = Path(__file__).resolve().parents[2] / "data"
CELL = 5000.0  # metres
LEFT, TOP = -5_000_000.0, 4_500_000.0  # the corner of the first cell
COLUMNS = slice(500, None)  # without most of Asia
BAND = 200_000.0


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    image = np.asarray(Image.open(DATA / "coasts-and-borders.png"))[:, COLUMNS] != 0
    lines = image.astype(np.uint8)

    nearest = thiessen.nearest_site(
        lines, components=8, spacing=CELL, outputs=("labels", "distance", "direction")
    )

    # the widest empty circle: the centre must not lie where the map's frame may hide a coast
    row, column = np.unravel_index(np.argmax(inner(nearest.distance)), image.shape)
    cells = np.bincount(nearest.labels.ravel())
    largest = int(np.argmax(cells))
    print(f"{cells.size - 1} coasts, borders and islands")
    print(f"the largest allocation: number {largest}, {cells[largest] * 25e-6:.2f} million km2")
    print(
        f"the most remote place: {nearest.distance[row, column] / 1000:.0f} km from everything, at "
        f"x = {LEFT + (COLUMNS.start + column + 0.5) * CELL:,.0f} m, "
        f"y = {TOP - (row + 0.5) * CELL:,.0f} m; "
        f"go {nearest.direction[row, column]:.0f} degrees to land"
    )

    # distances in steps shade the picture in bands, as depths do on a chart
    bands = np.floor(nearest.distance / np.float32(BAND)) * np.float32(BAND)
    picture = thiessen.render(nearest.labels, distance=bands, sites=lines, shade=0.5, shape=900)
    Image.fromarray(picture).save(out / "geography.png", optimize=True)


def inner(distance: np.ndarray) -> np.ndarray:
    """Distances where the circle to the nearest site lies within the map, and zero elsewhere."""
    rows, columns = distance.shape
    y = np.arange(rows)[:, None] + 0.5
    x = np.arange(columns) + 0.5
    to_frame = np.minimum(np.minimum(y, rows - y), np.minimum(x, columns - x)) * CELL
    return np.where(distance <= to_frame, distance, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

# SPDX-License-Identifier: Apache-2.0
"""An atlas of glyphs as signed distances, from letters that are antialiased on few cells.

Games and maps keep letters as small rasters of signed distances: where a magnified one passes zero,
there is the outline, at any size. What goes in is what a font gives at that size, the share of each
cell that the letter covers. By ``coverage=True`` the distance is to the outline within the cells;
cut at a half first, the mask would have forgotten where that was.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

CELLS = 24
SCALE = 10
STROKE = 2.7
PAPER, GREY, INK = np.array([[246, 243, 235], [120, 124, 140], [22, 32, 92]])

# Lines (y, x, y, x), in cells from the middle of a glyph; a circle of the radius 7.6 is an O.
LETTERS = {
    "V": [(-8, -6.4, 8, 0), (8, 0, -8, 6.4)],
    "O": [],
    "R": [(-8, -5, 8, -5), (-8, -5, -8, 2), (-8, 2, -6.6, 4.6), (-6.6, 4.6, -3.4, 5),
          (-3.4, 5, -0.6, 2.4), (-0.6, 2.4, -0.4, -5), (-0.4, 0, 8, 5.8)],
    "N": [(8, -5.6, -8, -5.6), (-8, -5.6, 8, 5.6), (8, 5.6, -8, 5.6)],
    "K": [(-8, -5, 8, -5), (0.8, -5, -8, 5.4), (-2.2, -1.4, 8, 5.8)],
}  # fmt: skip


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    letters = [to_middle_of_strokes(lines) for lines in LETTERS.values()]
    masks = np.stack([rasterised(letter) for letter in letters])

    fields = thiessen.distance_transform(masks, signed_distance=True, coverage=True, batch_axes=0)

    cut = thiessen.distance_transform(masks >= 128, signed_distance=True, batch_axes=0)
    cut -= np.copysign(np.float32(0.5), cut)  # to the sides of cells, not to their centres

    outlines = np.stack([letter(*points_of(CELLS, SCALE)) < STROKE / 2 for letter in letters])
    print(f"atlas: {len(masks)} glyphs of {CELLS} x {CELLS} cells")
    rows = [np.kron(masks / 255, np.ones((SCALE, SCALE)))]
    for name, field in (("from the mask cut at a half", cut), ("from coverage", fields)):
        large = np.stack([magnified(each) for each in field])
        wrong = 100 * np.mean((large < 0) != outlines)
        print(f"{name}: {wrong:.2f} % of the pixels on the wrong side of the outline")
        rows.append(np.clip(0.5 - large * SCALE, 0, 1))  # the edge of the outline, one pixel wide
    shown = [np.concatenate(list(row), axis=1) for row in rows]
    colours = [GREY, INK, INK]
    picture = np.concatenate(
        [PAPER + share[..., None] * (colour - PAPER) for share, colour in zip(shown, colours)]
    )
    Image.fromarray(np.rint(picture).astype(np.uint8)).save(out / "glyphs.png", optimize=True)


def points_of(cells: int, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of so many points along each side of each cell."""
    at = (np.arange(cells * samples) + 0.5) / samples - cells / 2
    return at[:, None], at[None, :]


def to_middle_of_strokes(lines):
    """A function of (y, x): how far it is to the nearest line of a letter."""
    if not lines:
        return lambda y, x: np.abs(np.sqrt(y * y + x * x) - 7.6)

    def distance(y, x):
        least = np.inf
        for y0, x0, y1, x1 in lines:
            across, along = y1 - y0, x1 - x0
            share = ((y - y0) * across + (x - x0) * along) / (across * across + along * along)
            share = np.clip(share, 0, 1)
            dy, dx = y - y0 - share * across, x - x0 - share * along
            least = np.minimum(least, np.sqrt(dy * dy + dx * dx))
        return least

    return distance


def rasterised(letter) -> np.ndarray:
    """What a font would give: the share of each cell that the letter covers, as bytes."""
    samples = 16
    inside = letter(*points_of(CELLS, samples)) < STROKE / 2
    counts = inside.reshape(CELLS, samples, CELLS, samples).sum(axis=(1, 3))
    return np.rint(255 * counts / samples**2).astype(np.uint8)


def magnified(field: np.ndarray) -> np.ndarray:
    """The field between the centres of cells, linear along both axes, as graphics cards do it."""
    at = np.clip((np.arange(CELLS * SCALE) + 0.5) / SCALE - 0.5, 0, CELLS - 1)
    low = np.minimum(at.astype(int), CELLS - 2)
    share = at - low
    field = field.astype(float)
    field = field[low] * (1 - share[:, None]) + field[low + 1] * share[:, None]
    return field[:, low] * (1 - share) + field[:, low + 1] * share


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

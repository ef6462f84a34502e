# SPDX-License-Identifier: Apache-2.0
"""A signed distance field of a word, and what graphics make of one: strokes, outlines, glow.

The letters are lines one cell wide. Their distance field gives them thick, round strokes; the
signed field of the strokes then says of every cell how far outside (positive) or inside (negative)
it is. Each effect is a function of that one number. All of it is done on twice as many cells as
the picture has pixels, and averaged at the end, so that edges are smooth.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

SHAPE = (760, 2000)
TOP, BOTTOM = 250, 510
NIGHT, GLOW, CORE, RIM = np.array([[14, 12, 34], [255, 62, 130], [255, 236, 214], [90, 220, 255]])


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    skeleton = word()
    strokes = thiessen.distance_transform(skeleton) <= 26

    field = thiessen.distance_transform(strokes, signed_distance=True)
    field -= np.copysign(np.float32(0.5), field)  # to the edge of the cells, not to their centres

    inside = field < 0
    print(f"strokes: {100 * np.mean(inside):.2f} % of the picture")
    print(f"half the width of a stroke: {-field.min():.2f} cells")
    print(f"farthest from the word: {field.max():.1f} cells")

    picture = np.empty((*SHAPE, 3))
    picture[:] = NIGHT
    falloff = 1 / (1 + np.maximum(field, 0) / 60)
    rings = (field > 0) & (field % 44 < 5)
    blend(picture, GLOW, falloff * falloff * falloff)
    blend(picture, RIM, rings * 0.75 * np.maximum(1 - field / 230, 0) ** 2)
    blend(picture, CORE, inside)
    blend(picture, GLOW, inside & (np.abs(field + 13) < 4))  # a line inside of the strokes
    pixels = np.rint(picture).astype(np.int64).reshape(SHAPE[0] // 2, 2, SHAPE[1] // 2, 2, 3)
    pixels = (pixels.sum(axis=(1, 3)) // 4).astype(np.uint8)
    Image.fromarray(pixels).save(out / "graphics.png", optimize=True)


def blend(picture: np.ndarray, colour: np.ndarray, weight: np.ndarray) -> None:
    """Mix a colour into the picture in place, at the weight 0 to 1 of each cell."""
    picture += (colour - picture) * weight[..., None]


def word() -> np.ndarray:
    """VORONOI in lines and circles, with NumPy alone: fonts are not the same everywhere."""
    cells = np.zeros(SHAPE, bool)
    middle = (TOP + BOTTOM) / 2
    y, x = np.indices(SHAPE)
    for centre in (541, 1085, 1659):
        cells |= np.abs(np.sqrt((y - middle) ** 2 + (x - centre) ** 2) - 130) < 1
    bowl = np.abs(np.sqrt((y - TOP - 70) ** 2 + (x - 803) ** 2) - 70) < 1
    cells |= bowl & (x >= 803)
    lines = [(129, TOP, 229, BOTTOM), (229, BOTTOM, 329, TOP)]  # V
    lines += [(753, TOP, 753, BOTTOM), (753, TOP, 803, TOP), (753, TOP + 140, 803, TOP + 140)]
    lines += [(803, TOP + 140, 873, BOTTOM)]  # R
    lines += [(1297, BOTTOM, 1297, TOP), (1297, TOP, 1447, BOTTOM), (1447, BOTTOM, 1447, TOP)]  # N
    lines += [(1871, TOP, 1871, BOTTOM)]  # I
    for x0, y0, x1, y1 in lines:
        steps = max(abs(x1 - x0), abs(y1 - y0))
        t = np.arange(steps + 1)
        cells[y0 + (y1 - y0) * t // steps, x0 + (x1 - x0) * t // steps] = True
    return cells


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

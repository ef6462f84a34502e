# SPDX-License-Identifier: Apache-2.0
"""From nuclei to cells in a stack of a microscope: labels grown by micrometres, volumes per label.

The planes of the stack are 1.5 micrometres apart and its columns 0.325, so a distance in cells
would be none. A cell of the tissue belongs to the nearest nucleus, if that is within 6
micrometres; what lies outside of the tissue is masked and stays so.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
from PIL import Image

SPACING = (1.5, 0.325, 0.325)  # micrometres: z, y, x
SHAPE = (40, 300, 400)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tissue = inside_of_tissue()
    nuclei = np.ma.MaskedArray(some_nuclei(tissue), ~tissue)
    cells = thiessen.nearest_site(nuclei, spacing=SPACING, max_distance=6.0)
    volume = float(np.prod(SPACING))
    nucleus_volumes = np.bincount(nuclei.compressed())[1:] * volume
    cell_volumes = np.bincount(cells.labels.compressed())[1:] * volume
    print(f"{nucleus_volumes.size} nuclei of {np.median(nucleus_volumes):.0f} cubic micrometres")
    print(f"their cells have {np.median(cell_volumes):.0f} (medians)")
    print(f"of the tissue in cells: {100 * np.mean(cells.labels.compressed() != 0):.1f} %")

    picture = three_sections(cells.labels, nuclei)
    Image.fromarray(picture).save(out / "microscopy.png", optimize=True)


def inside_of_tissue() -> np.ndarray:
    """An ellipsoid with a hollow."""
    z, y, x = np.ogrid[tuple(slice(-1, 1, size * 1j) for size in SHAPE)]
    whole = z**2 + y**2 + x**2 < 0.98
    hollow = (z / 0.5) ** 2 + ((y - 0.1) / 0.35) ** 2 + ((x - 0.15) / 0.4) ** 2 < 1
    return whole & ~hollow


def some_nuclei(tissue: np.ndarray) -> np.ndarray:
    """Balls of 3.2 micrometres around random cells of the tissue that are 9 or more apart."""
    kept = np.empty((0, 3), np.int64)
    for candidate in np.argwhere((thiessen.random_sites(SHAPE, 4000, seed=3) > 0) & tissue):
        if (((kept - candidate) * SPACING) ** 2).sum(1).min(initial=np.inf) >= 81:
            kept = np.vstack([kept, candidate])
    centres = np.zeros(SHAPE, np.uint16)
    centres[tuple(kept.T)] = 1 + np.arange(len(kept))
    return thiessen.expand_labels(centres, max_distance=3.2, spacing=SPACING) * tissue


def three_sections(labels: np.ma.MaskedArray, nuclei: np.ma.MaskedArray) -> np.ndarray:
    """The stack cut through its middle along each axis, at one scale: two pixels a column."""
    (z, y, x), scale = (n // 2 for n in SHAPE), 2 / 0.325
    depth, height, width = (round(n * step * scale) for n, step in zip(SHAPE, SPACING))
    picture = np.full((height + 12 + depth, width + 12 + depth, 3), 16, np.uint8)
    picture[:height, :width] = section(labels[z], nuclei[z], (height, width))
    picture[height + 12 :, :width] = section(labels[:, y], nuclei[:, y], (depth, width))
    picture[:height, width + 12 :] = section(labels[..., x].T, nuclei[..., x].T, (height, depth))
    return picture


def section(
    labels: np.ma.MaskedArray, nuclei: np.ma.MaskedArray, shape: tuple[int, int]
) -> np.ndarray:
    """Cells in colours, their nuclei darker, and everything else dark."""
    picture = thiessen.render(labels.filled(0), shape=shape, background="#101010")
    rows, columns = (np.arange(p) * n // p for p, n in zip(shape, labels.shape))
    nucleus = nuclei.filled(0)[np.ix_(rows, columns)] != 0
    picture[nucleus] = picture[nucleus] // 5 * 3
    return picture


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

# SPDX-License-Identifier: Apache-2.0
"""Writes the shapes of bench/shapes.py as masks of bits for thiessen_ablation: NAME-SIZE.npy.

usage: python3 -m bench.ablation.write_shapes FOLDER [--quick]
"""

import argparse
from pathlib import Path

import numpy as np

from bench.shapes import SHAPES

SIZES = ((4096, 4096), (256, 256, 256))
QUICK_SIZES = ((512, 512), (64, 64, 64))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="small rasters")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for shape in QUICK_SIZES if arguments.quick else SIZES:
        for name, mark in SHAPES[len(shape)].items():
            mask = np.zeros(shape, bool)
            mark(mask, np.random.default_rng(1))
            size = "x".join(map(str, shape))
            bits = np.packbits(mask, axis=-1, bitorder="little")
            np.save(arguments.folder / f"{name}-{size}.npy", bits)


if __name__ == "__main__":
    main()

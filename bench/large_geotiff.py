#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much memory and time a GeoTIFF of 30,000 x 50,000 cells takes from end to end.

usage: large_geotiff.py [--command PATH] [--size WxH] [--sites N] [--folder FOLDER]

Makes a u8 GeoTIFF (tiled, deflate) of random sites, unless it is there, lets the command write labels and
distances as GeoTIFFs, and prints time and peak memory, in bytes a cell. Needs numpy and GDAL's Python
module (Debian: python3-numpy python3-gdal), about 24 GB of memory and 10 GB of disk for the full size.
"""

import argparse
import os
import resource
import subprocess
import time

import numpy
from osgeo import gdal, osr

SEED = 1


def make_input(path, width, height, sites):
    """Sites 1 to 255 in a raster of 30 m cells."""
    options = ["TILED=YES", "COMPRESS=DEFLATE", "BIGTIFF=YES", "NUM_THREADS=ALL_CPUS"]
    raster = gdal.GetDriverByName("GTiff").Create(
        path + ".part", width, height, 1, gdal.GDT_Byte, options
    )
    raster.SetGeoTransform((500_000, 30, 0, 5_000_000, 0, -30))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    raster.SetProjection(reference.ExportToWkt())
    random = numpy.random.default_rng(SEED)
    rows = 256
    for first in range(0, height, rows):
        count = min(rows, height - first)
        strip = numpy.zeros((count, width), numpy.uint8)
        here = random.binomial(sites, count / height)
        strip[random.integers(0, count, here), random.integers(0, width, here)] = random.integers(
            1, 256, here
        )
        raster.GetRasterBand(1).WriteArray(strip, 0, first)
    del raster
    os.rename(path + ".part", path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default="build/release/cli/thiessen")
    parser.add_argument("--size", default="30000x50000")
    parser.add_argument("--sites", type=int, default=1_000_000)
    parser.add_argument("--folder", default="/tmp")
    arguments = parser.parse_args()
    gdal.UseExceptions()
    width, height = map(int, arguments.size.split("x"))
    source = os.path.join(arguments.folder, f"sites-{arguments.size}-{arguments.sites}.tif")
    if not os.path.exists(source):
        make_input(source, width, height, arguments.sites)
    outputs = [
        os.path.join(arguments.folder, name) for name in ("large-labels.tif", "large-distance.tif")
    ]
    start = time.perf_counter()
    subprocess.run(
        [
            arguments.command,
            "voronoi",
            "--sites",
            source,
            "--labels",
            outputs[0],
            "--distance",
            outputs[1],
            "--overwrite",
            "--timing",
            "--progress",
        ],
        check=True,
    )
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    cells = width * height
    print(
        f"{cells:,} cells: {seconds:.1f} s, peak {peak / 2**30:.2f} GiB, {peak / cells:.2f} bytes a cell"
    )
    for output in outputs:
        print(f"{output}: {os.path.getsize(output) / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much memory and time a GeoTIFF takes from end to end, at once or in slabs, against GDAL's programs.

usage: large_geotiff.py [--command PATH] [--size WxH] [--sites N | --tile FILE] [--memory SIZE] [--copy]
                        [--proximity] [--labels-alone] [--rounds N] [--folder FOLDER]

Makes a u8 GeoTIFF (tiled, deflate) of random sites, or of copies of the raster in an .npy FILE side by side,
unless it is there, lets the command write labels and distances as GeoTIFFs, and prints time and peak memory,
in bytes a cell. --memory is the flag of the command. --copy compares with gdal_translate, which copies the
input to files of the same two kinds (u8 and f32, with the same creation options); --proximity compares
`thiessen proximity`, given as much memory as gdal_proximity took, with that. Rounds alternate; the medians
count. Needs numpy and GDAL's Python module (Debian: python3-numpy python3-gdal); without --memory and for
the full size, about 24 GB of memory and 10 GB of disk.
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import time

import numpy
from osgeo import gdal, osr

SEED = 1


# Those of the command's own files.
STORAGE = ["TILED=YES", "COMPRESS=DEFLATE", "ZLEVEL=1", "NUM_THREADS=ALL_CPUS"]


def make_input(path, width, height, sites, tile):
    """Sites 1 to 255, or copies of a tile, in a raster of 30 m cells."""
    options = ["TILED=YES", "COMPRESS=DEFLATE", "BIGTIFF=YES", "NUM_THREADS=ALL_CPUS"]
    cells = numpy.load(tile, mmap_mode="r") if tile else None
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
        if tile:
            own = cells[numpy.arange(first, first + count) % cells.shape[0]]
            strip = numpy.tile(own, (1, -(-width // cells.shape[1])))[:, :width]
            raster.GetRasterBand(1).WriteArray(strip.astype(numpy.uint8), 0, first)
            continue
        strip = numpy.zeros((count, width), numpy.uint8)
        here = random.binomial(sites, count / height)
        strip[random.integers(0, count, here), random.integers(0, width, here)] = random.integers(
            1, 256, here
        )
        raster.GetRasterBand(1).WriteArray(strip, 0, first)
    del raster
    os.rename(path + ".part", path)


def run(command):
    """Seconds, and the peak of its memory in bytes."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"failed: {command}")
    return seconds, usage.ru_maxrss * 1024


def copies(source, folder, labels_alone):
    """gdal_translate to files of the same kinds, one after the other."""
    storage = [word for option in STORAGE for word in ("-co", option)]
    kinds = ["Byte"] if labels_alone else ["Byte", "Float32"]
    return [
        [
            *("gdal_translate", "-q", "-ot", kind, *storage, "-co", "BIGTIFF=YES", source),
            os.path.join(folder, f"copy-{kind}.tif"),
        ]
        for kind in kinds
    ]


def report(name, runs, cells):
    seconds = statistics.median(took for took, _ in runs)
    peak = max(memory for _, memory in runs)
    print(
        f"{name}: {seconds:.1f} s, {cells / seconds / 1e6:.0f} Mcells/s, "
        f"peak {peak / 2**30:.2f} GiB, {peak / cells:.2f} bytes a cell"
    )
    return seconds, peak


def compare_proximity(arguments, source, cells):
    """Ours with as much memory as GDAL's."""
    theirs, ours = (os.path.join(arguments.folder, f"near-{who}.tif") for who in ("gdal", "ours"))
    storage = [word for option in STORAGE for word in ("-co", option)]
    gdal_runs, our_runs = [], []
    for _ in range(arguments.rounds):
        if os.path.exists(theirs):
            os.remove(theirs)
        command = ["gdal_proximity.py", "-q", *storage, "-co", "BIGTIFF=YES", source, theirs]
        gdal_runs.append(run(command))
        memory = f"{gdal_runs[-1][1] // 1024}K"
        command = [arguments.command, "proximity", source, ours, "--overwrite", "--memory", memory]
        our_runs.append(run(command))
    gdal_seconds, _ = report("gdal_proximity", gdal_runs, cells)
    our_seconds, _ = report("thiessen proximity", our_runs, cells)
    print(f"thiessen has {gdal_seconds / our_seconds:.2f} times the speed")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", default="build/release/cli/thiessen")
    parser.add_argument("--size", default="30000x50000")
    parser.add_argument("--sites", type=int, default=1_000_000)
    parser.add_argument("--tile")
    parser.add_argument("--memory")
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--proximity", action="store_true")
    parser.add_argument("--labels-alone", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", default="/tmp")
    arguments = parser.parse_args()
    gdal.UseExceptions()
    width, height = map(int, arguments.size.split("x"))
    cells = width * height
    what = os.path.basename(arguments.tile) if arguments.tile else arguments.sites
    source = os.path.join(arguments.folder, f"sites-{arguments.size}-{what}.tif")
    if not os.path.exists(source):
        # In a process of its own: what a child takes begins with the memory of its parent.
        made = (source, width, height, arguments.sites, arguments.tile)
        maker = multiprocessing.Process(target=make_input, args=made)
        maker.start()
        maker.join()
    if arguments.proximity:
        compare_proximity(arguments, source, cells)
        return
    labels, distance = (
        os.path.join(arguments.folder, name) for name in ("large-labels.tif", "large-distance.tif")
    )
    command = [arguments.command, "voronoi", "--sites", source, "--labels", labels, "--overwrite"]
    if not arguments.labels_alone:
        command += ["--distance", distance]
    if arguments.memory:
        command += ["--memory", arguments.memory]
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        if arguments.copy:
            each = [run(copy) for copy in copies(source, arguments.folder, arguments.labels_alone)]
            theirs.append((sum(took for took, _ in each), max(memory for _, memory in each)))
        ours.append(run(command))
    seconds, _ = report("thiessen voronoi", ours, cells)
    if arguments.copy:
        copied, _ = report("gdal_translate", theirs, cells)
        print(f"thiessen has {copied / seconds:.2f} times the speed of the copy")
    for output in [labels] if arguments.labels_alone else [labels, distance]:
        print(f"{output}: {os.path.getsize(output) / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""How much memory and time a GeoTIFF takes from end to end, at once or in slabs, against GDAL's programs.

    python3 -m bench.large.geotiff [--size WxH] [--sites N | --tile FILE] [--memory SIZE] [--copy] [--proximity]
        [--labels-alone] [--folder FOLDER]

Makes a u8 GeoTIFF (tiled, deflate) of random sites, or of copies of the raster in an .npy FILE side by side,
unless it is there, and lets the command write labels and distances as GeoTIFFs. --memory is the flag of the
command. --copy compares with gdal_translate, which copies the
input to files of the same two kinds (u8 and f32, with the same creation options); --proximity compares
`thiessen proximity`, given as much memory as gdal_proximity took, with that. Needs NumPy and GDAL's Python
module (Debian: python3-numpy python3-gdal); without --memory and for
the full size, about 24 GB of memory and 10 GB of disk.
"""

import os

import numpy as np
from osgeo import gdal, osr

from .. import harness
from . import make_once

SEED = 1

# Those of the command's own files.
STORAGE = ["TILED=YES", "COMPRESS=DEFLATE", "ZLEVEL=1", "NUM_THREADS=ALL_CPUS"]
STORED = [*(word for option in STORAGE for word in ("-co", option)), "-co", "BIGTIFF=YES"]


def make_input(path, width, height, sites, tile):
    """Sites 1 to 255, or copies of a tile, in a raster of 30 m cells."""
    options = ["TILED=YES", "COMPRESS=DEFLATE", "BIGTIFF=YES", "NUM_THREADS=ALL_CPUS"]
    cells = np.load(tile, mmap_mode="r") if tile else None
    raster = gdal.GetDriverByName("GTiff").Create(path, width, height, 1, gdal.GDT_Byte, options)
    raster.SetGeoTransform((500_000, 30, 0, 5_000_000, 0, -30))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    raster.SetProjection(reference.ExportToWkt())
    random = np.random.default_rng(SEED)
    rows = 256
    for first in range(0, height, rows):
        count = min(rows, height - first)
        if tile:
            own = cells[np.arange(first, first + count) % cells.shape[0]]
            strip = np.tile(own, (1, -(-width // cells.shape[1])))[:, :width].astype(np.uint8)
        else:
            strip = np.zeros((count, width), np.uint8)
            here = random.binomial(sites, count / height)
            places = random.integers(0, count, here), random.integers(0, width, here)
            strip[places] = random.integers(1, 256, here)
        raster.GetRasterBand(1).WriteArray(strip, 0, first)


def copies(source, options):
    """gdal_translate to files of the same kinds, one after the other."""
    kinds = ["Byte"] if options.labels_alone else ["Byte", "Float32"]
    told = [
        harness.process("gdal_translate", "-q", "-ot", kind, *STORED, source,
                        options.folder / f"copy-{kind}.tif")
        for kind in kinds
    ]  # fmt: skip
    work, peak = zip(*(each.figures.values() for each in told))
    figures = {"processor s": sum(work), "peak GiB": max(peak)}
    return harness.Told(None, sum(each.seconds for each in told), figures)


def gdal_proximity(source, options):
    target = options.folder / "near-gdal.tif"
    target.unlink(missing_ok=True)
    told = harness.process("gdal_proximity.py", "-q", *STORED, source, target)
    options.memory = f"{int(told.figures['peak GiB'] * 2**20)}K"
    return told


def proximity(source, options):
    """With as much memory as GDAL's took in the round before."""
    memory = ["--memory", options.memory] if options.memory else []
    target = options.folder / "near-ours.tif"
    return harness.process(options.command, "proximity", source, target, "--overwrite", *memory)


def voronoi(source, options):
    words = [options.command, "voronoi", "--sites", source, "--overwrite"]
    names = ["labels"] if options.labels_alone else ["labels", "distance"]
    files = [options.folder / f"large-{name}.tif" for name in names]
    for name, file in zip(names, files):
        words += [f"--{name}", file]
    if options.memory:
        words += ["--memory", options.memory]
    told = harness.process(*words)
    told.figures["output MiB"] = sum(os.path.getsize(file) for file in files) / 2**20
    return told


def contenders(source, options):
    if options.proximity:
        if not options.memory:
            gdal_proximity(source, options)
        return {
            "thiessen proximity": lambda: proximity(source, options),
            "gdal_proximity": lambda: gdal_proximity(source, options),
        }
    calls = {"thiessen voronoi": lambda: voronoi(source, options)}
    if options.copy:
        calls["gdal_translate"] = lambda: copies(source, options)
    return calls


@harness.program(
    __doc__,
    rounds=1,
    seconds=float("inf"),
    command=harness.COMMAND,
    size=("30000x50000", "300x500"),
    sites=(1_000_000, 100),
    tile="",
    memory="",
    copy=False,
    proximity=False,
    labels_alone=False,
)
def cases(options):
    gdal.UseExceptions()
    width, height = map(int, options.size.split("x"))
    what = os.path.basename(options.tile) or options.sites
    source = options.folder / f"sites-{options.size}-{what}.tif"
    make_once(make_input, source, width, height, options.sites, options.tile)
    yield harness.Case(options.size, lambda _: contenders(source, options), cells=width * height)

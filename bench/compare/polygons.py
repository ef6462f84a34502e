# SPDX-License-Identifier: Apache-2.0
"""Polygons of points by `thiessen voronoi --polygons` against shapely and, where they are installed, GRASS and QGIS.

    python -m bench.compare.polygons --points 100000 --size 20000

All make a GeoPackage of the Voronoi polygons of the same points, cut off at the same rectangle; thiessen has
the number of cells and the distances in it, too, for which it makes the rasters. Times are those of whole processes.
The areas of all polygons are compared, and thiessen's must add up. QGIS
cuts its polygons off at the points' own extent: those that touch it are not compared.
"""

import os
import shutil
import subprocess
import sys
from functools import partial

import numpy as np
import pyogrio
import shapely

from .. import harness

SHAPELY = """
import sys, numpy as np, shapely, pyogrio
points = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)[:, :2]
side = float(sys.argv[2])
box = shapely.box(0, 0, side, side)
cells = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=box))
inside = shapely.intersection(cells, box)
pyogrio.raw.write(sys.argv[3], shapely.to_wkb(inside), [], [], geometry_type="Polygon", layer="polygons",
                  crs="EPSG:32631")
"""

GRASS = """
g.region w=0 s=0 e={side} n={side} --quiet
v.in.ascii input={csv} output=points separator=comma skip=1 --quiet
v.voronoi input=points output=polygons --quiet
v.out.ogr input=polygons type=area output={out} format=GPKG --quiet
"""


def read(path, **which):
    """Polygons and one column."""
    _, _, geometry, columns = pyogrio.raw.read(path, **which)
    return shapely.from_wkb(geometry), *columns


def areas(path, layer):
    """The areas of all polygons of a layer, ascending."""
    return np.sort(shapely.area(read(path, layer=layer, columns=[])[0]))


def difference_inside(own, theirs):
    """How many polygons do not touch the extent of QGIS' layer, and the largest difference of their areas."""
    polygons, place = read(theirs, columns=["place"])
    inside = (shapely.bounds(polygons) != shapely.total_bounds(polygons)).all(axis=1)
    ours, index = read(own, columns=["site_index"])
    area = np.empty(len(index))
    area[index] = shapely.area(ours)
    difference = area[place[inside]] - shapely.area(polygons[inside])
    return f"{inside.sum():,} inside, areas within {np.abs(difference).max():.2g}"


def ways(options, csv, points, side):
    """For each program its words."""
    folder = options.folder
    out = {way: folder / f"{way}.gpkg" for way in ("thiessen", "shapely", "grass", "qgis")}
    yield "thiessen", [options.command, "voronoi", "--sites", csv, "--bounds", f"0,0,{side},{side}",
                       "--cell-size", "10", "--polygons", out["thiessen"], "--quiet"]  # fmt: skip
    yield "shapely", [sys.executable, "-c", SHAPELY, csv, side, out["shapely"]]
    if shutil.which("grass"):
        script = folder / "grass.sh"
        script.write_text(GRASS.format(side=side, csv=csv, out=out["grass"]))
        yield "grass", ["grass", "--tmp-location", "EPSG:32631", "--exec", "bash", "-e", script]
    # Debian's script qgis_process adds an option that the program does not know.
    qgis = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
    if qgis:
        wkb, layer = shapely.to_wkb(shapely.points(points)), folder / "points.gpkg"
        place = [np.arange(len(points))], ["place"]
        pyogrio.raw.write(layer, wkb, *place, geometry_type="Point", crs="EPSG:32631")
        yield "qgis", [qgis, "run", "qgis:voronoipolygons", f"--INPUT={layer}", "--BUFFER=0",
                       f"--OUTPUT={out['qgis']}"]  # fmt: skip


def run(way, words, folder):
    target = folder / f"{way}.gpkg"
    target.unlink(missing_ok=True)
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    told = harness.process(*words, env=environment, stderr=subprocess.DEVNULL)
    return harness.Told(target, told.seconds)


@harness.program(
    __doc__,
    "shapely",
    "pyogrio",
    rounds=3,
    seconds=600.0,
    command=harness.COMMAND,
    points=(100_000, 1000),
    size=(20_000, 1000),
)
def cases(options):
    side = 10.0 * options.size

    def make(number):
        csv = options.folder / "points.csv"
        # On multiples of 2**-16 of a cell, so that all have the same points to the last bit.
        steps = np.random.default_rng(number).integers(0, options.size * 65536, (options.points, 2))
        points = steps * (10 / 65536)
        np.savetxt(csv, points, fmt="%.17g", delimiter=",", header="x,y", comments="")
        return {
            way: partial(run, way, words, options.folder)
            for way, words in ways(options, csv, points, side)
        }

    def check(answers):
        ours = areas(answers["thiessen"], "thiessen")
        remarks = {"thiessen": f"{len(ours):,} polygons, sum {ours.sum() / side**2 - 1:+.2g}"}
        for way in answers.keys() & {"shapely", "grass"}:
            theirs = areas(answers[way], "polygons")
            remarks[way] = f"{len(theirs):,} polygons"
            if len(theirs) == len(ours):
                remarks[way] += f", areas within {np.abs(theirs - ours).max():.2g}"
        if "qgis" in answers:
            remarks["qgis"] = difference_inside(answers["thiessen"], answers["qgis"])
        return remarks

    yield harness.Case(f"{options.points:,} points, {options.size} x {options.size}", make, check)

# SPDX-License-Identifier: Apache-2.0
"""Polygons of points by `thiessen voronoi --polygons` against shapely and, where they are installed, GRASS and QGIS.

    python -m bench.compare_polygons --points 100000 --size 20000

All make a GeoPackage of the Voronoi polygons of the same points, cut off at the same rectangle; thiessen has
the number of cells and the distances in it, too, for which it makes the rasters. The rounds are interleaved; the
table has medians of whole processes. The areas of all polygons are compared, and thiessen's must add up. QGIS
cuts its polygons off at the points' own extent: those that touch it are not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

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


def areas(path: Path, layer: str) -> np.ndarray:
    """The areas of all polygons of a layer, ascending."""
    import pyogrio
    import shapely

    _, _, geometry, _ = pyogrio.raw.read(path, layer=layer, columns=[])
    return np.sort(shapely.area(shapely.from_wkb(geometry)))


def points_layer(csv: Path, path: Path) -> None:
    """The points as a GeoPackage with their places in the list."""
    import pyogrio
    import shapely

    points = np.loadtxt(csv, delimiter=",", skiprows=1)[:, :2]
    pyogrio.raw.write(
        path,
        shapely.to_wkb(shapely.points(points)),
        [np.arange(len(points))],
        ["place"],
        geometry_type="Point",
        crs="EPSG:32631",
    )


def difference_inside(own: Path, theirs: Path) -> tuple[int, float]:
    """How many polygons do not touch the extent of QGIS' layer, and the largest difference of their areas."""
    import pyogrio
    import shapely

    _, _, geometry, (place,) = pyogrio.raw.read(theirs, columns=["place"])
    polygons = shapely.from_wkb(geometry)
    bounds, extent = shapely.bounds(polygons), shapely.total_bounds(polygons)
    inside = (bounds != extent).all(axis=1)
    _, _, ours, (index,) = pyogrio.raw.read(own, columns=["site_index"])
    area = np.empty(len(index))
    area[index] = shapely.area(shapely.from_wkb(ours))
    difference = area[place[inside]] - shapely.area(polygons[inside])
    return int(inside.sum()), float(np.abs(difference).max())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=20_000, help="cells along each axis")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--command", default=shutil.which("thiessen") or "thiessen")
    arguments = parser.parse_args()
    side = 10.0 * arguments.size
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        csv = folder / "points.csv"
        # On multiples of 2**-16 of a cell, so that all have the same points to the last bit.
        rng = np.random.default_rng(1)
        steps = rng.integers(0, arguments.size * 65536, (arguments.points, 2))
        np.savetxt(csv, steps * (10 / 65536), fmt="%.17g", delimiter=",", header="x,y", comments="")
        ways = {
            "thiessen": [arguments.command, "voronoi", "--sites", str(csv), "--bounds", f"0,0,{side},{side}",
                         "--cell-size", "10", "--polygons", str(folder / "thiessen.gpkg"), "--overwrite",
                         "--quiet"],
            "shapely": [sys.executable, "-c", SHAPELY, str(csv), str(side), str(folder / "shapely.gpkg")],
        }  # fmt: skip
        if shutil.which("grass"):
            script = folder / "grass.sh"
            script.write_text(GRASS.format(side=side, csv=csv, out=folder / "grass.gpkg"))
            ways["grass"] = [
                "grass",
                "--tmp-location",
                "EPSG:32631",
                "--exec",
                "bash",
                "-e",
                str(script),
            ]
        # Debian's script qgis_process adds an option that the program does not know.
        qgis = shutil.which("qgis_process.bin") or shutil.which("qgis_process")
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        if qgis:
            points_layer(csv, folder / "points.gpkg")
            ways["qgis"] = [qgis, "run", "qgis:voronoipolygons", f"--INPUT={folder / 'points.gpkg'}",
                            "--BUFFER=0", f"--OUTPUT={folder / 'qgis.gpkg'}"]  # fmt: skip
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(arguments.rounds):
            for way, command in ways.items():
                if way != "thiessen":
                    (folder / f"{way}.gpkg").unlink(missing_ok=True)
                start = time.perf_counter()
                subprocess.run(
                    command,
                    check=True,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                seconds[way].append(time.perf_counter() - start)
        ours = areas(folder / "thiessen.gpkg", "thiessen")
        report = {
            "points": arguments.points,
            "size": arguments.size,
            "sum_of_areas": ours.sum() / side**2 - 1,
        }
        for way, taken in seconds.items():
            report[f"{way}_s"] = round(statistics.median(taken), 2)
            if way == "thiessen":
                continue
            if way == "qgis":
                report["qgis_polygons_inside"], report["qgis_largest_difference"] = (
                    difference_inside(folder / "thiessen.gpkg", folder / "qgis.gpkg")
                )
                continue
            theirs = areas(folder / f"{way}.gpkg", "polygons")
            same = len(theirs) == len(ours)
            report[f"{way}_polygons"] = len(theirs)
            report[f"{way}_largest_difference"] = (
                float(np.abs(theirs - ours).max()) if same else None
            )
        print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Distance and direction to the nearest hut on an island, as DataArrays with coordinates.

The raster has easting and northing in metres, from which the spacing is taken; the sea and the
lakes are nodata, in which there is no result. (Straight lines cross them all the same.) Distances
are painted along a ramp, directions around a wheel of colours: north is blue, east
pink, south yellow, west green.
"""

import argparse
from pathlib import Path

import numpy as np
import thiessen
import xarray as xr
from PIL import Image

ROWS, COLUMNS, CELL = 640, 500, 25.0  # metres
WATER, SEA = -1, (208, 222, 230)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    huts = island()
    print(f"{int((huts > 0).sum())} huts on {float((huts != WATER).sum()) * CELL**2 / 1e6:.0f} km2")

    near = thiessen.nearest_site(huts, nodata=WATER, outputs=("labels", "distance", "direction"))

    remote = near.distance.where(near.distance == near.distance.max(), drop=True)
    east, north = float(remote.easting[0]), float(remote.northing[0])
    print(f"farthest from a hut: {float(remote.max()):.0f} m, at easting {east}, northing {north}")
    hut, cells = np.unique(near.labels.values[near.labels != WATER], return_counts=True)
    print(f"hut {hut[cells.argmax()]} is the nearest on {cells.max() * CELL**2 / 1e6:.1f} km2")

    distance = thiessen.render(
        distance=near.distance, contours=500, sites=huts, site_nodata=WATER, mode="distance"
    )
    direction = wheel(near.direction.values)
    for picture in (distance, direction):
        picture[np.isnan(near.distance)] = SEA
    Image.fromarray(np.hstack([distance, direction])).save(out / "gis.png", optimize=True)


def island() -> xr.DataArray:
    """Land, sea and lakes where a sum of smooth hills is above zero or not, and huts 1, 2, ..."""
    y = np.linspace(-1.28, 1.28, ROWS)[:, None]
    x = np.linspace(-1, 1, COLUMNS)
    height = 0.7 - (y * y / 1.35 + x * x)
    hills = np.argwhere(thiessen.random_sites((ROWS, COLUMNS), 90, seed=5))
    for number, (row, column) in enumerate(hills):
        distance2 = (y - y[row]) ** 2 + (x - x[column]) ** 2
        height = height + (0.4 if number % 2 else -0.4) / (1 + distance2 * 130)
    cells = np.where(height > 0, thiessen.random_sites((ROWS, COLUMNS), 48, seed=8), WATER)
    return xr.DataArray(
        cells.astype(np.int16),
        dims=("northing", "easting"),
        coords={
            "northing": 6_016_000 - CELL * (np.arange(ROWS) + 0.5),
            "easting": 412_000 + CELL * (np.arange(COLUMNS) + 0.5),
        },
        attrs={"crs": "EPSG:32632"},
        name="huts",
    )


def wheel(direction: np.ndarray) -> np.ndarray:
    """A colour for each direction; what is NaN is not to be seen."""
    hue = np.nan_to_num(direction) / 60 + 4
    channels = [np.clip(np.abs((hue + shift) % 6 - 3) - 1, 0, 1) for shift in (0, 4, 2)]
    return np.rint(85 + 155 * np.stack(channels, axis=-1)).astype(np.uint8)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/gallery"), metavar="DIR")
    main(parser.parse_args().out)

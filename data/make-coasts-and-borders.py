#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes coasts-and-borders.png from the country polygons of Natural Earth.

usage: make-coasts-and-borders.py COUNTRIES.shp OUTPUT.png

The result is a binary image: every coast and every land border is a line one cell wide, and each
polygon of less than 150,000 km² (islands, small countries) is a filled area. Needs GDAL's Python
module (Debian: python3-gdal).
"""

import sys

from osgeo import gdal, ogr, osr

PROJECTION = "+proj=laea +lat_0=-10 +lon_0=135 +datum=WGS84 +units=m"
LEFT, TOP = -5_000_000, 4_500_000  # corner of the raster, metres
CELL_SIZE = 5_000  # metres
WIDTH, HEIGHT = 2000, 1800  # cells
FILL_BELOW = 150_000e6  # square metres
LONGEST_SEGMENT = 0.25  # degrees: straight lines in degrees are curves in the plane


def plane():
    """The projection of the image, and the way to it from longitude and latitude."""
    degrees, metres = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    metres.SetFromUserInput(PROJECTION)
    return metres, osr.CoordinateTransformation(degrees, metres)


def polygons(path):
    """Every single polygon of a file of countries."""
    source = ogr.Open(path)
    for feature in source.GetLayer(0):
        geometry = feature.GetGeometryRef()
        if geometry.GetGeometryName() == "POLYGON":
            yield geometry.Clone()
        else:
            yield from (part.Clone() for part in geometry)


def outlines(polygon, to_plane):
    """Outlines of a polygon in the plane, without the seam where the source is cut at 180 degrees."""
    for ring in polygon:
        line, seam = ogr.Geometry(ogr.wkbLineString), False
        for longitude, latitude, *_ in ring.GetPoints():
            if seam and abs(longitude) > 179.99:
                yield line
                line = ogr.Geometry(ogr.wkbLineString)
            seam = abs(longitude) > 179.99
            x, y, _ = to_plane.TransformPoint(longitude, latitude)
            line.AddPoint_2D(x, y)
        yield line


def add(layer, geometry):
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(geometry)
    layer.CreateFeature(feature)


def main(countries, output):
    gdal.UseExceptions()
    ogr.UseExceptions()
    metres, to_plane = plane()
    memory = ogr.GetDriverByName("Memory").CreateDataSource("")
    areas = memory.CreateLayer("areas", metres, ogr.wkbPolygon)
    lines = memory.CreateLayer("lines", metres, ogr.wkbLineString)
    for polygon in polygons(countries):
        polygon.Segmentize(LONGEST_SEGMENT)
        for line in outlines(polygon, to_plane):
            add(lines, line)
        polygon.Transform(to_plane)
        if polygon.GetArea() < FILL_BELOW:
            add(areas, polygon)

    raster = gdal.GetDriverByName("MEM").Create("", WIDTH, HEIGHT, 1, gdal.GDT_Byte)
    raster.SetProjection(metres.ExportToWkt())
    raster.SetGeoTransform((LEFT, CELL_SIZE, 0, TOP, 0, -CELL_SIZE))
    for layer in (areas, lines):
        gdal.RasterizeLayer(raster, [1], layer, burn_values=[1])
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")  # no .aux.xml file beside the image
    gdal.GetDriverByName("PNG").CreateCopy(output, raster, options=["NBITS=1", "ZLEVEL=9"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes north-sea-coasts.geojson from the country polygons of Natural Earth.

usage: make-north-sea-coasts.py COUNTRIES.shp OUTPUT.geojson

The result has the outlines of the countries around the North Sea, one feature of lines a country, in
the European equal-area plane. Needs GDAL's Python module (Debian: python3-gdal).
"""

import json
import sys

from osgeo import gdal, ogr, osr

COUNTRIES = ["Norway", "Denmark", "Germany", "Netherlands", "Belgium", "France", "United Kingdom"]
WINDOW = (3_300_000, 2_900_000, 4_700_000, 4_600_000)  # least x, least y, greatest x, greatest y


def plane():
    """The plane, and the way to it from longitude and latitude."""
    degrees, metres = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    metres.ImportFromEPSG(3035)
    for reference in (degrees, metres):
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return osr.CoordinateTransformation(degrees, metres)


def window():
    left, bottom, right, top = WINDOW
    ring = ogr.Geometry(ogr.wkbLinearRing)
    for x, y in [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]:
        ring.AddPoint_2D(x, y)
    polygon = ogr.Geometry(ogr.wkbPolygon)
    polygon.AddGeometry(ring)
    return polygon


def lines_of(geometry):
    """Lines of a geometry as lists of whole metres."""
    if geometry.GetGeometryCount() == 0:
        points = [[round(x), round(y)] for x, y, *_ in geometry.GetPoints() or []]
        return [points] if len(points) > 1 else []
    return [line for part in geometry for line in lines_of(part)]


def main(countries, output):
    gdal.UseExceptions()
    ogr.UseExceptions()
    to_plane = plane()
    frame = window()
    outlines = {}
    source = ogr.Open(countries)
    for feature in source.GetLayer(0):
        if feature["name"] not in COUNTRIES:
            continue
        outline = feature.GetGeometryRef().Boundary()
        outline.Transform(to_plane)
        outlines[feature["name"]] = lines_of(outline.Intersection(frame))
    features = [
        {
            "type": "Feature",
            "properties": {"id": number, "name": name},
            "geometry": {"type": "MultiLineString", "coordinates": outlines[name]},
        }
        for number, name in enumerate(COUNTRIES, 1)
    ]
    with open(output, "w", encoding="ascii") as file:
        file.write('{"type": "FeatureCollection", "name": "coasts",\n')
        file.write(
            '"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3035"}},\n'
        )
        file.write('"features": [\n')
        file.write(",\n".join(json.dumps(feature) for feature in features))
        file.write("\n]}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""Files that the tests of the QGIS plugin read, and what is in those that it wrote."""

import numpy as np
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()

CELLS = 200
CELL_SIZE = 10


def reference_system(epsg=32631):
    system = osr.SpatialReference()
    system.ImportFromEPSG(epsg)
    system.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return system


def write_points(path, points, epsg=32631, layer="points", into=None):
    """A file with a layer of shops, or one more layer of a file that is open."""
    source = into or ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    shops = source.CreateLayer(layer, reference_system(epsg), ogr.wkbPoint)
    shops.CreateField(ogr.FieldDefn("shop", ogr.OFTString))
    shops.CreateField(ogr.FieldDefn("staff", ogr.OFTInteger))
    for i, (x, y) in enumerate(points):
        feature = ogr.Feature(shops.GetLayerDefn())
        feature.SetField("shop", f"Shop {i}")
        feature.SetField("staff", i + 3)
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({x} {y})"))
        shops.CreateFeature(feature)
    return source


def write_raster(path, values, driver="GTiff"):
    """A raster of one band, or of as many as there are along the first of three axes."""
    bands = values if values.ndim == 3 else values[np.newaxis]
    raster = gdal.GetDriverByName(driver).Create(
        str(path), bands.shape[2], bands.shape[1], bands.shape[0], gdal.GDT_Float32
    )
    raster.SetProjection(reference_system().ExportToWkt())
    raster.SetGeoTransform((500000, CELL_SIZE, 0, 5602000, 0, -CELL_SIZE))
    for i, band in enumerate(bands, 1):
        raster.GetRasterBand(i).WriteArray(band)


def cells(path):
    return gdal.Open(str(path)).ReadAsArray()


def features(path):
    source = ogr.Open(str(path))
    return [
        (feature.ExportToJson(as_object=True)["properties"], feature.GetGeometryRef().Clone())
        for feature in source.GetLayer(0)
    ]


def rows(path):
    source = ogr.Open(str(path))
    return [feature.ExportToJson(as_object=True)["properties"] for feature in source.GetLayer(0)]

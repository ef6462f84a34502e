# SPDX-License-Identifier: Apache-2.0
"""Layers of QGIS as files of the command: the files that they are, or copies of what they show."""

import os
import re

from osgeo import gdal
from qgis.core import (
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeature,
    QgsFeatureRequest,
    QgsFeatureSink,
    QgsField,
    QgsFields,
    QgsProcessingException,
    QgsProcessingFeatureSource,
    QgsProcessingUtils,
    QgsProviderRegistry,
    QgsVectorFileWriter,
)
from qgis.PyQt.QtCore import QVariant

# The command reads these formats as they are.
_VECTOR_SUFFIXES = (".gpkg", ".shp", ".geojson", ".fgb")
# The column of copies that numbers their features.
_NUMBER = "number_of_feature"
_NETWORK = re.compile(r"/vsi(curl|s3|gs|az|adls|oss|swift|hdfs|webhdfs)|://")


def is_on_network(name):
    """Whether the command asks for --allow-remote."""
    return not os.path.exists(name) and bool(_NETWORK.search(name))


def _key_fields(layer):
    """The fields that number the features of a file, and are no columns of it."""
    provider = layer.dataProvider()
    keys = provider.pkAttributeIndexes() if provider.name() == "ogr" else []
    return [layer.fields().at(i).name() for i in keys]


def vector_file(layer, used):
    """The file of a vector layer, with the name of its layer in it.

    None where the layer shows something else than the file, or where the command cannot read it.
    used: the names of fields, or None, that must be in it.
    """
    provider = layer.dataProvider()
    if provider.name() != "ogr" or layer.isModified() or layer.crs() != provider.crs():
        return None
    if set(used) & set(_key_fields(layer)):
        return None
    # Joined and computed fields are in no file.
    if layer.fields().count() != provider.fields().count():
        return None
    parts = QgsProviderRegistry.instance().decodeUri("ogr", layer.source())
    path, name, number = (parts.pop(key, None) for key in ("path", "layerName", "layerId"))
    # Other parts are filters, options and archives.
    if any(parts.values()) or not os.path.isfile(path or ""):
        return None
    if not path.lower().endswith(_VECTOR_SUFFIXES):
        return None
    if not name:
        # QGIS shows the first one if nobody chose.
        names = dict(sublayer.split("!!::!!")[:2] for sublayer in provider.subLayers())
        if number is None and len(names) < 2:
            return path
        name = names.get(str(number or 0), "")
    return f"{path}|layername={name}" if name and "|" not in name else None


def copy_features(layer, source, crs, used, selected, context, feedback):
    """Writes the features of a source to a GeoPackage in the order of their layer.

    crs: the reference system of the copy. used: the names of fields, or None, that must be in it.
    """
    # Numbers of features are those of the file, for the fields of the results.
    is_numbered = layer.dataProvider().name() == "ogr" and not layer.isModified()
    keys = _key_fields(layer)
    names = layer.fields().names()
    places = [i for i, name in enumerate(names) if name not in keys or name in used]
    fields = QgsFields()
    fields.append(QgsField(_NUMBER, QVariant.LongLong))
    for i in places:
        fields.append(layer.fields().at(i))
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    # A field named fid need not number the features.
    options.layerOptions = [f"FID={_NUMBER}"]
    path = QgsProcessingUtils.generateTempFilename("features.gpkg")
    writer = QgsVectorFileWriter.create(
        path, fields, source.wkbType(), crs, context.transformContext(), options
    )
    transform = QgsCoordinateTransform(source.sourceCrs(), crs, context.transformContext())
    wanted = set(layer.selectedFeatureIds()) if selected else None
    for feature in source.getFeatures(
        QgsFeatureRequest(), QgsProcessingFeatureSource.FlagSkipGeometryValidityChecks
    ):
        if feedback.isCanceled():
            break
        if wanted is not None and feature.id() not in wanted:
            continue
        copy = QgsFeature(fields)
        values = feature.attributes()
        number = feature.id() if is_numbered else None
        copy.setAttributes([number, *(values[i] for i in places)])
        geometry = feature.geometry()
        try:
            geometry.transform(transform)
        except QgsCsException as error:
            raise QgsProcessingException(f"{source.sourceName()}: {error}") from error
        copy.setGeometry(geometry)
        writer.addFeature(copy, QgsFeatureSink.FastInsert)
    # The first error stays.
    if writer.hasError():
        raise QgsProcessingException(f"{source.sourceName()}: {writer.errorMessage()}")
    return path


def raster_file(layer):
    """The file of a raster layer: its own, or a copy of a part of a file."""
    name = layer.source()
    provider = layer.dataProvider()
    if provider.name() != "gdal":
        raise QgsProcessingException(f"{layer.name()} is no file; export it as a GeoTIFF first")
    is_file = os.path.exists(name) and not name.lower().endswith(".gpkg")
    is_in_archive = re.match("/vsi(zip|tar|gzip)/", name)
    if layer.crs() == provider.crs() and (is_file or is_in_archive or is_on_network(name)):
        return name
    path = QgsProcessingUtils.generateTempFilename(f"{layer.name()}.tif")
    if gdal.Translate(path, name, outputSRS=layer.crs().toWkt() or None) is None:
        raise QgsProcessingException(f"{layer.name()}: {gdal.GetLastErrorMsg()}")
    return path

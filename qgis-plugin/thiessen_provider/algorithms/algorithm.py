# SPDX-License-Identifier: Apache-2.0
"""What the algorithms share: layers, grids and outputs of QGIS as arguments of the command."""

import shlex

from qgis.core import (
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsRasterLayer,
)
from qgis.PyQt.QtGui import QIcon

from ..command import run_command

# The command reads these formats as they are; other layers, and selected features, are exported.
_VECTOR_FORMATS = ["gpkg", "shp", "geojson", "fgb"]
# Cells along the longer side of a grid whose cell size nobody chose.
_DEFAULT_CELLS = 1000


def advanced(parameter):
    """The same parameter, among those that a dialog folds up."""
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
    return parameter


def greatest(name, description):
    """A limit of distances or costs, which need not be given."""
    return QgsProcessingParameterNumber(
        name, description, QgsProcessingParameterNumber.Double, optional=True, minValue=0
    )


class ThiessenAlgorithm(QgsProcessingAlgorithm):
    """An algorithm that runs the command once. A subclass has NAME, TITLE, GROUP, HELP and TAGS."""

    NAME = TITLE = GROUP = HELP = ""
    TAGS = ()

    def createInstance(self):
        return type(self)()

    def name(self):
        return self.NAME

    def displayName(self):
        return self.TITLE

    def group(self):
        return self.GROUP

    def groupId(self):
        return self.GROUP.lower().replace(" ", "")

    def shortHelpString(self):
        return self.HELP

    def tags(self):
        return ["thiessen", *self.TAGS]

    def icon(self):
        return self.provider().icon() if self.provider() else QIcon()

    # Parameters that several algorithms have.

    def add_sites(self, name="INPUT", description="Sites: points, lines, areas, or a raster"):
        self.addParameter(
            QgsProcessingParameterMapLayer(
                name,
                description,
                types=[QgsProcessing.TypeVectorAnyGeometry, QgsProcessing.TypeRaster],
            )
        )
        self.addParameter(
            QgsProcessingParameterField(
                "LABEL_FIELD",
                "Field of labels: numbers, or names (none: sites are numbered from 1)",
                parentLayerParameterName=name,
                optional=True,
            )
        )

    def add_grid(self):
        self.addParameter(
            QgsProcessingParameterRasterLayer(
                "GRID", "Raster whose grid the results have", optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterExtent(
                "EXTENT",
                "Extent, where there is no such raster (none: that of the sites)",
                optional=True,
            )
        )
        self.addParameter(
            QgsProcessingParameterNumber(
                "CELL_SIZE",
                f"Cell size (none: a {_DEFAULT_CELLS:,}th of the longer side)",
                QgsProcessingParameterNumber.Double,
                optional=True,
                minValue=0,
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterNumber(
                    "BUFFER",
                    "Where nobody chose an extent: room around the sites, in percent",
                    QgsProcessingParameterNumber.Double,
                    10.0,
                    minValue=0,
                )
            )
        )

    def add_study_area(self):
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                "MASK",
                "Study area: results are nodata outside",
                [QgsProcessing.TypeVectorPolygon],
                optional=True,
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterBoolean(
                    "CLIP_SITES", "Sites outside of the study area do not count", False
                )
            )
        )

    def add_extra(self):
        self.addParameter(
            advanced(
                QgsProcessingParameterString(
                    "EXTRA", "More arguments of the command", optional=True
                )
            )
        )

    # Their arguments of the command.

    def vector_file(self, parameters, name, context, feedback):
        """The file of a vector layer, and the name of the layer in it."""
        path, layer_name = self.parameterAsCompatibleSourceLayerPathAndLayerName(
            parameters, name, context, _VECTOR_FORMATS, "gpkg", feedback
        )
        if not path:
            raise QgsProcessingException(self.invalidSourceError(parameters, name))
        return path, layer_name

    def raster_file(self, parameters, name, context):
        """The file of a raster layer."""
        layer = self.parameterAsRasterLayer(parameters, name, context)
        if layer is None:
            raise QgsProcessingException(self.invalidRasterError(parameters, name))
        if layer.dataProvider().name() != "gdal":
            raise QgsProcessingException(
                f"{name}: {layer.name()} is no file; export it as a GeoTIFF first"
            )
        return layer.source()

    def sites_arguments(self, parameters, context, feedback, name="INPUT"):
        layer = self.parameterAsLayer(parameters, name, context)
        if isinstance(layer, QgsRasterLayer):
            return ["--sites", self.raster_file(parameters, name, context)]
        path, layer_name = self.vector_file(parameters, name, context, feedback)
        arguments = ["--sites", path]
        if layer.crs().isValid():
            arguments.append("--transform")
        if layer_name:
            arguments += ["--layer", layer_name]
        for field in self.parameterAsFields(parameters, "LABEL_FIELD", context):
            arguments += ["--label-field", field]
        return arguments

    def grid_arguments(self, parameters, context, name="INPUT"):
        """The grid of a raster, of a chosen extent, or of the extent of the sites."""
        if parameters.get("GRID"):
            return ["--like-grid", self.raster_file(parameters, "GRID", context)]
        layer = self.parameterAsLayer(parameters, name, context)
        if isinstance(layer, QgsRasterLayer):
            return []
        extent = self.parameterAsExtent(parameters, "EXTENT", context, layer.crs())
        if extent.isNull():
            extent = layer.extent()
            extent.grow(
                max(extent.width(), extent.height())
                * self.parameterAsDouble(parameters, "BUFFER", context)
                / 100
            )
        cell_size = self.parameterAsDouble(parameters, "CELL_SIZE", context)
        if cell_size <= 0:
            cell_size = max(extent.width(), extent.height()) / _DEFAULT_CELLS
        if cell_size <= 0:
            raise QgsProcessingException("EXTENT: the sites have no extent; choose one")
        corners = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        return ["--bounds=" + ",".join(map(repr, corners)), "--cell-size", repr(cell_size)]

    def study_area_arguments(self, parameters, context, feedback):
        if not parameters.get("MASK"):
            return []
        path, layer_name = self.vector_file(parameters, "MASK", context, feedback)
        arguments = ["--mask", path]
        if layer_name:
            arguments += ["--mask-layer", layer_name]
        if self.parameterAsBoolean(parameters, "CLIP_SITES", context):
            arguments.append("--clip-sites")
        return arguments

    def number_arguments(self, parameters, context, flags):
        """The flags of those numbers that are given."""
        return [
            word
            for name, flag in flags.items()
            if parameters.get(name) is not None
            for word in (flag, repr(self.parameterAsDouble(parameters, name, context)))
        ]

    def run(self, subcommand, arguments, outputs, parameters, context, feedback):
        """Runs the command with a file for each output that is wanted.

        outputs: the flag of each output by the name of its parameter.
        """
        results = {}
        for name, flag in outputs.items():
            path = self.parameterAsOutputLayer(parameters, name, context)
            if path:
                results[name] = path
                arguments = [*arguments, flag, path]
        if not results:
            raise QgsProcessingException("There is no output: choose at least one")
        extra = self.parameterAsString(parameters, "EXTRA", context)
        run_command([subcommand, *arguments, *shlex.split(extra), "--overwrite"], feedback)
        return results

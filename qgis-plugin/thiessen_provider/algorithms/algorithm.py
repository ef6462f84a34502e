# SPDX-License-Identifier: Apache-2.0
"""What the algorithms share: layers, grids and outputs of QGIS as arguments of the command."""

import math
import re
import shlex
from pathlib import Path

from qgis.core import (
    QgsExpression,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterBand,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterExpression,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsProperty,
    QgsRasterLayer,
)
from qgis.core import QgsProcessingFeatureSourceDefinition as SourceDefinition
from qgis.PyQt.QtGui import QIcon

from .. import sources
from ..choices import CHOICES
from ..command import run_command

# Cells along the longer side of a grid whose cell size nobody chose.
_DEFAULT_CELLS = 1000


def advanced(parameter):
    """The same parameter, among those that a dialog folds up."""
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
    return parameter


def flag_of(name):
    """The flag of the command for the parameter of an option."""
    return "--" + name.lower().replace("_", "-")


def greatest(name, description):
    """A limit of distances or costs, which need not be given."""
    return QgsProcessingParameterNumber(
        name, description, QgsProcessingParameterNumber.Double, optional=True, minValue=0
    )


def band_of(raster, description, name=None):
    """Which band of a raster counts, where it has several."""
    return QgsProcessingParameterBand(
        name or f"{raster}_BAND", description, parentLayerParameterName=raster, optional=True
    )


def field_of_sites(name, description):
    """A field of the sites, which need not be given."""
    # A QgsProcessingParameterField of a layer that may be a raster ends QGIS.
    return QgsProcessingParameterExpression(
        name, description, parentLayerParameterName="INPUT", optional=True
    )


def words_of(name, text):
    """The words of a parameter as a shell has them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise QgsProcessingException(f"{name}: {text}: {error}") from error


def _with_plain_layers(parameters, context):
    """The parameters, with the layer itself instead of a choice of its features."""
    scope = context.expressionContext()
    return {
        name: value.source.valueAsString(scope)[0] if isinstance(value, SourceDefinition) else value
        for name, value in parameters.items()
    }


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
        # QGIS shows each line as a paragraph.
        return re.sub(r"(?<!\n)\n(?!\n)", " ", self.HELP)

    def tags(self):
        return ["thiessen", *self.TAGS]

    def icon(self):
        return self.provider().icon() if self.provider() else QIcon()

    # Parameters that several algorithms have.

    def add_sites(self, description="Sites: points, lines, areas, or a raster"):
        self.addParameter(
            QgsProcessingParameterMapLayer(
                "INPUT",
                description,
                types=[QgsProcessing.TypeVectorAnyGeometry, QgsProcessing.TypeRaster],
            )
        )
        self.addParameter(
            field_of_sites("LABEL_FIELD", "Field of labels (none: sites have numbers from 1)")
        )
        self.addParameter(
            QgsProcessingParameterBoolean("SELECTED_ONLY", "Selected sites only", False)
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterNumber(
                    "BAND", "Band of a raster of sites", optional=True, minValue=1
                )
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
                "Extent without such a raster (none: that of the sites)",
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

    def checkParameterValues(self, parameters, context):
        return super().checkParameterValues(_with_plain_layers(parameters, context), context)

    def vector_file(self, parameters, name, context, feedback, used=(), selected=False):
        """The file of a vector layer, or a copy of the features that are wanted. `used`: the names
        of fields, or None, that must be in it."""
        layer = self.parameterAsVectorLayer(_with_plain_layers(parameters, context), name, context)
        source = self.parameterAsSource(parameters, name, context)
        if layer is None or source is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, name))
        sites = self.sites_layer(parameters, context)
        crs = layer.crs()
        # The command takes layers to the grid of others, but not to that of a raster of sites.
        if isinstance(sites, QgsRasterLayer) and sites.crs().isValid() and crs.isValid():
            crs = sites.crs()
        if not selected and not isinstance(parameters[name], SourceDefinition):
            path = sources.vector_file(layer, used) if layer.crs() == crs else None
            if path:
                return path
        return sources.copy_features(layer, source, crs, used, selected, context, feedback)

    def raster_file(self, parameters, name, context, band=None):
        """The file of a raster layer, with the band that the parameter of this name chooses."""
        layer = self.parameterAsRasterLayer(parameters, name, context)
        if layer is None:
            raise QgsProcessingException(self.invalidRasterError(parameters, name))
        path = sources.raster_file(layer)
        number = self.parameterAsInt(parameters, band, context) if band else 0
        if number > layer.bandCount():
            raise QgsProcessingException(
                f"{band}: {number}: {layer.name()} has {layer.bandCount()} bands"
            )
        return f"{path}|band={number}" if number else path

    def sites_layer(self, parameters, context):
        layer = self.parameterAsLayer(_with_plain_layers(parameters, context), "INPUT", context)
        if layer is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, "INPUT"))
        return layer

    def field_name(self, parameters, name, context, layer):
        """The name of the field of the sites that a parameter chooses, or None."""
        if self.parameterDefinition(name) is None:
            return None
        text = self.parameterAsString(parameters, name, context)
        if not text:
            return None
        if isinstance(layer, QgsRasterLayer):
            raise QgsProcessingException(f"{name}: {text}: a raster has no fields")
        # The dialog may give a name in quotes.
        expression = QgsExpression(text)
        words = [text, expression.rootNode().name()] if expression.isField() else [text]
        for word in words:
            index = layer.fields().lookupField(word)
            if index >= 0:
                return layer.fields().at(index).name()
        raise QgsProcessingException(
            f"{name}: {text} is no field of {layer.name()}, which has "
            + ", ".join(layer.fields().names())
        )

    def sites_arguments(self, parameters, context, feedback):
        layer = self.sites_layer(parameters, context)
        fields = [
            self.field_name(parameters, name, context, layer)
            for name in ("LABEL_FIELD", "WEIGHT_FIELD")
        ]
        selected = self.parameterAsBoolean(parameters, "SELECTED_ONLY", context)
        if isinstance(layer, QgsRasterLayer):
            if selected:
                raise QgsProcessingException("SELECTED_ONLY: a raster has no selected features")
            return ["--sites", self.raster_file(parameters, "INPUT", context, "BAND")]
        if self.parameterAsInt(parameters, "BAND", context):
            raise QgsProcessingException(f"BAND: {layer.name()} is no raster")
        if selected and not layer.selectedFeatureCount():
            raise QgsProcessingException(f"SELECTED_ONLY: {layer.name()}: nothing is selected")
        path = self.vector_file(parameters, "INPUT", context, feedback, fields, selected)
        arguments = ["--sites", path]
        if layer.crs().isValid():
            arguments.append("--transform")
        for flag, field in zip(("--label-field", "--weight-field"), fields):
            if field:
                arguments += [flag, field]
        return arguments

    def sites_extent(self, parameters, context, layer):
        """The extent of the sites, with the room around them."""
        if self.parameterAsBoolean(parameters, "SELECTED_ONLY", context):
            extent = layer.boundingBoxOfSelected()
        else:
            extent = self.parameterAsSource(parameters, "INPUT", context).sourceExtent()
        room = self.parameterAsDouble(parameters, "BUFFER", context) / 100
        extent.grow(max(extent.width(), extent.height()) * room)
        return extent

    def grid_arguments(self, parameters, context):
        """The grid of a raster, of a chosen extent, or of the extent of the sites."""
        if parameters.get("GRID"):
            return ["--like-grid", self.raster_file(parameters, "GRID", context)]
        layer = self.sites_layer(parameters, context)
        extent = self.parameterAsExtent(parameters, "EXTENT", context, layer.crs())
        cell_size = self.parameterAsDouble(parameters, "CELL_SIZE", context)
        if isinstance(layer, QgsRasterLayer):
            if not extent.isNull() or cell_size > 0:
                raise QgsProcessingException(
                    "EXTENT, CELL_SIZE: the grid is that of INPUT, which is a raster"
                )
            return []
        if extent.isNull():
            extent = self.sites_extent(parameters, context, layer)
        if cell_size <= 0:
            cell_size = max(extent.width(), extent.height()) / _DEFAULT_CELLS
        if not 0 < cell_size < math.inf:
            raise QgsProcessingException("EXTENT: the sites have no extent; choose one")
        corners = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        return ["--bounds=" + ",".join(map(repr, corners)), "--cell-size", repr(cell_size)]

    def study_area_arguments(self, parameters, context, feedback):
        if not parameters.get("MASK"):
            return []
        arguments = ["--mask", self.vector_file(parameters, "MASK", context, feedback)]
        if self.parameterAsBoolean(parameters, "CLIP_SITES", context):
            arguments.append("--clip-sites")
        return arguments

    def add_choices(self, operation, descriptions):
        """Parameters for options of an operation that are one of several words."""
        for name, description in descriptions.items():
            words = CHOICES[operation][name.lower()]
            parameter = QgsProcessingParameterEnum(name, description, words, defaultValue=0)
            self.addParameter(advanced(parameter))

    def choice_arguments(self, parameters, context, operation, names):
        """The flags of such options, with the words that were chosen."""
        arguments = []
        for name in names:
            words = CHOICES[operation][name.lower()]
            arguments.append(flag_of(name))
            arguments.append(words[self.parameterAsEnum(parameters, name, context)])
        return arguments

    def number_arguments(self, parameters, context, flags):
        """The flags of those numbers that are given."""
        return [
            word
            for name, flag in flags.items()
            if parameters.get(name) is not None
            for word in (flag, repr(self.parameterAsDouble(parameters, name, context)))
        ]

    def output_file(self, parameters, name, context):
        """The file of an output, with a suffix; "" if it is not wanted."""
        value = parameters.get(name)
        is_definition = isinstance(value, QgsProcessingOutputLayerDefinition)
        text = value.sink.staticValue() if is_definition else value
        if isinstance(text, str) and text:
            if text == "memory:":
                text = QgsProcessing.TEMPORARY_OUTPUT
            elif text != QgsProcessing.TEMPORARY_OUTPUT and not Path(text).suffix:
                text = f"{text}.{self.parameterDefinition(name).defaultFileExtension()}"
            if is_definition:
                value = QgsProcessingOutputLayerDefinition(value)
                value.sink = QgsProperty.fromValue(text)
            else:
                value = text
        return self.parameterAsOutputLayer({**parameters, name: value}, name, context)

    def run_thiessen(self, subcommand, arguments, outputs, parameters, context, feedback):
        """Runs the command with a file for each output that is wanted.

        outputs: the flag of each output by the name of its parameter.
        """
        results = {}
        for name, flag in outputs.items():
            path = self.output_file(parameters, name, context)
            if path:
                results[name] = path
                arguments = [*arguments, flag, path]
        if not results:
            raise QgsProcessingException("There is no output: choose at least one")
        if any(sources.is_on_network(str(word)) for word in arguments):
            arguments = [*arguments, "--allow-remote"]
        extra = words_of("EXTRA", self.parameterAsString(parameters, "EXTRA", context))
        run_command([subcommand, *arguments, *extra, "--overwrite"], feedback)
        return results

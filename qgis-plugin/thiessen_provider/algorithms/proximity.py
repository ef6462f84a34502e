# SPDX-License-Identifier: Apache-2.0
from qgis.core import (
    QgsProcessingParameterBand,
    QgsProcessingParameterEnum,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)

from .algorithm import ThiessenAlgorithm, advanced, words_of

UNITS = [("GEO", "Georeferenced coordinates"), ("PIXEL", "Pixel coordinates")]
DATA_TYPES = ["Byte", "Int16", "UInt16", "UInt32", "Int32", "Float32", "Float64"]


class Proximity(ThiessenAlgorithm):
    """The parameters are those of gdal:proximity, so that a model may change to it and back."""

    NAME = "proximity"
    TITLE = "Proximity (raster distance)"
    GROUP = "Raster"
    TAGS = ("distance", "distance transform", "euclidean distance", "gdal_proximity")
    HELP = """On every cell of a raster, the distance to the nearest cell whose value is not 0, or
is one of those given. The parameters are those of gdal:proximity; the distances are exact."""

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Input layer"))
        self.addParameter(
            QgsProcessingParameterBand("BAND", "Band number", 1, "INPUT", optional=True)
        )
        self.addParameter(
            QgsProcessingParameterString(
                "VALUES", "Pixel values that are targets, with commas between them", optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "UNITS", "Distance units", [text for _, text in UNITS], defaultValue=1
            )
        )
        for name, description, least in (
            ("MAX_DISTANCE", "Greatest distance", 0),
            ("REPLACE", "Value of every cell within the greatest distance", None),
            ("NODATA", "Nodata value of the output", None),
        ):
            parameter = QgsProcessingParameterNumber(
                name, description, QgsProcessingParameterNumber.Double, optional=True
            )
            if least is not None:
                parameter.setMinimum(least)
            self.addParameter(parameter)
        self.addParameter(
            advanced(
                QgsProcessingParameterString(
                    "OPTIONS", "Creation options, with | between them", optional=True
                )
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterEnum(
                    "DATA_TYPE", "Output data type", DATA_TYPES, defaultValue=5
                )
            )
        )
        self.add_extra()
        self.addParameter(QgsProcessingParameterRasterDestination("OUTPUT", "Proximity map"))

    def processAlgorithm(self, parameters, context, feedback):
        arguments = [
            "--distunits",
            UNITS[self.parameterAsEnum(parameters, "UNITS", context)][0],
            "--ot",
            DATA_TYPES[self.parameterAsEnum(parameters, "DATA_TYPE", context)],
        ]
        values = self.parameterAsString(parameters, "VALUES", context)
        if values:
            arguments += ["--values", values]
        arguments += self.number_arguments(
            parameters,
            context,
            {"MAX_DISTANCE": "--maxdist", "REPLACE": "--fixed-buf-val", "NODATA": "--nodata"},
        )
        for option in filter(
            None, self.parameterAsString(parameters, "OPTIONS", context).split("|")
        ):
            arguments += ["--co", *words_of("OPTIONS", option)]
        arguments += ["--input", self.raster_file(parameters, "INPUT", context, "BAND")]
        return self.run_thiessen(
            "proximity", arguments, {"OUTPUT": "--output"}, parameters, context, feedback
        )

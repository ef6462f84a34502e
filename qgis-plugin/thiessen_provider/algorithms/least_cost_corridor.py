# SPDX-License-Identifier: Apache-2.0
from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterVectorDestination,
)

from .places import PlacesAlgorithm


class LeastCostCorridor(PlacesAlgorithm):
    NAME = "leastcostcorridor"
    TITLE = "Least-cost corridor"
    GROUP = "Cost"
    TAGS = ("corridor", "least cost corridor", "linkage mapper", "habitat")
    HELP = """On every cell, what the best way over it, from any of the first places to any of the
second ones, costs more than the best way of all: 0 on the best way. The area of all cells that are
within some percent of the cost of the best way comes as a polygon, if wanted."""

    def initAlgorithm(self, configuration=None):
        self.add_places()
        self.addParameter(
            QgsProcessingParameterNumber(
                "WITHIN_PERCENT",
                "Percent of the least cost that the polygon allows",
                QgsProcessingParameterNumber.Double,
                5.0,
                minValue=0,
            )
        )
        self.add_extra()
        self.addParameter(QgsProcessingParameterRasterDestination("OUTPUT", "Corridor"))
        self.addParameter(
            QgsProcessingParameterVectorDestination(
                "POLYGON",
                "Corridor polygon",
                QgsProcessing.TypeVectorPolygon,
                optional=True,
                createByDefault=False,
            )
        )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = self.places_arguments(parameters, context, feedback)
        if self.output_file(parameters, "POLYGON", context):
            percent = self.parameterAsDouble(parameters, "WITHIN_PERCENT", context)
            arguments += ["--within-percent", repr(percent)]
        outputs = {"OUTPUT": "--corridor", "POLYGON": "--corridor-polygon"}
        return self.run_thiessen("cost", arguments, outputs, parameters, context, feedback)

# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessing
from qgis.core import QgsProcessingParameterVectorDestination as VectorDestination

from .algorithm import greatest
from .places import PlacesAlgorithm


class CostTable(PlacesAlgorithm):
    NAME = "costtable"
    TITLE = "Origin-destination costs and paths"
    GROUP = "Cost"
    TAGS = ("origin-destination matrix", "od matrix", "least-cost path", "cost path", "gdistance")
    HELP = """The cost of the way of least cost from each place to each place of a second layer, as
a table, and the ways as lines, which have the cost so far as their measure M. All points, lines or
areas of one label are one place. With elevations, costs are seconds of walking from the first place
to the second."""

    def initAlgorithm(self, configuration=None):
        self.add_places()
        self.addParameter(greatest("MAX_COST", "Greatest cost of a way"))
        self.add_extra()
        self.addParameter(VectorDestination("OUTPUT", "Ways", QgsProcessing.TypeVectorLine))
        self.addParameter(
            VectorDestination(
                "TABLE",
                "Table of costs",
                QgsProcessing.TypeVector,
                optional=True,
                createByDefault=False,
            )
        )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = [
            *self.places_arguments(parameters, context, feedback),
            *self.number_arguments(parameters, context, {"MAX_COST": "--max-distance"}),
        ]
        outputs = {"OUTPUT": "--paths", "TABLE": "--cost-table"}
        return self.run_thiessen("cost", arguments, outputs, parameters, context, feedback)

# SPDX-License-Identifier: Apache-2.0
from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterVectorDestination,
)

from .cost_map import CostAlgorithm


class LeastCostPaths(CostAlgorithm):
    NAME = "leastcostpaths"
    TITLE = "Least-cost paths"
    GROUP = "Cost"
    TAGS = ("least-cost path", "cost path", "route", "r.drain", "r.path")
    HELP = """From each start, the way of least cost to the site that it reaches with the least
cost, as a line that has the cost so far as its measure M. A step costs its length times the mean
of the costs of its two cells; with elevations, costs are seconds of walking."""

    def initAlgorithm(self, configuration=None):
        self.add_sites("Sites where paths end: points, lines, areas, or a raster")
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                "STARTS", "Points where paths begin", [QgsProcessing.TypeVectorPoint]
            )
        )
        self.add_cost_map()
        self.add_extra()
        self.addParameter(
            QgsProcessingParameterVectorDestination(
                "OUTPUT", "Least-cost paths", QgsProcessing.TypeVectorLine
            )
        )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = [
            *self.sites_arguments(parameters, context, feedback),
            *self.cost_map_arguments(parameters, context, feedback),
            *("--paths-from", self.vector_file(parameters, "STARTS", context, feedback)),
        ]
        return self.run_thiessen(
            "cost", arguments, {"OUTPUT": "--paths"}, parameters, context, feedback
        )

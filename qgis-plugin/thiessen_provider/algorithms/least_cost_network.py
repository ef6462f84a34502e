# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessing
from qgis.core import QgsProcessingParameterVectorDestination as VectorDestination

from .algorithm import greatest
from .cost_map import CostAlgorithm


class LeastCostNetwork(CostAlgorithm):
    NAME = "leastcostnetwork"
    TITLE = "Least-cost network"
    GROUP = "Cost"
    TAGS = ("network", "minimum spanning tree", "cost connectivity", "optimal region connections",
            "linkage mapper")  # fmt: skip
    HELP = """Joins neighbouring sites by their ways of least cost, as lines with cost and length.
The field in_tree says which lines are in the minimum spanning tree, which joins all sites at the
least cost. All points, lines or areas of one label are one site."""

    def initAlgorithm(self, configuration=None):
        self.add_sites()
        self.add_cost_map()
        self.addParameter(greatest("MAX_COST", "Greatest cost from a site"))
        self.add_extra()
        self.addParameter(VectorDestination("OUTPUT", "Network", QgsProcessing.TypeVectorLine))

    def processAlgorithm(self, parameters, context, feedback):
        arguments = [
            *self.sites_arguments(parameters, context, feedback),
            *self.cost_map_arguments(parameters, context, feedback),
            *self.number_arguments(parameters, context, {"MAX_COST": "--max-distance"}),
        ]
        return self.run_thiessen(
            "cost", arguments, {"OUTPUT": "--network"}, parameters, context, feedback
        )

# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessingParameterRasterDestination as RasterDestination

from .algorithm import greatest
from .cost_map import CostAlgorithm


class CostDistance(CostAlgorithm):
    NAME = "costdistance"
    TITLE = "Cost distance"
    GROUP = "Cost"
    TAGS = (
        "cost distance",
        "accumulated cost",
        "allocation",
        "r.cost",
        "r.walk",
        "friction",
        "distance accumulation",
        "back direction",
        "fast marching",
        "travel time",
    )
    HELP = """On every cell, the least cost of a way to a site, and, if wanted, the label of that
site and the neighbour that comes next on the way (back link). A step costs its length times the
mean of the costs of its two cells. The method eikonal has no steps: fronts run in any direction,
so that costs have no star of 8 directions. With elevations, costs are seconds of walking, times the
cost of a map if there is one.

Barriers are features that no way crosses, in every cell that they touch."""

    def initAlgorithm(self, configuration=None):
        self.add_sites()
        self.add_cost_map()
        self.addParameter(greatest("MAX_COST", "Greatest cost"))
        self.add_extra()
        self.addParameter(RasterDestination("OUTPUT", "Cost"))
        for name, description in (
            ("LABELS", "Allocation"),
            ("BACK_LINK", "Back link"),
            ("DIRECTION", "Back direction"),
        ):
            self.addParameter(
                RasterDestination(name, description, optional=True, createByDefault=False)
            )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = [
            *self.sites_arguments(parameters, context, feedback),
            *self.cost_map_arguments(parameters, context, feedback),
            *self.number_arguments(parameters, context, {"MAX_COST": "--max-distance"}),
        ]
        outputs = {
            "OUTPUT": "--distance",
            "LABELS": "--labels",
            "BACK_LINK": "--back-link",
            "DIRECTION": "--direction",
        }
        return self.run_thiessen("cost", arguments, outputs, parameters, context, feedback)

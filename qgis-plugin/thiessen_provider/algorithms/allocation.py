# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessingParameterRasterDestination as RasterDestination

from .algorithm import greatest
from .nearest import NearestAlgorithm


class Allocation(NearestAlgorithm):
    NAME = "allocation"
    TITLE = "Allocation"
    GROUP = "Raster"
    TAGS = ("euclidean allocation", "voronoi", "nearest", "distance", "direction")
    HELP = """On every cell of a raster, the label of the nearest site, and, if wanted, the
distance to it and the compass direction in which it lies. Exact; of sites at the same distance the
one that comes first counts.

A raster of sites has them where its cells are not 0; their values are the labels, and its grid is
that of the results."""

    def initAlgorithm(self, configuration=None):
        self.add_nearest()
        self.addParameter(greatest("MAX_DISTANCE", "Greatest distance"))
        self.add_extra()
        self.addParameter(RasterDestination("OUTPUT", "Allocation"))
        for name, description in (("DISTANCE", "Distance"), ("DIRECTION", "Direction")):
            self.addParameter(
                RasterDestination(name, description, optional=True, createByDefault=False)
            )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = self.nearest_arguments(parameters, context, feedback)
        outputs = {"OUTPUT": "--labels", "DISTANCE": "--distance", "DIRECTION": "--direction"}
        return self.run_thiessen("voronoi", arguments, outputs, parameters, context, feedback)

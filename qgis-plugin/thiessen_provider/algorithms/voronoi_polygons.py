# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessing
from qgis.core import QgsProcessingParameterVectorDestination as VectorDestination

from .algorithm import advanced, greatest
from .nearest import NearestAlgorithm


class VoronoiPolygons(NearestAlgorithm):
    NAME = "voronoipolygons"
    TITLE = "Voronoi polygons"
    GROUP = "Vector"
    TAGS = ("voronoi", "thiessen polygons", "nearest", "service area", "tessellation")
    HELP = """The region of each site as one polygon, with the fields of the site, the region's
area, its number of cells and its greatest distance. Edges between points are straight and exact;
those of lines, areas and rasters, of other metrics and with a greatest distance follow the cells.
Neighbours share their vertices; the areas add up to that of the extent, or of the study area.

Borders are lines between two regions, with both sites and the distance to them."""

    def initAlgorithm(self, configuration=None):
        self.add_nearest()
        self.addParameter(advanced(greatest("MAX_DISTANCE", "Greatest distance")))
        self.add_extra()
        self.addParameter(
            VectorDestination("OUTPUT", "Voronoi polygons", QgsProcessing.TypeVectorPolygon)
        )
        self.addParameter(
            VectorDestination(
                "BORDERS",
                "Borders",
                QgsProcessing.TypeVectorLine,
                optional=True,
                createByDefault=False,
            )
        )

    def processAlgorithm(self, parameters, context, feedback):
        arguments = self.nearest_arguments(parameters, context, feedback)
        outputs = {"OUTPUT": "--polygons", "BORDERS": "--edges"}
        return self.run_thiessen("voronoi", arguments, outputs, parameters, context, feedback)

# SPDX-License-Identifier: Apache-2.0
from qgis.core import QgsProcessing, QgsProcessingParameterEnum, QgsProcessingParameterNumber
from qgis.core import QgsProcessingParameterVectorDestination as VectorDestination

from .algorithm import ThiessenAlgorithm, advanced
from .metrics import METRICS


class VoronoiPolygons(ThiessenAlgorithm):
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
        self.add_sites()
        self.add_grid()
        self.add_study_area()
        self.addParameter(
            advanced(QgsProcessingParameterEnum("METRIC", "Metric", METRICS, defaultValue=0))
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterNumber(
                    "MAX_DISTANCE",
                    "Greatest distance",
                    QgsProcessingParameterNumber.Double,
                    optional=True,
                    minValue=0,
                )
            )
        )
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
        arguments = [
            *self.sites_arguments(parameters, context, feedback),
            *self.grid_arguments(parameters, context),
            *self.study_area_arguments(parameters, context, feedback),
            *("--metric", METRICS[self.parameterAsEnum(parameters, "METRIC", context)]),
            *self.number_arguments(parameters, context, {"MAX_DISTANCE": "--max-distance"}),
        ]
        outputs = {"OUTPUT": "--polygons", "BORDERS": "--edges"}
        return self.run("voronoi", arguments, outputs, parameters, context, feedback)

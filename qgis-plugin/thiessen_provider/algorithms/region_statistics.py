# SPDX-License-Identifier: Apache-2.0
from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
)
from qgis.core import QgsProcessingParameterVectorDestination as VectorDestination

from .. import sources
from .algorithm import ThiessenAlgorithm, advanced, band_of


class RegionStatistics(ThiessenAlgorithm):
    NAME = "regionstatistics"
    TITLE = "Statistics of regions"
    GROUP = "Raster"
    TAGS = ("zonal statistics", "area", "neighbours", "adjacency", "border length")
    HELP = """A table of a raster of labels, such as an allocation, with a row for each label: its
number of cells, area and centroid, and the sum, mean, least and greatest value of each raster of
values. Cells of 0 belong to no region.

The second table has a row for each pair of regions that touch, with the length of their common
border."""

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Raster of labels"))
        self.addParameter(advanced(band_of("INPUT", "Band of the labels", "BAND")))
        self.addParameter(
            QgsProcessingParameterMultipleLayers(
                "VALUES",
                "Rasters whose values are summed up, on the same grid",
                QgsProcessing.TypeRaster,
                optional=True,
            )
        )
        self.add_extra()
        self.addParameter(
            VectorDestination("OUTPUT", "Statistics of regions", QgsProcessing.TypeVector)
        )
        self.addParameter(
            VectorDestination(
                "NEIGHBOURS",
                "Neighbours",
                QgsProcessing.TypeVector,
                optional=True,
                createByDefault=False,
            )
        )

    def processAlgorithm(self, parameters, context, feedback):
        # Each cell is a site, and no cell looks for another one.
        labels = self.raster_file(parameters, "INPUT", context, "BAND")
        arguments = ["--sites", labels, "--max-distance", "0"]
        for layer in self.parameterAsLayerList(parameters, "VALUES", context):
            arguments += ["--sum-of", sources.raster_file(layer)]
        outputs = {"OUTPUT": "--table", "NEIGHBOURS": "--adjacency"}
        return self.run_thiessen("voronoi", arguments, outputs, parameters, context, feedback)

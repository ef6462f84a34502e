# SPDX-License-Identifier: Apache-2.0
"""What the algorithms of `thiessen voronoi` share: sites, grid, study area and metric."""

from qgis.core import QgsProcessingParameterEnum

from .algorithm import ThiessenAlgorithm, advanced

# The last two are for grids in degrees, in metres.
_METRICS = [
    "euclidean",
    "manhattan",
    "chessboard",
    "octagonal",
    "chamfer-3-4",
    "chamfer-5-7-11",
    "ellipsoidal",
    "great-circle",
]


class NearestAlgorithm(ThiessenAlgorithm):
    def add_nearest(self):
        self.add_sites()
        self.add_grid()
        self.add_study_area()
        self.addParameter(
            advanced(QgsProcessingParameterEnum("METRIC", "Metric", _METRICS, defaultValue=0))
        )

    def nearest_arguments(self, parameters, context, feedback):
        return [
            *self.sites_arguments(parameters, context, feedback),
            *self.grid_arguments(parameters, context),
            *self.study_area_arguments(parameters, context, feedback),
            *("--metric", _METRICS[self.parameterAsEnum(parameters, "METRIC", context)]),
            *self.number_arguments(parameters, context, {"MAX_DISTANCE": "--max-distance"}),
        ]

# SPDX-License-Identifier: Apache-2.0
"""What the algorithms of ways between places share: a second layer, where ways end."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
)

from .cost_map import CostAlgorithm


class PlacesAlgorithm(CostAlgorithm):
    def add_places(self):
        self.add_sites("Places where ways begin: points, lines, areas, or a raster")
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                "TO", "Places where ways end", [QgsProcessing.TypeVectorAnyGeometry]
            )
        )
        self.addParameter(
            QgsProcessingParameterField(
                "TO_LABEL_FIELD", "Field of their labels", None, "TO", optional=True
            )
        )
        self.add_cost_map()

    def places_arguments(self, parameters, context, feedback):
        field = self.parameterAsString(parameters, "TO_LABEL_FIELD", context) or None
        return [
            *self.sites_arguments(parameters, context, feedback),
            *self.cost_map_arguments(parameters, context, feedback),
            *("--to", self.vector_file(parameters, "TO", context, feedback, [field])),
            *(["--to-label-field", field] if field else []),
        ]

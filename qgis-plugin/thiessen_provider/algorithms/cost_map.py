# SPDX-License-Identifier: Apache-2.0
"""What the algorithms of least cost share: the map of costs, elevations, barriers."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterRasterLayer,
)

from .algorithm import ThiessenAlgorithm, advanced, band_of

_WALKS = ["tobler", "langmuir"]
_WALK_DIRECTIONS = ["from-site", "to-site"]
_CONNECTIVITIES = ["4", "8", "16"]
# The last two are for grids in degrees, in metres.
_METRICS = ["euclidean", "ellipsoidal", "great-circle"]


class CostAlgorithm(ThiessenAlgorithm):
    def add_cost_map(self):
        self.addParameter(
            QgsProcessingParameterRasterLayer(
                "COST", "Cost of a cell per unit of length", optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterRasterLayer(
                "ELEVATION", "Elevation in metres, for costs of walking", optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                "BARRIERS",
                "Barriers that no way crosses",
                [QgsProcessing.TypeVectorAnyGeometry],
                optional=True,
            )
        )
        for name, description in (("COST", "costs"), ("ELEVATION", "elevations")):
            self.addParameter(advanced(band_of(name, f"Band of the {description}")))
        for name, description, choices, default in (
            ("CONNECTIVITY", "Neighbours of a cell", _CONNECTIVITIES, 1),
            ("METRIC", "Lengths of steps", _METRICS, 0),
            ("WALK", "How fast one walks", _WALKS, 0),
            ("WALK_DIRECTION", "Which way one walks", _WALK_DIRECTIONS, 0),
        ):
            self.addParameter(
                advanced(
                    QgsProcessingParameterEnum(name, description, choices, defaultValue=default)
                )
            )

    def cost_map_arguments(self, parameters, context, feedback):
        def choice(name, choices):
            return choices[self.parameterAsEnum(parameters, name, context)]

        if not parameters.get("COST") and not parameters.get("ELEVATION"):
            raise QgsProcessingException("COST, ELEVATION: one of them is needed at least")
        arguments = ["--connectivity", choice("CONNECTIVITY", _CONNECTIVITIES)]
        arguments += ["--metric", choice("METRIC", _METRICS)]
        if parameters.get("COST"):
            arguments += ["--cost", self.raster_file(parameters, "COST", context, "COST_BAND")]
        if parameters.get("ELEVATION"):
            arguments += [
                "--elevation",
                self.raster_file(parameters, "ELEVATION", context, "ELEVATION_BAND"),
            ]
            arguments += ["--walk", choice("WALK", _WALKS)]
            arguments += ["--walk-direction", choice("WALK_DIRECTION", _WALK_DIRECTIONS)]
        if parameters.get("BARRIERS"):
            arguments += [
                "--barriers",
                self.vector_file(parameters, "BARRIERS", context, feedback),
            ]
        return arguments

# SPDX-License-Identifier: Apache-2.0
"""What the algorithms of least cost share: the map of costs, elevations, barriers, walls."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterRasterLayer,
)

from .algorithm import ThiessenAlgorithm, advanced, band_of

_CONNECTIVITIES = ["4", "8", "16"]
_STEPS = {"METHOD": "How costs are found (eikonal: fronts)", "METRIC": "Lengths of steps"}
_WALKS = {"WALK": "How fast one walks", "WALK_DIRECTION": "Which way one walks"}


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
        self.addParameter(
            QgsProcessingParameterFeatureSource(
                "WALLS",
                "Walls between cells: lines, or outlines of areas, that no way crosses",
                [QgsProcessing.TypeVectorLine, QgsProcessing.TypeVectorPolygon],
                optional=True,
            )
        )
        for name, description in (("COST", "costs"), ("ELEVATION", "elevations")):
            self.addParameter(advanced(band_of(name, f"Band of the {description}")))
        self.addParameter(
            advanced(
                QgsProcessingParameterEnum(
                    "CONNECTIVITY", "Neighbours of a cell", _CONNECTIVITIES, defaultValue=1
                )
            )
        )
        self.add_choices("cost_distance", {**_STEPS, **_WALKS})

    def cost_map_arguments(self, parameters, context, feedback):
        if not parameters.get("COST") and not parameters.get("ELEVATION"):
            raise QgsProcessingException("COST, ELEVATION: one of them is needed at least")
        neighbours = self.parameterAsEnum(parameters, "CONNECTIVITY", context)
        arguments = ["--connectivity", _CONNECTIVITIES[neighbours]]
        arguments += self.choice_arguments(parameters, context, "cost_distance", _STEPS)
        if parameters.get("COST"):
            arguments += ["--cost", self.raster_file(parameters, "COST", context, "COST_BAND")]
        if parameters.get("ELEVATION"):
            arguments += [
                "--elevation",
                self.raster_file(parameters, "ELEVATION", context, "ELEVATION_BAND"),
            ]
            arguments += self.choice_arguments(parameters, context, "cost_distance", _WALKS)
        for name in ("BARRIERS", "WALLS"):
            if parameters.get(name):
                arguments += [
                    f"--{name.lower()}",
                    self.vector_file(parameters, name, context, feedback),
                ]
        return arguments

# SPDX-License-Identifier: Apache-2.0
"""What the algorithms of `thiessen voronoi` share: sites, grid, study area and metric."""

from .algorithm import ThiessenAlgorithm, advanced, field_of_sites, flag_of


class NearestAlgorithm(ThiessenAlgorithm):
    def add_nearest(self):
        self.add_sites()
        self.add_grid()
        self.add_study_area()
        self.add_choices(
            "voronoi", {"METRIC": "Metric", "WEIGHTING": "How weights change distances"}
        )
        self.addParameter(advanced(field_of_sites("WEIGHT_FIELD", "Field of weights")))

    def nearest_arguments(self, parameters, context, feedback):
        limit = "MAX_DISTANCE"
        return [
            *self.sites_arguments(parameters, context, feedback),
            *self.grid_arguments(parameters, context),
            *self.study_area_arguments(parameters, context, feedback),
            *self.choice_arguments(parameters, context, "voronoi", ["METRIC"]),
            *self.weighting_arguments(parameters, context),
            *self.number_arguments(parameters, context, {limit: flag_of(limit)}),
        ]

    def weighting_arguments(self, parameters, context):
        """The first word, "none", is that of the command without the flag."""
        is_given = self.parameterAsEnum(parameters, "WEIGHTING", context) > 0
        return self.choice_arguments(
            parameters, context, "voronoi", ["WEIGHTING"] if is_given else []
        )

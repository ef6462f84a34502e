// SPDX-License-Identifier: Apache-2.0
//
// Rows of inputs and options that several operations have.
#pragma once

#include "operations/rows/field.hpp"
#include "operations/tables/shared/outputs.hpp"

namespace thiessen::text {

inline constexpr Input kDomain = {.name = "domain",
                                  .help = "raster: only the cells that are not 0 get an answer"};
inline constexpr Input kPoints = {.name = "points",
                                  .help = "coordinates of the sites in cells, (points, axes)",
                                  .kind = InputKind::points,
                                  .is_required = true};
inline constexpr Input kPointLabels = {
    .name = "point_labels", .help = "labels of the points", .kind = InputKind::values};

inline constexpr Input kPointWeights = {
    .name = "weights", .help = "weights of the points", .kind = InputKind::values};
inline constexpr Input kPointMetrics = {.name = "metrics",
                                        .help = "a matrix of each point, by which it measures",
                                        .kind = InputKind::values};

inline constexpr FieldText kWeighting = {.name = "weighting",
                                         .help = "how the weights of sites change distances",
                                         .group = "Distance",
                                         .only_if = {"weights"}};
inline constexpr FieldText kShape = {.name = "shape",
                                     .help = "extents of the grid",
                                     .group = "Grid",
                                     .unit = "cells",
                                     .range = from_to(0, 1 << 30),
                                     .is_per_axis = true};
inline constexpr FieldText kBackground = {.name = "background",
                                          .help = "cells of this label belong to no region",
                                          .group = "Labels",
                                          .if_missing = "all labels count"};
inline constexpr FieldText kRegionNodata = {.name = "nodata",
                                            .help = "cells of this label belong to no region, too",
                                            .group = "Labels",
                                            .if_missing = "no other label"};
/// Cells that share a face, an edge or a corner.
inline constexpr std::string_view kTouchingNames[] = {"faces", "edges", "corners"};
inline constexpr FieldText kTouching = {
    .name = "connectivity", .help = "which cells touch", .some_choices = kTouchingNames};
inline constexpr FieldText kPeriodic = {
    .name = "periodic",
    .help = "axes on which the raster continues at its other end",
    .group = "Distance",
    .if_missing = "no axis",
    .is_per_axis = true};
inline constexpr FieldText kSpacing = {.name = "spacing",
                                       .help = "world length of one cell along each axis",
                                       .group = "Distance",
                                       .if_missing = "1",
                                       .range = kPositive,
                                       .is_per_axis = true};
inline constexpr FieldText kMaxDistance = {.name = "max_distance",
                                           .help = "cells that are farther away are unreached",
                                           .group = "Distance",
                                           .unit = "spacing",
                                           .range = at_least(0)};
inline constexpr FieldText kDistanceType = {
    .name = "distance_type", .help = "type of distances", .group = "Output"};
inline constexpr FieldText kUnreachedLabel = {
    .name = "unreached", .help = "label of unreached cells", .group = "Output"};
inline constexpr FieldText kStrict = {.name = "strict", .help = "every warning is an error"};
inline constexpr FieldText kNearestCount = {
    .name = "k",
    .help = "number of nearest sites, each with outputs of its own",
    .if_missing = "the nearest site alone",
    .range = from_to(0, kMostNearest)};
inline constexpr std::string_view kValuesName[] = {"values"};
inline constexpr std::string_view kZeroIsSiteName[] = {"zero_is_site"};
inline constexpr FieldText kValues = {.name = "values",
                                      .help = "exactly the cells of these values are the sites",
                                      .group = "Sites",
                                      .if_missing = "cells that are neither zero, NaN nor nodata",
                                      .not_with = kZeroIsSiteName};
inline constexpr FieldText kZeroIsSite = {.name = "zero_is_site",
                                          .help = "every cell that is not nodata is a site",
                                          .group = "Sites",
                                          .not_with = kValuesName};
inline constexpr FieldText kLatitude = {.name = "latitude",
                                        .help = "latitude of each row, for metrics on the Earth",
                                        .group = "Earth",
                                        .unit = "degrees",
                                        .range = from_to(-90, 90)};
inline constexpr FieldText kLongitude = {
    .name = "longitude",
    .help = "longitude of each column, for metrics on the Earth",
    .group = "Earth",
    .unit = "degrees",
    .range = from_to(-720, 720)};
inline constexpr FieldText kEarthRadius = {.name = "earth_radius",
                                           .help = "radius of the Earth at the equator",
                                           .group = "Earth",
                                           .unit = "metres",
                                           .if_missing = "6378137, or 6371008.8 for great-circle",
                                           .range = from_to(1, 1e9)};
inline constexpr FieldText kFlattening = {.name = "flattening",
                                          .help = "flattening of the ellipsoid",
                                          .group = "Earth",
                                          .range = from_to(0, 0.02)};

}  // namespace thiessen::text

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "thiessen/choices/choice.hpp"

namespace thiessen {

/// Distance of two cells, where δ is the difference of their coordinates times the spacing.
/// Octagonal and chamfer exist in 2-D, with a spacing of 1, for sites at centres of cells; a is the
/// greater and b the smaller |δ|. The last two are for 2-D rasters in degrees, and need
/// NearestSiteOptions::earth.
enum class Metric {
  euclidean,       ///< √Σδ²
  manhattan,       ///< Σ|δ|, also called city-block
  chessboard,      ///< max|δ|
  octagonal,       ///< max(a, ⌊2(a + b + 1)/3⌋): steps to 4 and to 8 neighbours in turn
  chamfer_3_4,     ///< a path of steps to 8 neighbours, of length 3 and 4: (3a + b)/3
  chamfer_5_7_11,  ///< also a knight's steps, of 5, 7 and 11: (5a + b)/5, or (4a + 3b)/5 for 2b > a
  ellipsoidal,     ///< the length in metres of the shortest way on the Earth's ellipsoid
  great_circle,    ///< the same on a sphere
};

inline constexpr std::string_view kMetricNames[] = {"euclidean",   "manhattan",   "chessboard",
                                                    "octagonal",   "chamfer-3-4", "chamfer-5-7-11",
                                                    "ellipsoidal", "great-circle"};

constexpr std::string_view name_of(Metric metric) {
  return detail::choice_name(kMetricNames, metric);
}

/// The metric with this name, or nullopt.
constexpr std::optional<Metric> find_metric(std::string_view name) {
  return detail::find_choice<Metric>(kMetricNames, name);
}

/// Whether distances are ways on the Earth, in metres, whatever the spacing is.
constexpr bool is_on_earth(Metric metric) { return metric >= Metric::ellipsoidal; }

/// A metric of your own. `offset` is the place of the site minus the place of the cell, with one
/// component per axis in array order, in units of the spacing. The distance must be >= 0, not NaN,
/// and the same for the same offset. Many threads may call the function at once.
using MetricFunction = std::function<double(std::span<const double> offset)>;

}  // namespace thiessen

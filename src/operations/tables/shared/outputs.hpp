// SPDX-License-Identifier: Apache-2.0
//
// Rows of outputs that several operations have.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "operations/rows/output.hpp"
#include "thiessen/labels.hpp"

namespace thiessen {

/// The most sites of a cell that one call finds.
inline constexpr std::int64_t kMostNearest = 1024;

}  // namespace thiessen

namespace thiessen::text {

constexpr OutputText labels(FrontAxis axis) {
  return {.name = "labels",
          .help = "label of the nearest site",
          .alias = "allocation",
          .type = TypeRule::labels,
          .axis = axis};
}

constexpr OutputText site_index(FrontAxis axis) {
  return {
      .name = "site_index",
      .help = "linear index of the cell of the nearest site, or its position in the list of points",
      .axis = axis,
      .unreached = kUnreached,
      .nodata = kNodata};
}

constexpr OutputText distance(FrontAxis axis) {
  return {.name = "distance",
          .help = "distance to the nearest site",
          .subject = Subject::distance,
          .type = TypeRule::distance,
          .axis = axis,
          .unreached = std::numeric_limits<double>::infinity(),
          .nodata = std::numeric_limits<double>::quiet_NaN()};
}

constexpr OutputText direction(std::string_view help) {
  return {.name = "direction",
          .help = help,
          .unreached = std::numeric_limits<double>::quiet_NaN(),
          .nodata = std::numeric_limits<double>::quiet_NaN()};
}

inline constexpr OutputText kWeightedDistance = {
    .name = "weighted_distance",
    .help = "key of the cell's site: its distance, changed by its weight",
    .subject = Subject::distance,
    .type = TypeRule::distance,
    .axis = FrontAxis::rank,
    .unreached = std::numeric_limits<double>::infinity(),
    .nodata = std::numeric_limits<double>::quiet_NaN()};

constexpr OutputText with_help(OutputText row, std::string_view help) {
  row.help = help;
  return row;
}

/// The same of the nearest site of another label.
constexpr OutputText of_other_label(OutputText row, std::string_view name, std::string_view help) {
  row.name = name;
  row.help = help;
  row.alias = {};
  row.subject = Subject::other_label;
  return row;
}

inline constexpr OutputText kOtherLabels = of_other_label(
    labels(FrontAxis::none), "other_labels", "label of the nearest site of another label");
inline constexpr OutputText kOtherSiteIndex = of_other_label(
    site_index(FrontAxis::none), "other_site_index", "index of the nearest site of another label");
inline constexpr OutputText kOtherDistance = of_other_label(
    distance(FrontAxis::none), "other_distance", "distance to the nearest site of another label");

}  // namespace thiessen::text

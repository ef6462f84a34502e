// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/cost_distance.hpp"
#include "api/c/earth.hpp"

namespace {

using thiessen::CostDistanceOptions;
using thiessen::CostDistanceOutputs;
using thiessen::CostDistanceReport;
using thiessen::find_cost_method;
using thiessen::find_material;
using thiessen::kCostMethodNames;
using thiessen::kMaterialNames;
using thiessen::refuse;
using thiessen::c::at_boundary;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_choice;
using thiessen::c::to_cost_options;
using thiessen::c::to_cost_outputs;
using thiessen::c::to_enum;
using thiessen::c::to_flag;
using thiessen::c::to_point_list;
using thiessen::c::to_typed_view;
using thiessen::c::to_value;
using thiessen::c::to_values;
using thiessen::c::to_view;
using thiessen::c::write_struct;

static_assert(static_cast<std::int32_t>(thiessen::EdgeWeight::cost) == THIESSEN_COST);
static_assert(static_cast<std::int32_t>(thiessen::Connectivity::knights) == THIESSEN_KNIGHTS);

/// What the structs were before they had more members.
constexpr std::size_t kFirstCostVersion = offsetof(thiessen_cost_distance_options, labels_carried);
constexpr std::size_t kFirstCostOutputs = offsetof(thiessen_cost_distance_outputs, other_labels);

thiessen_cost_distance_options cost_defaults() {
  thiessen_cost_distance_options options{};
  options.size = sizeof options;
  options.max_distance = std::numeric_limits<double>::infinity();
  options.flattening = thiessen::Earth{}.flattening;
  options.slope_factor = std::numeric_limits<double>::quiet_NaN();
  return options;
}

/// What is for walks.
void read_walk(const thiessen_cost_distance_options& options, CostDistanceOptions& cpp) {
  if (options.elevation != nullptr) cpp.elevation = to_view("elevation", *options.elevation);
  if (options.walk != nullptr)
    cpp.walk =
        to_choice("walk", options.walk, thiessen::find_walk(options.walk), thiessen::kWalkNames);
  if (options.walk_direction != nullptr)
    cpp.walk_direction = to_choice("walk_direction", options.walk_direction,
                                   thiessen::find_walk_direction(options.walk_direction),
                                   thiessen::kWalkDirectionNames);
  if (options.walk_map != nullptr)
    cpp.walk_map = to_choice("walk_map", options.walk_map,
                             thiessen::find_walk_map(options.walk_map), thiessen::kWalkMapNames);
  if (options.walk_coefficients != nullptr)
    std::copy_n(options.walk_coefficients, 4, cpp.walk_coefficients.emplace().begin());
  if (!std::isnan(options.slope_factor)) cpp.slope_factor = options.slope_factor;
  cpp.elevation_nodata = to_value("elevation_nodata", options.elevation_nodata);
}

thiessen::Connectivity to_connectivity(thiessen_connectivity connectivity) {
  return to_enum("connectivity", connectivity, thiessen::Connectivity::knights);
}

}  // namespace

namespace thiessen::c {

CostDistanceOptions to_cost_options(const thiessen_cost_distance_options* given, int rank) {
  const auto options = read_struct("options", given, cost_defaults(), kFirstCostVersion);
  constexpr int kMostAxes = 3;
  CostDistanceOptions cpp;
  if (options.method != nullptr)
    cpp.method =
        to_choice("method", options.method, find_cost_method(options.method), kCostMethodNames);
  cpp.edge_weight = to_enum("edge_weight", options.edge_weight, thiessen::EdgeWeight::cost);
  cpp.connectivity = to_connectivity(options.connectivity);
  if (to_flag("computed_in_f64", options.computed_in_f64))
    cpp.distance_type = thiessen::FloatType::f64;
  for (int axis = 0; axis < std::min(rank, kMostAxes) && options.spacing != nullptr; ++axis)
    cpp.spacing.push_back(options.spacing[axis]);
  cpp.metric = to_enum("metric", options.metric, thiessen::Metric::great_circle);
  cpp.earth = to_earth(options);
  cpp.values = to_values(options.values, options.value_count);
  cpp.zero_is_site = to_flag("zero_is_site", options.zero_is_site);
  cpp.tight_barriers = to_flag("tight_barriers", options.tight_barriers);
  cpp.strict = to_flag("strict", options.strict);
  cpp.labels_carried = to_flag("labels_carried", options.labels_carried);
  cpp.max_distance = options.max_distance;
  read_walk(options, cpp);
  cpp.site_nodata = to_value("site_nodata", options.site_nodata);
  cpp.map_nodata = to_value("map_nodata", options.map_nodata);
  cpp.nodata_label = to_value("nodata_label", options.nodata_label);
  if (const auto label = to_value("unreached", options.unreached)) cpp.unreached = *label;
  return cpp;
}

CostDistanceOutputs to_cost_outputs(const thiessen_cost_distance_outputs* given) {
  const auto outputs = read_struct("outputs", &required("outputs", given), {}, kFirstCostOutputs);
  return {
      .labels = to_view("labels", outputs.labels),
      .site_index = to_typed_view<std::int64_t>("site_index", outputs.site_index),
      .distance = to_view("distance", outputs.distance),
      .back_link = to_typed_view<std::uint8_t>("back_link", outputs.back_link),
      .other_labels = to_view("other_labels", outputs.other_labels),
      .other_site_index = to_typed_view<std::int64_t>("other_site_index", outputs.other_site_index),
      .other_distance = to_view("other_distance", outputs.other_distance)};
}

PointList to_point_list(const thiessen_points& given) {
  const auto points = read_struct("points", &given, {});
  return {.coordinates = to_view("coordinates", points.coordinates),
          .labels = to_view("labels of the points", points.labels)};
}

}  // namespace thiessen::c

namespace {

void write_report(const CostDistanceReport& found, thiessen_cost_distance_report* report) {
  if (report == nullptr) return;
  write_struct(
      "report", report, report->size,
      thiessen_cost_distance_report{report->size, found.ignored_sites, found.first_ignored_site,
                                    static_cast<std::int64_t>(found.active_cells.size())});
}

}  // namespace

thiessen_status thiessen_cost_distance_options_init(thiessen_cost_distance_options* options,
                                                    size_t size) {
  return at_boundary(
      [&] { write_struct("options", options, size, cost_defaults(), kFirstCostVersion); });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_cost_distance(thiessen_context* context, const thiessen_array* map,
                                       const thiessen_array* sites, const thiessen_points* points,
                                       const thiessen_cost_distance_options* options,
                                       const thiessen_cost_distance_outputs* outputs,
                                       const thiessen_array* initial_cost) {
  return at_boundary([&] {
    required("context", context);
    if ((sites == nullptr) == (points == nullptr))
      refuse("sites and points: exactly one of the two must be a null pointer");
    constexpr int kAxesOfWalk = 2;
    thiessen::View<const void> view;
    if (map != nullptr) view = to_view("map", *map);
    const CostDistanceOptions cpp =
        to_cost_options(options, map == nullptr ? kAxesOfWalk : view.rank());
    if (!cpp.elevation) required("map", map);
    const CostDistanceOutputs out = to_cost_outputs(outputs);
    thiessen_cost_distance_report* const report = outputs->report;
    if (report != nullptr) read_struct("report", report, {});
    thiessen::View<const void> costs;
    if (initial_cost != nullptr) costs = to_view("initial_cost", *initial_cost);
    if (sites != nullptr)
      return write_report(
          cost_distance(context->context, view, to_view("sites", *sites), cpp, out, costs), report);
    write_report(cost_distance(context->context, view, to_point_list(*points), cpp, out, costs),
                 report);
  });
}

thiessen_status thiessen_least_cost_path(const thiessen_array* back_links,
                                         thiessen_connectivity connectivity, const int64_t* from,
                                         int64_t* path, size_t capacity, size_t* count) {
  return at_boundary([&] {
    const auto links =
        to_typed_view<std::uint8_t>("back_links", required("back_links", back_links));
    required("from", from);
    required("count", count);
    if (capacity > 0) required("path", path);
    *count = 0;
    const std::vector<std::int64_t> start(from, from + std::min(links.rank(), 3));
    const std::vector<std::int64_t> cells =
        least_cost_path(links, to_connectivity(connectivity), start);
    *count = cells.size();
    if (cells.size() <= capacity) std::copy(cells.begin(), cells.end(), path);
  });
}

thiessen_status thiessen_material_map(thiessen_context* context, const thiessen_array* map,
                                      const char* material, uint64_t seed) {
  return at_boundary([&] {
    required("context", context);
    const auto view = to_view("map", required("map", map));
    const char* const name = &required("material", material);
    material_map(context->context, view,
                 to_choice("material", name, find_material(name), kMaterialNames), seed);
  });
}

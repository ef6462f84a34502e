// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/earth.hpp"
#include "api/c/nearest_site.hpp"

namespace {

using thiessen::find_noise;
using thiessen::find_step_rule;
using thiessen::kNoiseNames;
using thiessen::kStepRuleNames;
using thiessen::NearestSiteOptions;
using thiessen::refuse;
using thiessen::c::at_boundary;
using thiessen::c::required;
using thiessen::c::to_choice;
using thiessen::c::to_domain;
using thiessen::c::to_flag;
using thiessen::c::to_grid;
using thiessen::c::to_options;
using thiessen::c::to_outputs;
using thiessen::c::to_periodic;
using thiessen::c::to_points;
using thiessen::c::to_spacing;
using thiessen::c::to_view;
using thiessen::c::write_struct;

static_assert(static_cast<std::int32_t>(thiessen::Metric::great_circle) == THIESSEN_GREAT_CIRCLE);
static_assert(static_cast<std::int32_t>(thiessen::DistanceTo::boundary) == THIESSEN_TO_BOUNDARY);

/// The size of the options before they had jump flooding.
constexpr std::size_t kFirstVersion = offsetof(thiessen_nearest_site_options, steps);
/// The size of the outputs before they had those of another label.
constexpr std::size_t kFirstOutputs = offsetof(thiessen_nearest_site_outputs, other_labels);

thiessen_nearest_site_options option_defaults() {
  thiessen_nearest_site_options options{};
  options.size = sizeof options;
  options.max_distance = std::numeric_limits<double>::infinity();
  options.scan_sites = -1;
  options.flattening = thiessen::Earth{}.flattening;
  return options;
}

/// Reads the options with a value for each of the `rank` axes. If `rank` is not that of a raster,
/// it may be any number.
void read_axes(const thiessen_nearest_site_options& options, int rank, NearestSiteOptions& cpp) {
  constexpr int kMostAxes = 3;
  const int axes = std::clamp(rank, 0, kMostAxes);
  cpp.spacing = to_spacing(options.spacing, axes);
  cpp.periodic = to_periodic(options.periodic, axes);
}

thiessen::Pattern to_pattern(const char* name) {
  if (const auto pattern = thiessen::find_pattern(name)) return *pattern;
  refuse(std::string("pattern = ") + name +
         "; must be square, circle:N or random-circle:N, N from 1 to 64");
}

/// What only the methods of jump flooding take.
void read_flooding(const thiessen_nearest_site_options& options, thiessen::FloodingOptions& cpp) {
  if (options.step_count > 0) required("steps", options.steps);
  cpp.steps.assign(options.steps, options.steps + options.step_count);
  if (options.step_rule != nullptr)
    cpp.step_rule = to_choice("step_rule", options.step_rule, find_step_rule(options.step_rule),
                              kStepRuleNames);
  cpp.literal = to_flag("literal", options.literal);
  if (options.pattern != nullptr) cpp.pattern = to_pattern(options.pattern);
  if (options.noise != nullptr)
    cpp.noise = to_choice("noise", options.noise, find_noise(options.noise), kNoiseNames);
  cpp.seed = options.seed;
}

}  // namespace

namespace thiessen::c {

NearestSiteOptions to_options(const thiessen_nearest_site_options* given, int rank) {
  const auto options = read_struct("options", given, option_defaults(), kFirstVersion);
  NearestSiteOptions cpp;
  if (options.method != nullptr)
    cpp.method = to_choice("method", options.method, find_method(options.method), kMethodNames);
  cpp.metric = to_enum("metric", options.metric, thiessen::Metric::great_circle);
  cpp.distance_to = to_enum("distance_to", options.distance_to, thiessen::DistanceTo::boundary);
  read_axes(options, rank, cpp);
  cpp.earth = to_earth(options);
  cpp.values = to_values(options.values, options.value_count);
  read_flooding(options, cpp.flooding);
  cpp.raster = {.scan_sites = options.scan_sites,
                .growth_step = options.growth_step == 0 ? 1 : options.growth_step,
                .labels_carried = to_flag("labels_carried", options.labels_carried)};
  if (options.allotment != nullptr)
    cpp.raster.allotment = to_choice("allotment", options.allotment,
                                     find_allotment(options.allotment), kAllotmentNames);
  cpp.zero_is_site = to_flag("zero_is_site", options.zero_is_site);
  cpp.free_nodata = to_flag("free_nodata", options.free_nodata);
  cpp.nodata_label = to_value("nodata_label", options.nodata_label);
  cpp.strict = to_flag("strict", options.strict);
  cpp.signed_distance = to_flag("signed_distance", options.signed_distance);
  cpp.max_distance = options.max_distance;
  cpp.nodata = to_value("nodata", options.nodata);
  if (const auto label = to_value("unreached", options.unreached)) cpp.unreached = *label;
  cpp.k = options.k;
  cpp.distinct_labels = to_flag("distinct_labels", options.distinct_labels);
  cpp.ties_unreached = to_flag("ties_unreached", options.ties_unreached);
  return cpp;
}

NearestSiteOutputs to_outputs(const thiessen_nearest_site_outputs* given) {
  const auto outputs = read_struct("outputs", &required("outputs", given), {}, kFirstOutputs);
  return {
      .labels = to_view("labels", outputs.labels),
      .site_index = to_typed_view<std::int64_t>("site_index", outputs.site_index),
      .distance = to_view("distance", outputs.distance),
      .squared = to_typed_view<std::int64_t>("squared", outputs.squared),
      .offset = to_typed_view<std::int32_t>("offset", outputs.offset),
      .direction = to_typed_view<float>("direction", outputs.direction),
      .other_labels = to_view("other_labels", outputs.other_labels),
      .other_site_index = to_typed_view<std::int64_t>("other_site_index", outputs.other_site_index),
      .other_distance = to_view("other_distance", outputs.other_distance),
      .ties = to_typed_view<std::uint8_t>("ties", outputs.ties)};
}

thiessen::PointList to_points(const thiessen_points* given) {
  const auto points = read_struct("points", &required("points", given), {});
  return {.coordinates = to_view("coordinates", points.coordinates),
          .labels = to_view("labels of the points", points.labels)};
}

thiessen::View<const void> to_domain(const thiessen_array* domain) {
  return to_optional_view("domain", domain);
}

thiessen::Grid to_grid(std::int32_t rank, const std::int64_t* extents) {
  required("extents", extents);
  if (rank != 2 && rank != 3) refuse("rank = " + std::to_string(rank) + "; must be 2 or 3");
  return {.extents = thiessen::Extents(std::span(extents, static_cast<std::size_t>(rank)))};
}

}  // namespace thiessen::c

thiessen_status thiessen_nearest_site_options_init(thiessen_nearest_site_options* options,
                                                   size_t size) {
  return at_boundary(
      [&] { write_struct("options", options, size, option_defaults(), kFirstVersion); });
}

thiessen_status thiessen_nearest_site(thiessen_context* context, const thiessen_array* sites,
                                      const thiessen_nearest_site_options* options,
                                      const thiessen_nearest_site_outputs* outputs,
                                      const thiessen_array* domain) {
  return at_boundary([&] {
    required("context", context);
    const thiessen::View<const void> view = to_view("sites", required("sites", sites));
    thiessen::nearest_site(context->context, view, to_options(options, view.rank()),
                           to_outputs(outputs), to_domain(domain));
  });
}

thiessen_status thiessen_nearest_site_batch(thiessen_context* context, const thiessen_array* sites,
                                            const thiessen_nearest_site_options* options,
                                            const thiessen_nearest_site_outputs* outputs,
                                            const thiessen_array* domain) {
  return at_boundary([&] {
    required("context", context);
    const thiessen::View<const void> view = to_view("sites", required("sites", sites));
    thiessen::nearest_site_batch(context->context, view, to_options(options, view.rank() - 1),
                                 to_outputs(outputs), to_domain(domain));
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_voronoi(thiessen_context* context, const thiessen_points* points,
                                 int32_t rank, const int64_t* extents,
                                 const thiessen_nearest_site_options* options,
                                 const thiessen_nearest_site_outputs* outputs,
                                 const thiessen_array* domain) {
  return at_boundary([&] {
    required("context", context);
    const thiessen::Grid grid = to_grid(rank, extents);
    thiessen::voronoi(context->context, to_points(points), grid,
                      to_options(options, grid.extents.rank()), to_outputs(outputs),
                      to_domain(domain));
  });
}

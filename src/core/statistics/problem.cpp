// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/problem.hpp"

#include <algorithm>
#include <string>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen {
namespace {

/// What the options of both functions have in common.
template <class Options>
LabelRaster make_label_raster(const View<const void>& labels, const Operation& operation,
                              const Options& options, const ReachableMemory& reachable) {
  check_aligned_cells("labels", labels, reachable);
  LabelRaster raster{.labels = with_three_axes(labels),
                     .rank = labels.rank(),
                     .extent = to_axes(labels.extents())};
  check_options(operation.fields, &options, raster.rank);
  const std::vector<double> spacing = checked_spacing(options.spacing, raster.rank);
  std::copy(spacing.begin(), spacing.end(), raster.spacing.end() - raster.rank);
  const ElementType type = labels.element_type();
  const auto leave_out = [&](const std::optional<LabelValue>& value, const char* name) {
    if (value) raster.left_out.push_back(label_key(to_label_bits(*value, type, name), type));
  };
  leave_out(options.background, "background");
  leave_out(options.nodata, "nodata");
  return raster;
}

/// A raster beside the labels, with three axes.
View<const void> checked_field(const char* name, const View<const void>& field,
                               const View<const void>& labels, const ReachableMemory& reachable) {
  if (!field) return {};
  check_aligned_cells(name, field, reachable);
  if (field.space() != labels.space())
    refuse(std::string(name) + " lies elsewhere than the labels; must be in the same memory");
  if (field.extents() != labels.extents())
    refuse(name, "has other extents than the labels; must have the same");
  return with_three_axes(field);
}

}  // namespace

StatisticsProblem make_statistics_problem(const View<const void>& labels, const SiteFields& fields,
                                          const SiteStatisticsOptions& options,
                                          const ReachableMemory& reachable) {
  StatisticsProblem problem{.raster =
                                make_label_raster(labels, kSiteStatistics, options, reachable)};
  problem.field = checked_field("field", fields.field, labels, reachable);
  problem.distance = checked_field("distance", fields.distance, labels, reachable);
  const ElementType distances = problem.distance.element_type();
  if (problem.distance && distances != ElementType::f32 && distances != ElementType::f64)
    refuse("distance", "is " + std::string(name_of(distances)) + "; must be f32 or f64");
  return problem;
}

void refuse_field(const StatisticsProblem& problem, std::int64_t index) {
  const Axes cell = to_cell(problem.raster.extent, index);
  std::string place;
  for (int axis = kAxes - problem.raster.rank; axis < kAxes; ++axis)
    place += (place.empty() ? "" : ", ") + std::to_string(cell[static_cast<std::size_t>(axis)]);
  const double value =
      visit_element_type(problem.field.element_type(), [&]<class T>(std::type_identity<T>) {
        return static_cast<double>(*reinterpret_cast<const T*>(address_of(problem.field, cell)));
      });
  refuse("field[" + place + "]", shortest_decimal(value),
         "must be finite in cells whose label is not left out");
}

AdjacencyProblem make_adjacency_problem(const View<const void>& labels,
                                        const AdjacencyOptions& options,
                                        const ReachableMemory& reachable) {
  AdjacencyProblem problem{.raster = make_label_raster(labels, kAdjacency, options, reachable),
                           .connectivity = options.connectivity};
  if (neighbours_of(options.connectivity, labels.rank()) == 0)
    refuse("connectivity", std::string(name_of(options.connectivity)),
           "must be faces or corners in 2-D");
  return problem;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "core/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/numbers.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

std::string to_text(const Extents& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank(); ++axis)
    text += (axis > 0 ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

/// Addresses from the first byte of a view to the one after its last.
struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

AddressRange address_range(const View<const void>& view) {
  const auto start = reinterpret_cast<std::uintptr_t>(view.bytes());
  AddressRange range{start, start + size_of(view.element_type())};
  for (int axis = 0; axis < view.rank(); ++axis) {
    if (view.extent(axis) == 0) return {};
    const auto reach = static_cast<std::uintptr_t>(view.stride(axis) * (view.extent(axis) - 1));
    (view.stride(axis) < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

struct NamedView {
  const char* name;
  View<const void> view;
};

void check_overlaps(const View<const void>& sites, const std::vector<NamedView>& outputs) {
  const auto overlap = [](const View<const void>& a, const View<const void>& b) {
    const AddressRange left = address_range(a);
    const AddressRange right = address_range(b);
    return left.begin < right.end && right.begin < left.end;
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (overlap(outputs[i].view, sites))
      refuse(std::string(outputs[i].name) + " overlaps the sites in memory; must be apart");
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(outputs[i].view, outputs[j].view))
        refuse(std::string(outputs[i].name) + " overlaps " + outputs[j].name +
               " in memory; must be apart");
  }
}

void check_extents(const NamedView& output, const Extents& wanted) {
  if (output.view.extents() != wanted)
    refuse(std::string(output.name) + " has the extents " + to_text(output.view.extents()) +
           "; must have " + to_text(wanted));
  if (output.view.space() != MemorySpace::host)
    refuse(std::string(output.name) + " lies in device memory; must be on the host");
  if (wanted.count() > 0 && output.view.bytes() == nullptr)
    refuse(std::string(output.name) + " is a null pointer; must be memory for its cells");
  for (int axis = 0; axis < output.view.rank(); ++axis)
    if (output.view.stride(axis) == 0 && output.view.extent(axis) > 1)
      refuse(std::string(output.name) + " has the stride[" + std::to_string(axis) +
             "] = 0; cells of an output must lie apart");
}

Extents with_components(const Extents& extents) {
  std::vector<std::int64_t> sizes{extents.rank()};
  for (int axis = 0; axis < extents.rank(); ++axis) sizes.push_back(extents[axis]);
  return Extents(sizes);
}

void check_label_type(const View<const void>& sites, const View<void>& labels) {
  const ElementType type = labels.element_type();
  if (sites.element_type() != ElementType::boolean) {
    if (type != sites.element_type())
      refuse("labels are " + std::string(name_of(type)) + "; must be of the sites' type " +
             std::string(name_of(sites.element_type())));
    return;
  }
  if (type != ElementType::i32 && type != ElementType::i64)
    refuse("labels are " + std::string(name_of(type)) +
           "; those of boolean sites must be i32 or i64");
  if (type == ElementType::i32 &&
      sites.extents().count() > std::numeric_limits<std::int32_t>::max())
    refuse("labels are i32; those of 2^31 and more boolean cells must be i64");
}

void check_outputs(const View<const void>& sites, const NearestSiteOutputs& out) {
  std::vector<NamedView> outputs;
  const auto add = [&](const char* name, const View<const void>& view, const Extents& extents) {
    if (!view) return;
    outputs.push_back({name, view});
    check_extents(outputs.back(), extents);
  };
  add("labels", out.labels, sites.extents());
  add("site_index", out.site_index, sites.extents());
  add("distance", out.distance, sites.extents());
  add("squared", out.squared, sites.extents());
  add("offset", out.offset, with_components(sites.extents()));
  add("direction", out.direction, sites.extents());
  if (out.labels) check_label_type(sites, out.labels);
  if (out.distance && out.distance.element_type() != ElementType::f32 &&
      out.distance.element_type() != ElementType::f64)
    refuse("distance is " + std::string(name_of(out.distance.element_type())) +
           "; must be f32 or f64");
  check_overlaps(sites, outputs);
}

void check_combination(const Problem& problem, const NearestSiteOutputs& out) {
  if (problem.signed_distance && problem.distance_to == DistanceTo::boundary)
    refuse("signed_distance = true; must be false when the distance is to the boundary");
  const bool cells = std::all_of(problem.spacing.begin(), problem.spacing.end(),
                                 [](double length) { return length == 1; });
  if (out.squared && (problem.metric != Metric::euclidean || !cells))
    refuse("squared is wanted; it exists only for the euclidean metric and a spacing of 1");
  if (out.direction && problem.rank != 2)
    refuse("direction is wanted of a 3-D raster; it exists only in 2-D");
}

SiteRule make_rule(ElementType type, const NearestSiteOptions& options) {
  const bool selects = !options.values.empty() || options.zero_is_site;
  if (type == ElementType::boolean && options.nodata)
    refuse("nodata is given; boolean sites have no value to spare for it");
  if (type == ElementType::boolean && selects)
    refuse("values or zero_is_site is given; boolean sites say themselves which cells they are");
  if (!options.values.empty() && options.zero_is_site)
    refuse("zero_is_site = true; must be false when values are given");
  SiteRule rule;
  rule.type = type;
  if (options.nodata) rule.nodata = to_label_bits(*options.nodata, type, "nodata");
  for (const LabelValue& value : options.values)
    rule.values.push_back(to_label_bits(value, type, "values"));
  if (!options.values.empty()) rule.selection = SiteSelection::values;
  if (options.zero_is_site) rule.selection = SiteSelection::all;
  return rule;
}

std::vector<double> checked_spacing(const std::vector<double>& spacing, int rank) {
  if (spacing.empty()) return std::vector<double>(static_cast<std::size_t>(rank), 1.0);
  if (spacing.size() != static_cast<std::size_t>(rank))
    refuse("spacing has " + std::to_string(spacing.size()) +
           " values; must have one for each of the " + std::to_string(rank) + " axes");
  return spacing;
}

/// Extents on the periodic axes.
Axes make_period(const Axes& extent, const std::vector<bool>& periodic, int rank) {
  Axes period{kNoPeriod, kNoPeriod, kNoPeriod};
  if (periodic.empty()) return period;
  if (periodic.size() != static_cast<std::size_t>(rank))
    refuse("periodic has " + std::to_string(periodic.size()) +
           " values; must have one for each of the " + std::to_string(rank) + " axes");
  for (int axis = 0; axis < rank; ++axis) {
    if (!periodic[static_cast<std::size_t>(axis)]) continue;
    const auto own = static_cast<std::size_t>(kAxes - rank + axis);
    if (extent[own] > kMaxPeriod)
      refuse("periodic[" + std::to_string(axis) + "] of an axis of " + std::to_string(extent[own]) +
             " cells; a periodic axis has at most 2^29");
    period[own] = extent[own];
  }
  return period;
}

/// Greatest differences of coordinates, of images on periodic axes too.
Axes reach_of(const Axes& extent, const Axes& period) {
  Axes reach;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    reach[axis] =
        period[axis] == kNoPeriod ? std::max<std::int64_t>(extent[axis] - 1, 0) : 2 * extent[axis];
  return reach;
}

}  // namespace

void check_cells(const char* name, const View<const void>& view) {
  constexpr std::int64_t kMostCells = std::int64_t{1} << 60;
  if (view.rank() != 2 && view.rank() != 3)
    refuse(std::string(name) + " has " + std::to_string(view.rank()) + " axes; must have 2 or 3");
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > kMaxExtent)
      refuse(std::string(name) + " has the extent[" + std::to_string(axis) +
             "] = " + std::to_string(view.extent(axis)) + "; must be at most 2^30 cells");
  const std::int64_t cells = view.extents().count();
  if (cells > kMostCells) refuse(std::string(name) + " has more than 2^60 cells");
  if (view.space() != MemorySpace::host)
    refuse(std::string(name) + " lies in device memory; must be on the host");
  if (cells > 0 && view.bytes() == nullptr)
    refuse(std::string(name) + " is a null pointer; must be memory for its cells");
}

void check_aligned_cells(const char* name, const View<const void>& view) {
  check_cells(name, view);
  const std::size_t element = size_of(view.element_type());
  auto bits = reinterpret_cast<std::uintptr_t>(view.bytes());
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > 1) bits |= static_cast<std::uintptr_t>(view.stride(axis));
  if (bits % element != 0)
    refuse(std::string(name) + " is not aligned; address and strides must be multiples of " +
           std::to_string(element) + " bytes");
}

Problem make_problem(View<const void> sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out) {
  check_cells("sites", sites);
  check_outputs(sites, out);

  Problem problem;
  problem.rank = sites.rank();
  problem.extent = to_axes(sites.extents());
  problem.metric = options.metric;
  const std::vector<double> spacing = checked_spacing(options.spacing, problem.rank);
  problem.period = make_period(problem.extent, options.periodic, problem.rank);
  problem.weights = make_weights(reach_of(problem.extent, problem.period), spacing, options.metric);
  std::copy(spacing.begin(), spacing.end(), problem.spacing.end() - problem.rank);
  problem.wide = problem.weights.greatest >= Int128{1} << 62;
  if (!(options.max_distance >= 0))
    refuse("max_distance = " + shortest_decimal(options.max_distance) + "; must be >= 0");
  problem.limit = greatest_within(problem.weights, options.metric, options.max_distance);
  problem.limited = problem.limit < problem.weights.greatest;
  problem.rule = make_rule(sites.element_type(), options);
  const ElementType label_type = out.labels ? out.labels.element_type() : sites.element_type();
  if (out.labels) problem.unreached = to_label_bits(options.unreached, label_type, "unreached");
  problem.signed_distance = options.signed_distance;
  problem.distance_to = options.distance_to;
  check_combination(problem, out);
  return problem;
}

ProblemViews make_views(View<const void> sites, const NearestSiteOutputs& out) {
  ProblemViews views;
  views.sites = with_three_axes(sites);
  views.labels = views.sites;
  views.out.labels = with_three_axes(out.labels);
  views.out.site_index = with_three_axes(out.site_index);
  views.out.distance = with_three_axes(out.distance);
  views.out.squared = with_three_axes(out.squared);
  views.out.offset = with_three_axes(out.offset, 1);
  views.out.direction = with_three_axes(out.direction);
  return views;
}

}  // namespace thiessen

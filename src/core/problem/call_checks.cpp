// SPDX-License-Identifier: Apache-2.0
#include "core/problem/call_checks.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "core/base/refuse.hpp"

namespace thiessen {
namespace {

std::string to_text(const Extents& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank(); ++axis)
    text += (axis > 0 ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

/// Any byte but zero is true: a rule that selects true cells selects those that are not zero.
void solve_boolean(SiteRule& rule) {
  if (rule.selection != SiteSelection::values) return;
  const auto is_zero = [](const LabelBits& value) { return value.bytes[0] == std::byte{0}; };
  const auto zeros = std::count_if(rule.values.begin(), rule.values.end(), is_zero);
  if (zeros > 0 && zeros == std::ssize(rule.values)) return;
  rule.selection = zeros == 0 ? SiteSelection::nonzero : SiteSelection::all;
  rule.values.clear();
}

}  // namespace

void check_overlaps(const std::vector<NamedView>& inputs, const std::vector<NamedView>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedView& input : inputs)
      check_no_overlap(outputs[i].name, outputs[i].view, input.name, input.view);
    for (std::size_t j = 0; j < i; ++j)
      check_no_overlap(outputs[i].name, outputs[i].view, outputs[j].name, outputs[j].view);
  }
}

void check_same_type(const View<void>& labels, const View<void>& other_labels) {
  if (labels.element_type() != other_labels.element_type())
    refuse("other_labels", "are " + std::string(name_of(other_labels.element_type())) +
                               "; must be of the type of labels, " +
                               std::string(name_of(labels.element_type())));
}

void check_distance_type(const NamedView& distance) {
  if (!distance.view) return;
  const ElementType type = distance.view.element_type();
  if (type != ElementType::f32 && type != ElementType::f64)
    refuse(distance.name, "is " + std::string(name_of(type)) + "; must be f32 or f64");
}

void check_output(const NamedView& output, const Extents& wanted,
                  const ReachableMemory& reachable) {
  if (output.view.extents() != wanted)
    refuse(output.name,
           "has the extents " + to_text(output.view.extents()) + "; must have " + to_text(wanted));
  reachable.check(output.name, output.view);
  if (wanted.count() > 0 && output.view.bytes() == nullptr)
    refuse(output.name, "is a null pointer; must be memory for its cells");
  check_strides(output.name, output.view);
  check_no_self_overlap(output.name, output.view);
}

void check_label_type(ElementType sites, const Extents& raster, const NamedView& labels) {
  const ElementType type = labels.view.element_type();
  const std::string name = labels.name;
  if (sites != ElementType::boolean) {
    if (type != sites)
      refuse(name, "are " + std::string(name_of(type)) + "; must be of the sites' type " +
                       std::string(name_of(sites)));
    return;
  }
  if (type != ElementType::i32 && type != ElementType::i64)
    refuse(name,
           "are " + std::string(name_of(type)) + "; numbers of boolean sites must be i32 or i64");
  if (type == ElementType::i32 && raster.count() > std::numeric_limits<std::int32_t>::max())
    refuse(name, "are i32; numbers of 2^31 and more boolean cells must be i64");
}

void check_point_label_type(const PointList& points, const NamedView& labels) {
  const ElementType type = labels.view.element_type();
  const std::string name = labels.name;
  if (points.labels) {
    if (type != points.labels.element_type())
      refuse(name, "are " + std::string(name_of(type)) + "; must be of the points' labels' type " +
                       std::string(name_of(points.labels.element_type())));
    return;
  }
  if (type != ElementType::i32 && type != ElementType::i64)
    refuse(name, "are " + std::string(name_of(type)) +
                     "; numbers of points without labels must be i32 or i64");
  if (type == ElementType::i32 &&
      points.coordinates.extent(0) > std::numeric_limits<std::int32_t>::max())
    refuse(name, "are i32; numbers of 2^31 and more points must be i64");
}

SiteRule make_rule(ElementType type, const NearestSiteOptions& options, const char* nodata_name) {
  if (type == ElementType::boolean && options.nodata)
    refuse(nodata_name, "is given; boolean sites have no value to spare for it");
  const bool to_zeros = options.distance_to == DistanceTo::zeros;
  if (to_zeros && (!options.values.empty() || options.zero_is_site || options.free_nodata))
    refuse("distance_to", "zeros", "must be sites when other options tell which cells are sites");
  SiteRule rule;
  rule.type = type;
  if (options.nodata) rule.nodata = to_label_bits(*options.nodata, type, nodata_name);
  for (const LabelValue& value : options.values)
    rule.values.push_back(to_label_bits(value, type, "values"));
  if (to_zeros) rule.values.push_back(to_label_bits(std::int64_t{0}, type, "distance_to"));
  if (!rule.values.empty()) rule.selection = SiteSelection::values;
  if (options.zero_is_site) rule.selection = SiteSelection::all;
  if (options.free_nodata) {
    rule.selection = SiteSelection::others;
    rule.values = {*std::exchange(rule.nodata, std::nullopt)};
  }
  if (type == ElementType::boolean) solve_boolean(rule);
  return rule;
}

void check_direction(int rank) {
  if (rank != 2) refuse("direction", "is wanted of a 3-D raster; it exists only in 2-D");
}

std::vector<double> checked_spacing(const std::vector<double>& spacing, int rank) {
  if (spacing.empty()) return std::vector<double>(static_cast<std::size_t>(rank), 1.0);
  if (spacing.size() != static_cast<std::size_t>(rank))
    refuse("spacing", "has " + std::to_string(spacing.size()) +
                          " values; must have one for each of the " + std::to_string(rank) +
                          " axes");
  return spacing;
}

}  // namespace thiessen

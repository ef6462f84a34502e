// SPDX-License-Identifier: Apache-2.0
//
// Checks of arguments that the public functions share. All throw Error{invalid_argument} naming the
// argument, its value and the rule.
#pragma once

#include <vector>

#include "core/problem/problem.hpp"

namespace thiessen {

struct NamedView {
  const char* name;
  View<const void> view;
};

/// Checks that an output has the extents wanted, is memory of its own, and can be reached.
void check_output(const NamedView& output, const Extents& wanted, const ReachableMemory& reachable);

/// Checks that `other_labels` have the type of `labels`.
void check_same_type(const View<void>& labels, const View<void>& other_labels);

/// Checks that outputs overlap neither inputs nor each other.
void check_overlaps(const std::vector<NamedView>& inputs, const std::vector<NamedView>& outputs);

/// Checks that labels have the type that the sites of a raster, or points, give them.
void check_label_type(ElementType sites, const Extents& raster, const NamedView& labels);
void check_point_label_type(const PointList& points, const NamedView& labels);

/// Calls check(NamedView) for the outputs that hold labels, and checks that they have one type.
template <class Outputs, class Check>
void check_label_outputs(const Outputs& out, const Check& check) {
  if (out.labels) check(NamedView{"labels", out.labels});
  if (out.other_labels) check(NamedView{"other_labels", out.other_labels});
  if (out.labels && out.other_labels) check_same_type(out.labels, out.other_labels);
}

/// Checks that an output holds distances.
void check_distance_type(const NamedView& distance);

/// Which cells of a raster are sites, by the options `values`, `zero_is_site`, `free_nodata` and
/// `nodata`; `nodata_name` is what the caller calls the last of them.
SiteRule make_rule(ElementType type, const NearestSiteOptions& options,
                   const char* nodata_name = "nodata");

/// Directions of the compass exist in a plane. Throws Error{invalid_argument}.
void check_direction(int rank);

/// One length for each axis: 1 where none are given.
std::vector<double> checked_spacing(const std::vector<double>& spacing, int rank);

}  // namespace thiessen

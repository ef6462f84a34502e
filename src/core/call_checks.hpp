// SPDX-License-Identifier: Apache-2.0
//
// What the public functions check of their arguments alike. All throw Error{invalid_argument}
// naming the argument, its value and the rule.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace thiessen {

struct NamedView {
  const char* name;
  View<const void> view;
};

/// That an output has the extents wanted and is memory of its own that can be reached.
void check_output(const NamedView& output, const Extents& wanted, const Reach& reach);

/// That outputs overlap neither inputs nor each other.
void check_overlaps(const std::vector<NamedView>& inputs, const std::vector<NamedView>& outputs);

/// That labels have the type that sites of a raster, or points, hand out.
void check_label_type(ElementType sites, const Extents& raster, const View<void>& labels);
void check_point_label_type(const PointList& points, const View<void>& labels);

/// Of the options, `values`, `zero_is_site` and `nodata`.
SiteRule make_rule(ElementType type, const NearestSiteOptions& options);

/// One length for each axis: 1 where none are given.
std::vector<double> checked_spacing(const std::vector<double>& spacing, int rank);

}  // namespace thiessen

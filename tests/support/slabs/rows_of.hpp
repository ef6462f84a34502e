// SPDX-License-Identifier: Apache-2.0
//
// Views of some rows (2-D) or planes (3-D): what a slab holds of a raster.
#pragma once

#include <cstdint>
#include <vector>

#include "thiessen/nearest_site.hpp"
#include "thiessen/view.hpp"

namespace thiessen::testing {

/// Rows or planes first … first + count - 1.
struct Rows {
  std::int64_t first;
  std::int64_t count;
};

/// `axis` is that of the rows.
template <class AnyView>
AnyView rows_of(const AnyView& view, const Rows& rows, int axis = 0) {
  if (!view) return view;
  std::vector<std::int64_t> sizes;
  for (int each = 0; each < view.rank(); ++each)
    sizes.push_back(each == axis ? rows.count : view.extent(each));
  auto* const first = view.bytes() + rows.first * view.stride(axis);
  if constexpr (requires { view.data(); })
    return {reinterpret_cast<decltype(view.data())>(first), Extents(sizes), view.strides(),
            view.space()};
  else
    return {first, view.element_type(), Extents(sizes), view.strides(), view.space()};
}

inline NearestSiteOutputs rows_of(const NearestSiteOutputs& out, const Rows& rows) {
  return {.labels = rows_of(out.labels, rows),
          .site_index = rows_of(out.site_index, rows),
          .distance = rows_of(out.distance, rows),
          .squared = rows_of(out.squared, rows),
          .offset = rows_of(out.offset, rows, 1),
          .direction = rows_of(out.direction, rows),
          .other_labels = rows_of(out.other_labels, rows),
          .other_site_index = rows_of(out.other_site_index, rows),
          .other_distance = rows_of(out.other_distance, rows)};
}

}  // namespace thiessen::testing

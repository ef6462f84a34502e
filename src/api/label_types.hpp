// SPDX-License-Identifier: Apache-2.0
//
// The element types of labels that a call makes memory for.
#pragma once

#include <cstdint>
#include <limits>

#include "thiessen/nearest_site.hpp"

namespace thiessen {

/// The type of labels that count to `most`.
inline ElementType number_type(std::int64_t most) {
  return most > std::numeric_limits<std::int32_t>::max() ? ElementType::i64 : ElementType::i32;
}

/// The type of the labels that the sites of a raster of so many cells hand out.
inline ElementType label_type(const View<const void>& sites, std::int64_t cells) {
  const ElementType type = sites.element_type();
  return type == ElementType::boolean ? number_type(cells) : type;
}

inline ElementType label_type(const PointList& points) {
  if (points.labels) return points.labels.element_type();
  return number_type(points.coordinates ? points.coordinates.extent(0) : 0);
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Conversions between coordinates, linear indices and addresses.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/base/host_device.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Extents, spacing, offsets inside the library: always (z, y, x); in 2-D z has one cell.
inline constexpr int kAxes = 3;
using Axes = std::array<std::int64_t, kAxes>;

THIESSEN_HD inline Axes to_cell(const Axes& extent, std::int64_t index) {
  const std::int64_t row = index / extent[2];
  return {row / extent[1], row % extent[1], index % extent[2]};
}

THIESSEN_HD inline std::int64_t to_index(const Axes& extent, const Axes& cell) {
  return (cell[0] * extent[1] + cell[1]) * extent[2] + cell[2];
}

/// Address of a cell in a view of three axes.
template <class AnyView>
auto* address_of(const AnyView& view, const Axes& cell) {
  return view.bytes() + cell[0] * view.stride(0) + cell[1] * view.stride(1) +
         cell[2] * view.stride(2);
}

/// Whether the elements of a view lie in C order without gaps.
inline bool is_packed(const View<const void>& view) {
  const auto packed = View<const void>::c_strides(view.element_type(), view.extents());
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > 1 && view.stride(axis) != packed[static_cast<std::size_t>(axis)])
      return false;
  return true;
}

/// Extents of a 2-D or 3-D raster as (z, y, x).
inline Axes to_axes(const Extents& extents) {
  Axes axes{1, 1, 1};
  for (int axis = 0; axis < extents.rank(); ++axis)
    axes[static_cast<std::size_t>(kAxes - extents.rank() + axis)] = extents[axis];
  return axes;
}

/// `view` with axes of one cell put between its components and a 2-D raster's own axes.
template <class AnyView>
AnyView with_three_axes(const AnyView& view, int components = 0) {
  const int missing = kAxes + components - view.rank();
  if (!view || missing == 0) return view;
  std::array<std::int64_t, kMaxAxes> sizes{};
  typename AnyView::Strides strides{};
  for (int axis = 0; axis < kAxes + components; ++axis) {
    const bool added = axis >= components && axis < components + missing;
    const int source = axis < components ? axis : axis - missing;
    const auto to = static_cast<std::size_t>(axis);
    sizes[to] = added ? 1 : view.extent(source);
    strides[to] = added ? 0 : view.stride(source);
  }
  const Extents extents(
      std::span<const std::int64_t>(sizes.data(), static_cast<std::size_t>(kAxes + components)));
  if constexpr (requires { view.data(); })
    return {view.data(), extents, strides, view.space()};
  else
    return {view.bytes(), view.element_type(), extents, strides, view.space()};
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// A raster of coverage, and what its elements mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/base/cells.hpp"
#include "coverage/edge_fit.hpp"
#include "thiessen/view.hpp"

namespace thiessen::coverage {

/// A call, normalised.
struct CoverageProblem {
  int rank = 2;  ///< axes of the caller's raster
  Axes extent{};
  Vector spacing{};  ///< in units of `unit`, the largest of them
  double unit = 1;
  double max_distance = std::numeric_limits<double>::infinity();
  View<const void> coverage;  ///< with the axes (z, y, x)

  std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
  std::int64_t rows() const { return extent[0] * extent[1]; }
};

/// A boolean as an element: true is full.
enum class Truth : std::uint8_t {};

/// Calls visit(std::type_identity<T>{}) with the type that stands for elements of coverage.
template <class Visitor>
void visit_coverage_type(ElementType type, const Visitor& visit) {
  switch (type) {
    case ElementType::boolean:
      return visit(std::type_identity<Truth>{});
    case ElementType::u8:
      return visit(std::type_identity<std::uint8_t>{});
    case ElementType::u16:
      return visit(std::type_identity<std::uint16_t>{});
    case ElementType::f32:
      return visit(std::type_identity<float>{});
    default:
      return visit(std::type_identity<double>{});
  }
}

template <class T>
double to_share(T element) {
  if constexpr (std::is_same_v<T, Truth>)
    return element == Truth{} ? 0 : 1;
  else if constexpr (std::is_integral_v<T>)
    return element / static_cast<double>(std::numeric_limits<T>::max());
  else
    return element;
}

template <class T>
bool is_empty(T element) {
  return element == T{};
}

template <class T>
bool is_full(T element) {
  if constexpr (std::is_same_v<T, Truth>)
    return element != Truth{};
  else if constexpr (std::is_integral_v<T>)
    return element == std::numeric_limits<T>::max();
  else
    return element == 1;
}

/// The coverage around a cell.
template <class T>
CoverageAround read_around(const CoverageProblem& problem, const Axes& cell) {
  CoverageAround around;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    around.has[axis] = {cell[axis] > 0, cell[axis] + 1 < problem.extent[axis]};
  const auto near = [&](std::size_t axis, int step) {
    return std::clamp<std::int64_t>(cell[axis] + step, 0, problem.extent[axis] - 1);
  };
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        T element;
        std::memcpy(&element, address_of(problem.coverage, {near(0, z), near(1, y), near(2, x)}),
                    sizeof element);
        around.values[static_cast<std::size_t>(CoverageAround::place(z, y, x))] = to_share(element);
      }
  return around;
}

}  // namespace thiessen::coverage

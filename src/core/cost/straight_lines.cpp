// SPDX-License-Identifier: Apache-2.0
#include "core/cost/straight_lines.hpp"

#include <algorithm>
#include <cstdlib>

namespace thiessen::eikonal {
namespace {

/// The parts of the straight line from the centre of a cell to that of another one. It crosses
/// faces along an axis at (2j − 1) / 2|d|, which are fractions with one denominator.
std::vector<LinePart> parts_to(const FromSite& to, double length) {
  std::vector<LinePart> parts;
  std::array<std::int64_t, kAxes> way{}, crossed{};
  FromSite at{};
  std::int64_t denominator = 2;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    way[axis] = std::abs(to[axis]);
    denominator *= std::max<std::int64_t>(way[axis], 1);
  }
  const auto next_along = [&](std::size_t axis) {
    if (crossed[axis] == way[axis]) return denominator;
    return (2 * crossed[axis] + 1) * (denominator / (2 * way[axis]));
  };
  for (std::int64_t last = 0;;) {
    std::int64_t next = denominator;
    for (std::size_t axis = 0; axis < kAxes; ++axis) next = std::min(next, next_along(axis));
    parts.push_back(
        {at, length * (static_cast<double>(next - last) / static_cast<double>(denominator))});
    if (next == denominator) return parts;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (next_along(axis) != next) continue;
      at[axis] += to[axis] > 0 ? 1 : -1;
      ++crossed[axis];
    }
    last = next;
  }
}

double square_of(const FromSite& to, const AlongAxes& spacing) {
  double square = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double along = static_cast<double>(to[axis]) * spacing[axis];
    square += along * along;
  }
  return square;
}

}  // namespace

StraightLines straight_lines(const Axes& extent, const AlongAxes& spacing, double radius) {
  double widest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (extent[axis] > 1) widest = std::max(widest, spacing[axis]);
  FromSite reach{};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (extent[axis] > 1)
      reach[axis] = static_cast<std::int32_t>(
          std::min(radius * widest / spacing[axis], static_cast<double>(extent[axis] - 1)));
  StraightLines found;
  for (std::int32_t z = -reach[0]; z <= reach[0]; ++z)
    for (std::int32_t y = -reach[1]; y <= reach[1]; ++y)
      for (std::int32_t x = -reach[2]; x <= reach[2]; ++x) {
        const FromSite to{z, y, x};
        const double square = square_of(to, spacing);
        if (square > 0 && square <= radius * widest * (radius * widest))
          found.lines.push_back({.to = to, .length = std::sqrt(square)});
      }
  std::ranges::stable_sort(found.lines, {}, &StraightLine::length);
  for (StraightLine& line : found.lines) {
    const std::vector<LinePart> parts = parts_to(line.to, line.length);
    line.first = static_cast<std::int32_t>(found.parts.size());
    line.parts = static_cast<std::int32_t>(parts.size());
    found.parts.insert(found.parts.end(), parts.begin(), parts.end());
  }
  return found;
}

}  // namespace thiessen::eikonal

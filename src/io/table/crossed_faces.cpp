// SPDX-License-Identifier: Apache-2.0
//
// A face is crossed by a segment AB if the segment between the centres of its two cells meets it.
// Lines may run through centres. So all of them are moved, together, by (e, e·e) along x and y, for
// an e > 0 less than any that would make a difference; then no centre lies on a line, and no vertex
// on a line between centres. Signs that are 0 without e are decided by it:
//
//   row y = r            A lies below it if A.y >= r, as A.y + e·e > r says
//   crossing of a row    at X + e, but for less: where X is a centre, it lies right of that
//   column x = k         A lies on its right if A.x >= k
//   crossing of it       at Y - e·slope + e·e, where the slope is that of AB
//
// Lines that close a region off let no path through. A path across open faces is a line through
// centres, of segments that do not meet the moved lines. It lies on one side of a closed curve,
// which the moved lines are where the given ones are: all have moved alike, so what touched still
// touches. Vertices are rounded before, the same ones alike, so that closed lines stay closed. And
// each segment crosses a row or column once, so a line crosses few faces and no cell is lost, not
// even one whose centre lies on the line.
#include "io/table/crossed_faces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/int128.hpp"
#include "core/problem/points.hpp"

namespace thiessen::io {
namespace {

constexpr std::int64_t kUnitsOfCell = std::int64_t{1} << kFractionBits;
constexpr double kFarthestVertex = 1 << 30;
constexpr std::uint8_t kTowardsX = 1;
constexpr std::uint8_t kTowardsY = 2;

/// In units of 2^-16 of a cell: up to 47 bits, so that products fit 128.
struct Vertex {
  std::int64_t y, x;
};

std::int64_t snapped(double place) {
  return static_cast<std::int64_t>(std::nearbyint(place * static_cast<double>(kUnitsOfCell)));
}

/// n / d rounded down, and whether it is that without rounding.
struct Quotient {
  std::int64_t floor;
  bool is_exact;
};
Quotient divided(Int128 n, Int128 d) {
  const auto quotient = static_cast<std::int64_t>(n / d);
  const bool is_exact = n % d == 0;
  return {quotient - (n < 0 && !is_exact ? 1 : 0), is_exact};
}

/// Calls visit(i) for the whole cells i from 0 to count - 1 with from < i <= to.
template <class Visit>
void for_each_between(std::int64_t from, std::int64_t to, std::int64_t count, const Visit& visit) {
  const std::int64_t first = std::max<std::int64_t>(divided(from, kUnitsOfCell).floor + 1, 0);
  const std::int64_t last = std::min(divided(to, kUnitsOfCell).floor, count - 1);
  for (std::int64_t i = first; i <= last; ++i) visit(i);
}

/// Blocks the faces along x that a segment crosses.
void cross_rows(Vertex a, Vertex b, const View<std::uint8_t>& faces) {
  if (a.y > b.y) std::swap(a, b);
  const Int128 down = b.y - a.y;
  for_each_between(a.y, b.y, faces.extent(0), [&](std::int64_t row) {
    const Int128 n = a.x * down + Int128{row * kUnitsOfCell - a.y} * (b.x - a.x);
    const std::int64_t left = divided(n, down * kUnitsOfCell).floor;
    if (left >= 0 && left + 1 < faces.extent(1)) faces(row, left) |= kTowardsX;
  });
}

/// Blocks those along y.
void cross_columns(Vertex a, Vertex b, const View<std::uint8_t>& faces) {
  if (a.x > b.x) std::swap(a, b);
  const Int128 right = b.x - a.x;
  for_each_between(a.x, b.x, faces.extent(1), [&](std::int64_t column) {
    const Int128 n = a.y * right + Int128{column * kUnitsOfCell - a.x} * (b.y - a.y);
    const Quotient crossing = divided(n, right * kUnitsOfCell);
    const bool is_above = crossing.is_exact && b.y > a.y;
    const std::int64_t above = crossing.floor - (is_above ? 1 : 0);
    if (above >= 0 && above + 1 < faces.extent(0)) faces(above, column) |= kTowardsY;
  });
}

}  // namespace

bool block_crossed_faces(const Polygons& lines, View<std::uint8_t> faces) {
  const auto is_near = [](double place) { return std::abs(place) <= kFarthestVertex; };
  if (!std::all_of(lines.coordinates.begin(), lines.coordinates.end(), is_near)) return false;
  const auto vertex = [&](std::int64_t i) {
    const double* const place = lines.coordinates.data() + 2 * i;
    return Vertex{snapped(place[0]), snapped(place[1])};
  };
  for (std::size_t line = 0; line + 1 < lines.points.size(); ++line)
    for (std::int64_t i = lines.points[line]; i + 1 < lines.points[line + 1]; ++i) {
      cross_rows(vertex(i), vertex(i + 1), faces);
      cross_columns(vertex(i), vertex(i + 1), faces);
    }
  return true;
}

}  // namespace thiessen::io

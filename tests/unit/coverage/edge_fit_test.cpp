// SPDX-License-Identifier: Apache-2.0
//
// Planes through cells and edges in them, against sums over many points.
#include "coverage/edge_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coverage/cell_cut.hpp"
#include "coverage/cell_edge.hpp"
#include "support/draw.hpp"

namespace thiessen {
namespace {

using testing::Draw;

/// From -1 to less than 1.
double part(Draw& draw) { return 2 * draw.real() - 1; }

Vector direction(Draw& draw, int rank) {
  Vector m{rank == 3 ? part(draw) : 0, part(draw), part(draw)};
  const double length = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  for (double& along : m) along /= length;
  return m;
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The share of a cell where m·p <= offset, by midpoints of n³ small cells.
double counted_share(const Vector& m, double offset, int n) {
  std::int64_t inside = 0;
  const auto at = [n](int i) { return (i + 0.5) / n - 0.5; };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) inside += dot(m, {at(z), at(y), at(x)}) <= offset ? 1 : 0;
  return static_cast<double>(inside) / (static_cast<double>(n) * n * n);
}

TEST(CellCut, ShareIsThatOfPoints) {
  Draw draw(1);
  for (int i = 0; i < 60; ++i) {
    const Vector m = direction(draw, 2 + i % 2);
    const double offset = part(draw);
    EXPECT_NEAR(CellCut(m).share(offset), counted_share(m, offset, 60), 2e-3);
  }
  // Along an axis, and at the ends.
  EXPECT_EQ(CellCut({0, 0, 2}).share(0.5), 0.75);
  EXPECT_EQ(CellCut({0, -3, 0}).share(-1.5), 0);
  EXPECT_EQ(CellCut({1, 1, 1}).share(1.5), 1);
  EXPECT_EQ(CellCut({1, -1, 1}).share(0), 0.5);
}

TEST(CellCut, OffsetIsTheInverseOfShare) {
  Draw draw(2);
  for (int i = 0; i < 100'000; ++i) {
    Vector m = direction(draw, 2 + i % 2);
    if (i % 5 == 0) m[1] *= 1e-7;
    if (i % 7 == 0) m[2] = m[1];
    double share = draw.real();
    if (i % 3 == 0) share *= 1e-6;
    const CellCut cut(m);
    EXPECT_NEAR(cut.share(cut.offset(share)), share, 1e-15);
  }
}

/// The coverage around a cell of a half space, inside of which m·p <= offset.
CoverageAround half_space(const Vector& m, double offset, int rank) {
  CoverageAround around;
  const bool is_deep = rank == 3;
  around.has = {{{is_deep, is_deep}, {true, true}, {true, true}}};
  const CellCut cut(m);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        around.values[static_cast<std::size_t>(CoverageAround::place(z, y, x))] =
            cut.share(offset - (m[0] * z + m[1] * y + m[2] * x));
  return around;
}

/// Whether the cell itself is cut, and not just grazed.
bool is_cut(const CoverageAround& around) {
  return around.centre() > 1e-6 && around.centre() < 1 - 1e-6;
}

TEST(EdgeFit, LinesComeOutAsTheyAre) {
  Draw draw(3);
  for (int i = 0; i < 50'000; ++i) {
    const Vector m = direction(draw, 2);
    const double offset = part(draw) * 0.75;
    CoverageAround around = half_space(m, offset, 2);
    if (!is_cut(around)) continue;
    const CellEdge edge = fit_edge(around, {1, 1, 1});
    ASSERT_EQ(edge.shape, EdgeShape::plane);
    EXPECT_NEAR(dot(edge.vector, m), 1, 1e-14);
    EXPECT_NEAR(edge.offset, offset, 1e-12);
  }
}

TEST(EdgeFit, PlanesComeOutWithinAThirdOfADegree) {
  Draw draw(4);
  for (int i = 0; i < 5'000; ++i) {
    const Vector m = direction(draw, 3);
    const double offset = part(draw) * 0.85;
    const CoverageAround around = half_space(m, offset, 3);
    if (!is_cut(around)) continue;
    const CellEdge edge = fit_edge(around, {1, 1, 1});
    EXPECT_GT(dot(edge.vector, m), std::cos(0.0061));
    EXPECT_NEAR(edge.offset, offset, 2e-3);
  }
}

TEST(EdgeFit, SpacingTurnsTheNormal) {
  Draw draw(5);
  const Vector spacing{1, 0.25, 0.75};
  for (int i = 0; i < 2'000; ++i) {
    const Vector normal = direction(draw, 2);
    const Vector m{0, normal[1] * spacing[1], normal[2] * spacing[2]};
    const double offset = part(draw) * 0.3;
    const CoverageAround around = half_space(m, offset, 2);
    if (!is_cut(around)) continue;
    const CellEdge edge = fit_edge(around, spacing);
    EXPECT_NEAR(dot(edge.vector, normal), 1, 1e-13);
    EXPECT_NEAR(edge.offset, offset, 1e-12);
  }
}

TEST(EdgeFit, LinesThroughTheMiddleAreStrips) {
  CoverageAround around;
  around.has = {{{false, false}, {true, true}, {true, true}}};
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      around.values[static_cast<std::size_t>(CoverageAround::place(z, y, 0))] = 0.25;
  const CellEdge strip = fit_edge(around, {1, 1, 0.5});
  EXPECT_EQ(strip.shape, EdgeShape::box);
  EXPECT_EQ(strip.sides, 0b110000);
  EXPECT_EQ(strip.vector, (Vector{0.5, 0.5, 0.0625}));

  for (double& value : around.values) value = 1 - value;
  const CellEdge gap = fit_edge(around, {1, 1, 0.5});
  EXPECT_EQ(gap.shape, EdgeShape::hole);
  EXPECT_EQ(gap.vector, strip.vector);

  around.values.fill(0);
  for (int z = -1; z <= 1; ++z)
    around.values[static_cast<std::size_t>(CoverageAround::place(z, 0, 0))] = 0.25;
  const CellEdge dot = fit_edge(around, {1, 1, 1});
  EXPECT_EQ(dot.shape, EdgeShape::box);
  EXPECT_EQ(dot.sides, 0b111100);
  EXPECT_EQ(dot.vector, (Vector{0.5, 0.25, 0.25}));
}

/// The least distance to points of a piece, n² of them on each of the planes across an axis.
double counted_distance(const CellEdge& edge, const Vector& from, const Vector& half, int n) {
  double least = 1e300;
  const auto at = [n](int i) { return 2.0 * i / n - 1; };
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::size_t first = (axis + 1) % 3, second = (axis + 2) % 3;
    if (std::abs(edge.vector[axis]) < 0.5) continue;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        Vector p{};
        p[first] = at(i) * half[first];
        p[second] = at(j) * half[second];
        p[axis] = (edge.offset - dot(edge.vector, p)) / edge.vector[axis];
        if (std::abs(p[axis]) > half[axis]) continue;
        double square = 0;
        for (std::size_t k = 0; k < kAxes; ++k) square += (p[k] - from[k]) * (p[k] - from[k]);
        least = std::min(least, square);
      }
  }
  return std::sqrt(least);
}

TEST(EdgeDistance, ToAPieceIsThatToItsPoints) {
  Draw draw(6);
  const Vector spacing{0.5, 1, 0.75};
  const Vector half{0.25, 0.5, 0.375};
  const EdgeDistance distance(spacing);
  for (int i = 0; i < 300; ++i) {
    CellEdge edge;
    edge.vector = direction(draw, 2 + i % 2);
    double reach = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      reach += half[axis] * std::abs(edge.vector[axis]);
    edge.offset = part(draw) * reach * 0.8;
    std::array<std::int32_t, kAxes> cell{};
    Vector from{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      cell[axis] = static_cast<std::int32_t>(draw.below(7)) - 3;
      from[axis] = cell[axis] * spacing[axis];
    }
    const double found = std::sqrt(distance.squared(edge, cell, 1e300));
    const double counted = counted_distance(edge, from, half, 200);
    EXPECT_LE(found, counted + 1e-12);
    EXPECT_GT(found, counted - 0.01);
  }
}

TEST(EdgeDistance, ToSidesAndBoxes) {
  const EdgeDistance distance({1, 1, 1});
  CellEdge edge;
  edge.shape = EdgeShape::sides;
  edge.sides = 0b100100;  // before along y, after along x
  EXPECT_EQ(distance.squared(edge, {0, 0, 0}, 1e300), 0.25);
  EXPECT_EQ(distance.squared(edge, {0, 0, 2}, 1e300), 2.25);
  EXPECT_EQ(distance.squared(edge, {0, 3, 0}, 1e300), 6.5);  // to the side after along x, 0.5 away
  EXPECT_EQ(distance.squared(edge, {0, -2, 2}, 1e300), 4.5);
  edge.shape = EdgeShape::box;
  edge.sides = 0b110000;
  edge.vector = {0.5, 0.5, 0.25};
  EXPECT_EQ(distance.squared(edge, {0, 0, 0}, 1e300), 0.0625);
  EXPECT_EQ(distance.squared(edge, {0, 0, -1}, 1e300), 0.5625);
  EXPECT_EQ(distance.squared(edge, {0, 2, 1}, 1e300), 2.25 + 0.5625);
}

}  // namespace
}  // namespace thiessen

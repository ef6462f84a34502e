// SPDX-License-Identifier: Apache-2.0
//
// Faces that lines cross: what they close off, and that they take no cell.
#include "io/table/crossed_faces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr std::int64_t kHeight = 19, kWidth = 23;
constexpr Connectivity kNeighbours[] = {Connectivity::faces, Connectivity::corners,
                                        Connectivity::knights};

/// In units of 2^-16 of a cell.
struct Place {
  std::int64_t y, x;
};

/// A line through places, as the layers have it.
Polygons line_through(const std::vector<Place>& places) {
  Polygons line;
  line.rings = {0, 1};
  line.points = {0, static_cast<std::int64_t>(places.size())};
  for (const Place& place : places)
    for (const std::int64_t at : {place.y, place.x})
      line.coordinates.push_back(std::ldexp(static_cast<double>(at), -16));
  return line;
}

std::vector<std::uint8_t> faces_of(const std::vector<Place>& places) {
  std::vector<std::uint8_t> faces(kHeight * kWidth);
  EXPECT_TRUE(io::block_crossed_faces(line_through(places),
                                      View<std::uint8_t>(faces.data(), {kHeight, kWidth})));
  return faces;
}

/// The cells that a flood from one reaches.
std::vector<bool> flooded(const std::vector<std::uint8_t>& faces, std::int64_t start,
                          Connectivity neighbours) {
  const Extents extents{kHeight, kWidth};
  const std::vector<float> map(faces.size(), 1);
  std::vector<std::uint8_t> sites(faces.size());
  sites[static_cast<std::size_t>(start)] = 1;
  CostDistanceOptions options{.connectivity = neighbours};
  options.blocked_faces = View<const std::uint8_t>(faces.data(), extents);
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::uint8_t>(sites.data(), extents), options);
  const auto labels = found.labels.view<std::uint8_t>();
  return std::vector<bool>(labels.data(), labels.data() + extents.count());
}

/// Whether a ray to the right from the centre of a cell crosses the lines an odd number of times;
/// lines through centres count as if they lay a little farther right and down.
bool is_inside(const std::vector<Place>& ring, std::int64_t cell) {
  const std::int64_t y = cell / kWidth << 16, x = cell % kWidth << 16;
  bool inside = false;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    Place a = ring[i], b = ring[i + 1];
    if (a.y > b.y) std::swap(a, b);
    if ((a.y >= y) == (b.y >= y)) continue;
    const std::int64_t side = (y - a.y) * (b.x - a.x) - (x - a.x) * (b.y - a.y);
    if (side >= 0) inside = !inside;
  }
  return inside;
}

/// Vertices on centres, on corners, or anywhere, some of them outside of the raster.
std::vector<Place> draw_ring(std::mt19937& random) {
  const std::int64_t unit = std::vector<std::int64_t>{65536, 32768, 1, 977}[random() % 4];
  const auto draw = [&](std::int64_t cells) {
    const std::int64_t from = -3 * 65536;
    const std::int64_t range = (cells + 6) * 65536 / unit;
    return (from / unit + static_cast<std::int64_t>(random()) % range) * unit;
  };
  std::vector<Place> ring;
  for (std::size_t i = 3 + random() % 6; i > 0; --i) ring.push_back({draw(kHeight), draw(kWidth)});
  if (random() % 3 == 0) ring[1].y = ring[0].y;  // along a row
  if (random() % 3 == 0) ring[2].x = ring[1].x;
  ring.push_back(ring.front());
  return ring;
}

TEST(CrossedFaces, ClosedLinesLetNothingThrough) {
  std::mt19937 random(7);
  std::int64_t inside = 0, crossed = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::vector<Place> ring = draw_ring(random);
    const std::vector<std::uint8_t> faces = faces_of(ring);
    const std::int64_t start = static_cast<std::int64_t>(random() % (kHeight * kWidth));
    const bool from_inside = is_inside(ring, start);
    inside += from_inside ? 1 : 0;
    for (const Connectivity neighbours : kNeighbours) {
      const std::vector<bool> reached = flooded(faces, start, neighbours);
      for (std::int64_t cell = 0; cell < kHeight * kWidth; ++cell) {
        const bool is_same = is_inside(ring, cell) == from_inside;
        crossed += is_same ? 0 : 1;
        ASSERT_TRUE(is_same || !reached[static_cast<std::size_t>(cell)]) << cell;
      }
    }
  }
  EXPECT_GT(inside, 40);
  EXPECT_GT(crossed, 10000);
}

/// Rectangles along rows of centres or between them: all cells on a side are reached from each.
TEST(CrossedFaces, LinesThroughCentresTakeNoCell) {
  for (const std::int64_t half : {0, 1})
    for (const Connectivity neighbours : kNeighbours) {
      const auto at = [&](std::int64_t cell) { return cell * 65536 + half * 32768; };
      const std::vector<Place> ring{
          {at(4), at(5)}, {at(4), at(17)}, {at(12), at(17)}, {at(12), at(5)}, {at(4), at(5)}};
      const auto faces = faces_of(ring);
      for (const std::int64_t start : {std::int64_t{0}, 8 * kWidth + 9}) {
        const std::vector<bool> reached = flooded(faces, start, neighbours);
        for (std::int64_t cell = 0; cell < kHeight * kWidth; ++cell) {
          const std::int64_t y = cell / kWidth, x = cell % kWidth;
          const bool is_in = y >= 5 && y <= 12 && x >= 6 && x <= 17;
          ASSERT_EQ(reached[static_cast<std::size_t>(cell)], is_in == (start > 0)) << cell;
        }
      }
    }
}

/// The sign of the turn from a over b to c.
int turn(const Place& a, const Place& b, const Place& c) {
  const std::int64_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  return (area > 0 ? 1 : 0) - (area < 0 ? 1 : 0);
}

TEST(CrossedFaces, AreThoseWhoseCentresALineParts) {
  std::mt19937 random(3);
  const auto draw = [&](std::int64_t cells) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>((cells + 4) << 16)) -
           (2 << 16);
  };
  std::int64_t compared = 0;
  for (int round = 0; round < 300; ++round) {
    const Place a{draw(kHeight), draw(kWidth)}, b{draw(kHeight), draw(kWidth)};
    const auto faces = faces_of({a, b});
    const auto check = [&](std::int64_t y, std::int64_t x, int down) {
      const Place p{y << 16, x << 16}, q{(y + down) << 16, (x + 1 - down) << 16};
      const int turns[] = {turn(a, b, p), turn(a, b, q), turn(p, q, a), turn(p, q, b)};
      for (const int each : turns)
        if (each == 0) return;  // a case for the other tests
      const bool meets = turns[0] != turns[1] && turns[2] != turns[3];
      const int bits = faces[static_cast<std::size_t>(y * kWidth + x)];
      ASSERT_EQ((bits >> down & 1) != 0, meets) << y << ", " << x;
      ++compared;
    };
    for (std::int64_t y = 0; y < kHeight; ++y)
      for (std::int64_t x = 0; x < kWidth; ++x) {
        if (x + 1 < kWidth) check(y, x, 0);
        if (y + 1 < kHeight) check(y, x, 1);
      }
  }
  EXPECT_GT(compared, 100000);
}

TEST(CrossedFaces, LinesTooFarAwayAreRefused) {
  std::vector<std::uint8_t> faces(4);
  Polygons line;
  line.rings = {0, 1};
  line.points = {0, 2};
  for (const double far : {1e10, std::nan("")}) {
    line.coordinates = {0, 0, far, 0};
    EXPECT_FALSE(io::block_crossed_faces(line, View<std::uint8_t>(faces.data(), {2, 2})));
  }
  line.coordinates = {-1e9, 0.5, 1e9, 0.5};
  EXPECT_TRUE(io::block_crossed_faces(line, View<std::uint8_t>(faces.data(), {2, 2})));
  EXPECT_EQ(faces, (std::vector<std::uint8_t>{1, 0, 1, 0}));
}

}  // namespace
}  // namespace thiessen

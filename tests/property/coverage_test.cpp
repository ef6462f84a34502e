// SPDX-License-Identifier: Apache-2.0
//
// Distances from coverage: against shapes whose distances are known, and against every edge.
#include "thiessen/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "coverage/cell_cut.hpp"
#include "oracle/coverage_oracle.hpp"
#include "support/draw.hpp"
#include "support/guarded_array.hpp"
#include "support/message_of.hpp"
#include "thiessen/raster.hpp"

namespace thiessen {
namespace {

using oracle::CoverageScene;
using testing::Draw;
using testing::GuardedArray;
using testing::Layout;
using testing::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A signed distance in cells of spacing 1, less than 0 inside.
using Shape = std::function<double(double z, double y, double x)>;

/// The coverage of a shape, by n points a side in cells that its edge may cut.
CoverageScene scene_of(const Axes& extent, const Shape& shape, int n) {
  CoverageScene scene{.extent = extent, .spacing = {1, 1, 1}, .coverage = {}};
  const int deep = extent[0] > 1 ? n : 1;
  const auto at = [](std::int64_t cell, int i, int count) {
    return static_cast<double>(cell) + (i + 0.5) / count - 0.5;
  };
  for (std::int64_t z = 0; z < extent[0]; ++z)
    for (std::int64_t y = 0; y < extent[1]; ++y)
      for (std::int64_t x = 0; x < extent[2]; ++x) {
        const double middle =
            shape(static_cast<double>(z), static_cast<double>(y), static_cast<double>(x));
        if (std::abs(middle) > 0.9) {
          scene.coverage.push_back(middle < 0 ? 1 : 0);
          continue;
        }
        int inside = 0;
        for (int i = 0; i < deep; ++i)
          for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
              inside += shape(at(z, i, deep), at(y, j, n), at(x, k, n)) <= 0 ? 1 : 0;
        scene.coverage.push_back(inside / (static_cast<double>(deep) * n * n));
      }
  return scene;
}

Extents extents_of(const CoverageScene& scene) {
  const auto [depth, height, width] = scene.extent;
  return depth == 1 ? Extents{height, width} : Extents{depth, height, width};
}

std::vector<double> spacing_of(const CoverageScene& scene) {
  const auto first = scene.spacing.begin() + (scene.extent[0] == 1 ? 1 : 0);
  return {first, scene.spacing.end()};
}

std::vector<double> distances_of(const CoverageScene& scene, double max_distance = kInfinity) {
  const Raster found =
      coverage_distance(View<const double>(scene.coverage.data(), extents_of(scene)),
                        {.spacing = spacing_of(scene),
                         .max_distance = max_distance,
                         .distance_type = FloatType::f64});
  const auto* const begin = found.view<double>().data();
  return {begin, begin + scene.coverage.size()};
}

/// The greatest error, where `counts` says that a cell counts.
double error_of(const CoverageScene& scene, const Shape& shape,
                const std::function<bool(const Axes&)>& counts) {
  const std::vector<double> found = distances_of(scene);
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Axes cell = to_cell(scene.extent, static_cast<std::int64_t>(i));
    if (!counts(cell)) continue;
    const double truth = shape(static_cast<double>(cell[0]), static_cast<double>(cell[1]),
                               static_cast<double>(cell[2]));
    worst = std::max(worst, std::abs(found[i] - truth));
  }
  return worst;
}

bool everywhere(const Axes& /*cell*/) { return true; }

/// The coverage of a half space with the normal m and the distance `offset` from `middle`.
CoverageScene half_space(const Axes& extent, const Vector& m, const Vector& middle, double offset) {
  CoverageScene scene{.extent = extent, .spacing = {1, 1, 1}, .coverage = {}};
  const CellCut cut(m);
  for (std::int64_t index = 0; index < extent[0] * extent[1] * extent[2]; ++index) {
    const Axes cell = to_cell(extent, index);
    double along = offset;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      along -= m[axis] * (static_cast<double>(cell[axis]) - middle[axis]);
    scene.coverage.push_back(cut.share(along));
  }
  return scene;
}

/// Rounds the coverage to bytes.
void round_to_bytes(CoverageScene& scene) {
  for (double& share : scene.coverage) share = std::round(255 * share) / 255;
}

TEST(CoverageDistance, IsThatToStraightEdges) {
  const Axes extent{1, 40, 40};
  const Vector middle{0, 20, 20};
  double worst_of_bytes = 0;
  for (int degree = 0; degree < 360; degree += 7)
    for (const double offset : {0.0, 0.31, -0.5, 0.123}) {
      const double angle = degree * std::numbers::pi / 180;
      const Vector m{0, std::sin(angle), std::cos(angle)};
      const Shape truth = [&](double, double y, double x) {
        return m[1] * (y - 20) + m[2] * (x - 20) - offset;
      };
      // Cells whose nearest point on the edge lies in the raster.
      const auto counts = [&](const Axes& cell) {
        const double height = truth(0, static_cast<double>(cell[1]), static_cast<double>(cell[2]));
        const double y = static_cast<double>(cell[1]) - height * m[1];
        const double x = static_cast<double>(cell[2]) - height * m[2];
        return std::min(y, x) > 1 && std::max(y, x) < 38;
      };
      CoverageScene scene = half_space(extent, m, middle, offset);
      EXPECT_LT(error_of(scene, truth, counts), 1e-9) << degree << " degrees, " << offset;
      round_to_bytes(scene);
      worst_of_bytes = std::max(worst_of_bytes, error_of(scene, truth, counts));
    }
  RecordProperty("worst_of_bytes", std::to_string(worst_of_bytes));
  EXPECT_LT(worst_of_bytes, 0.025);
}

/// The coverage of a disc in cells of any spacing, by 256 lines through each cell.
CoverageScene disc_of(const Axes& extent, const std::vector<double>& spacing, double y0, double x0,
                      double radius) {
  constexpr int kLines = 256;
  CoverageScene scene{.extent = extent, .spacing = spacing, .coverage = {}};
  for (std::int64_t y = 0; y < extent[1]; ++y)
    for (std::int64_t x = 0; x < extent[2]; ++x) {
      double sum = 0;
      const double left = spacing[2] * (static_cast<double>(x) - 0.5) - x0;
      for (int line = 0; line < kLines; ++line) {
        const double across =
            spacing[1] * (static_cast<double>(y) + (line + 0.5) / kLines - 0.5) - y0;
        const double half = std::sqrt(std::max(radius * radius - across * across, 0.0));
        sum += std::max(std::min(left + spacing[2], half) - std::max(left, -half), 0.0);
      }
      scene.coverage.push_back(std::min(sum / (kLines * spacing[2]), 1.0));
    }
  return scene;
}

TEST(CoverageDistance, IsThatToDiscs) {
  for (const double radius : {2.0, 3.0, 5.0, 10.0, 30.0, 77.0, 200.0}) {
    const auto side = static_cast<std::int64_t>(2 * radius) + 14;
    const double y0 = static_cast<double>(side) / 2 + 0.3, x0 = static_cast<double>(side) / 2 - 0.2;
    const Shape disc = [=](double, double y, double x) {
      return std::hypot(y - y0, x - x0) - radius;
    };
    const CoverageScene scene = disc_of({1, side, side}, {1, 1, 1}, y0, x0, radius);
    const double error = error_of(scene, disc, everywhere);
    RecordProperty("disc_" + std::to_string(radius), std::to_string(error));
    EXPECT_LT(error, 0.3 / radius + 0.001) << radius;
  }
}

TEST(CoverageDistance, IsThatToPlanesAndBalls) {
  Draw draw(7);
  for (int i = 0; i < 6; ++i) {
    Vector m{draw.real() - 0.5, draw.real() - 0.5, draw.real() - 0.5};
    const double length = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (double& along : m) along /= length;
    const Vector middle{10, 10, 10};
    const Shape truth = [&](double z, double y, double x) {
      return m[0] * (z - 10) + m[1] * (y - 10) + m[2] * (x - 10) - 0.2;
    };
    const auto counts = [&](const Axes& cell) {
      const double height = truth(static_cast<double>(cell[0]), static_cast<double>(cell[1]),
                                  static_cast<double>(cell[2]));
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const double at = static_cast<double>(cell[axis]) - height * m[axis];
        if (at < 2 || at > 18) return false;
      }
      return true;
    };
    EXPECT_LT(error_of(half_space({21, 21, 21}, m, middle, 0.2), truth, counts), 0.01);
  }
  for (const double radius : {3.0, 8.0}) {
    const auto side = static_cast<std::int64_t>(2 * radius) + 9;
    const double c = static_cast<double>(side) / 2 - 0.3;
    const Shape ball = [=](double z, double y, double x) {
      return std::sqrt((z - c) * (z - c) + (y - c) * (y - c) + (x - c) * (x - c)) - radius;
    };
    const double error = error_of(scene_of({side, side, side}, ball, 16), ball, everywhere);
    RecordProperty("ball_" + std::to_string(radius), std::to_string(error));
    EXPECT_LT(error, 0.8 / radius) << radius;
  }
}

TEST(CoverageDistance, HasTheUnitsOfTheSpacing) {
  // A disc of radius 12 in units of the spacing, whose cells are a quarter and three quarters long.
  const Shape disc = [](double, double y, double x) {
    return std::hypot(0.25 * y - 17.55, 0.75 * x - 17.175) - 12;
  };
  const CoverageScene scene = disc_of({1, 140, 46}, {1, 0.25, 0.75}, 17.55, 17.175, 12);
  EXPECT_LT(error_of(scene, disc, everywhere), 0.03);
}

/// Discs, bars and noise with edges of all kinds.
CoverageScene random_scene(Draw& draw) {
  const bool deep = draw.once_in(4);
  const Axes extent{deep ? 1 + draw.below(9) : 1, 1 + draw.below(deep ? 12 : 40),
                    1 + draw.below(deep ? 12 : 40)};
  std::vector<Vector> middles;
  std::vector<double> radii;
  for (std::int64_t i = 0; i <= draw.below(6); ++i) {
    middles.push_back({draw.real() * static_cast<double>(extent[0]),
                       draw.real() * static_cast<double>(extent[1]),
                       draw.real() * static_cast<double>(extent[2])});
    radii.push_back(0.2 + 8 * draw.real());
  }
  const Shape discs = [&](double z, double y, double x) {
    double least = 1e9;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      const auto& m = middles[i];
      least = std::min(least, std::sqrt((z - m[0]) * (z - m[0]) + (y - m[1]) * (y - m[1]) +
                                        (x - m[2]) * (x - m[2])) -
                                  radii[i]);
    }
    return least;
  };
  CoverageScene scene = scene_of(extent, discs, 4);
  if (draw.once_in(4))
    for (double& share : scene.coverage) share = share >= 0.5 ? 1 : 0;
  if (draw.once_in(3))
    for (double& share : scene.coverage)
      if (draw.once_in(20)) share = draw.once_in(2) ? draw.real() : 0;
  if (draw.once_in(3)) scene.spacing = {1.5, 0.325, 0.5};
  return scene;
}

/// How many cells do not have the nearest edge, and how much farther theirs is, in the longest side
/// of a cell.
struct Overlooked {
  std::int64_t cells = 0;
  std::int64_t farther = 0;
  double most = 0;

  void take(const CoverageScene& scene) {
    const std::vector<double> found = distances_of(scene);
    const std::vector<double> truth = oracle::signed_distances(scene);
    ASSERT_EQ(found.size(), truth.size());
    const double cell = *std::max_element(scene.spacing.begin(), scene.spacing.end());
    cells += std::ssize(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == truth[i]) continue;
      EXPECT_EQ(std::signbit(found[i]), std::signbit(truth[i]));
      EXPECT_GT(std::abs(found[i]), std::abs(truth[i]));
      ++farther;
      most = std::max(most, (std::abs(found[i]) - std::abs(truth[i])) / cell);
    }
  }
};

TEST(CoverageDistance, HardlyEverOverlooksAnEdge) {
  Draw draw(8);
  Overlooked flat, deep;
  for (int i = 0; i < 300; ++i) {
    const CoverageScene scene = random_scene(draw);
    (scene.extent[0] == 1 ? flat : deep).take(scene);
  }
  for (const auto& [name, found] : {std::pair{"flat", flat}, std::pair{"deep", deep}}) {
    RecordProperty(std::string(name) + "_cells", std::to_string(found.cells));
    RecordProperty(std::string(name) + "_farther", std::to_string(found.farther));
    RecordProperty(std::string(name) + "_most", std::to_string(found.most));
  }
  EXPECT_LT(flat.farther * 1000, flat.cells);
  EXPECT_LT(flat.most, 0.06);
  EXPECT_LT(deep.farther * 15, deep.cells);
  EXPECT_LT(deep.most, 0.8);
}

TEST(CoverageDistance, IsExactToTheSidesOfSharpCells) {
  Draw draw(9);
  for (int i = 0; i < 60; ++i) {
    const Axes extent{draw.once_in(3) ? 1 + draw.below(6) : 1, 1 + draw.below(14),
                      1 + draw.below(14)};
    CoverageScene scene{.extent = extent, .spacing = {1, 1, 1}, .coverage = {}};
    std::vector<std::uint8_t> booleans;
    for (std::int64_t k = 0; k < extent[0] * extent[1] * extent[2]; ++k) {
      booleans.push_back(draw.once_in(1 + i % 6) ? 1 : 0);
      scene.coverage.push_back(booleans.back());
    }
    const std::vector<double> found = distances_of(scene);
    EXPECT_EQ(found, oracle::signed_distances(scene));
    const View<const void> view(booleans.data(), ElementType::boolean, extents_of(scene));
    const Raster same = coverage_distance(view, {.distance_type = FloatType::f64});
    EXPECT_EQ(std::memcmp(same.bytes(), found.data(), same.size_bytes()), 0);
  }
}

TEST(CoverageDistance, HasTheSameBitsForAnyThreadsAndStrides) {
  Draw draw(10);
  for (int i = 0; i < 20; ++i) {
    const CoverageScene scene = random_scene(draw);
    const std::vector<double> truth = distances_of(scene);
    const Extents extents = extents_of(scene);
    for (const Layout layout : {Layout::contiguous, Layout::padded, Layout::reversed})
      for (const int threads : {1, 3}) {
        Context context({.device = "cpu", .threads = threads});
        GuardedArray coverage(ElementType::f64, extents, layout);
        coverage.assign(reinterpret_cast<const std::byte*>(scene.coverage.data()));
        const GuardedArray doubles(ElementType::f64, extents, layout);
        const GuardedArray floats(ElementType::f32, extents, layout);
        const CoverageDistanceOptions options{.spacing = spacing_of(scene)};
        coverage_distance(context, coverage.view(), options, doubles.view());
        coverage_distance(context, coverage.view(), options, floats.view());
        EXPECT_TRUE(doubles.intact() && floats.intact());
        const auto bytes = doubles.elements();
        EXPECT_EQ(std::memcmp(bytes.data(), truth.data(), bytes.size()), 0);
        const std::vector<std::byte> rounded = floats.elements();
        for (std::size_t k = 0; k < truth.size(); ++k) {
          float value = 0;
          std::memcpy(&value, rounded.data() + k * sizeof value, sizeof value);
          EXPECT_EQ(value, static_cast<float>(truth[k]));
        }
        EXPECT_TRUE(context.warnings().empty());
      }
  }
}

/// The bits of results, as one number (FNV-1a).
std::uint64_t bits_of(const std::vector<double>& values) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const double value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash = (hash ^ (bits & 0xff)) * 0x100000001b3U;
  }
  return hash;
}

TEST(CoverageDistance, HasTheSameBitsOnEveryMachine) {
  Draw draw(12);
  CoverageScene flat{.extent = {1, 30, 30}, .spacing = {1, 0.5, 0.325}, .coverage = {}};
  CoverageScene deep{.extent = {9, 10, 11}, .spacing = {1.5, 1, 1}, .coverage = {}};
  for (CoverageScene* scene : {&flat, &deep})
    for (std::int64_t i = 0; i < scene->extent[0] * scene->extent[1] * scene->extent[2]; ++i)
      scene->coverage.push_back(draw.once_in(3) ? draw.real() : static_cast<double>(draw.below(2)));
  EXPECT_EQ(bits_of(distances_of(flat)), 7584893547054674910U);
  EXPECT_EQ(bits_of(distances_of(deep)), 11548219275902763684U);
}

TEST(CoverageDistance, TakesBytesWordsAndFloats) {
  Draw draw(11);
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint16_t> words;
  std::vector<double> shares;
  std::vector<float> floats;
  for (int i = 0; i < 400; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(draw.once_in(2) ? 0 : draw.below(256)));
    words.push_back(static_cast<std::uint16_t>(bytes.back() * 257));
    shares.push_back(bytes.back() / 255.0);
    floats.push_back(static_cast<float>(draw.below(5)) / 4);
  }
  const Extents extents{20, 20};
  const auto of = [&](const View<const void>& view) {
    const Raster found = coverage_distance(view, {.distance_type = FloatType::f64});
    const auto* const begin = found.view<double>().data();
    return std::vector<double>(begin, begin + 400);
  };
  const auto truth = of(View<const double>(shares.data(), extents));
  EXPECT_EQ(of(View<const std::uint8_t>(bytes.data(), extents)), truth);
  EXPECT_EQ(of(View<const std::uint16_t>(words.data(), extents)), truth);
  const std::vector<double> wide(floats.begin(), floats.end());
  EXPECT_EQ(of(View<const float>(floats.data(), extents)),
            of(View<const double>(wide.data(), extents)));
}

/// Distances of one row.
std::vector<double> of_row(const std::vector<double>& coverage, double max_distance = kInfinity) {
  return distances_of(
      {.extent = {1, 1, std::ssize(coverage)}, .spacing = {1, 1, 1}, .coverage = coverage},
      max_distance);
}

TEST(CoverageDistance, OfRowsIsWhatOneWouldSay) {
  using Row = std::vector<double>;
  EXPECT_EQ(of_row({0, 0, 1, 1}), (Row{1.5, 0.5, -0.5, -1.5}));
  EXPECT_EQ(of_row({0, 0.25, 1, 1}), (Row{1.25, 0.25, -0.75, -1.75}));
  EXPECT_EQ(of_row({0, 0.5, 1}), (Row{1, 0, -1}));
  EXPECT_FALSE(std::signbit(of_row({0, 0.5, 1})[1]));
  // A line thinner than a cell, in its middle or across two cells; a gap.
  EXPECT_EQ(of_row({0, 0, 0.5, 0, 0}), (Row{1.75, 0.75, -0.25, 0.75, 1.75}));
  EXPECT_EQ(of_row({0, 0.25, 0.5, 0}), (Row{1.25, 0.25, 0, 1}));
  EXPECT_EQ(of_row({1, 1, 0.5, 1}), (Row{-1.75, -0.75, 0.25, -0.75}));
  EXPECT_EQ(of_row({1, 1, 1}), (Row{-kInfinity, -kInfinity, -kInfinity}));
  EXPECT_EQ(of_row({0, 0}), (Row{kInfinity, kInfinity}));
  EXPECT_EQ(of_row({0.25, 0.25}), (Row{kInfinity, kInfinity}));
  EXPECT_EQ(of_row({0.75}), (Row{-kInfinity}));
  EXPECT_EQ(of_row({0, 0, 0, 1, 1}, 1.5), (Row{kInfinity, 1.5, 0.5, -0.5, -1.5}));
  EXPECT_EQ(of_row({0, 0, 1}, 0), (Row{kInfinity, kInfinity, -kInfinity}));
}

TEST(CoverageDistance, OfNoCellsIsNothing) {
  EXPECT_EQ(coverage_distance(View<const float>(nullptr, {0, 7})).extents(), (Extents{0, 7}));
  EXPECT_EQ(coverage_distance(View<const float>(nullptr, {3, 0, 7})).extents(), (Extents{3, 0, 7}));
}

TEST(CoverageDistance, RefusesWhatIsNoCoverage) {
  std::vector<double> cells(6, 0.5);
  const View<const double> view(cells.data(), {2, 3});
  const auto message = [&](const CoverageDistanceOptions& options) {
    return message_of([&] { coverage_distance(view, options); });
  };
  cells[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message({}), "coverage[1, 1] = nan; must be from 0 to 1");
  cells[2] = 1.5;
  EXPECT_EQ(message({}), "coverage[0, 2] = 1.5; must be from 0 to 1");
  cells[2] = -0.25;
  EXPECT_EQ(message({}), "coverage[0, 2] = -0.25; must be from 0 to 1");
  EXPECT_EQ(message({.spacing = {1}}),
            "spacing has 1 values; must have one for each of the 2 axes");
  EXPECT_EQ(message({.spacing = {1, 0}}), "spacing[1] = 0; must be finite and > 0");
  EXPECT_EQ(message({.max_distance = -1}), "max_distance = -1; must be >= 0");
  const std::vector<std::int32_t> numbers(6);
  EXPECT_EQ(message_of([&] {
              coverage_distance(View<const std::int32_t>(numbers.data(), {2, 3}));
            }),
            "coverage is i32; must be u8, u16, f32, f64 or bool");
  Context context;
  std::vector<std::uint8_t> bytes(6);
  EXPECT_EQ(message_of([&] {
              coverage_distance(context, view, {}, View<std::uint8_t>(bytes.data(), {2, 3}));
            }),
            "distance is u8; must be f32 or f64");
  EXPECT_EQ(message_of([&] {
              coverage_distance(context, view, {}, View<double>(cells.data(), {2, 3}));
            }).substr(0, 8),
            "distance");
}

TEST(CoverageDistance, CanBeEnded) {
  const std::vector<double> cells(400, 0.5);
  std::vector<float> distance(400);
  Context context;
  context.cancel();
  EXPECT_THROW(coverage_distance(context, View<const double>(cells.data(), {20, 20}), {},
                                 View<float>(distance.data(), {20, 20})),
               Error);
}

}  // namespace
}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// What relax_sites() and farthest_sites() take and refuse, when they end, and how they are ended.
#include "thiessen/placing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "placing/binned_sum.hpp"
#include "support/draw.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class PlacingSites : public ::testing::Test {
 protected:
  RelaxedPoints relax(const RelaxOptions& options, View<const void> density = {},
                      View<const void> domain = {}) {
    return relax_sites(context_, points(), grid_, options, density, domain);
  }
  RelaxedCells relax_costs(const RelaxOptions& options, View<const void> density = {}) {
    return relax_cost_sites(context_, CostMap::stiffness(map()), cells_, {}, options, density);
  }

  View<const double> points() const { return {coordinates_.data(), {2, 2}}; }
  View<const float> map() const { return {map_.data(), {2, 4}}; }

  Context context_{ContextOptions{.threads = 2}};
  Grid grid_{.extents = {2, 4}};
  std::vector<double> coordinates_{0, 0, 0, 1};
  std::vector<std::int64_t> cells_{0, 1};
  std::vector<float> map_ = std::vector<float>(8, 1.0F);
};

TEST_F(PlacingSites, PointsEndInTheMiddleOfTheirCells) {
  const RelaxedPoints relaxed = relax({.steps = 50});
  EXPECT_EQ(relaxed.coordinates, (std::vector<double>{0.5, 0.5, 0.5, 2.5}));
  EXPECT_EQ(relaxed.relaxation.end, RelaxEnd::settled);
  EXPECT_EQ(relaxed.relaxation.farthest_move.back(), 0);
  EXPECT_EQ(relaxed.relaxation.energy.back(), 8 * 0.5);
  EXPECT_EQ(relaxed.relaxation.energy.size(), relaxed.relaxation.farthest_move.size() + 1);
}

TEST_F(PlacingSites, NoStepTellsTheEnergyAlone) {
  const RelaxedPoints relaxed = relax({.steps = 0});
  EXPECT_EQ(relaxed.coordinates, coordinates_);
  EXPECT_EQ(relaxed.relaxation.energy, (std::vector<double>{14}));
  EXPECT_EQ(relaxed.relaxation.end, RelaxEnd::steps);
}

TEST_F(PlacingSites, StepsEndAtATolerance) {
  const RelaxedPoints relaxed = relax({.steps = 50, .tolerance = 1.2});
  EXPECT_EQ(relaxed.relaxation.end, RelaxEnd::settled);
  EXPECT_GT(relaxed.relaxation.farthest_move.back(), 0);
  EXPECT_LE(relaxed.relaxation.farthest_move.back(), 1.2);
}

TEST_F(PlacingSites, StepsEndWhenTheEnergyFallsTooLittle) {
  const RelaxedPoints relaxed = relax({.steps = 50, .least_fall = 0.9});
  EXPECT_EQ(relaxed.relaxation.end, RelaxEnd::energy);
  EXPECT_EQ(relaxed.relaxation.energy.size(), 2u);
}

TEST_F(PlacingSites, WhatHasNoMassStays) {
  const std::array<std::uint8_t, 8> left{1, 0, 0, 0, 1, 0, 0, 0};
  const RelaxedPoints relaxed = relax({}, View<const std::uint8_t>(left.data(), {2, 4}));
  EXPECT_EQ(relaxed.coordinates, (std::vector<double>{0.5, 0, 0, 1}));
  const RelaxedCells cells = relax_costs({}, View<const std::uint8_t>(left.data(), {2, 4}));
  EXPECT_EQ(cells.cells, (std::vector<std::int64_t>{0, 1}));
}

TEST_F(PlacingSites, DensityOutsideOfTheDomainIsNotRead) {
  std::vector<double> density(8, 1.0);
  density[3] = kNan;
  std::vector<std::uint8_t> domain(8, 1);
  domain[3] = 0;
  const View<const double> view(density.data(), {2, 4});
  EXPECT_EQ(relax({}, view, View<const std::uint8_t>(domain.data(), {2, 4})).relaxation.end,
            RelaxEnd::settled);
  EXPECT_EQ(error_of([&] { relax({}, view); }),
            "density[0, 3] = nan; must be finite and >= 0 in cells that have a site");
  map_[3] = 0;
  EXPECT_EQ(relax_costs({}, view).relaxation.end, RelaxEnd::settled);
  EXPECT_EQ(farthest_cost_sites(context_, CostMap::stiffness(map()), {}, {.count = 9}, {}, view)
                .cells.size(),
            7u);
}

TEST_F(PlacingSites, BadArgumentsAreRefused) {
  EXPECT_EQ(error_of([&] { relax({.steps = -1}); }), "steps = -1; must be >= 0");
  EXPECT_EQ(error_of([&] { relax({.tolerance = kInfinity}); }),
            "tolerance = inf; must be finite and >= 0");
  EXPECT_EQ(error_of([&] { relax_costs({.least_fall = 1.5}); }),
            "least_fall = 1.5; must be from 0 to 1");
  const std::array<std::int16_t, 8> density{1, 1, 1, 1, 1, -2, 1, 1};
  const View<const std::int16_t> view(density.data(), {2, 4});
  EXPECT_EQ(error_of([&] { relax({}, view); }),
            "density[1, 1] = -2; must be finite and >= 0 in cells that have a site");
  EXPECT_EQ(error_of([&] { farthest_sites(context_, grid_, {}, {}, view); }),
            "density[1, 1] = -2; must be finite and >= 0 in cells of the domain");
  EXPECT_EQ(
      error_of([&] { farthest_cost_sites(context_, CostMap::stiffness(map()), {}, {}, {}, view); }),
      "density[1, 1] = -2; must be finite and >= 0 in cells that are no barriers");
  EXPECT_EQ(error_of([&] {
              relax({}, View<const std::int16_t>(density.data(), {4, 2}));
            }),
            "density has 2 axes and 8 cells; must have the extents of the raster, 2 axes and 8 "
            "cells");
  cells_[1] = 8;
  EXPECT_EQ(error_of([&] { relax_costs({}); }),
            "cells[1] = 8; must be a cell of the raster, 0 to 7");
  coordinates_[2] = kNan;
  EXPECT_EQ(error_of([&] { relax({}); }),
            "points[1, 0] = nan; must be finite and at most 2^31 cells away");
  EXPECT_EQ(error_of([&] { farthest_sites(context_, grid_, {.count = -1}); }),
            "count = -1; must be >= 0");
  EXPECT_EQ(error_of([&] { farthest_sites(context_, grid_, {.max_distance = kNan}); }),
            "max_distance = nan; must be >= 0");
  grid_.spacing = {1};
  EXPECT_EQ(error_of([&] { relax({}); }),
            "spacing has 1 values; must have one for each of the 2 axes");
}

TEST_F(PlacingSites, TheFirstOfTheFarthestCellsIsTheFirstCell) {
  const FarthestSites placed = farthest_sites(context_, grid_, {.count = 3});
  EXPECT_EQ(placed.cells, (std::vector<std::int64_t>{0, 7, 2}));
  EXPECT_EQ(placed.distance[0], kInfinity);
  EXPECT_EQ(placed.distance[1], std::sqrt(10.0));
  EXPECT_EQ(placed.radius, std::sqrt(2.0));
}

TEST_F(PlacingSites, ACoverEndsWithinADistance) {
  const FarthestSites placed = farthest_sites(context_, grid_, {.count = 8, .max_distance = 1});
  EXPECT_EQ(placed.cells.size(), 4u);
  EXPECT_EQ(placed.radius, 1);
  EXPECT_EQ(farthest_sites(context_, grid_, {.count = 99}).cells.size(), 8u);
}

TEST_F(PlacingSites, PointsGoAcrossTheSeam) {
  coordinates_ = {0, 3, 0, -0.75};
  const RelaxedPoints relaxed = relax({.steps = 1, .periodic = {true, true}});
  // Cells 3 and 2 of each row belong to the first point, 0 and 1 to the second one, at 3.25.
  EXPECT_EQ(relaxed.coordinates[1], 2.5);
  EXPECT_EQ(relaxed.coordinates[3], 0.5);
  EXPECT_EQ(relaxed.relaxation.farthest_move[0], std::sqrt(0.25 + 1.25 * 1.25));
}

TEST_F(PlacingSites, CostsHaveNoPeriodicAxes) {
  const std::string refused = "periodic is given; it is for straight lines only";
  EXPECT_EQ(error_of([&] { relax_costs({.periodic = {true, false}}); }), refused);
  EXPECT_EQ(
      error_of([&] {
        farthest_cost_sites(context_, CostMap::stiffness(map()), {}, {.periodic = {true, false}});
      }),
      refused);
  EXPECT_EQ(error_of([&] { relax({.periodic = {true}}); }),
            "periodic has 1 values; must have one for each of the 2 axes");
}

TEST_F(PlacingSites, RegionsThatNothingReachesComeFirst) {
  map_[2] = map_[6] = 0;
  const FarthestSites placed = farthest_cost_sites(context_, CostMap::stiffness(map()), {},
                                                   {.count = 99}, std::vector<std::int64_t>{0});
  EXPECT_EQ(placed.cells.size(), 5u);
  EXPECT_EQ(placed.cells.front(), 3);
  EXPECT_EQ(placed.distance.front(), kInfinity);
  EXPECT_EQ(placed.radius, 0);
}

TEST_F(PlacingSites, RastersWithoutCellsHaveNoSites) {
  grid_.extents = {0, 4};
  const FarthestSites placed = farthest_sites(context_, grid_, {.count = 3});
  EXPECT_TRUE(placed.cells.empty());
  EXPECT_EQ(placed.radius, 0);
  const RelaxedPoints relaxed = relax({});
  EXPECT_EQ(relaxed.coordinates, coordinates_);
  EXPECT_EQ(relaxed.relaxation.energy, (std::vector<double>{0, 0}));
}

// ---- progress, and the end of a call by another thread
// -------------------------------------------

class LongPlacing : public ::testing::Test {
 public:
  LongPlacing() {
    testing::Draw draw(1);
    for (double& each : coordinates_) each = 256 * draw.real();
  }

  void relax() {
    relax_sites(context_, View<const double>(coordinates_.data(), {50, 2}), grid_, {.steps = 20});
  }
  void place() { farthest_sites(context_, grid_, {.count = 300}); }

  Context context_{ContextOptions{.threads = 2}};
  Grid grid_{.extents = {256, 256}};
  std::vector<double> coordinates_ = std::vector<double>(100);
};

TEST_F(LongPlacing, ProgressGrowsToOne) {
  for (const auto call : {&LongPlacing::relax, &LongPlacing::place}) {
    std::vector<double> seen;
    context_.on_progress([&](double share) { seen.push_back(share); });
    (this->*call)();
    ASSERT_GT(seen.size(), 20u);
    for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i], seen[i - 1]);
    EXPECT_EQ(seen.back(), 1);
  }
}

TEST_F(LongPlacing, ACancelEndsTheWholeCallAndNoOther) {
  for (const auto call : {&LongPlacing::relax, &LongPlacing::place}) {
    // Wherever it comes, and whichever of the calls within is running or has just ended.
    for (double from = 0; from < 0.9; from += 0.05) {
      context_.on_progress([&](double share) {
        if (share > from) context_.cancel();
      });
      EXPECT_EQ(error_of([&] { (this->*call)(); }), "cancelled") << from;
    }
    context_.on_progress({});
    context_.cancel();
    EXPECT_EQ(error_of([&] { (this->*call)(); }), "cancelled");
    EXPECT_EQ(error_of([&] { (this->*call)(); }), "no error");
  }
}

// ---- sums
// ----------------------------------------------------------------------------------------

TEST(BinnedSum, IsTheExactSum) {
  testing::Draw draw(3);
  for (int round = 0; round < 100; ++round) {
    placing::BinnedSum sum;
    placing::BinnedSum other;
    ExactSum<double> wanted;
    // Exponents from subnormal numbers on; or equal ones, as many as bins can take, and more.
    const std::int64_t exponents = round % 3 == 0 ? 2080 : round % 3 == 1 ? 40 : 1;
    for (int part = 0; part < 12; ++part) {
      std::vector<double> values(static_cast<std::size_t>(1 + draw.below(1024)));
      for (double& value : values) {
        const int exponent = static_cast<int>(draw.below(exponents)) - 1074;
        value = draw.once_in(9) ? 0 : std::ldexp(2 - draw.real() / 1024, exponent);
        wanted.add(value);
      }
      (part % 5 == 0 ? other : sum).add(values.data(), std::ssize(values));
    }
    sum.add(other);
    EXPECT_EQ(sum.value(), wanted.value()) << round;
  }
}

TEST(BinnedSum, OverflowsToInfinity) {
  placing::BinnedSum sum;
  EXPECT_EQ(sum.value(), 0);
  const std::array<double, 3> values{std::numeric_limits<double>::max(),
                                     std::numeric_limits<double>::denorm_min(), kInfinity};
  sum.add(values.data(), 2);
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::max());
  sum.add(values.data(), 1);
  EXPECT_EQ(sum.value(), kInfinity);
  placing::BinnedSum other;
  other.add(values.data(), 3);
  EXPECT_EQ(other.value(), kInfinity);
}

}  // namespace
}  // namespace thiessen

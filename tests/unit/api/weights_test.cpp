// SPDX-License-Identifier: Apache-2.0
//
// Weighted points by the public calls: what the three kinds mean, decimals, limits, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::message_of;

/// Points on a line of cells, and the grid of it.
struct Line {
  std::vector<double> places;  ///< (y, x) of one point after the other
  std::vector<double> weights;
  std::int64_t cells;

  PointList list() const {
    const auto count = static_cast<std::int64_t>(weights.size());
    return {.coordinates = View<const double>(places.data(), Extents{count, 2}),
            .weights = View<const double>(weights.data(), Extents{count})};
  }
  NearestSite find(const NearestSiteOptions& options) const {
    return voronoi(list(), {.extents = {1, cells}}, options,
                   {.site_index = true, .weighted_distance = true});
  }
};

std::vector<std::int64_t> sites_of(const NearestSite& found) {
  const auto& index = found.site_index;
  return {index.data(), index.data() + index.extents().count()};
}

std::vector<float> keys_of(const NearestSite& found) {
  const auto* first = reinterpret_cast<const float*>(found.weighted_distance.bytes());
  return {first, first + found.weighted_distance.extents().count()};
}

using Sites = std::vector<std::int64_t>;
using Keys = std::vector<float>;

TEST(Weights, PowerTakesThemFromSquaredDistances) {
  const Line line{{0, 0, 0, 6}, {0, 12}, 7};
  const NearestSite found = line.find({.weighting = Weighting::power});
  // x² against (6 − x)² − 12: equal at x = 2, where the first one wins.
  EXPECT_EQ(sites_of(found), (Sites{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(keys_of(found), (Keys{0, 1, 4, -3, -8, -11, -12}));
}

TEST(Weights, AdditiveTakesThemFromDistances) {
  const Line line{{0, 0, 0, 6}, {0, 2}, 7};
  const NearestSite found = line.find({.weighting = Weighting::additive});
  EXPECT_EQ(sites_of(found), (Sites{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(keys_of(found), (Keys{0, 1, 2, 1, 0, -1, -2}));
}

TEST(Weights, OrderTheNearestPoints) {
  const Line line{{0, 0, 0, 3, 0, 6}, {0, 0, 12}, 7};
  const NearestSite found = line.find({.weighting = Weighting::power, .k = 2});
  // x², (3 − x)² and (6 − x)² − 12.
  EXPECT_EQ(sites_of(found), (Sites{0, 0, 1, 2, 2, 2, 2, 1, 1, 0, 1, 1, 1, 1}));
  EXPECT_EQ(keys_of(found), (Keys{0, 1, 1, -3, -8, -11, -12, 9, 4, 4, 0, 1, 4, 9}));
}

TEST(Weights, LimitTheNearestPoints) {
  const Line line{{0, 0, 0, 6}, {1, 2}, 7};
  const NearestSite found =
      line.find({.weighting = Weighting::multiplicative, .max_distance = 1, .k = 2});
  EXPECT_EQ(sites_of(found), (Sites{0, 0, -1, -1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}));
}

TEST(Weights, TieAtEqualKeys) {
  const Line line{{0, 0, 0, 6}, {0, 12}, 7};
  const NearestSite found = voronoi(line.list(), {.extents = {1, line.cells}},
                                    {.weighting = Weighting::power}, {.ties = true});
  const std::uint8_t* const first = found.ties.data();
  EXPECT_EQ(std::vector<int>(first, first + 7), (std::vector<int>{1, 1, 2, 1, 1, 1, 1}));
}

TEST(Weights, MultiplicativeDivideDistances) {
  const Line line{{0, 0, 0, 6}, {1, 2}, 7};
  const NearestSite found = line.find({.weighting = Weighting::multiplicative});
  EXPECT_EQ(sites_of(found), (Sites{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(keys_of(found), (Keys{0, 1, 2, 1.5F, 1, 0.5F, 0}));
}

TEST(Weights, ASiteMayLoseItsOwnCell) {
  const Line line{{0, 0, 0, 1}, {0, 9}, 3};
  EXPECT_EQ(sites_of(line.find({.weighting = Weighting::power})), (Sites{1, 1, 1}));
  EXPECT_EQ(sites_of(line.find({.weighting = Weighting::additive})), (Sites{1, 1, 1}));
}

TEST(Weights, AreDecimalsAsTyped) {
  // In doubles 0.1 · 3 is more than 0.3, so that 0.3 − 0.3 would not tie with 0.
  const std::vector<double> spacing{0.1, 0.1};
  const Line additive{{0, 0, 0, 3}, {0.3, 0.3}, 4};
  EXPECT_EQ(sites_of(additive.find({.weighting = Weighting::additive, .spacing = spacing})),
            (Sites{0, 0, 1, 1}));
  // 0.01 · x² and 0.01 · (3 − x)² − 0.03 are equal at x = 1.
  const Line power{{0, 0, 0, 3}, {0, 0.03}, 4};
  EXPECT_EQ(sites_of(power.find({.weighting = Weighting::power, .spacing = spacing})),
            (Sites{0, 0, 1, 1}));
  const Line ratio{{0, 0, 0, 3}, {0.1, 0.2}, 4};
  EXPECT_EQ(sites_of(ratio.find({.weighting = Weighting::multiplicative, .spacing = spacing})),
            (Sites{0, 0, 1, 1}));
}

TEST(Weights, DoNotChangeDistances) {
  const std::vector<double> spacing{0.1, 0.1};
  const Line line{{0, 0.5, 0, 5}, {0.01, 0.25}, 8};
  for (const Weighting weighting :
       {Weighting::power, Weighting::additive, Weighting::multiplicative}) {
    const NearestSite found =
        line.find({.weighting = weighting, .spacing = spacing, .distance_type = FloatType::f64});
    const auto* distance = reinterpret_cast<const double*>(found.distance.bytes());
    const auto* key = reinterpret_cast<const double*>(found.weighted_distance.bytes());
    for (std::int64_t x = 0; x < line.cells; ++x) {
      const auto site = static_cast<std::size_t>(found.site_index.data()[x]);
      const Line alone{{0, line.places[2 * site + 1]}, {0.5}, line.cells};
      const NearestSite unweighted =
          voronoi({.coordinates = alone.list().coordinates}, {.extents = {1, line.cells}},
                  {.spacing = spacing, .distance_type = FloatType::f64});
      EXPECT_EQ(distance[x], reinterpret_cast<const double*>(unweighted.distance.bytes())[x]);
      const double weight = line.weights[site];
      if (weighting == Weighting::additive) {
        EXPECT_EQ(key[x], distance[x] - weight);
      } else if (weighting == Weighting::multiplicative) {
        EXPECT_EQ(key[x], distance[x] / weight);
      } else {
        EXPECT_NEAR(key[x], distance[x] * distance[x] - weight, 1e-12);
      }
    }
  }
}

TEST(Weights, MaxDistanceLimitsKeys) {
  const Line line{{0, 0, 0, 6}, {0, 2}, 7};
  const NearestSite found = line.find({.weighting = Weighting::additive, .max_distance = 1});
  EXPECT_EQ(sites_of(found), (Sites{0, 0, kUnreached, 1, 1, 1, 1}));
  EXPECT_EQ(keys_of(found)[2], std::numeric_limits<float>::infinity());
}

TEST(Weights, MayBeIntegersAndFloats) {
  const std::array<double, 4> places{0, 0, 0, 6};
  const View<const double> coordinates(places.data(), Extents{2, 2});
  const std::array<std::int32_t, 2> integers{0, 12};
  const std::array<float, 2> floats{0.1F, 12.1F};
  const Grid grid{.extents = {1, 7}};
  const NearestSiteOptions options{.weighting = Weighting::power};
  const NearestSite of_integers =
      voronoi({.coordinates = coordinates,
               .weights = View<const std::int32_t>(integers.data(), Extents{2})},
              grid, options, {.site_index = true});
  const NearestSite of_floats =
      voronoi({.coordinates = coordinates, .weights = View<const float>(floats.data(), Extents{2})},
              grid, options, {.site_index = true});
  EXPECT_EQ(sites_of(of_integers), (Sites{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(sites_of(of_floats), (Sites{0, 0, 0, 1, 1, 1, 1}));
}

TEST(Weights, RefusalsNameWhatIsWrong) {
  const Line line{{0, 0, 0, 6}, {1, 2}, 7};
  const auto refusal = [](const Line& of, const NearestSiteOptions& options) {
    return message_of([&] { of.find(options); });
  };
  EXPECT_EQ(refusal(line, {}),
            "weighting = none; must be power, additive or multiplicative where weights are given");
  EXPECT_EQ(refusal({{0, 0, 0, 6}, {1, 0}, 7}, {.weighting = Weighting::multiplicative}),
            "weights[1] = 0; must be finite and > 0");
  EXPECT_EQ(refusal({{0, 0, 0, 6}, {1, std::nan("")}, 7}, {.weighting = Weighting::power}),
            "weights[1] = nan; must be finite");
  EXPECT_EQ(refusal({{0, 0, 0, 6}, {1, 1e-60}, 7}, {.weighting = Weighting::power}),
            "weights[1] = 1e-60; has more digits than exact keys have with this spacing and the "
            "other weights; round the "
            "weights to fewer decimals");
  EXPECT_EQ(refusal({{0, 0, 0, 6}, {1e30, 1}, 7}, {.weighting = Weighting::additive}),
            "weights[0] = 1e+30; has more digits than exact keys have with this spacing and the "
            "other weights; round the "
            "weights to fewer decimals");
  EXPECT_EQ(refusal(line, {.metric = Metric::manhattan, .weighting = Weighting::power}),
            "weighting = power and another metric are given; weights are for metric = euclidean");
  EXPECT_EQ(message_of([&] {
              voronoi(line.list(), {.extents = {1, 7}}, {.weighting = Weighting::power},
                      {.other_labels = true});
            }),
            "weighting = power is given and outputs of another label are wanted; weighted sites "
            "have none");
  EXPECT_EQ(
      refusal(line, {.method = Method::brute_force, .weighting = Weighting::power}),
      "method = brute-force on cpu: weights are given, which only exact on cpu and cuda takes");
  EXPECT_EQ(message_of([&] {
              voronoi({.coordinates = line.list().coordinates}, {.extents = {1, 7}},
                      {.weighting = Weighting::power});
            }),
            "weighting is given; needs weights");
  EXPECT_EQ(message_of([&] {
              voronoi({.coordinates = line.list().coordinates}, {.extents = {1, 7}}, {},
                      {.weighted_distance = true});
            }),
            "weighted_distance is wanted; it exists only with weights");
  const std::array<std::uint8_t, 4> cells{1, 0, 0, 2};
  EXPECT_EQ(message_of([&] {
              nearest_site(View<const std::uint8_t>(cells.data(), Extents{2, 2}),
                           {.weighting = Weighting::power});
            }),
            "weighting is given; needs weights");
}

/// Rows of the whole call, with images of points beyond both ends.
TEST(Weights, SlabsAreRowsOfTheWhole) {
  const Grid grid{.extents = {40, 30}};
  constexpr std::int64_t kRows = 12;
  std::vector<double> places, weights;
  testing::Draw draw(3);
  for (int i = 0; i < 25; ++i) {
    places.insert(places.end(), {60 * draw.real() - 10, 30 * draw.real()});
    weights.push_back(static_cast<double>(1 + draw.below(40)) / 10);
  }
  const PointList list{.coordinates = View<const double>(places.data(), Extents{25, 2}),
                       .weights = View<const double>(weights.data(), Extents{25})};
  for (const Weighting weighting :
       {Weighting::power, Weighting::additive, Weighting::multiplicative})
    for (const bool turns : {false, true}) {
      const NearestSiteOptions options{.weighting = weighting, .periodic = {turns, false}};
      const NearestSite whole =
          voronoi(list, grid, options, {.site_index = true, .weighted_distance = true});
      for (std::int64_t first = 0; first < 40; first += kRows) {
        const std::int64_t rows = std::min(kRows, 40 - first);
        Array<std::int64_t> index({rows, 30});
        Array<float> key({rows, 30});
        voronoi_slab(default_context(), list, grid, first, rows, options,
                     {.site_index = index.view(), .weighted_distance = key.view()});
        const auto* keys = reinterpret_cast<const float*>(whole.weighted_distance.bytes());
        for (std::int64_t i = 0; i < rows * 30; ++i) {
          ASSERT_EQ(index.data()[i], whole.site_index.data()[first * 30 + i]) << first << ", " << i;
          ASSERT_EQ(key.data()[i], keys[first * 30 + i]) << first << ", " << i;
        }
      }
    }
}

/// Vectors write floats, and find most of them without the exact numbers, which doubles come of.
TEST(Weights, KeysInFloatsAreThoseInDoublesRounded) {
  testing::Draw draw(7);
  constexpr int kProblems = 120;
  for (int problem = 0; problem < kProblems; ++problem) {
    const auto weighting = static_cast<Weighting>(1 + problem % 3);
    const Grid grid{.extents = {20 + draw.below(60), 20 + draw.below(60)},
                    .spacing = {draw.once_in(2) ? 1 : 0.1, draw.once_in(2) ? 1 : 0.3}};
    std::vector<double> places, weights;
    const bool are_whole = draw.once_in(2);
    const auto count = static_cast<std::int64_t>(1 + draw.below(30));
    for (std::int64_t i = 0; i < count; ++i) {
      for (int axis = 0; axis < 2; ++axis) {
        const double place = 90 * draw.real() - 10;
        places.push_back(are_whole ? std::round(place) : place);
      }
      weights.push_back(static_cast<double>(1 + draw.below(3000)) / (draw.once_in(2) ? 1 : 100));
    }
    const PointList list{.coordinates = View<const double>(places.data(), Extents{count, 2}),
                         .weights = View<const double>(weights.data(), Extents{count})};
    NearestSiteOptions options{.weighting = weighting, .periodic = {draw.once_in(3), false}};
    const NearestSiteWanted wanted{.labels = true, .distance = true, .weighted_distance = true};
    const NearestSite narrow = voronoi(list, grid, options, wanted);
    options.distance_type = FloatType::f64;
    const NearestSite wide = voronoi(list, grid, options, wanted);
    for (const auto member : {&NearestSite::distance, &NearestSite::weighted_distance}) {
      const auto* const floats = reinterpret_cast<const float*>((narrow.*member).bytes());
      const auto* const doubles = reinterpret_cast<const double*>((wide.*member).bytes());
      for (std::int64_t i = 0; i < grid.extents.count(); ++i)
        ASSERT_EQ(floats[i], static_cast<float>(doubles[i])) << problem << ", cell " << i;
    }
  }
}

TEST(Weights, SolversHaveNone) {
  const Line line{{0, 0, 0, 6}, {1, 2}, 7};
  const NearestSiteOptions options{.weighting = Weighting::power};
  std::vector<std::int32_t> labels(7);
  const NearestSiteOutputs out{.labels = View<std::int32_t>(labels.data(), Extents{1, 7})};
  EXPECT_NE(message_of([&] {
              NearestSiteSolver(default_context(), line.list(), {.extents = {1, 7}}, options, out);
            }).find("weighting = power; its sites have no weights"),
            std::string::npos);
}

}  // namespace
}  // namespace thiessen

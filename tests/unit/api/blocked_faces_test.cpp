// SPDX-License-Identifier: Apache-2.0
//
// Blocked faces of cost_distance(), by costs that were found by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr float kUnreachedCost = std::numeric_limits<float>::infinity();
constexpr std::uint8_t kX = 1, kY = 2, kZ = 4;

/// A body of ones, a site in its first cell, and blocked faces.
struct Body {
  explicit Body(const Extents& shape)
      : extents(shape),
        map(static_cast<std::size_t>(shape.count()), 1),
        faces(map.size()),
        sites(map.size()) {
    sites[0] = 1;
  }

  CostDistance run(CostDistanceOptions options) const {
    options.blocked_faces = View<const std::uint8_t>(faces.data(), extents);
    return cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                         View<const std::uint8_t>(sites.data(), extents), options);
  }
  std::vector<float> costs(const CostDistanceOptions& options) const {
    const CostDistance found = run(options);
    const auto distance = found.distance.view<float>();
    return {distance.data(), distance.data() + extents.count()};
  }

  Extents extents;
  std::vector<float> map;
  std::vector<std::uint8_t> faces;
  std::vector<std::uint8_t> sites;
};

constexpr CostMethod kMethods[] = {CostMethod::exact, CostMethod::dijkstra, CostMethod::relaxation};

TEST(BlockedFaces, ACutThroughABodyLosesNoCell) {
  Body body({4, 1, 6});
  for (std::size_t x = 0; x < 5; ++x) body.faces[6 + x] = kZ;  // between the planes 1 and 2
  for (const CostMethod method : kMethods) {
    const auto costs = body.costs({.method = method, .connectivity = Connectivity::faces});
    EXPECT_EQ(costs, (std::vector<float>{0,  1,  2,  3,  4, 5,  //
                                         1,  2,  3,  4,  5, 6,  //
                                         12, 11, 10, 9,  8, 7,  //
                                         13, 12, 11, 10, 9, 8}));
  }
  body.faces[11] = kZ;
  for (const CostMethod method : kMethods)
    for (const Connectivity neighbours :
         {Connectivity::faces, Connectivity::edges, Connectivity::corners}) {
      const auto costs = body.costs({.method = method, .connectivity = neighbours});
      for (std::size_t cell = 0; cell < costs.size(); ++cell)
        EXPECT_EQ(costs[cell] == kUnreachedCost, cell >= 12) << cell;
    }
}

TEST(BlockedFaces, ADiagonalStepPassesBesideTheEndOfACut) {
  Body body({2, 2});
  const auto diagonal = static_cast<float>(std::sqrt(2.0));
  body.faces = {kX, 0, 0, 0};
  EXPECT_EQ(body.costs({}), (std::vector<float>{0, 1 + diagonal, 1, diagonal}));
  body.faces = {kX, kY, 0, 0};  // the ways over both other cells are open in part only
  EXPECT_EQ(body.costs({}), (std::vector<float>{0, kUnreachedCost, 1, diagonal}));
  body.faces = {kX, 0, kX, 0};
  EXPECT_EQ(body.costs({}), (std::vector<float>{0, kUnreachedCost, 1, kUnreachedCost}));
  body.faces = {kX | kY, 0, 0, 0};
  EXPECT_EQ(body.costs({}),
            (std::vector<float>{0, kUnreachedCost, kUnreachedCost, kUnreachedCost}));
}

TEST(BlockedFaces, AKnightsWayMayWindInItsBox) {
  Body body({3, 2});
  const CostDistanceOptions knights{.connectivity = Connectivity::knights};
  const auto knight = static_cast<float>(std::sqrt(5.0));
  body.faces = {kY, 0, 0, kY, 0, 0};
  EXPECT_EQ(body.costs(knights)[5], knight);
  body.faces = {kY, 0, kX, kY, 0, 0};  // the way is closed in the middle
  EXPECT_EQ(body.costs(knights)[5], kUnreachedCost);
  body.faces = {kX, 0, kX, 0, 0, 0};
  EXPECT_EQ(body.costs(knights)[5], knight);
}

TEST(BlockedFaces, WithTightBarriersWaysLeadThroughOpenCells) {
  Body body({2, 2});
  body.map[2] = kUnreachedCost;
  const auto diagonal = static_cast<float>(std::sqrt(2.0));
  body.faces = {kX, 0, 0, 0};
  EXPECT_EQ(body.costs({})[3], diagonal) << "along the barrier";
  EXPECT_EQ(body.costs({.tight_barriers = true})[3], kUnreachedCost);
  body.faces = {0, 0, kX, 0};
  EXPECT_EQ(body.costs({.tight_barriers = true})[3], diagonal);
}

/// Those of the last cells lead nowhere.
TEST(BlockedFaces, AtTheEndsOfAxesAreNotRead) {
  Body body({2, 3});
  const auto open = body.costs({});
  body.faces = {0, 0, kX, kY, kY, kX | kY};
  EXPECT_EQ(body.costs({}), open);
}

TEST(BlockedFaces, TurnBackLinksAndOtherLabels) {
  Body body({1, 4});
  body.sites = {1, 0, 0, 2};
  body.faces = {0, kX, 0, 0};
  body.map = {1, 1, 5, 5};
  CostDistanceOptions options{.connectivity = Connectivity::faces};
  options.blocked_faces = View<const std::uint8_t>(body.faces.data(), body.extents);
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(body.map.data(), body.extents)),
                    View<const std::uint8_t>(body.sites.data(), body.extents), options,
                    {.back_link = true, .other_labels = true, .other_distance = true});
  const auto labels = found.labels.view<std::uint8_t>();
  EXPECT_EQ((std::vector<int>(labels.data(), labels.data() + 4)), (std::vector<int>{1, 1, 2, 2}));
  const auto links = found.back_link.view();
  EXPECT_EQ((std::vector<int>(links.data(), links.data() + 4)), (std::vector<int>{0, 2, 3, 0}));
  const auto others = found.other_distance.view<float>();
  for (int x = 0; x < 4; ++x) EXPECT_EQ(others(0, x), kUnreachedCost);
}

/// Calls act, which must throw an Error with this message.
template <class Act>
void expect_error(const Act& act, const std::string& message) {
  try {
    act();
    ADD_FAILURE() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(BlockedFaces, AreRefusedWithTheReason) {
  Body body({2, 3});
  body.faces[4] = kZ;
  expect_error([&] { body.costs({}); }, "blocked_faces[1, 1] = 4; must be at most 3");
  body.faces[4] = 0;
  expect_error([&] { body.costs({.method = CostMethod::eikonal}); },
               "method = eikonal on cpu: blocked_faces is given; fronts run from cell to cell, not "
               "across faces");
  CostDistanceOptions options;
  options.blocked_faces = View<const std::uint8_t>(body.faces.data(), {3, 2});
  const CostMap map = CostMap::cost(View<const float>(body.map.data(), body.extents));
  const View<const std::uint8_t> sites(body.sites.data(), body.extents);
  expect_error([&] { cost_distance(map, sites, options); },
               "blocked_faces has other extents than the map; must have the same");
  options.blocked_faces = View<const std::uint8_t>(body.faces.data(), body.extents);
  Context context;
  std::array<float, 6> distance{};
  CostSolver solver(context, map, sites, options,
                    {.distance = View<float>(distance.data(), body.extents)});
  const std::array<std::uint8_t, 2> faces{1, 4};
  const View<const std::uint8_t> box(faces.data(), {1, 2});
  const auto update = [&](std::int64_t y, std::int64_t x, const View<const std::uint8_t>& given) {
    solver.update_blocked_faces(std::array{y, x}, given);
  };
  expect_error([&] { update(0, 1, box); }, "blocked_faces[0, 1] = 4; must be at most 3");
  expect_error(
      [&] { update(0, 2, box); },
      "first[1] = 2 with 2 values along that axis; must lie in the map, which has 3 cells");
  expect_error([&] { update(0, 0, {}); }, "blocked_faces has 0 axes; must have as many as the map");
  EXPECT_EQ(solver.solve().cells, 0) << "updates that are refused change nothing";
  expect_error([&] { farthest_cost_sites(context, map, options, {.count = 1}, {}); },
               "blocked_faces is given; it is for cost_distance(), not for placing sites");
  expect_error(
      [&] {
        cost_distance(context, map, sites, options,
                      {.back_link = View<std::uint8_t>(body.faces.data(), body.extents)});
      },
      "back_link overlaps the blocked faces in memory; must be apart");
}

}  // namespace
}  // namespace thiessen

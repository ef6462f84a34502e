// SPDX-License-Identifier: Apache-2.0
//
// Pruning never rules out a site that is nearest to a cell of the box, for any dominators.
#include "cuda/tiles/job/prune.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/draw.hpp"

namespace thiessen::cuda::tiles {
namespace {

constexpr std::int32_t kSide = 40;

template <int kRank>
Place draw_place(testing::Draw& draw) {
  Place place{};
  for (int axis = kAxes - kRank; axis < kAxes; ++axis)
    place.at[axis] = static_cast<std::int32_t>(draw.below(kSide));
  return place;
}

template <int kRank>
Box draw_box(testing::Draw& draw) {
  const Place a = draw_place<kRank>(draw);
  Box box;
  for (int axis = 0; axis < kAxes; ++axis) {
    const bool own = axis >= kAxes - kRank;
    box.low[axis] = a.at[axis];
    box.high[axis] = own ? std::min<std::int32_t>(
                               kSide - 1, a.at[axis] + static_cast<std::int32_t>(draw.below(9)))
                         : a.at[axis];
  }
  return box;
}

template <int kRank, class Visit>
void for_each_place(const Box& box, const Visit& visit) {
  Place place;
  for (place.at[0] = box.low[0]; place.at[0] <= box.high[0]; ++place.at[0])
    for (place.at[1] = box.low[1]; place.at[1] <= box.high[1]; ++place.at[1])
      for (place.at[2] = box.low[2]; place.at[2] <= box.high[2]; ++place.at[2]) visit(place);
}

/// Some box around a place.
Box around(testing::Draw& draw, const Place& place) {
  Box box;
  for (int axis = 0; axis < kAxes; ++axis) {
    box.low[axis] = place.at[axis] - static_cast<std::int32_t>(draw.below(5));
    box.high[axis] = place.at[axis] + static_cast<std::int32_t>(draw.below(5));
  }
  return box;
}

template <Metric kMetric, int kRank, int kAcross>
int check(std::uint64_t seed) {
  using Points = Lattice<kRank, kAcross>;
  using Rule = Ruler<kMetric, kRank, std::int64_t>;
  testing::Draw draw(seed);
  const Rule ruler{{static_cast<std::int64_t>(1 + draw.below(3)),
                    static_cast<std::int64_t>(1 + draw.below(3)),
                    static_cast<std::int64_t>(1 + draw.below(3))}};
  std::vector<Place> sites(static_cast<std::size_t>(1 + draw.below(40)));
  for (Place& site : sites) site = draw_place<kRank>(draw);
  const Box box = draw_box<kRank>(draw);
  std::vector<Place> dominators(Points::kPoints);
  for (int i = 0; i < Points::kPoints; ++i) {
    Place& dominator = dominators[static_cast<std::size_t>(i)];
    dominator =
        sites[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(sites.size())))];
    for (const Place& site : sites)  // mostly the nearest
      if (!draw.once_in(10) && ruler.between(site, Points::point(box, i)) <
                                   ruler.between(dominator, Points::point(box, i)))
        dominator = site;
  }
  const Pruner<kMetric, kRank, std::int64_t, Points> pruner(ruler, box, dominators.data());
  for_each_place<kRank>(box, [&](const Place& cell) {
    std::int64_t least = ruler.between(sites[0], cell);
    for (const Place& site : sites) least = std::min(least, ruler.between(site, cell));
    for (const Place& site : sites) {
      if (ruler.between(site, cell) > least) continue;
      EXPECT_TRUE(pruner.may_need(site));
      EXPECT_TRUE(pruner.may_need(around(draw, site)));
    }
  });
  int dropped = 0;
  for (const Place& site : sites) dropped += pruner.may_need(site) ? 0 : 1;
  return dropped;
}

template <Metric kMetric>
void check_metric() {
  int dropped = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    dropped += check<kMetric, 2, 2>(seed) + check<kMetric, 2, 4>(seed);
    if (seed % 5 == 0) dropped += check<kMetric, 3, 2>(seed) + check<kMetric, 3, 3>(seed);
  }
  EXPECT_GT(dropped, 1000);
}

TEST(CudaPrune, KeepsWhatIsNearestEuclidean) { check_metric<Metric::euclidean>(); }
TEST(CudaPrune, KeepsWhatIsNearestManhattan) { check_metric<Metric::manhattan>(); }
TEST(CudaPrune, KeepsWhatIsNearestChessboard) { check_metric<Metric::chessboard>(); }

}  // namespace
}  // namespace thiessen::cuda::tiles

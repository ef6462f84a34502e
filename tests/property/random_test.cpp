// SPDX-License-Identifier: Apache-2.0
//
// Compares small random rasters of random geometry with the oracle: more than a table of cases
// covers.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "oracle/oracle.hpp"
#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;

struct RandomProblem {
  Extents extents;
  std::vector<float> cells;
  NearestSiteOptions options;
};

RandomProblem draw_problem(std::uint64_t seed) {
  constexpr double kSpacings[] = {1, 1, 2, 0.5, 0.3, 1.7, 3.14159265358979, 1e-3, 12345.678901};
  Draw draw(seed);
  RandomProblem problem;
  const bool volume = draw.once_in(2);
  const std::int64_t longest = volume ? 9 : 24;
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < (volume ? 3 : 2); ++axis) sizes.push_back(1 + draw.below(longest));
  problem.extents = Extents(sizes);
  const std::int64_t sparsity = 1 + draw.below(30);
  for (std::int64_t i = 0; i < problem.extents.count(); ++i)
    problem.cells.push_back(draw.once_in(sparsity) ? static_cast<float>(1 + draw.below(3)) : 0.0f);
  if (draw.once_in(4)) problem.options.nodata = std::int64_t{draw.once_in(3) ? 0 : 2};
  problem.options.free_nodata = problem.options.nodata && draw.once_in(2);
  if (draw.once_in(4)) problem.cells[0] = std::numeric_limits<float>::quiet_NaN();
  problem.options.metric = static_cast<Metric>(draw.below(3));
  if (!draw.once_in(3))
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      problem.options.spacing.push_back(kSpacings[draw.below(std::size(kSpacings))]);
  if (draw.once_in(3)) problem.options.max_distance = static_cast<double>(draw.below(12)) / 2;
  if (draw.once_in(4))
    problem.options.signed_distance = true;
  else if (draw.once_in(3))
    problem.options.distance_to = DistanceTo::boundary;
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      problem.options.periodic.push_back(draw.once_in(2));
  return problem;
}

TEST(RandomProblems, EqualTheOracle) {
  Context context({.threads = 2});
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const RandomProblem random = draw_problem(seed);
    const View<const float> sites(random.cells.data(), random.extents);
    std::vector<std::int64_t> site_index(random.cells.size());
    std::vector<double> distance(random.cells.size());
    const NearestSiteOutputs out{
        .site_index = View<std::int64_t>(site_index.data(), random.extents),
        .distance = View<double>(distance.data(), random.extents)};
    nearest_site(context, sites, random.options, out);
    const oracle::Result truth =
        oracle::nearest_site(make_problem(sites, random.options, out), sites);
    ASSERT_EQ(site_index, truth.site) << "seed " << seed;
    ASSERT_EQ(std::memcmp(distance.data(), truth.distance.data(), distance.size() * 8), 0)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace thiessen

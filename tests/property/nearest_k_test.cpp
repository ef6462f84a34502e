// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites and labels, and ties, by their definition: all sites of each cell in the
// order (S, site index).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include "core/problem/problem.hpp"
#include "core/statistics/label_key.hpp"
#include "oracle/oracle.hpp"
#include "oracle/point_oracle.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/site_case.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::classes_of;
using testing::Draw;
using testing::draw_site_case;
using testing::message_of;
using testing::problem_count;
using testing::SiteCase;

constexpr float kUnreachedLabel = -7, kOutsideLabel = -8, kNodataLabel = 2;

/// A site of a cell.
struct Candidate {
  Int128 exact;
  std::int64_t site;
  double distance;
  float label;

  bool operator<(const Candidate& other) const {
    return exact != other.exact ? exact < other.exact : site < other.site;
  }
};
using Candidates = std::vector<Candidate>;

const std::vector<float>& labels_of(const SiteCase& given) {
  return given.by_cell ? given.cells : given.labels;
}

/// The sites in range of each cell, in their order.
std::vector<Candidates> rank_sites(const SiteCase& given,
                                   const std::vector<std::uint8_t>& classes) {
  std::vector<Candidates> ranked(static_cast<std::size_t>(given.extents.count()));
  NearestSiteOptions options = given.options;
  options.nodata_label.reset();
  std::optional<Problem> problem;
  if (given.by_cell)
    problem = make_problem(View<const float>(given.cells.data(), given.extents), options, {});
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] != kSiteCell) continue;
    const auto site = static_cast<std::int64_t>(i);
    oracle::Result alone;
    if (!given.by_cell)
      alone = oracle::nearest_point({given.points[i]}, {.extents = given.extents}, options);
    for (std::size_t cell = 0; cell < ranked.size(); ++cell) {
      Candidate candidate{0, site, 0, labels_of(given)[i]};
      if (problem) {
        candidate.exact = oracle::exact_distance(
            *problem, to_cell(problem->extent, static_cast<std::int64_t>(cell)),
            to_cell(problem->extent, site));
        if (candidate.exact > problem->limit) continue;
        candidate.distance = to_distance(problem->weights, problem->metric, candidate.exact);
      } else {
        if (alone.site[cell] < 0) continue;
        candidate.exact = alone.exact[cell];
        candidate.distance = alone.distance[cell];
      }
      ranked[cell].push_back(candidate);
    }
  }
  for (Candidates& each : ranked) std::sort(each.begin(), each.end());
  return ranked;
}

/// The first of each label.
Candidates first_of_labels(const Candidates& ranked) {
  Candidates first;
  std::set<LabelKey> seen;
  for (const Candidate& candidate : ranked)
    if (seen.insert(label_key(candidate.label)).second) first.push_back(candidate);
  return first;
}

/// Why a cell has no answer, as a site index; else kUnreached.
std::int64_t special_of(const SiteCase& given, const std::vector<std::uint8_t>& classes,
                        std::size_t cell) {
  const bool outside = !given.domain.empty() && given.domain[cell] == 0;
  return outside || (given.by_cell && classes[cell] == kNodataCell) ? kNodata : kUnreached;
}

float special_label(const SiteCase& given, std::int64_t special, std::size_t cell) {
  if (special == kUnreached) return kUnreachedLabel;
  return !given.domain.empty() && given.domain[cell] == 0 ? kOutsideLabel : kNodataLabel;
}

template <class T>
bool is_same(T a, T b) {
  return a == b || (a != a && b != b);
}

/// Calls the function with outputs.
void call(Context& context, const SiteCase& given, const NearestSiteOptions& options,
          const NearestSiteOutputs& out) {
  View<const void> domain;
  if (!given.domain.empty()) domain = View<const std::uint8_t>(given.domain.data(), given.extents);
  if (given.by_cell)
    return nearest_site(context, View<const float>(given.cells.data(), given.extents), options, out,
                        domain);
  const int rank = given.extents.rank();
  std::vector<double> places;
  for (const oracle::Point& point : given.points)
    places.insert(places.end(), point.end() - rank, point.end());
  const auto count = static_cast<std::int64_t>(given.points.size());
  voronoi(context,
          {.coordinates = View<const double>(places.data(), {count, rank}),
           .labels = View<const float>(given.labels.data(), {count})},
          {.extents = given.extents}, options, out, domain);
}

Extents with_ranks(const Extents& extents, std::int64_t k) {
  std::vector<std::int64_t> sizes{k};
  for (int axis = 0; axis < extents.rank(); ++axis) sizes.push_back(extents[axis]);
  return Extents(sizes);
}

/// Compares the k nearest sites or labels with the order of all sites.
void expect_nearest_k(const SiteCase& given, Draw& draw) {
  const std::vector<std::uint8_t> classes = classes_of(given);
  const std::vector<Candidates> ranked = rank_sites(given, classes);
  NearestSiteOptions options = given.options;
  options.k = 1 + draw.below(draw.once_in(3) ? 40 : 4);
  options.distinct_labels = draw.once_in(2);
  const Extents extents = with_ranks(given.extents, options.k);
  const auto cells = static_cast<std::size_t>(given.extents.count());
  std::vector<float> labels(cells * static_cast<std::size_t>(options.k));
  std::vector<std::int64_t> site_index(labels.size());
  std::vector<double> distance(labels.size());
  Context context({.threads = draw.once_in(2) ? 1 : 3});
  call(context, given, options,
       {.labels = View<float>(labels.data(), extents),
        .site_index = View<std::int64_t>(site_index.data(), extents),
        .distance = View<double>(distance.data(), extents)});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Candidates expected =
        options.distinct_labels ? first_of_labels(ranked[cell]) : ranked[cell];
    const std::int64_t special = special_of(given, classes, cell);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(options.k); ++rank) {
      const std::size_t at = rank * cells + cell;
      const bool has = special == kUnreached && rank < expected.size();
      ASSERT_EQ(site_index[at], has ? expected[rank].site : special) << cell << " " << rank;
      ASSERT_TRUE(
          is_same(labels[at], has ? expected[rank].label : special_label(given, special, cell)));
      const double none =
          special == kNodata ? std::nan("") : std::numeric_limits<double>::infinity();
      ASSERT_TRUE(is_same(distance[at], has ? expected[rank].distance : none));
    }
  }
}

TEST(NearestK, EqualsTheOrderOfAllSites) {
  for (std::uint64_t seed = 0; seed < 40 * problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed + 1'000'000);
    expect_nearest_k(draw_site_case(seed), draw);
    if (HasFatalFailure()) return;
  }
}

/// Compares the number of ties with the order of all sites; adds the cells that have some.
void expect_ties(const SiteCase& given, std::uint64_t seed, std::int64_t& tied) {
  const std::vector<std::uint8_t> classes = classes_of(given);
  const std::vector<Candidates> ranked = rank_sites(given, classes);
  const auto cells = static_cast<std::size_t>(given.extents.count());
  std::vector<std::uint8_t> ties(cells);
  std::vector<float> labels(cells), plain(cells);
  std::vector<double> distance(cells), plain_distance(cells);
  NearestSiteOptions options = given.options;
  options.ties_unreached = seed % 2 == 0;
  Context context({.threads = seed % 3 == 0 ? 1 : 3});
  call(context, given, options,
       {.labels = View<float>(labels.data(), given.extents),
        .distance = View<double>(distance.data(), given.extents),
        .ties = View<std::uint8_t>(ties.data(), given.extents)});
  call(context, given, given.options,
       {.labels = View<float>(plain.data(), given.extents),
        .distance = View<double>(plain_distance.data(), given.extents)});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::int64_t expected = 0;
    if (special_of(given, classes, cell) == kUnreached)
      for (const Candidate& candidate : first_of_labels(ranked[cell]))
        if (candidate.exact == ranked[cell][0].exact) ++expected;
    ASSERT_EQ(ties[cell], expected) << cell;
    const bool is_tied = expected > 1 && options.ties_unreached;
    ASSERT_TRUE(is_same(labels[cell], is_tied ? kUnreachedLabel : plain[cell])) << cell;
    ASSERT_TRUE(is_same(distance[cell], plain_distance[cell]));
    tied += expected > 1 ? 1 : 0;
  }
}

TEST(Ties, CountTheLabelsAtTheLeastDistance) {
  std::int64_t tied = 0;
  for (std::uint64_t seed = 0; seed < 40 * problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_ties(draw_site_case(seed), seed, tied);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tied, 500);
}

/// Many points at few places, or on a line, which may lie far away: in the order of their index or
/// not, and with labels that they share or not.
SiteCase draw_aligned_case(std::uint64_t seed) {
  SiteCase given = draw_site_case(seed);
  Draw draw(seed + 2'000'000);
  if (given.by_cell) given.options.spacing.clear();  // as that of points is one of fewer
  given.by_cell = false;
  given.cells.clear();
  given.points.clear();
  given.labels.clear();
  NearestSiteOptions& options = given.options;
  options.nodata.reset();
  options.values.clear();
  options.zero_is_site = options.free_nodata = false;
  const auto place = [&] { return static_cast<double>(draw.below(40)) / 2 - 3; };
  const bool is_line = draw.once_in(2), is_shuffled = draw.once_in(2), is_shared = draw.once_in(2);
  const double far = draw.once_in(3) ? 1000 : 0;
  oracle::Point start{}, step{};
  for (auto axis = static_cast<std::size_t>(kAxes - given.extents.rank()); axis < kAxes; ++axis) {
    start[axis] = place() - (axis == 1 ? far : 0);
    step[axis] = static_cast<double>(draw.below(3) - 1) / (draw.once_in(3) ? 4 : 1);
  }
  const std::int64_t count = 1 + draw.below(120), places = 1 + draw.below(4);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto along = static_cast<double>(is_shuffled ? draw.below(count) : i);
    oracle::Point point = start;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      point[axis] += step[axis] * (is_line ? along : static_cast<double>(draw.below(places)));
    given.points.push_back(point);
    given.labels.push_back(static_cast<float>(1 + (is_shared ? draw.below(5) : i)));
  }
  return given;
}

TEST(NearestK, OfPointsOnLinesAndAtOnePlace) {
  std::int64_t tied = 0;
  for (std::uint64_t seed = 0; seed < 20 * problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed + 3'000'000);
    const SiteCase given = draw_aligned_case(seed);
    expect_nearest_k(given, draw);
    expect_ties(given, seed, tied);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tied, 500);
}

/// Rasters of many blocks, of all densities and layouts: the first of the k nearest is the nearest
/// site, the second is what is left when that one is taken away, and the order rises.
TEST(NearestK, AgreesWithNearestSiteOnLargerRasters) {
  for (std::uint64_t seed = 0; seed < 2 * problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RasterProblem problem = testing::draw_raster_problem(
        seed, {.longest_2d = 200, .longest_3d = 40, .longest_thin = 600});
    NearestSiteOptions options = problem.options;
    if (options.signed_distance || options.distance_to == DistanceTo::boundary ||
        options.metric > Metric::chessboard)
      continue;
    const auto cells = static_cast<std::size_t>(problem.extents().count());
    std::vector<std::int64_t> nearest(cells), first_three(3 * cells);
    std::vector<double> distance(cells), distances(3 * cells);
    Context context({.threads = 3});
    nearest_site(context, problem.view(), options,
                 {.site_index = View<std::int64_t>(nearest.data(), problem.extents()),
                  .distance = View<double>(distance.data(), problem.extents())});
    options.k = 3;
    const Extents extents = with_ranks(problem.extents(), 3);
    nearest_site(context, problem.view(), options,
                 {.site_index = View<std::int64_t>(first_three.data(), extents),
                  .distance = View<double>(distances.data(), extents)});
    for (std::size_t cell = 0; cell < cells; ++cell) {
      ASSERT_EQ(first_three[cell], nearest[cell]) << cell;
      ASSERT_TRUE(is_same(distances[cell], distance[cell])) << cell;
      for (std::size_t rank = 1; rank < 3; ++rank) {
        if (nearest[cell] == kNodata) continue;
        ASSERT_GE(distances[rank * cells + cell], distances[(rank - 1) * cells + cell]);
        if (first_three[rank * cells + cell] < 0) continue;
        ASSERT_NE(first_three[rank * cells + cell], first_three[(rank - 1) * cells + cell]);
      }
    }
  }
}

/// The k nearest labels, and ties, on larger rasters: against the outputs of another label, which
/// other code finds.
TEST(NearestK, AgreesWithOtherLabelsOnLargerRasters) {
  for (std::uint64_t seed = 0; seed < 2 * problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const testing::RasterProblem problem = testing::draw_raster_problem(
        seed, {.longest_2d = 200, .longest_3d = 40, .longest_thin = 600});
    NearestSiteOptions options = problem.options;
    if (options.signed_distance || options.distance_to == DistanceTo::boundary ||
        options.metric > Metric::chessboard)
      continue;
    const Extents& extents = problem.extents();
    const auto cells = static_cast<std::size_t>(extents.count());
    std::vector<std::int64_t> nearest(cells), other(cells), one(cells), two(2 * cells);
    std::vector<double> distance(cells), other_distance(cells);
    std::vector<std::uint8_t> ties(cells);
    Context context({.threads = 3});
    nearest_site(context, problem.view(), options,
                 {.site_index = View<std::int64_t>(nearest.data(), extents),
                  .distance = View<double>(distance.data(), extents),
                  .other_site_index = View<std::int64_t>(other.data(), extents),
                  .other_distance = View<double>(other_distance.data(), extents),
                  .ties = View<std::uint8_t>(ties.data(), extents)});
    options.k = 1;
    nearest_site(context, problem.view(), options,
                 {.site_index = View<std::int64_t>(one.data(), with_ranks(extents, 1))});
    ASSERT_EQ(one, nearest);
    options.k = 2;
    options.distinct_labels = true;
    nearest_site(context, problem.view(), options,
                 {.site_index = View<std::int64_t>(two.data(), with_ranks(extents, 2))});
    for (std::size_t cell = 0; cell < cells; ++cell) {
      ASSERT_EQ(two[cell], nearest[cell]) << cell;
      ASSERT_EQ(two[cells + cell], other[cell]) << cell;
      ASSERT_EQ(ties[cell] > 0, nearest[cell] >= 0) << cell;
      if (options.spacing.empty() && other[cell] >= 0) {
        ASSERT_EQ(ties[cell] > 1, distance[cell] == other_distance[cell]) << cell;
      }
    }
  }
}

TEST(NearestK, OfNumberedSites) {
  const bool mask[] = {true, false, false, true, false, false, true, false};
  const View<const bool> sites(mask, {1, 8});
  const NearestSite nearest = nearest_site(sites, {.k = 2}, {.site_index = true, .squared = true});
  EXPECT_EQ(nearest.labels.extents(), (Extents{2, 1, 8}));
  const std::vector<std::int32_t> labels{1, 1, 2, 2, 2, 3, 3, 3, 2, 2, 1, 1, 3, 2, 2, 2};
  EXPECT_EQ(std::memcmp(nearest.labels.bytes(), labels.data(), 64), 0);
  EXPECT_EQ(nearest.squared.view().data()[8], 9);
  const NearestSite ties = nearest_site(View<const bool>(mask, {1, 8}), {}, {.ties = true});
  EXPECT_TRUE(std::all_of(ties.ties.data(), ties.ties.data() + 8, [](int n) { return n == 1; }));
  const double points[] = {0, 0, 0, 6, 0, 6};
  const NearestSite of_points = voronoi({.coordinates = View<const double>(points, {3, 2})},
                                        {.extents = {1, 7}}, {}, {.ties = true});
  EXPECT_EQ(std::vector<int>(of_points.ties.data(), of_points.ties.data() + 7),
            (std::vector<int>{1, 1, 1, 3, 2, 2, 2}));
}

/// More than 255 sites at one distance from a cell.
TEST(Ties, CountUpTo255) {
  constexpr std::int64_t kSide = 151;
  std::vector<std::uint8_t> sites(kSide * kSide);
  for (std::int64_t i = 0; i < kSide; ++i)
    sites[static_cast<std::size_t>(i)] = sites[static_cast<std::size_t>(kSide * (kSide - 1) + i)] =
        sites[static_cast<std::size_t>(kSide * i)] =
            sites[static_cast<std::size_t>(kSide * i + kSide - 1)] = 1;
  const View<const bool> mask(reinterpret_cast<const bool*>(sites.data()), {kSide, kSide});
  const NearestSite ties = nearest_site(mask, {.metric = Metric::chessboard}, {.ties = true});
  EXPECT_EQ(ties.ties.view()(kSide / 2, kSide / 2), 255);
  EXPECT_EQ(ties.ties.view()(1, kSide / 2), 3);
  EXPECT_EQ(ties.ties.view()(0, 0), 1);
}

TEST(NearestK, IsRefusedWithAReason) {
  const std::vector<std::int32_t> cells{1, 0, 0, 2};
  const View<const std::int32_t> sites(cells.data(), {1, 4});
  const auto reason = [&](const NearestSiteOptions& options, const NearestSiteWanted& wanted = {}) {
    return message_of([&] { nearest_site(sites, options, wanted); });
  };
  EXPECT_EQ(reason({.k = -1}), "k = -1; must be from 0 to 1024");
  EXPECT_EQ(reason({.k = 1025}), "k = 1025; must be from 0 to 1024");
  EXPECT_EQ(reason({.distinct_labels = true}), "distinct_labels is given; needs k");
  EXPECT_EQ(reason({.k = 2}, {.offset = true}),
            "k = 2 and offset are given; the k nearest have labels, site_index, distance, "
            "weighted_distance and squared");
  EXPECT_EQ(reason({.k = 2, .ties_unreached = true}),
            "k = 2 and ties_unreached are given; the k nearest have labels, site_index, distance, "
            "weighted_distance and squared");
  EXPECT_EQ(reason({.method = Method::brute_force, .k = 2}),
            "method = brute-force on cpu: the k nearest are wanted, which only exact on cpu has");
  EXPECT_EQ(reason({.metric = Metric::octagonal, .ties_unreached = true}),
            "method = exact on cpu: has the metrics euclidean, manhattan and chessboard, not "
            "octagonal");
  EXPECT_EQ(reason({.signed_distance = true, .k = 2}),
            "signed_distance = true; must be false where the k nearest are wanted");
  EXPECT_EQ(reason({.distance_to = DistanceTo::boundary}, {.ties = true}),
            "distance_to = boundary; must be sites where ties are wanted");
  const View<const std::int32_t> batch(cells.data(), {2, 1, 2});
  EXPECT_EQ(message_of([&] { nearest_site_batch(batch, {.k = 2}); }),
            "k = 2; of a batch there is the nearest site alone");
  Context context;
  std::vector<std::int32_t> labels(4);
  const NearestSiteOutputs out{.labels = View<std::int32_t>(labels.data(), {1, 4})};
  EXPECT_EQ(message_of([&] { NearestSiteSolver(context, sites, {.ties_unreached = true}, out); }),
            "NearestSiteSolver: ties_unreached is given; updates do not repair ties");
}

}  // namespace
}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The outputs of another label of nearest_site() and voronoi(), by their definition: for each label
// the oracle without its sites, at the cells that have that label.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

#include "core/statistics/label_key.hpp"
#include "cpu/others/label_codes.hpp"
#include "oracle/oracle.hpp"
#include "oracle/point_oracle.hpp"
#include "support/message_of.hpp"
#include "support/problems/site_case.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::classes_of;
using testing::draw_site_case;
using testing::message_of;
using testing::SiteCase;

/// What is said of each cell.
struct Answers {
  std::vector<float> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;

  explicit Answers(std::int64_t cells)
      : labels(static_cast<std::size_t>(cells)),
        site_index(static_cast<std::size_t>(cells)),
        distance(static_cast<std::size_t>(cells)) {}
};

bool are_same(const auto& a, const auto& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]))) return false;
  return true;
}

void compare(const Answers& said, const Answers& expected) {
  ASSERT_EQ(said.site_index, expected.site_index);
  ASSERT_TRUE(are_same(said.labels, expected.labels));
  ASSERT_TRUE(are_same(said.distance, expected.distance));
}

/// An answer from the sites with other labels than `left_out`, or from all, with places of points
/// as they are in the whole list.
oracle::Result answer(const SiteCase& given, const std::vector<std::uint8_t>& sites,
                      const std::vector<float>& labels, const float* left_out) {
  std::vector<std::uint8_t> counts = sites;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (left_out != nullptr && label_key(labels[i]) == label_key(*left_out)) counts[i] = 0;
  if (given.by_cell) {
    const View<const std::uint8_t> view(counts.data(), given.extents);
    NearestSiteOptions options = given.options;
    options.nodata.reset();
    options.nodata_label.reset();
    options.values.clear();
    options.zero_is_site = options.free_nodata = false;
    return oracle::nearest_site(make_problem(view, options, {}), view);
  }
  std::vector<oracle::Point> points;
  std::vector<std::int64_t> place;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    points.push_back(given.points[i]);
    place.push_back(static_cast<std::int64_t>(i));
  }
  oracle::Result result = oracle::nearest_point(points, {.extents = given.extents}, given.options);
  for (std::int64_t& site : result.site)
    if (site >= 0) site = place[static_cast<std::size_t>(site)];
  return result;
}

Answers expect(const SiteCase& given) {
  const std::vector<std::uint8_t> classes = classes_of(given);
  std::vector<std::uint8_t> sites = classes;
  for (std::uint8_t& site : sites) site = site == kSiteCell ? 1 : 0;
  const std::vector<float>& labels = given.by_cell ? given.cells : given.labels;
  const oracle::Result all = answer(given, sites, labels, nullptr);
  std::map<LabelKey, oracle::Result> without;
  Answers expected(given.extents.count());
  for (std::size_t cell = 0; cell < all.site.size(); ++cell) {
    std::int64_t site = kUnreached;
    double distance = std::numeric_limits<double>::infinity();
    if (all.site[cell] >= 0) {
      const float label = labels[static_cast<std::size_t>(all.site[cell])];
      const LabelKey key = label_key(label);
      if (!without.contains(key)) without[key] = answer(given, sites, labels, &label);
      site = without[key].site[cell];
      distance = without[key].distance[cell];
    }
    const bool outside = !given.domain.empty() && given.domain[cell] == 0;
    const bool nodata = given.by_cell && classes[cell] == kNodataCell;
    if (outside || nodata) site = kNodata;
    expected.site_index[cell] = site;
    expected.labels[cell] = outside    ? -8
                            : nodata   ? 2
                            : site < 0 ? -7
                                       : labels[static_cast<std::size_t>(site)];
    expected.distance[cell] = site == kNodata ? std::nan("") : distance;
  }
  return expected;
}

/// The outputs of a call; only those of another label, or with the others, which are the same as
/// without.
Answers call(const SiteCase& given, int threads, bool all) {
  Context context({.threads = threads});
  Answers said(given.extents.count());
  Answers first(given.extents.count());
  Answers alone(given.extents.count());
  const auto view = [&]<class T>(std::vector<T>& cells) {
    return View<T>(cells.data(), given.extents);
  };
  NearestSiteOutputs out{.other_labels = view(said.labels),
                         .other_site_index = view(said.site_index),
                         .other_distance = view(said.distance)};
  const auto run = [&](const NearestSiteOutputs& wanted) {
    View<const void> domain;
    if (!given.domain.empty())
      domain = View<const std::uint8_t>(given.domain.data(), given.extents);
    if (given.by_cell)
      return nearest_site(context, View<const float>(given.cells.data(), given.extents),
                          given.options, wanted, domain);
    const int rank = given.extents.rank();
    std::vector<double> places;
    for (const oracle::Point& point : given.points)
      places.insert(places.end(), point.end() - rank, point.end());
    const auto count = static_cast<std::int64_t>(given.points.size());
    voronoi(context,
            {.coordinates = View<const double>(places.data(), {count, rank}),
             .labels = View<const float>(given.labels.data(), {count})},
            {.extents = given.extents}, given.options, wanted, domain);
  };
  if (all) {
    out.labels = view(first.labels);
    out.site_index = view(first.site_index);
    out.distance = view(first.distance);
  }
  run(out);
  if (!all) return said;
  run({.labels = view(alone.labels),
       .site_index = view(alone.site_index),
       .distance = view(alone.distance)});
  compare(first, alone);
  return said;
}

TEST(OtherSites, EqualTheOracleWithoutTheSitesOfTheLabel) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const SiteCase given = draw_site_case(seed);
    const Answers expected = expect(given);
    for (const int threads : {1, 4}) {
      compare(call(given, threads, threads == 4), expected);
      if (HasFatalFailure()) return;
    }
  }
}

/// Sites with numbers of their own: the second nearest site, whether labels are wanted or not.
TEST(OtherSites, NumberedSitesHaveALabelEach) {
  const bool mask[] = {true, false, false, true, false, false, false, true};
  const double points[] = {0, 7, 0, 0, 0, 3};
  std::vector<std::int32_t> labels(8);
  std::vector<std::int64_t> site(8);
  const View<std::int32_t> label_view(labels.data(), {1, 8});
  const View<std::int64_t> site_view(site.data(), {1, 8});
  Context context;
  nearest_site(context, View<const bool>(mask, {1, 8}), {}, {.other_site_index = site_view});
  EXPECT_EQ(site, (std::vector<std::int64_t>{3, 3, 0, 0, 7, 7, 3, 3}));
  nearest_site(context, View<const bool>(mask, {1, 8}), {}, {.other_labels = label_view});
  EXPECT_EQ(labels, (std::vector<std::int32_t>{2, 2, 1, 1, 3, 3, 2, 2}));
  const PointList list{.coordinates = View<const double>(points, {3, 2})};
  voronoi(context, list, {.extents = {1, 8}}, {}, {.other_site_index = site_view});
  EXPECT_EQ(site, (std::vector<std::int64_t>{2, 2, 1, 1, 0, 2, 2, 2}));
  voronoi(context, list, {.extents = {1, 8}}, {}, {.other_labels = label_view});
  EXPECT_EQ(labels, (std::vector<std::int32_t>{3, 3, 2, 2, 1, 3, 3, 3}));
}

/// Results of one's own, also of the rasters of a batch.
TEST(OtherSites, AreOwnedByResults) {
  const std::vector<std::int32_t> cells{5, 0, 0, 6, 7, 7, 0, 7};
  const NearestSiteWanted wanted{
      .other_labels = true, .other_site_index = true, .other_distance = true};
  const NearestSite batch =
      nearest_site_batch(View<const std::int32_t>(cells.data(), {2, 1, 4}), {}, wanted);
  const NearestSite first =
      nearest_site(View<const std::int32_t>(cells.data(), {1, 4}), {}, wanted);
  const std::vector<std::int32_t> labels{6, 6, 5, 5, 0, 0, 0, 0};
  const std::vector<std::int64_t> sites{3, 3, 0, 0, -1, -1, -1, -1};
  EXPECT_EQ(std::memcmp(batch.other_labels.bytes(), labels.data(), 32), 0);
  EXPECT_EQ(std::memcmp(batch.other_site_index.data(), sites.data(), 64), 0);
  EXPECT_EQ(std::memcmp(first.other_labels.bytes(), labels.data(), 16), 0);
  EXPECT_EQ(std::memcmp(first.other_distance.bytes(), batch.other_distance.bytes(), 16), 0);
}

TEST(OtherSites, CodesDoNotHoldEachOther) {
  for (const std::int64_t count : {1, 2, 3, 4, 6, 7, 20, 21, 252, 253, 1000}) {
    const int digits = digits_for(count);
    std::vector<std::uint64_t> codes(static_cast<std::size_t>(count));
    list_codes(digits, count, codes.data());
    for (const std::uint64_t a : codes) {
      EXPECT_EQ(a >> digits, 0u);
      EXPECT_EQ(std::ranges::count_if(codes, [&](std::uint64_t b) { return (a & b) == a; }), 1);
    }
  }
  EXPECT_EQ(digits_for(6), 4);
  EXPECT_EQ(digits_for(7), 5);
  EXPECT_EQ(digits_for(10'000), 16);
}

TEST(OtherSites, IsRefusedElsewhere) {
  const std::vector<std::int32_t> sites{1, 0, 0, 2};
  const View<const std::int32_t> view(sites.data(), {1, 4});
  const auto reason = [&](const NearestSiteOptions& options) {
    return message_of([&] { nearest_site(view, options, {.other_labels = true}); });
  };
  EXPECT_EQ(reason({.method = Method::brute_force}),
            "method = brute-force on cpu: outputs of another label are wanted, which only exact on "
            "cpu has");
  EXPECT_EQ(reason({.signed_distance = true}),
            "signed_distance = true; must be false where outputs of another label are wanted");
  EXPECT_EQ(reason({.distance_to = DistanceTo::boundary}),
            "distance_to = boundary; must be sites where outputs of another label are wanted");
  std::vector<std::int64_t> index(4);
  const NearestSiteOutputs out{.other_site_index = View<std::int64_t>(index.data(), {1, 4})};
  Context context;
  EXPECT_EQ(message_of([&] { NearestSiteSolver(context, view, {}, out); }),
            "NearestSiteSolver: outputs of another label are wanted; updates do not repair them");
  std::vector<std::int16_t> narrow(4);
  const NearestSiteOutputs two{
      .labels = View<std::int32_t>(reinterpret_cast<std::int32_t*>(index.data()), {1, 4}),
      .other_labels = View<std::int16_t>(narrow.data(), {1, 4})};
  EXPECT_EQ(message_of([&] { nearest_site(context, view, {}, two); }),
            "other_labels are i16; must be of the sites' type i32");
}

}  // namespace
}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The overloads that return their results: what they hold is what the calls with views write.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// Whether two arrays of the same type hold the same bits.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  const View<const void> x = std::as_const(a).view();
  const View<const void> y = std::as_const(b).view();
  return x.extents() == y.extents() && x.element_type() == y.element_type() &&
         std::memcmp(x.bytes(), y.bytes(),
                     static_cast<std::size_t>(x.extents().count()) * size_of(x.element_type())) ==
             0;
}

class OwningResults : public ::testing::Test {
 protected:
  static constexpr std::int64_t kSites = 7;

  View<const void> sites() const { return sites_.view(); }
  PointList points() const { return {View<const double>(places_.data(), {3, 2})}; }

  template <class Call>
  static void expect_refused(const std::string& message, const Call& call) {
    try {
      call();
      ADD_FAILURE() << "not refused: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_STREQ(error.what(), message.c_str());
    }
  }

  const Extents extents_{20, 31};
  const Raster sites_ = random_sites(extents_, kSites, 3);
  const std::vector<double> places_ = {0, 0, 12.25, 30, -4, 9};
  Context context_;
};

TEST_F(OwningResults, AreLabelsAndDistanceByDefault) {
  const NearestSite result = nearest_site(sites());
  Raster labels = Raster::of<std::int32_t>(extents_);
  Raster distance = Raster::of<float>(extents_);
  nearest_site(context_, sites(), {}, {.labels = labels.view(), .distance = distance.view()});
  EXPECT_TRUE(same_bits(result.labels, labels));
  EXPECT_TRUE(same_bits(result.distance, distance));
  EXPECT_FALSE(result.site_index);
  EXPECT_FALSE(result.squared);
  EXPECT_FALSE(result.offset);
  EXPECT_FALSE(result.direction);
  EXPECT_EQ(result.direction.size(), 0);
  EXPECT_TRUE(result.warnings.empty());
}

TEST_F(OwningResults, HoldEveryOutputThatIsWanted) {
  const NearestSiteWanted wanted{
      .labels = false, .site_index = true, .squared = true, .offset = true, .direction = true};
  const NearestSiteOptions options{.max_distance = 6, .distance_type = FloatType::f64};
  const NearestSite result = nearest_site(sites(), options, wanted);
  EXPECT_FALSE(result.labels);
  Array<std::int64_t> index(extents_), squared(extents_);
  Array<double> distance(extents_);
  Array<std::int32_t> offset({2, extents_[0], extents_[1]});
  Array<float> direction(extents_);
  nearest_site(context_, sites(), options,
               {.site_index = index.view(),
                .distance = distance.view(),
                .squared = squared.view(),
                .offset = offset.view(),
                .direction = direction.view()});
  EXPECT_TRUE(same_bits(result.site_index, index));
  EXPECT_TRUE(same_bits(result.distance, distance));
  EXPECT_TRUE(same_bits(result.squared, squared));
  EXPECT_TRUE(same_bits(result.offset, offset));
  EXPECT_TRUE(same_bits(result.direction, direction));
}

/// What a result holds can be written again, without new memory.
TEST_F(OwningResults, GiveViewsForLaterCalls) {
  NearestSite result = nearest_site(sites());
  const Raster others = random_sites(extents_, 2, 9);
  nearest_site(context_, others.view(), {}, result.outputs());
  EXPECT_TRUE(same_bits(result.labels, nearest_site(others.view()).labels));
}

TEST_F(OwningResults, NumberBooleanSites) {
  Array<bool> mask({1, 3});
  mask(0, 0) = mask(0, 2) = true;
  mask(0, 1) = false;
  const NearestSite result = nearest_site(mask.view());
  const View<const std::int32_t> labels = result.labels.view<std::int32_t>();
  EXPECT_EQ(labels(0, 0), 1);
  EXPECT_EQ(labels(0, 2), 2);
}

TEST_F(OwningResults, KeepToADomain) {
  Array<std::uint8_t> domain(extents_);
  for (std::uint8_t& cell : domain) cell = 1;
  domain(3, 4) = 0;
  const NearestSite result =
      nearest_site(sites(), {.nodata_label = std::int64_t{-9}}, {}, domain.view());
  EXPECT_EQ(result.labels.view<std::int32_t>()(3, 4), -9);
  EXPECT_NE(result.labels.view<std::int32_t>()(3, 5), -9);
}

TEST_F(OwningResults, OfBatches) {
  Raster batch(ElementType::i32, {2, extents_[0], extents_[1]});
  const Raster second = random_sites(extents_, 4, 8);
  std::memcpy(batch.bytes(), sites_.bytes(), sites_.size_bytes());
  std::memcpy(batch.bytes() + sites_.size_bytes(), second.bytes(), second.size_bytes());
  const NearestSite both = nearest_site_batch(std::as_const(batch).view(), {}, {.offset = true});
  EXPECT_EQ(both.offset.extents(), (Extents{2, 2, extents_[0], extents_[1]}));
  const NearestSite last = nearest_site(second.view());
  EXPECT_EQ(std::memcmp(both.labels.bytes() + sites_.size_bytes(), last.labels.bytes(),
                        second.size_bytes()),
            0);
}

TEST_F(OwningResults, OfPoints) {
  const Grid grid{.extents = extents_, .spacing = {2, 1}, .georeference = Georeference{}};
  const NearestSite result = voronoi(points(), grid, {}, {.site_index = true});
  Array<std::int64_t> index(extents_);
  voronoi(context_, points(), grid, {}, {.site_index = index.view()});
  EXPECT_TRUE(same_bits(result.site_index, index));
  EXPECT_EQ(result.labels.view<std::int32_t>()(0, 0), 1);
  EXPECT_TRUE(result.labels.grid().georeference) << "rasters lie where the grid does";
  const std::vector<std::uint8_t> own = {5, 6, 7};
  PointList labelled = points();
  labelled.labels = View<const std::uint8_t>(own.data(), {3});
  EXPECT_EQ(voronoi(labelled, grid).labels.view<std::uint8_t>()(0, 0), 5);
}

TEST_F(OwningResults, OfCostDistance) {
  const Array<float> map = material_map(extents_, Material::noise, 5);
  const CostDistance result =
      cost_distance(CostMap::stiffness(map.view()), sites(), {}, {.back_link = true});
  Raster labels = Raster::of<std::int32_t>(extents_);
  Raster distance = Raster::of<float>(extents_);
  Array<std::uint8_t> links(extents_);
  cost_distance(context_, CostMap::stiffness(map.view()), sites(), {},
                {.labels = labels.view(), .distance = distance.view(), .back_link = links.view()});
  EXPECT_TRUE(same_bits(result.labels, labels));
  EXPECT_TRUE(same_bits(result.distance, distance));
  EXPECT_TRUE(same_bits(result.back_link, links));
  EXPECT_FALSE(result.site_index);
  const std::vector<float> start = {7, 7, 7};
  const CostDistance of_points =
      cost_distance(CostMap::stiffness(map.view()), points(), {.distance_type = FloatType::f64}, {},
                    View<const float>(start.data(), {3}));
  EXPECT_EQ(of_points.distance.view<double>()(0, 0), 7);
  EXPECT_EQ(of_points.report.ignored_sites, 1);
  EXPECT_EQ(of_points.warnings.size(), 1U);
}

TEST_F(OwningResults, OfWhatMakesSitesAndPictures) {
  const Components areas = connected_components(sites());
  EXPECT_EQ(areas.count, kSites);
  EXPECT_EQ(areas.labels.element_type(), ElementType::i32);
  const NearestSite result = nearest_site(sites());
  const Array<std::uint8_t> picture = render({.labels = result.labels.view()});
  EXPECT_EQ(picture.extents(), (Extents{20, 31, 3}));
  EXPECT_EQ(render({.distance = result.distance.view()}, {}, {4, 5}).extents(), (Extents{4, 5, 3}));
  EXPECT_TRUE(
      compare({.labels_a = result.labels.view(), .labels_b = result.labels.view()}).equal());
}

/// 3-D components: cells that share an edge are 18-neighbours, those that share a corner are not.
TEST_F(OwningResults, OfComponentsByEdges) {
  Array<std::uint8_t> image({2, 2, 3});
  for (std::uint8_t& cell : image) cell = 0;
  image(0, 0, 0) = image(1, 1, 0) = 1;  // an edge
  image(0, 0, 1) = 0;
  image(0, 1, 2) = 1;
  const auto count = [&](Connectivity connectivity) {
    return connected_components(image.view(), {.connectivity = connectivity}).count;
  };
  EXPECT_EQ(count(Connectivity::faces), 3);
  EXPECT_EQ(count(Connectivity::edges), 2);
  image(0, 1, 2) = 0;
  image(0, 0, 1) = 0;
  image(1, 1, 0) = 0;
  image(1, 1, 1) = 1;  // a corner
  EXPECT_EQ(count(Connectivity::edges), 2);
  EXPECT_EQ(count(Connectivity::corners), 1);
  expect_refused("connectivity = knights; must be corners, faces or edges in 3-D",
                 [&] { count(Connectivity::knights); });
}

TEST_F(OwningResults, TellWhatIsOdd) {
  const Raster none = random_sites(extents_, 0, 1);
  const NearestSite result = nearest_site(none.view());
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0].kind, WarningKind::no_site);
  EXPECT_EQ(default_context().warnings().size(), 1U);
}

TEST_F(OwningResults, AreRefusedAsByTheCallsWithViews) {
  expect_refused("sites has 1 axes; must have 2 or 3",
                 [&] { nearest_site(View<const std::uint8_t>(nullptr, {3})); });
  expect_refused("sites has 0 axes; must have 2 or 3", [] { nearest_site({}); });
  expect_refused("sites of a batch has 2 axes; must have 3 or 4; the first counts the rasters",
                 [&] { nearest_site_batch(sites()); });
  expect_refused("grid has 1 axes; must have 2 or 3", [&] { voronoi(points(), {.extents = {9}}); });
  expect_refused("map has 0 axes; must have 2 or 3",
                 [&] { cost_distance(CostMap::stiffness({}), sites()); });
  expect_refused("squared is wanted; it exists only for the euclidean metric and a spacing of 1",
                 [&] {
                   nearest_site(sites(), {.spacing = {2, 1}}, {.squared = true});
                 });
  expect_refused("size has 1 axes; must have 2, (y, x), or 3, (y, x, channels)",
                 [&] { render({.labels = sites()}, {}, {9}); });
  expect_refused("domain must have the extents of the grid, or of the raster of sites", [&] {
    nearest_site(sites(), {}, {}, View<const std::uint8_t>(nullptr, {1, 1}));
  });
}

TEST(DefaultContext, IsThatOfTheThread) {
  Context* const own = &default_context();
  EXPECT_EQ(&default_context(), own);
  Context* other = nullptr;
  std::thread([&] { other = &default_context(); }).join();
  EXPECT_NE(other, own);
}

TEST(DefaultContext, MayBeReplaced) {
  default_context() = Context({.threads = 1});
  EXPECT_EQ(default_context().threads(), 1);
  const Raster sites = random_sites({5, 6}, 2, 1);
  EXPECT_TRUE(nearest_site(sites.view()).labels);
  default_context() = Context();
}

TEST(DefaultContext, ThreadsCallAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<Raster> labels(4);
  for (std::size_t i = 0; i < labels.size(); ++i)
    threads.emplace_back([&labels, i] {
      const Raster sites = random_sites({60, 70}, 9, i % 2);
      labels[i] = nearest_site(sites.view()).labels;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(same_bits(labels[0], labels[2]));
  EXPECT_TRUE(same_bits(labels[1], labels[3]));
}

/// A callback of a running call makes a call of its own, which must not disturb it.
TEST(DefaultContext, CallsMayNest) {
  const Raster sites = random_sites({30, 40}, 5, 1);
  NearestSiteOptions options{.method = Method::jfa};
  int inner = 0;
  options.flooding.on_pass = [&](const FloodingPass&) {
    inner += nearest_site(sites.view()).labels ? 1 : 0;
  };
  const NearestSite outer = nearest_site(sites.view(), options);
  EXPECT_GT(inner, 2);
  options.flooding.on_pass = {};
  EXPECT_TRUE(same_bits(outer.labels, nearest_site(sites.view(), options).labels));
}

TEST(OwningArrays, AreEmptyUntilTheyHaveExtents) {
  const Array<float> none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.view());
  EXPECT_EQ(none.begin(), none.end());
  Array<float> some({2, 0});
  EXPECT_TRUE(some) << "of no elements, but there";
  EXPECT_EQ(some.size(), 0);
  EXPECT_FALSE(Raster());
  EXPECT_TRUE(Raster::of<float>({2, 0}));
  Array<float> row({1, 3});
  row(0, 2) = 5;
  EXPECT_EQ(row.data()[2], 5);
  const Array<float> moved = std::move(row);
  EXPECT_EQ(moved(0, 2), 5);
}

}  // namespace
}  // namespace thiessen

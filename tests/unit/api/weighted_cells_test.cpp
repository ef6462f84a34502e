// SPDX-License-Identifier: Apache-2.0
//
// Weighted sites of a raster are the same as a list of points at their cells, which
// unit/cpu/candidates_test.cpp compares with integers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

/// A raster of sites, and the same sites as a list.
struct WeightedRaster {
  Extents extents;
  std::vector<std::int32_t> cells;
  std::vector<float> weights;  ///< NaN where there is no site
  std::vector<std::uint8_t> domain;
  std::vector<double> places, weights_of_list;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> index;  ///< of the cells in the list
  NearestSiteOptions options;

  View<const void> sites() const { return View<const std::int32_t>(cells.data(), extents); }
  View<const void> given() const { return View<const float>(weights.data(), extents); }
  View<const void> inside() const {
    return domain.empty() ? View<const void>{} : View<const std::uint8_t>(domain.data(), extents);
  }
  NearestSite find(const NearestSiteWanted& wanted) const {
    return nearest_site(sites(), options, wanted, inside(), given());
  }
  NearestSite find_in_list(const NearestSiteWanted& wanted) const {
    const auto count = static_cast<std::int64_t>(labels.size());
    NearestSiteOptions of_list = options;
    of_list.nodata.reset();
    return voronoi({.coordinates = View<const double>(places.data(), {count, extents.rank()}),
                    .labels = View<const std::int32_t>(labels.data(), {count}),
                    .weights = View<const double>(weights_of_list.data(), {count})},
                   {.extents = extents}, of_list, wanted, inside());
  }
};

void list_sites(WeightedRaster& raster) {
  for (std::int64_t i = 0; i < raster.extents.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (raster.cells[at] == 0) continue;
    std::int64_t rest = i;
    std::vector<double> place(static_cast<std::size_t>(raster.extents.rank()));
    for (int axis = raster.extents.rank() - 1; axis >= 0; --axis) {
      place[static_cast<std::size_t>(axis)] = static_cast<double>(rest % raster.extents[axis]);
      rest /= raster.extents[axis];
    }
    raster.places.insert(raster.places.end(), place.begin(), place.end());
    raster.labels.push_back(raster.cells[at]);
    raster.weights_of_list.push_back(raster.weights[at]);
    raster.index.push_back(i);
  }
}

/// Areas of a few labels and weights, with single cells between them.
WeightedRaster draw_raster(std::uint64_t seed) {
  Draw draw(seed);
  WeightedRaster raster;
  raster.extents = draw.once_in(3)
                       ? Extents{1 + draw.below(9), 1 + draw.below(10), 1 + draw.below(12)}
                       : Extents{1 + draw.below(40), 1 + draw.below(50)};
  const auto rank = static_cast<std::size_t>(raster.extents.rank());
  NearestSiteOptions& options = raster.options;
  options.weighting = static_cast<Weighting>(1 + draw.below(3));
  options.distance_type = FloatType::f64;
  if (draw.once_in(3)) options.spacing = std::vector<double>(rank, 0.5);
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < rank; ++axis) options.periodic.push_back(draw.once_in(2));
  if (draw.once_in(4)) options.max_distance = draw.real() * 8;
  const std::int64_t side = 1 + draw.below(8);
  const std::int64_t share = 1 + draw.below(30);
  const bool divides = options.weighting == Weighting::multiplicative;
  const std::int64_t width = raster.extents[raster.extents.rank() - 1];
  for (std::int64_t i = 0; i < raster.extents.count(); ++i) {
    const auto area =
        static_cast<std::uint64_t>(i / width / side * 1000 + i % width / side) * 7919 + seed;
    const bool is_site =
        draw.once_in(40) || static_cast<std::int64_t>(area * 2654435761U % 97) < share;
    raster.cells.push_back(is_site ? static_cast<std::int32_t>(1 + area % 5) : 0);
    raster.weights.push_back(is_site ? static_cast<float>((divides ? 1 : 0) + area % 3) * 1.5F
                                     : std::numeric_limits<float>::quiet_NaN());
    if (seed % 4 == 0) raster.domain.push_back(draw.once_in(3) ? 0 : 1);
  }
  if (!raster.domain.empty()) options.nodata_label = std::int64_t{-9};
  list_sites(raster);
  return raster;
}

bool are_same(const Raster& a, const Raster& b) {
  const auto cells = static_cast<std::size_t>(a.extents().count());
  return a.extents() == b.extents() &&
         std::memcmp(a.bytes(), b.bytes(), cells * size_of(a.element_type())) == 0;
}

std::vector<std::int64_t> sites_in(const Array<std::int64_t>& found) {
  return {found.data(), found.data() + found.extents().count()};
}

void expect_same(const WeightedRaster& raster, const NearestSite& found,
                 const NearestSite& wanted) {
  std::vector<std::int64_t> sites = sites_in(wanted.site_index);
  for (std::int64_t& site : sites)
    if (site >= 0) site = raster.index[static_cast<std::size_t>(site)];
  EXPECT_EQ(sites_in(found.site_index), sites);
  EXPECT_TRUE(are_same(found.labels, wanted.labels));
  EXPECT_TRUE(are_same(found.distance, wanted.distance));
  EXPECT_TRUE(are_same(found.weighted_distance, wanted.weighted_distance));
}

TEST(WeightedCells, AreAsPoints) {
  constexpr NearestSiteWanted kAll{.site_index = true, .weighted_distance = true};
  const char* const given = std::getenv("THIESSEN_TEST_PROBLEMS");
  const std::uint64_t problems = given == nullptr ? 400 : std::strtoull(given, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= problems; ++seed) {
    SCOPED_TRACE(seed);
    WeightedRaster raster = draw_raster(seed);
    expect_same(raster, raster.find(kAll), raster.find_in_list(kAll));
    EXPECT_TRUE(are_same(raster.find({.distance = false}).labels,
                         raster.find_in_list({.distance = false}).labels));
    if (seed % 3 == 0) {
      raster.options.k = 1 + static_cast<std::int64_t>(seed % 4);
      raster.options.distinct_labels = seed % 2 == 0;
      expect_same(raster, raster.find(kAll), raster.find_in_list(kAll));
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/random_sites.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "thiessen/error.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {
namespace {

std::vector<std::int32_t> draw(const Extents& extents, std::int64_t count, std::uint64_t seed) {
  std::vector<std::int32_t> cells(static_cast<std::size_t>(extents.count()), -1);
  Context context;
  random_sites(context, View<std::int32_t>(cells.data(), extents), count, seed);
  return cells;
}

TEST(RandomSites, AreDistinctAndLabelledInOrder) {
  for (const std::int64_t count : {0, 1, 17, 599, 600}) {
    std::int32_t next = 0;
    for (const std::int32_t label : draw({20, 30}, count, 5))
      if (label != 0) {
        EXPECT_EQ(label, ++next);
      }
    EXPECT_EQ(next, count);
  }
}

/// A seed draws these cells on every machine.
TEST(RandomSites, GoldenCells) {
  const std::vector<std::int32_t> cells = draw({5, 8}, 6, 1);
  std::vector<std::int64_t> sites;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] != 0) sites.push_back(static_cast<std::int64_t>(i));
  EXPECT_EQ(sites, (std::vector<std::int64_t>{9, 15, 23, 25, 35, 38}));
}

TEST(RandomSites, DependOnTheSeed) {
  EXPECT_EQ(draw({20, 30}, 50, 1), draw({20, 30}, 50, 1));
  EXPECT_NE(draw({20, 30}, 50, 1), draw({20, 30}, 50, 2));
}

TEST(RandomSites, TypeAndStridesDoNotMatter) {
  std::vector<std::int64_t> wide(2 * 3 * 4 * 5);
  Context context;
  random_sites(context,
               View<std::int64_t>(wide.data(), {3, 4, 5}, {2 * 4 * 5 * 8, 2 * 5 * 8, 2 * 8}), 9, 3);
  const std::vector<std::int32_t> narrow = draw({3, 4, 5}, 9, 3);
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_EQ(wide[2 * i], narrow[i]);
}

/// Few sites are looked for among the draws, many the other way round.
TEST(RandomSites, OfSlabsAreThoseOfTheRaster) {
  const Extents raster{7, 4, 5};
  Context context;
  for (const std::int64_t count : {0, 1, 9, 30, 139, 140}) {
    const std::vector<std::int32_t> whole = draw(raster, count, 3);
    for (const std::int64_t height : {1, 3, 7}) {
      std::vector<std::int32_t> cells(whole.size());
      std::int64_t above = 0;
      for (std::int64_t first = 0; first < 7; first += height) {
        const Extents rows{std::min<std::int64_t>(height, 7 - first), 4, 5};
        const View<std::int32_t> slab(cells.data() + first * 20, rows);
        const std::int64_t counted = random_sites_slab(context, slab, {raster, first}, count, 3);
        above = random_sites_slab(context, slab, {raster, first}, count, 3, above);
        EXPECT_EQ(counted, above);
      }
      EXPECT_EQ(cells, whole) << count << " sites in slabs of " << height;
      EXPECT_EQ(above, count);
    }
  }
}

TEST(RandomSites, RefuseSlabsOfAnotherRaster) {
  Context context;
  std::vector<std::int32_t> cells(20);
  const View<std::int32_t> slab(cells.data(), {4, 5});
  EXPECT_THROW(random_sites_slab(context, slab, {{6, 4}, 0}, 1, 0), Error);
  EXPECT_THROW(random_sites_slab(context, slab, {{6, 5}, 3}, 1, 0), Error);
  EXPECT_THROW(random_sites_slab(context, slab, {{6, 5}, 2}, 31, 0), Error);
  EXPECT_EQ(random_sites_slab(context, slab, {{6, 5}, 2}, 30, 0), 30);
}

TEST(RandomSites, RefusesMisalignedViews) {
  Context context;
  std::vector<std::int32_t> cells(9);
  auto* const odd = reinterpret_cast<std::byte*>(cells.data()) + 1;
  EXPECT_THROW(random_sites(context, View<void>(odd, ElementType::i32, {2, 4}), 1, 0), Error);
  EXPECT_THROW(random_sites(context, View<void>(nullptr, ElementType::i32, {2, 4}), 1, 0), Error);
}

TEST(RandomSites, RefusesImpossibleCounts) {
  EXPECT_THROW(draw({2, 2}, 5, 0), Error);
  EXPECT_THROW(draw({2, 2}, -1, 0), Error);
  std::vector<float> cells(4);
  Context context;
  EXPECT_THROW(random_sites(context, View<float>(cells.data(), {2, 2}), 1, 0), Error);
}

}  // namespace
}  // namespace thiessen

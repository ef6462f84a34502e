// SPDX-License-Identifier: Apache-2.0
//
// nearest_site_batch() on the CPU, and how the CPU refuses streams and device memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// The message with which `call` is refused.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
    return "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
}

/// Outputs of a batch, or of its rasters one by one.
struct Results {
  explicit Results(std::int64_t cells, int axes)
      : labels(static_cast<std::size_t>(cells)),
        site_index(labels.size()),
        squared(labels.size()),
        offset(labels.size() * static_cast<std::size_t>(axes)) {}

  bool operator==(const Results&) const = default;

  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index, squared;
  std::vector<std::int32_t> offset;
};

Extents behind(std::vector<std::int64_t> first, const std::vector<std::int64_t>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return Extents(first);
}

void expect_batch_like_each(std::int64_t rasters, const std::vector<std::int64_t>& raster,
                            ElementType type) {
  const Extents extents(raster);
  const auto axes = static_cast<std::int64_t>(raster.size());
  const std::int64_t cells = extents.count();
  std::vector<std::int32_t> values(static_cast<std::size_t>(rasters * cells));
  testing::Draw draw(3);
  for (auto& value : values) value = draw.once_in(9) ? static_cast<int>(draw.below(50)) + 1 : 0;
  std::vector<std::uint8_t> mask(values.begin(), values.end());
  const bool is_mask = type == ElementType::boolean;
  const auto sites_of = [&](std::int64_t first, const Extents& shape) {
    return is_mask ? View<const void>(mask.data() + first, type, shape)
                   : View<const void>(values.data() + first, type, shape);
  };

  Context context({.threads = 2});
  Results batch(rasters * cells, static_cast<int>(axes));
  nearest_site_batch(context, sites_of(0, behind({rasters}, raster)), {},
                     {.labels = View(batch.labels.data(), behind({rasters}, raster)),
                      .site_index = View(batch.site_index.data(), behind({rasters}, raster)),
                      .squared = View(batch.squared.data(), behind({rasters}, raster)),
                      .offset = View(batch.offset.data(), behind({axes, rasters}, raster))});
  Results each(rasters * cells, static_cast<int>(axes));
  for (std::int64_t i = 0; i < rasters; ++i) {
    const auto offset_strides = [&] {
      auto strides = View<std::int32_t>::Base::c_strides(ElementType::i32, behind({axes}, raster));
      strides[0] *= rasters;
      return strides;
    }();
    nearest_site(
        context, sites_of(i * cells, extents), {},
        {.labels = View(each.labels.data() + i * cells, extents),
         .site_index = View(each.site_index.data() + i * cells, extents),
         .squared = View(each.squared.data() + i * cells, extents),
         .offset = View(each.offset.data() + i * cells, behind({axes}, raster), offset_strides)});
  }
  EXPECT_TRUE(batch == each);
}

TEST(BatchTest, IsWhatCallsForEachRasterGive) {
  expect_batch_like_each(7, {13, 21}, ElementType::i32);
  expect_batch_like_each(5, {9, 17}, ElementType::boolean);
  expect_batch_like_each(3, {5, 6, 7}, ElementType::i32);
  expect_batch_like_each(1, {8, 8}, ElementType::i32);
}

TEST(BatchTest, MayBeEmpty) {
  Context context;
  std::vector<std::int32_t> none(1);
  for (const Extents& extents : {Extents{0, 4, 5}, Extents{3, 0, 5}, Extents{0, 0, 0}})
    nearest_site_batch(context, View<const std::int32_t>(none.data(), extents), {},
                       {.labels = View<std::int32_t>(none.data(), extents)});
}

TEST(BatchTest, RefusesWhatIsNoBatch) {
  Context context;
  std::vector<std::int32_t> cells(24);
  std::vector<std::int32_t> labels(24);
  const View<const std::int32_t> flat(cells.data(), {4, 6});
  EXPECT_EQ(refusal([&] { nearest_site_batch(context, flat, {}, {}); }),
            "sites of a batch has 2 axes; must have 3 or 4; the first counts the rasters");
  const View<const std::int32_t> sites(cells.data(), {2, 3, 4});
  const auto refused = [&](const NearestSiteOptions& options, const NearestSiteOutputs& out) {
    return refusal([&] { nearest_site_batch(context, sites, options, out); });
  };
  EXPECT_EQ(refused({}, {.labels = View<std::int32_t>(labels.data(), {3, 4})}),
            "labels has the extents 3x4; must have 2x3x4");
  EXPECT_EQ(refused({}, {.offset = View<std::int32_t>(labels.data(), {2, 3, 4})}),
            "offset has the extents 2x3x4; must have 2x2x3x4");
  EXPECT_EQ(refused({.spacing = {1, 1, 1}}, {}),
            "spacing has 3 values; must have one for each of the 2 axes");
  EXPECT_EQ(refused({}, {.labels = View<std::int32_t>(labels.data(), {2, 3, 4}, {0, 16, 4})}),
            "labels has the stride[0] = 0; cells of an output must lie apart");
  EXPECT_EQ(refused({}, {.labels = View<std::int32_t>(cells.data(), {2, 3, 4})}),
            "labels overlaps the sites in memory; must be apart");
}

TEST(BatchTest, ProgressGrowsToOneOverAllOfIt) {
  std::vector<std::int32_t> cells(4 * 300 * 300, 0);
  for (std::size_t i = 0; i < cells.size(); i += 997) cells[i] = 1;
  std::vector<std::int32_t> labels(cells.size());
  const Extents extents{4, 300, 300};
  Context context({.threads = 2});
  std::vector<double> fractions;
  context.on_progress([&](double fraction) { fractions.push_back(fraction); });
  for (int round = 0; round < 2; ++round) {
    fractions.clear();
    nearest_site_batch(context, View<const std::int32_t>(cells.data(), extents), {},
                       {.labels = View<std::int32_t>(labels.data(), extents)});
    ASSERT_GE(fractions.size(), 4u);
    for (std::size_t i = 1; i < fractions.size(); ++i) EXPECT_GT(fractions[i], fractions[i - 1]);
    EXPECT_LE(fractions.front(), 0.25);
    EXPECT_EQ(fractions.back(), 1);
  }
  ASSERT_EQ(context.phases().size(), 2u);  // not those of each raster
}

TEST(StreamTest, TheCpuHasNone) {
  int anything = 0;
  EXPECT_EQ(refusal([&] { Context({.device = "cpu", .stream = &anything}); }),
            "stream is given; the cpu has none");
}

TEST(StreamTest, TheCpuIsAlwaysDone) {
  Context context;
  context.synchronize();
}

TEST(DeviceMemoryTest, TheCpuDoesNotReachIt) {
  Context context;
  std::vector<std::int32_t> cells(12);
  std::vector<double> places(4);
  const View<const std::int32_t> sites(cells.data(), {3, 4});
  EXPECT_EQ(refusal([&] {
              nearest_site(context, sites, {},
                           {.labels = View<std::int32_t>(cells.data(), {3, 4}, MemorySpace::cuda)});
            }),
            "labels lies in memory of a CUDA device; device = cpu reaches memory of the host only");
  EXPECT_EQ(refusal([&] {
              voronoi(context,
                      PointList{View<const double>(places.data(), {2, 2}, MemorySpace::cuda)},
                      Grid{.extents = {3, 4}}, {}, {});
            }),
            "points lie in memory of a CUDA device; device = cpu reaches memory of the host only");
  EXPECT_EQ(
      refusal([&] {
        random_sites(context, View<std::int32_t>(cells.data(), {3, 4}, MemorySpace::cuda), 1, 1);
      }),
      "sites lies in memory of a CUDA device; must be on the host");
}

}  // namespace
}  // namespace thiessen

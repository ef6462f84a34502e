// SPDX-License-Identifier: Apache-2.0
#include "thiessen/components.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/base/rng.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

Context& context_of_test() {
  static Context context;
  return context;
}

std::vector<std::int32_t> number(std::vector<std::uint8_t> image, const Extents& extents,
                                 Connectivity connectivity, std::int64_t expected_count) {
  std::vector<std::int32_t> labels(image.size(), -7);
  EXPECT_EQ(connected_components(context_of_test(), View<std::uint8_t>(image.data(), extents),
                                 {.connectivity = connectivity},
                                 View<std::int32_t>(labels.data(), extents)),
            expected_count);
  return labels;
}

TEST(Components, FacesAndCorners) {
  const std::vector<std::uint8_t> image = {1, 0, 1,  //
                                           0, 1, 0,  //
                                           1, 0, 1};
  EXPECT_EQ(number(image, {3, 3}, Connectivity::faces, 5),
            (std::vector<std::int32_t>{1, 0, 2, 0, 3, 0, 4, 0, 5}));
  EXPECT_EQ(number(image, {3, 3}, Connectivity::corners, 1),
            (std::vector<std::int32_t>{1, 0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST(Components, NumbersFollowTheFirstCells) {
  // The two arms of the first shape meet only in the last row.
  const std::vector<std::uint8_t> image = {1, 0, 1, 0, 1,  //
                                           1, 0, 1, 0, 0,  //
                                           1, 1, 1, 0, 1};
  EXPECT_EQ(number(image, {3, 5}, Connectivity::faces, 3),
            (std::vector<std::int32_t>{1, 0, 1, 0, 2, 1, 0, 1, 0, 0, 1, 1, 1, 0, 3}));
}

TEST(Components, DifferentValuesAreDifferentAreas) {
  EXPECT_EQ(number({1, 1, 2, 2}, {1, 4}, Connectivity::corners, 2),
            (std::vector<std::int32_t>{1, 1, 2, 2}));
}

/// In 3-D corners join two cells that faces do not.
TEST(Components, ThreeDimensions) {
  const std::vector<std::uint8_t> image = {1, 0, 0, 0,  //
                                           0, 0, 0, 1};
  EXPECT_EQ(number(image, {2, 2, 2}, Connectivity::faces, 2)[7], 2);
  EXPECT_EQ(number(image, {2, 2, 2}, Connectivity::corners, 1)[7], 1);
}

TEST(Components, NanIsBackground) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> image = {nan, 2.5f, -0.0f, nan};
  std::vector<std::int64_t> labels(4);
  EXPECT_EQ(connected_components(context_of_test(), View<float>(image.data(), {2, 2}), {},
                                 View<std::int64_t>(labels.data(), {2, 2})),
            1);
  EXPECT_EQ(labels, (std::vector<std::int64_t>{0, 1, 0, 0}));
}

TEST(Components, NodataCellsBelongToNone) {
  std::vector<std::uint8_t> image = {2, 2, 9, 2, 9, 0};
  std::vector<std::int32_t> labels(6);
  EXPECT_EQ(
      connected_components(context_of_test(), View<std::uint8_t>(image.data(), {1, 6}),
                           {.nodata = std::int64_t{9}}, View<std::int32_t>(labels.data(), {1, 6})),
      2);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{1, 1, -1, 2, -1, 0}));
  connected_components(context_of_test(), View<std::uint8_t>(image.data(), {1, 6}),
                       {.nodata = std::int64_t{0}}, View<std::int32_t>(labels.data(), {1, 6}));
  EXPECT_EQ(labels, (std::vector<std::int32_t>{1, 1, 2, 3, 4, -1}));
}

TEST(Components, EveryTrueByteIsTheSameNodata) {
  std::vector<std::uint8_t> image = {0, 1, 1, 1, 0, 2, 3, 2, 3};
  std::vector<std::int32_t> labels(9);
  const View<void> booleans(image.data(), ElementType::boolean, {3, 3});
  EXPECT_EQ(connected_components(context_of_test(), booleans, {.nodata = std::int64_t{1}},
                                 View<std::int32_t>(labels.data(), {3, 3})),
            0);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{0, -1, -1, -1, 0, -1, -1, -1, -1}));
}

TEST(Components, LabelsNeedCellsOfTheirOwn) {
  std::vector<std::int32_t> labels(6, 1);
  const View<std::int32_t> shared(labels.data(), {2, 3});
  EXPECT_THROW(connected_components(context_of_test(), shared, {}, shared), Error);
  std::vector<std::uint8_t> image(6, 1);
  const View<std::uint8_t> cells(image.data(), {2, 3});
  EXPECT_THROW(connected_components(context_of_test(), cells, {},
                                    View<std::int32_t>(labels.data(), {2, 3}, {4, 4})),
               Error);
}

/// The same result, by filling one area after the other from its first cell.
std::vector<std::int32_t> flood(const std::vector<std::uint8_t>& image, std::int32_t height,
                                std::int32_t width, bool corners) {
  std::vector<std::int32_t> labels(image.size());
  std::int32_t count = 0;
  for (std::size_t first = 0; first < image.size(); ++first) {
    if (image[first] == 0 || labels[first] != 0) continue;
    std::vector<std::size_t> open{first};
    labels[first] = ++count;
    while (!open.empty()) {
      const auto cell = static_cast<std::int32_t>(open.back());
      open.pop_back();
      for (std::int32_t i = 0; i < 9; ++i) {
        const std::int32_t dy = i / 3 - 1;
        const std::int32_t dx = i % 3 - 1;
        const std::int32_t y = cell / width + dy;
        const std::int32_t x = cell % width + dx;
        if ((!corners && dy != 0 && dx != 0) || y < 0 || x < 0 || y >= height || x >= width)
          continue;
        const auto other = static_cast<std::size_t>(y * width + x);
        if (labels[other] != 0 || image[other] != image[first]) continue;
        labels[other] = count;
        open.push_back(other);
      }
    }
  }
  return labels;
}

TEST(Components, RandomImagesAgreeWithFloodFill) {
  for (std::uint64_t round = 0; round < 60; ++round) {
    const auto height = static_cast<std::int32_t>(1 + splitmix64(round, 0) % 30);
    const auto width = static_cast<std::int32_t>(1 + splitmix64(round, 1) % 30);
    std::vector<std::uint8_t> image(static_cast<std::size_t>(height * width));
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = static_cast<std::uint8_t>(splitmix64(round, i + 2) % 5 / 2);
    for (const bool corners : {false, true}) {
      std::vector<std::int32_t> labels(image.size());
      connected_components(context_of_test(), View<std::uint8_t>(image.data(), {height, width}),
                           {.connectivity = corners ? Connectivity::corners : Connectivity::faces},
                           View<std::int32_t>(labels.data(), {height, width}));
      ASSERT_EQ(labels, flood(image, height, width, corners));
    }
  }
}

TEST(Components, RefusesWhatDoesNotFit) {
  std::vector<std::uint8_t> image(6);
  std::vector<std::int32_t> labels(6);
  const View<std::uint8_t> cells(image.data(), {2, 3});
  EXPECT_THROW(
      connected_components(context_of_test(), cells, {}, View<std::int32_t>(labels.data(), {3, 2})),
      Error);
  EXPECT_THROW(connected_components(context_of_test(), cells, {},
                                    View<float>(reinterpret_cast<float*>(labels.data()), {2, 3})),
               Error);
}

}  // namespace
}  // namespace thiessen

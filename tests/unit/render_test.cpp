// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using Colour = std::vector<int>;

class RenderTest : public ::testing::Test {
 protected:
  std::vector<Colour> paint(const RenderInputs& inputs, const Extents& extents) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(extents.count() * 3));
    Context context;
    render(context, inputs, View<std::uint8_t>(bytes.data(), {extents[0], extents[1], 3}));
    std::vector<Colour> colours;
    for (std::size_t i = 0; i < bytes.size(); i += 3)
      colours.push_back({bytes[i], bytes[i + 1], bytes[i + 2]});
    return colours;
  }
};

const Colour kWhite{255, 255, 255};
const Colour kBlack{0, 0, 0};

TEST_F(RenderTest, EqualLabelsHaveEqualColours) {
  std::vector<std::int32_t> labels = {5, 5, 5, 5};
  const auto colours = paint({.labels = View<std::int32_t>(labels.data(), {2, 2})}, {2, 2});
  EXPECT_EQ(std::set<Colour>(colours.begin(), colours.end()).size(), 1u);
  EXPECT_NE(colours[0], kWhite);
}

TEST_F(RenderTest, ManyLabelsHaveManyColours) {
  std::vector<std::int32_t> labels(400);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i / 2 + 1);
  const auto colours = paint({.labels = View<std::int32_t>(labels.data(), {1, 400})}, {1, 400});
  EXPECT_GT(std::set<Colour>(colours.begin(), colours.end()).size(), 300u);
}

TEST_F(RenderTest, SpecialCells) {
  std::vector<std::int32_t> labels = {0, 3, 3, 3};
  std::vector<float> distance = {std::numeric_limits<float>::infinity(), 1,
                                 std::numeric_limits<float>::quiet_NaN(), 0};
  std::vector<std::uint8_t> sites = {0, 0, 0, 1};
  const auto colours = paint({.labels = View<std::int32_t>(labels.data(), {1, 4}),
                              .distance = View<float>(distance.data(), {1, 4}),
                              .sites = View<std::uint8_t>(sites.data(), {1, 4})},
                             {1, 4});
  EXPECT_EQ(colours[0], kWhite);
  EXPECT_EQ(colours[2], (Colour{160, 160, 160}));
  EXPECT_EQ(colours[3], kBlack);
}

TEST_F(RenderTest, DistanceAloneShades) {
  std::vector<double> distance = {0, 1, 2, 3};
  const auto colours = paint({.distance = View<double>(distance.data(), {2, 2})}, {2, 2});
  EXPECT_EQ(colours[0], kWhite);
  EXPECT_LT(colours[3][0], colours[1][0]);
}

TEST_F(RenderTest, RefusesOtherExtents) {
  std::vector<std::int32_t> labels(6);
  EXPECT_THROW(paint({.labels = View<std::int32_t>(labels.data(), {2, 3})}, {3, 2}), Error);
  std::vector<std::uint8_t> bytes(4);
  Context context;
  EXPECT_THROW(render(context, {}, View<std::uint8_t>(bytes.data(), {2, 2})), Error);
}

}  // namespace
}  // namespace thiessen

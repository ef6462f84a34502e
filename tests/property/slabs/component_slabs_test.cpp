// SPDX-License-Identifier: Apache-2.0
//
// Components of a raster in slabs against those of one call.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include "thiessen/slabs/component_slabs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/slabs/rows_of.hpp"
#include "support/slabs/slabs.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::draw_cuts;
using testing::message_of;
using testing::Rows;
using testing::rows_of;

struct Image {
  Extents extents;
  std::vector<float> cells;

  View<const float> view() const { return {cells.data(), extents}; }
};

/// Dots, areas and walls: few values, of which a walk of the pen makes long shapes.
Image draw_image(Draw& draw) {
  const bool is_flat = draw.once_in(2);
  Image image{is_flat ? Extents{draw.below(40), 1 + draw.below(40)}
                      : Extents{draw.below(14), 1 + draw.below(9), 1 + draw.below(9)},
              {}};
  const std::int64_t values = 1 + draw.below(3);
  const std::int64_t sparsity = 1 + draw.below(4);
  image.cells.resize(static_cast<std::size_t>(image.extents.count()));
  for (float& cell : image.cells)
    cell = draw.once_in(sparsity) ? static_cast<float>(1 + draw.below(values)) : 0.0F;
  return image;
}

template <class Label>
struct Numbered {
  std::vector<Label> labels;
  std::int64_t count = 0;
  bool operator==(const Numbered&) const = default;
};

template <class Label>
Numbered<Label> at_once(Context& context, const Image& image, const ComponentsOptions& options) {
  Numbered<Label> result{std::vector<Label>(image.cells.size()), 0};
  result.count = connected_components(context, image.view(), options,
                                      View<Label>(result.labels.data(), image.extents));
  return result;
}

/// Summaries and numbers travel as bytes.
template <class Label>
Numbered<Label> by_slabs(Context& context, const Image& image, const ComponentsOptions& options,
                         const std::vector<Rows>& cuts) {
  Numbered<Label> result{std::vector<Label>(image.cells.size()), 0};
  const View<Label> labels(result.labels.data(), image.extents);
  std::vector<ComponentsSummary> summaries;
  for (const Rows& cut : cuts) {
    const ComponentsSummary summary =
        summarise_components(context, rows_of(image.view(), cut), options, rows_of(labels, cut));
    summaries.push_back(components_summary(slab_bytes(summary)));
    EXPECT_EQ(summaries.back(), summary);
  }
  const auto numbers = combine_components(summaries, image.extents, options);
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const ComponentNumbers own = component_numbers(slab_bytes(numbers[k]));
    EXPECT_EQ(own, numbers[k]);
    number_components(own, rows_of(labels, cuts[k]));
    result.count = own.all;
  }
  return result;
}

template <class Label>
void compare(std::uint64_t seed) {
  Draw draw(seed);
  const Image image = draw_image(draw);
  const bool is_flat = image.extents.rank() == 2;
  constexpr std::array kConnectivities{Connectivity::corners, Connectivity::faces,
                                       Connectivity::edges};
  ComponentsOptions options;
  options.connectivity = kConnectivities[static_cast<std::size_t>(draw.below(is_flat ? 2 : 3))];
  if (draw.once_in(3)) options.nodata = std::int64_t{1};
  static Context context({.threads = 1});
  ASSERT_EQ(by_slabs<Label>(context, image, options, draw_cuts(draw, image.extents[0])),
            at_once<Label>(context, image, options))
      << "problem " << seed;
}

TEST(ComponentSlabs, EqualOneCall) {
  for (std::uint64_t seed = 0; seed < 40 * testing::problem_count() && !HasFatalFailure(); ++seed)
    seed % 2 == 0 ? compare<std::int32_t>(seed) : compare<std::int64_t>(seed);
}

/// A spiral meets every slab many times, and is one component that begins in the first.
TEST(ComponentSlabs, FollowASpiral) {
  constexpr std::int64_t kSize = 41;
  Image image{{kSize, kSize}, std::vector<float>(kSize * kSize)};
  const auto at = [&](std::int64_t y, std::int64_t x) -> float& {
    return image.cells[static_cast<std::size_t>(y * kSize + x)];
  };
  std::int64_t y = 0;
  std::int64_t x = 0;
  std::array<std::int64_t, 2> step{0, 1};
  at(0, 0) = 1;
  for (std::int64_t length = kSize - 1; length > 1; length -= 2)
    for (int side = 0; side < 2; ++side) {
      for (std::int64_t i = 0; i < length; ++i) at(y += step[0], x += step[1]) = 1;
      step = {step[1], -step[0]};
    }
  Context context({.threads = 1});
  for (const std::int64_t height : {1, 2, 3, 7, 40}) {
    std::vector<Rows> cuts;
    for (std::int64_t first = 0; first < kSize; first += height)
      cuts.push_back({first, std::min(height, kSize - first)});
    const auto found = by_slabs<std::int32_t>(context, image, {}, cuts);
    EXPECT_EQ(found, at_once<std::int32_t>(context, image, {})) << height;
    EXPECT_EQ(found.count, 1);
  }
}

TEST(ComponentSlabs, WrongArguments) {
  const ComponentsFace face{{1, 0}, std::vector<std::byte>(2)};
  const ComponentsSummary summary{ElementType::u8, face, face, 1};
  EXPECT_EQ(message_of([&] {
              combine_components(std::array{summary}, {4, 3}, {});
            }),
            "summary has a face of 2 cells; the raster's has 3");
  ComponentsSummary other = summary;
  other.type = ElementType::i8;
  EXPECT_EQ(message_of([&] {
              combine_components(std::array{summary, other}, {4, 2}, {});
            }),
            "summaries are of u8 and i8 cells; must be of one raster");
  other = summary;
  other.count = 0;
  EXPECT_EQ(message_of([&] {
              combine_components(std::array{other}, {4, 2}, {});
            }),
            "summary has the component 1; it counts 0");
  std::array<std::int32_t, 2> labels{1, 3};
  const View<std::int32_t> view(labels.data(), {1, 2});
  EXPECT_EQ(message_of([&] { number_components({.count = 2}, view); }),
            "labels hold the component 3; the slab has 2");
  EXPECT_EQ(
      message_of([&] { number_components({.before = std::int64_t{1} << 32, .count = 3}, view); }),
      "labels are i32; must be i64 to hold the component 4294967297");
  std::array<float, 2> real{};
  EXPECT_EQ(message_of([&] {
              number_components({}, View<float>(real.data(), {1, 2}));
            }),
            "labels are f32; must be i32 or i64");
  EXPECT_EQ(message_of([&] { components_summary(slab_bytes(ComponentNumbers{})); }),
            "summary has bytes that no function of slabs gave");
}

}  // namespace
}  // namespace thiessen

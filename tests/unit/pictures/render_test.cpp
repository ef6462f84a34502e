// SPDX-License-Identifier: Apache-2.0
#include "thiessen/render.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/rng.hpp"
#include "pictures/colour.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Colour kWhite{255, 255, 255};
constexpr Colour kGrey{160, 160, 160};

struct Picture {
  Extents extents;
  std::vector<std::uint8_t> bytes;

  Colour at(std::int64_t y, std::int64_t x) const {
    const auto i = static_cast<std::size_t>((y * extents[1] + x) * 3);
    return {bytes[i], bytes[i + 1], bytes[i + 2]};
  }
};

Picture paint(const RenderInputs& inputs, const Extents& pixels, const RenderOptions& options = {},
              int threads = 1) {
  Picture picture{pixels, std::vector<std::uint8_t>(static_cast<std::size_t>(pixels.count() * 3))};
  Context context({.threads = threads});
  render(context, inputs, options,
         View<std::uint8_t>(picture.bytes.data(), {pixels[0], pixels[1], 3}));
  return picture;
}

int total(const Colour& colour) { return colour.red + colour.green + colour.blue; }

/// Nothing is painted over the cells.
const RenderOptions kBare{.edges = false, .marks = Marks::none, .shade = 0};

template <class T>
Colour colour_of_label(T value) {
  return paint({.labels = View<T>(&value, {1, 1})}, {1, 1}, {.unreached = std::int64_t{127}})
      .at(0, 0);
}

/// Random sites with everything that can be painted of them.
struct Map {
  Raster sites, labels, distance;

  Map(const Extents& extents, std::int64_t count)
      : sites(ElementType::i32, extents),
        labels(ElementType::i32, extents),
        distance(ElementType::f32, extents) {
    Context context;
    random_sites(context, sites.view(), count, 7);
    nearest_site(context, std::as_const(sites).view(), {},
                 {.labels = labels.view(), .distance = distance.view()});
  }

  RenderInputs inputs() const { return {labels.view(), distance.view(), sites.view()}; }
};

TEST(Colours, LightComesBackToTheSameByte) {
  for (int i = 0; i < 256; ++i) {
    const auto byte = static_cast<std::uint8_t>(i);
    EXPECT_EQ(to_byte(to_linear_colour({byte, byte, byte}).red), byte);
  }
}

TEST(Colours, LightIsThatOfTheStandard) {
  for (int i = 0; i < 256; ++i) {
    const double value = i / 255.0;
    const double linear = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(to_linear_colour({static_cast<std::uint8_t>(i), 0, 0}).red, 65535 * linear, 0.51);
  }
}

TEST(Colours, LogarithmIsClose) {
  for (double x = 1e-9; x < 1e9; x *= 1.37) EXPECT_NEAR(log2_of(x), std::log2(x), 1e-7);
}

TEST(Colours, RampsRiseEvenlyInLightness) {
  for (const Ramp ramp :
       {Ramp::dusk, Ramp::ember, Ramp::grey, Ramp::viridis, Ramp::magma, Ramp::cividis}) {
    const std::vector<LinearColour> colours = make_ramp(ramp);
    for (std::size_t i = 40; i < colours.size(); i += 8) {  // black is too dark to distinguish
      const auto luminance = [](const LinearColour& light) {
        return 0.2126 * light.red + 0.7152 * light.green + 0.0722 * light.blue;
      };
      EXPECT_GT(luminance(colours[i]), luminance(colours[i - 8])) << i;
    }
  }
}

/// At both ends, and where the ramp meets entries 85 and 170 of matplotlib's table.
TEST(Colours, KnownRampsHaveTheirColours) {
  const std::map<Ramp, std::vector<Colour>> known = {
      {Ramp::viridis,
       {{0x44, 0x01, 0x54}, {0x31, 0x68, 0x8e}, {0x35, 0xb7, 0x79}, {0xfd, 0xe7, 0x25}}},
      {Ramp::magma,
       {{0x00, 0x00, 0x04}, {0x72, 0x1f, 0x81}, {0xf1, 0x60, 0x5d}, {0xfc, 0xfd, 0xbf}}},
      {Ramp::cividis,
       {{0x00, 0x22, 0x4e}, {0x57, 0x5d, 0x6d}, {0xa5, 0x9c, 0x74}, {0xfe, 0xe8, 0x38}}}};
  for (const auto& [ramp, wanted] : known) {
    const std::vector<LinearColour> colours = make_ramp(ramp);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const LinearColour& light = colours[i * (kRampColours - 1) / 3];
      EXPECT_EQ((Colour{to_byte(light.red), to_byte(light.green), to_byte(light.blue)}), wanted[i])
          << static_cast<int>(ramp) << ", " << i;
    }
  }
}

/// Nodata by its label has finite distances here, as in a file whose nodata value is unknown, and
/// nodata by its distance has neighbours with contours.
TEST(Render, ContoursDoNotRunOverNodata) {
  constexpr std::int64_t kWidth = 8;
  std::vector<std::int32_t> labels(kWidth * 4, 1);
  std::vector<float> distance(kWidth * 4);
  for (std::size_t i = 0; i < distance.size(); ++i) distance[i] = static_cast<float>(i % kWidth);
  for (const std::size_t cell : {3U, 4U, 5U}) labels[cell + kWidth] = 9;
  for (const std::size_t cell : {3U, 4U, 5U}) distance[cell + 2 * kWidth] = kNan;
  RenderOptions options = kBare;
  options.contours = true;
  options.contour_interval = 1;
  options.label_nodata = std::int64_t{9};
  for (const bool with_labels : {true, false}) {
    RenderInputs inputs{.distance = View<const float>(distance.data(), {4, kWidth})};
    if (with_labels) inputs.labels = View<const std::int32_t>(labels.data(), {4, kWidth});
    const Picture picture = paint(inputs, {80, 160}, options);
    for (std::int64_t y = with_labels ? 20 : 40; y < 60; ++y)
      for (std::int64_t x = 60; x < 120; ++x) ASSERT_EQ(picture.at(y, x), kGrey) << y << "," << x;
  }
}

TEST(Render, AWholeNumberHasOneColourInEveryType) {
  const Colour five = colour_of_label<std::uint8_t>(5);
  EXPECT_EQ(colour_of_label<std::int64_t>(5), five);
  EXPECT_EQ(colour_of_label<float>(5), five);
  EXPECT_EQ(colour_of_label<double>(5), five);
  EXPECT_EQ(colour_of_label<std::int8_t>(-3), colour_of_label<std::int64_t>(-3));
  EXPECT_NE(colour_of_label<float>(5.5F), five);
  EXPECT_EQ(colour_of_label<float>(kNan), kGrey);
}

TEST(Render, NeighbouringLabelsAreFarApart) {
  const auto apart = [](const Colour& a, const Colour& b) {
    return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
  };
  std::set<int> colours;
  for (std::int32_t label = 1; label <= 300; ++label) {
    if (label == 126 || label == 127) continue;
    const Colour colour = colour_of_label(label);
    colours.insert(colour.red << 16 | colour.green << 8 | colour.blue);
    EXPECT_GT(apart(colour, colour_of_label(label + 1)), 80) << label;
    EXPECT_GE(apart(colour, kWhite), 50) << label;
  }
  EXPECT_EQ(colours.size(), 298U);
}

/// Nodata is grey, and unreached cells have the colour of the background.
TEST(Render, SpecialCells) {
  std::vector<std::int32_t> labels = {0, 3, 3, 8, 7};
  std::vector<float> distance = {2, kInfinity, kNan, 0, 1};
  const Colour pink{255, 192, 203};
  RenderOptions options = kBare;
  options.label_nodata = std::int64_t{8};
  options.unreached = std::int64_t{7};
  options.background = pink;
  const Picture picture = paint({.labels = View<std::int32_t>(labels.data(), {1, 5}),
                                 .distance = View<float>(distance.data(), {1, 5})},
                                {1, 5}, options);
  EXPECT_NE(picture.at(0, 0), pink);
  EXPECT_EQ(picture.at(0, 1), pink);
  EXPECT_EQ(picture.at(0, 2), kGrey);
  EXPECT_EQ(picture.at(0, 3), kGrey);
  EXPECT_EQ(picture.at(0, 4), pink);
}

TEST(Render, DistanceRunsAlongTheRamp) {
  std::vector<double> distance = {0, 1, 2, 4, 1e300};
  const RenderInputs inputs{.distance = View<double>(distance.data(), {1, 5})};
  RenderOptions options = kBare;
  options.ramp = Ramp::grey;
  options.range = {0, 4};
  Picture picture = paint(inputs, {1, 5}, options);
  EXPECT_EQ(picture.at(0, 0), (Colour{0, 0, 0}));
  EXPECT_EQ(picture.at(0, 3), kWhite);
  EXPECT_EQ(picture.at(0, 4), kWhite);
  EXPECT_LT(total(picture.at(0, 1)), total(picture.at(0, 2)));
  const Colour linear = picture.at(0, 1);
  for (const RampScale scale : {RampScale::sqrt, RampScale::log}) {
    options.ramp_scale = scale;
    picture = paint(inputs, {1, 5}, options);
    EXPECT_GT(total(picture.at(0, 1)), total(linear));
    EXPECT_EQ(picture.at(0, 3), kWhite);
  }
}

TEST(Render, FarCellsAreDarker) {
  std::vector<std::int32_t> labels(4, 5);
  std::vector<float> distance = {0, 1, 2, 3};
  const RenderInputs inputs{.labels = View<std::int32_t>(labels.data(), {1, 4}),
                            .distance = View<float>(distance.data(), {1, 4})};
  const Picture picture = paint(inputs, {1, 4});
  EXPECT_EQ(picture.at(0, 0), colour_of_label(5));
  for (int x = 1; x < 4; ++x) EXPECT_LT(total(picture.at(0, x)), total(picture.at(0, x - 1)));
  EXPECT_EQ(paint(inputs, {1, 4}, kBare).at(0, 3), colour_of_label(5));
}

TEST(Render, EdgesLieBetweenLabels) {
  std::vector<std::uint8_t> labels(100 * 100, 1);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i % 100 < 50 ? 1 : 2;
  const RenderInputs inputs{.labels = View<std::uint8_t>(labels.data(), {100, 100})};
  Picture picture = paint(inputs, {100, 100});
  EXPECT_LT(total(picture.at(9, 49)), total(picture.at(9, 40)) * 2 / 3);
  EXPECT_EQ(picture.at(9, 40), colour_of_label<std::uint8_t>(1));
  EXPECT_EQ(picture.at(9, 60), colour_of_label<std::uint8_t>(2));
  picture = paint(inputs, {100, 100}, {.edge_colour = Colour{255, 0, 0}});
  EXPECT_EQ(picture.at(9, 49), (Colour{255, 0, 0}));
}

TEST(Render, MarksAreDiscsOrOutlines) {
  std::vector<std::uint8_t> sites(100 * 100, 0);
  sites[20 * 100 + 20] = 1;
  for (std::size_t y = 50; y < 90; ++y)
    for (std::size_t x = 50; x < 90; ++x) sites[y * 100 + x] = 1;
  const RenderInputs inputs{.sites = View<std::uint8_t>(sites.data(), {100, 100})};
  const auto dark = [&](Marks marks, std::int64_t y, std::int64_t x) {
    return total(paint(inputs, {100, 100}, {.marks = marks}).at(y, x)) < 200;
  };
  for (const Marks marks : {Marks::solid, Marks::outline}) {
    EXPECT_TRUE(dark(marks, 20, 20));
    EXPECT_TRUE(dark(marks, 21, 20));
    EXPECT_FALSE(dark(marks, 30, 20));
    EXPECT_TRUE(dark(marks, 50, 70));
    EXPECT_EQ(dark(marks, 70, 70), marks == Marks::solid);
  }
  EXPECT_FALSE(dark(Marks::none, 20, 20));
}

/// The same with a fourth channel: bytes of red, green, blue and opacity.
std::vector<std::array<int, 4>> paint_with_opacity(const RenderInputs& inputs,
                                                   const Extents& pixels,
                                                   const RenderOptions& options = {}) {
  Array<std::uint8_t> picture({pixels[0], pixels[1], 4});
  Context context({.threads = 1});
  render(context, inputs, options, picture.view());
  std::vector<std::array<int, 4>> all;
  for (const std::uint8_t* pixel = picture.begin(); pixel < picture.end(); pixel += 4)
    all.push_back({pixel[0], pixel[1], pixel[2], pixel[3]});
  return all;
}

TEST(Render, OpaqueCellsHaveTheSameColoursWithFourChannels) {
  const Map map({30, 40}, 9);
  const Picture opaque = paint(map.inputs(), {47, 31});
  const auto pixels = paint_with_opacity(map.inputs(), {47, 31});
  for (std::size_t i = 0; i < pixels.size(); ++i)
    EXPECT_EQ(pixels[i], (std::array<int, 4>{opaque.bytes[3 * i], opaque.bytes[3 * i + 1],
                                             opaque.bytes[3 * i + 2], 255}));
}

TEST(Render, SpecialCellsAreTransparentWithFourChannels) {
  const std::vector<std::int32_t> labels{5, 0, 6, 7};
  RenderOptions options = kBare;
  options.label_nodata = std::int64_t{6};
  options.opacity = 0.5;
  const auto pixels = paint_with_opacity({.labels = View(labels.data(), {1, 4})}, {1, 4}, options);
  const Colour five = colour_of_label(5);
  EXPECT_EQ(pixels[1][3], 0);
  EXPECT_EQ(pixels[2][3], 0);
  EXPECT_EQ(pixels[3][3], 127);
  // Half the light and twice as much again may be another one of 65536, and so the next byte.
  EXPECT_NEAR(pixels[0][0], five.red, 1);
  EXPECT_NEAR(pixels[0][1], five.green, 1);
  EXPECT_NEAR(pixels[0][2], five.blue, 1);
}

/// What is averaged is colours times opacity: a transparent cell has no colour that could shine in.
TEST(Render, TransparentCellsDoNotColourTheirNeighbours) {
  const std::vector<std::int32_t> labels{5, 0};
  const auto pixels = paint_with_opacity({.labels = View(labels.data(), {1, 2})}, {1, 1}, kBare);
  const Colour five = colour_of_label(5);
  EXPECT_NEAR(pixels[0][0], five.red, 1);
  EXPECT_NEAR(pixels[0][2], five.blue, 1);
  EXPECT_EQ(pixels[0][3], 128);
}

TEST(Render, LinesStayOpaqueOverTransparentCells) {
  const std::vector<std::int32_t> labels(40 * 40, 0);
  std::vector<std::int32_t> halves = labels;
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = i % 40 < 20 ? 1 : 2;
  const auto pixels =
      paint_with_opacity({.labels = View(halves.data(), {40, 40})}, {40, 40}, {.opacity = 0});
  EXPECT_EQ(pixels[0][3], 0);
  EXPECT_GT(std::max(pixels[19][3], pixels[20][3]), 250);
}

TEST(Render, ContoursAreLinesOfEqualDistance) {
  std::vector<float> distance(100);
  for (std::size_t i = 0; i < distance.size(); ++i) distance[i] = static_cast<float>(i);
  const RenderInputs inputs{.distance = View<float>(distance.data(), {1, 100})};
  RenderOptions options = kBare;
  options.ramp = Ramp::grey;
  const Picture plain = paint(inputs, {1, 100}, options);
  const auto lines = [&](std::optional<double> interval) {
    options.contours = true;
    options.contour_interval = interval;
    const Picture picture = paint(inputs, {1, 100}, options);
    std::set<std::int64_t> columns;
    for (std::int64_t x = 0; x < 100; ++x)
      if (picture.at(0, x) != plain.at(0, x)) columns.insert(x);
    return columns;
  };
  EXPECT_EQ(lines(25), (std::set<std::int64_t>{24, 49, 74}));
  EXPECT_EQ(lines({}), (std::set<std::int64_t>{9, 19, 29, 39, 49, 59, 69, 79, 89}));
}

TEST(Render, SmallRastersAreMagnifiedCrisply) {
  std::vector<std::uint8_t> labels = {1, 2, 3, 4};
  const Picture picture =
      paint({.labels = View<std::uint8_t>(labels.data(), {2, 2})}, {60, 40}, kBare);
  for (std::int64_t y = 0; y < 60; ++y)
    for (std::int64_t x = 0; x < 40; ++x)
      ASSERT_EQ(picture.at(y, x), colour_of_label<std::uint8_t>(
                                      labels[static_cast<std::size_t>(y / 30 * 2 + x / 20)]))
          << y << " " << x;
}

TEST(Render, LargeRastersAreAveragedInLinearLight) {
  std::vector<double> distance(90 * 90);
  for (std::size_t i = 0; i < distance.size(); ++i) distance[i] = static_cast<double>(i % 2);
  RenderOptions options = kBare;
  options.ramp = Ramp::grey;
  const Picture picture =
      paint({.distance = View<double>(distance.data(), {90, 90})}, {9, 9}, options);
  for (std::int64_t i = 0; i < 81; ++i) EXPECT_NEAR(picture.at(i / 9, i % 9).red, 188, 1);
  const Picture uneven =
      paint({.distance = View<double>(distance.data(), {90, 90})}, {7, 41}, options);
  for (std::int64_t x = 0; x < 41; ++x) EXPECT_NEAR(uneven.at(3, x).green, 188, 20);
}

TEST(Render, SitesOfHugeRastersAreNotLost) {
  std::vector<std::uint8_t> sites(1000 * 1000, 0);
  sites[501 * 1000 + 503] = 1;
  const Picture picture =
      paint({.sites = View<std::uint8_t>(sites.data(), {1000, 1000})}, {10, 10});
  EXPECT_LT(total(picture.at(5, 5)), 500);
  EXPECT_EQ(picture.at(0, 0), kWhite);
}

TEST(Render, AnyStridesDo) {
  const Map map({31, 47}, 20);
  const Picture plain = paint(map.inputs(), {31, 47});
  const auto mirror = [](const View<const void>& view) {
    return View<const void>(view.bytes() + 46 * view.stride(1), view.element_type(), view.extents(),
                            {view.stride(0), -view.stride(1)});
  };
  std::vector<std::uint8_t> bytes(31 * 47 * 4);
  const View<std::uint8_t> pixels(bytes.data() + 30 * 47 * 4 + 2, {31, 47, 3}, {-47 * 4, 4, -1});
  Context context;
  render(context,
         {mirror(map.labels.view()), mirror(map.distance.view()), mirror(map.sites.view())}, kBare,
         pixels);
  const Picture bare = paint(map.inputs(), {31, 47}, kBare);
  for (std::int64_t y = 0; y < 31; ++y)
    for (std::int64_t x = 0; x < 47; ++x)
      ASSERT_EQ((Colour{pixels(y, 46 - x, 0), pixels(y, 46 - x, 1), pixels(y, 46 - x, 2)}),
                bare.at(y, x));
}

TEST(Render, CellsOfNodataAreNoSites) {
  std::vector<std::int16_t> sites(50 * 50, -9);
  const RenderInputs inputs{.sites = View<std::int16_t>(sites.data(), {50, 50})};
  EXPECT_EQ(paint(inputs, {50, 50}, {.site_nodata = std::int64_t{-9}}).at(20, 20), kWhite);
  EXPECT_NE(paint(inputs, {50, 50}).at(20, 20), kWhite);
}

/// The least and greatest doubles neither overflow nor divide by zero.
TEST(Render, ExtremeDistances) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  for (std::vector<double> distance :
       std::vector<std::vector<double>>{{-kLargest, 0, kLargest},
                                        {0, kSmallest, 2 * kSmallest},
                                        {0, 1, kLargest},
                                        {3, 3, 3},
                                        {kInfinity, kNan, -kInfinity}}) {
    std::vector<std::uint8_t> labels = {1, 2, 3};
    RenderInputs inputs{.distance = View<double>(distance.data(), {1, 3})};
    for (const RampScale scale : {RampScale::linear, RampScale::sqrt, RampScale::log})
      paint(inputs, {5, 9}, {.contours = true, .ramp_scale = scale});
    paint(inputs, {5, 9}, {.contours = true, .contour_interval = kSmallest});
    inputs.labels = View<std::uint8_t>(labels.data(), {1, 3});
    paint(inputs, {5, 9}, {.contours = true});
  }
}

TEST(Render, AnySizeOnAnyThreads) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto draw = [&](std::uint64_t what, std::int64_t most) {
      return 1 + static_cast<std::int64_t>(splitmix64(i, what) % static_cast<std::uint64_t>(most));
    };
    const Extents extents{draw(0, 70), draw(1, 70)};
    const Extents pixels{draw(2, 90), draw(3, 90)};
    const Map map(extents, std::min(draw(4, 40), extents.count()));
    const RenderOptions options{.mode = i % 3 == 0 ? RenderMode::distance : RenderMode::cells,
                                .marks = i % 2 == 0 ? Marks::solid : Marks::outline,
                                .contours = i % 5 == 0};
    const Picture one = paint(map.inputs(), pixels, options, 1);
    ASSERT_EQ(one.bytes, paint(map.inputs(), pixels, options, 3).bytes) << i;
  }
}

/// FNV-1a over the bytes.
std::uint64_t hash_of(const Picture& picture) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t byte : picture.bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

/// Pictures have these bytes, for every number of threads.
TEST(Render, GoldenBytes) {
  const Map map({300, 400}, 60);
  RenderOptions contours{.contours = true};
  RenderOptions ramp{.mode = RenderMode::distance, .contours = true, .ramp_scale = RampScale::log};
  const auto expect = [&](std::uint64_t golden, const Extents& pixels,
                          const RenderOptions& options) {
    for (const int threads : {1, 4})
      EXPECT_EQ(hash_of(paint(map.inputs(), pixels, options, threads)), golden)
          << std::hex << hash_of(paint(map.inputs(), pixels, options, threads));
  };
  expect(0x51ff12029c10039au, {300, 400}, {});
  expect(0x1884d8846ed99517u, {75, 100}, contours);
  expect(0x739cb2b32df4264fu, {1201, 1607}, contours);
  expect(0xc2cabe7c6432af57u, {150, 133}, ramp);
  ramp.ramp = Ramp::ember;
  expect(0x54941c6fa9b8c5fu, {300, 400}, ramp);
  ramp.ramp = Ramp::ice;
  ramp.ramp_scale = RampScale::sqrt;
  expect(0x8b1b037ed15d4a11u, {9, 9}, ramp);
}

TEST(Render, EmptyPicturesAreFine) {
  std::vector<std::uint8_t> labels(4, 1);
  paint({.labels = View<std::uint8_t>(labels.data(), {2, 2})}, {0, 7});
  paint({.labels = View<std::uint8_t>(labels.data(), {0, 2})}, {0, 2});
}

TEST(Render, CanBeCancelled) {
  const Map map({200, 200}, 5);
  std::vector<std::uint8_t> bytes(200 * 200 * 3);
  Context context;
  context.on_progress([&](double) { context.cancel(); });
  EXPECT_THROW(render(context, map.inputs(), View<std::uint8_t>(bytes.data(), {200, 200, 3})),
               Error);
}

class RenderRefuses : public ::testing::Test {
 protected:
  void refuses(const std::string& word, const RenderInputs& inputs,
               const RenderOptions& options = {}) {
    try {
      paint(inputs, {2, 3}, options);
      ADD_FAILURE() << "no error about " << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }

  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(6, 1);
  std::vector<float> distance_ = std::vector<float>(6, 1);
  RenderInputs inputs_{.labels = View<std::int32_t>(labels_.data(), {2, 3}),
                       .distance = View<float>(distance_.data(), {2, 3})};
};

/// Missing views, other extents, wrong types.
TEST_F(RenderRefuses, Inputs) {
  refuses("missing", {});
  refuses("distance must have the extents",
          {.labels = inputs_.labels, .distance = View<float>(distance_.data(), {3, 2})});
  refuses("2-D", {.labels = View<std::int32_t>(labels_.data(), {1, 2, 3})});
  refuses("no cells", {.labels = View<std::int32_t>(labels_.data(), {0, 3})});
  refuses("distance is i32", {.distance = inputs_.labels});
  refuses("null", {.labels = View<std::int32_t>(nullptr, {2, 3})});
}

/// Options out of their range, or without the view that they need.
TEST_F(RenderRefuses, Options) {
  refuses("contour_interval = 0", inputs_, {.contours = true, .contour_interval = 0.0});
  refuses("contour_interval = nan", inputs_, {.contours = true, .contour_interval = std::nan("")});
  refuses("shade = 2", inputs_, {.shade = 2});
  refuses("opacity = -1", inputs_, {.opacity = -1});
  refuses("opacity = nan", inputs_, {.opacity = std::nan("")});
  refuses("opacity = 0.5; must be 1 without a fourth channel", inputs_, {.opacity = 0.5});
  refuses("range = 3,3", inputs_, {.range = {{3, 3}}});
  refuses("range", inputs_, {.range = {{0, static_cast<double>(kInfinity)}}});
  refuses("label_nodata = 0.5", inputs_, {.label_nodata = 0.5});
  refuses("distance is missing", {.labels = inputs_.labels}, {.mode = RenderMode::distance});
  refuses("distance is missing", {.labels = inputs_.labels}, {.contours = true});
}

/// Pixels must be (y, x, 3) or (y, x, 4).
TEST_F(RenderRefuses, Pixels) {
  std::vector<std::uint8_t> bytes(30);
  Context context;
  EXPECT_THROW(render(context, inputs_, View<std::uint8_t>(bytes.data(), {2, 3})), Error);
  EXPECT_THROW(render(context, inputs_, View<std::uint8_t>(bytes.data(), {2, 3, 5})), Error);
}

}  // namespace
}  // namespace thiessen

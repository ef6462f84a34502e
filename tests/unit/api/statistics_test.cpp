// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/int128.hpp"
#include "core/statistics/exact_sum.hpp"
#include "support/draw.hpp"
#include "support/statistics.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using testing::bits_of;
using testing::Draw;
using testing::expect_refused;
using testing::expect_same_bits;
using testing::kInfinity;
using testing::kNan;

Context& context_of(int threads, Instructions instructions = Instructions::best) {
  static std::map<std::pair<int, Instructions>, Context> contexts;
  return contexts
      .try_emplace({threads, instructions},
                   ContextOptions{.threads = threads, .instructions = instructions})
      .first->second;
}

template <class T>
std::vector<T> labels_of(const Raster& labels) {
  const View<const T> view = labels.view<T>();
  return {view.data(), view.data() + view.extent(0)};
}

// ---- the oracle: cell by cell, in maps ---------------------------------------------------------

/// A raster of labels, with a field and distances.
template <class T>
struct Scene {
  Extents extents;
  std::vector<T> labels;
  std::vector<double> field;
  std::vector<double> distance;
  std::vector<double> spacing;
  std::vector<T> left_out;

  Axes extent() const { return to_axes(extents); }
  int rank() const { return extents.rank(); }
  bool counts(std::size_t i) const {
    if (labels[i] != labels[i]) return false;
    for (const T& value : left_out)
      if (labels[i] == value) return false;
    return true;
  }
};

/// What the cells of a label add up to; the field is of integers.
struct Sums {
  std::int64_t cells = 0;
  Int128 sum[3] = {};
  Int128 product[3][3] = {};
  std::int64_t first[3] = {1 << 30, 1 << 30, 1 << 30};
  std::int64_t last[3] = {-1, -1, -1};
  Int128 mass = 0;
  Int128 mass_sum[3] = {};
  double greatest = -kInfinity;
  Int128 distance = 0;
};

template <class T>
std::map<T, Sums> sums_of(const Scene<T>& scene) {
  std::map<T, Sums> all;
  for (std::size_t i = 0; i < scene.labels.size(); ++i) {
    if (!scene.counts(i)) continue;
    const Axes cell = to_cell(scene.extent(), static_cast<std::int64_t>(i));
    Sums& sums = all[scene.labels[i]];
    ++sums.cells;
    const auto field = static_cast<Int128>(scene.field[i]);
    sums.mass += field;
    sums.greatest = std::max(sums.greatest, scene.distance[i]);
    sums.distance += static_cast<Int128>(scene.distance[i]);
    for (int a = 0; a < scene.rank(); ++a) {
      const std::int64_t at = cell[static_cast<std::size_t>(3 - scene.rank() + a)];
      sums.sum[a] += at;
      sums.mass_sum[a] += field * at;
      sums.first[a] = std::min(sums.first[a], at);
      sums.last[a] = std::max(sums.last[a], at);
      for (int b = 0; b < scene.rank(); ++b)
        sums.product[a][b] += at * cell[static_cast<std::size_t>(3 - scene.rank() + b)];
    }
  }
  return all;
}

bool is_close(double value, long double expected) {
  return std::fabs(static_cast<long double>(value) - expected) <= std::fabs(expected) * 0x1p-50L;
}

template <class T>
void expect_right(const SiteStatistics& table, const Scene<T>& scene) {
  const std::map<T, Sums> expected = sums_of(scene);
  ASSERT_EQ(table.cells.size(), expected.size());
  ASSERT_EQ(table.rank, scene.rank());
  const auto rank = static_cast<std::size_t>(scene.rank());
  const std::vector<T> labels = labels_of<T>(table.labels);
  double volume = 1;
  for (const double length : scene.spacing) volume *= length;
  std::size_t row = 0;
  for (const auto& [label, sums] : expected) {
    ASSERT_EQ(labels[row], label);
    EXPECT_EQ(table.cells[row], sums.cells);
    EXPECT_EQ(table.volume[row], static_cast<double>(sums.cells) * volume);
    EXPECT_EQ(table.mass[row], static_cast<double>(sums.mass));
    EXPECT_EQ(table.greatest_distance[row], sums.greatest);
    const auto n = static_cast<long double>(sums.cells);
    EXPECT_TRUE(is_close(table.mean_distance[row], static_cast<long double>(sums.distance) / n));
    for (std::size_t a = 0; a < rank; ++a) {
      EXPECT_EQ(table.first[row * rank + a], sums.first[a]);
      EXPECT_EQ(table.last[row * rank + a], sums.last[a]);
      EXPECT_TRUE(is_close(table.centroid[row * rank + a],
                           static_cast<long double>(sums.sum[a]) / n * scene.spacing[a]));
      const double centre = table.mass_centroid[row * rank + a];
      if (sums.mass == 0)
        EXPECT_TRUE(std::isnan(centre));
      else
        EXPECT_TRUE(is_close(centre, static_cast<long double>(sums.mass_sum[a]) /
                                         static_cast<long double>(sums.mass) * scene.spacing[a]));
      for (std::size_t b = 0; b < rank; ++b) {
        const Int128 central = sums.product[a][b] * sums.cells - sums.sum[a] * sums.sum[b];
        EXPECT_TRUE(is_close(
            table.second_moments[(row * rank + a) * rank + b],
            static_cast<long double>(central) / (n * n) * scene.spacing[a] * scene.spacing[b]));
      }
    }
    ++row;
  }
}

/// Labels in patches, some of them rare and some left out.
template <class T>
Scene<T> draw_scene(Draw& draw, const std::vector<T>& palette) {
  Scene<T> scene;
  const bool flat = draw.once_in(2);
  scene.extents = flat ? Extents{1 + draw.below(70), 1 + draw.below(300)}
                       : Extents{1 + draw.below(12), 1 + draw.below(14), 1 + draw.below(90)};
  const auto cells = static_cast<std::size_t>(scene.extents.count());
  const std::int64_t run = 1 + draw.below(30);
  for (std::size_t i = 0; i < cells; ++i) {
    const bool same = i > 0 && !draw.once_in(run);
    const auto width = static_cast<std::size_t>(scene.extents[scene.rank() - 1]);
    const bool above = i >= width && !draw.once_in(5);
    scene.labels.push_back(same    ? scene.labels.back()
                           : above ? scene.labels[i - width]
                                   : palette[static_cast<std::size_t>(
                                         draw.below(static_cast<std::int64_t>(palette.size())))]);
    scene.field.push_back(static_cast<double>(draw.below(2001) - 1000));
    scene.distance.push_back(static_cast<double>(draw.below(1 << 20)));
  }
  for (int axis = 0; axis < scene.rank(); ++axis)
    scene.spacing.push_back(draw.once_in(2) ? 1 : 0.25 * static_cast<double>(1 + draw.below(9)));
  return scene;
}

template <class T>
std::vector<T> draw_palette(Draw& draw) {
  std::vector<T> palette = {T{0}};
  const std::int64_t count = 1 + draw.below(40);
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_floating_point_v<T>)
      palette.push_back(static_cast<T>(draw.real() * 20 - 10));
    else
      palette.push_back(static_cast<T>(draw.once_in(3) ? draw.below(20)
                                                       : static_cast<std::int64_t>(splitmix64(
                                                             7, static_cast<std::uint64_t>(i)))));
  }
  return palette;
}

/// The labels as every third element of a longer row, with the rows in reverse.
template <class T>
struct Strided {
  std::vector<T> elements;
  View<T> view;

  Strided(const std::vector<T>& cells, const Extents& extents) : elements(cells.size() * 3) {
    auto strides = View<const void>::c_strides(ElementType::u8, extents);
    std::int64_t offset = 0;
    for (int axis = 0; axis < extents.rank(); ++axis) {
      auto& stride = strides[static_cast<std::size_t>(axis)];
      stride *= 3 * static_cast<std::int64_t>(sizeof(T));
      if (axis == 0) {
        offset = stride * (extents[0] - 1);
        stride = -stride;
      }
    }
    view = View<T>(reinterpret_cast<T*>(reinterpret_cast<std::byte*>(elements.data()) + offset),
                   extents, strides);
    const View<const void> all = with_three_axes(View<const void>(view));
    for (std::size_t i = 0; i < cells.size(); ++i)
      std::memcpy(const_cast<std::byte*>(
                      address_of(all, to_cell(to_axes(extents), static_cast<std::int64_t>(i)))),
                  &cells[i], sizeof(T));
  }
};

template <class T>
void expect_right_everywhere(std::uint64_t seed) {
  Draw draw(seed);
  Scene<T> scene = draw_scene<T>(draw, draw_palette<T>(draw));
  const View<T> labels(scene.labels.data(), scene.extents);
  SiteStatisticsOptions options{.spacing = scene.spacing};
  const std::int64_t choice = draw.below(3);
  if (choice == 0) options.background.reset();
  if (choice > 0) scene.left_out.push_back(T{0});
  if (choice == 2) {
    scene.left_out.push_back(scene.labels[0]);
    if constexpr (std::is_floating_point_v<T>)
      options.nodata = static_cast<double>(scene.labels[0]);
    else if constexpr (std::is_signed_v<T>)
      options.nodata = std::int64_t{scene.labels[0]};
    else
      options.nodata = std::uint64_t{scene.labels[0]};
  }
  const SiteFields fields{.field = View<double>(scene.field.data(), scene.extents),
                          .distance = View<double>(scene.distance.data(), scene.extents)};
  const SiteStatistics table = site_statistics(context_of(1), labels, fields, options);
  expect_right(table, scene);
  expect_same_bits(table, site_statistics(context_of(3), labels, fields, options));
  for (const Instructions set : {Instructions::none, Instructions::sse4, Instructions::avx2})
    expect_same_bits(table, site_statistics(context_of(2, set), labels, fields, options));
  const Strided<T> strided(scene.labels, scene.extents);
  const Strided<double> field(scene.field, scene.extents);
  const Strided<double> distance(scene.distance, scene.extents);
  expect_same_bits(table,
                   site_statistics(context_of(2), strided.view,
                                   {.field = field.view, .distance = distance.view}, options));
}

TEST(SiteStatistics, AreThoseOfTheOracle) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    expect_right_everywhere<std::uint8_t>(seed);
    expect_right_everywhere<std::int16_t>(seed);
    expect_right_everywhere<std::int32_t>(seed);
    expect_right_everywhere<std::uint32_t>(seed);
    expect_right_everywhere<std::int64_t>(seed);
    expect_right_everywhere<std::uint64_t>(seed);
    expect_right_everywhere<float>(seed);
    expect_right_everywhere<double>(seed);
  }
}

TEST(SiteStatistics, ASmallRaster) {
  std::vector<std::int32_t> cells = {7, 7, 0,  //
                                     7, 2, 2};
  std::vector<float> stiffness = {1, 2, 100, 3, 0.5f, 0.5f};
  const SiteStatistics table =
      site_statistics(View<std::int32_t>(cells.data(), {2, 3}),
                      {.field = View<float>(stiffness.data(), {2, 3})}, {.spacing = {2, 1}});
  EXPECT_EQ(labels_of<std::int32_t>(table.labels), (std::vector<std::int32_t>{2, 7}));
  EXPECT_EQ(table.cells, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(table.volume, (std::vector<double>{4, 6}));
  EXPECT_EQ(table.centroid, (std::vector<double>{2, 1.5, 2.0 / 3, 1.0 / 3}));
  EXPECT_EQ(table.first, (std::vector<std::int64_t>{1, 1, 0, 0}));
  EXPECT_EQ(table.last, (std::vector<std::int64_t>{1, 2, 1, 1}));
  EXPECT_EQ(table.mass, (std::vector<double>{1, 6}));
  EXPECT_EQ(table.mass_centroid, (std::vector<double>{2, 1.5, 1, 2.0 / 6}));
  EXPECT_EQ(std::vector<double>(table.second_moments.begin(), table.second_moments.begin() + 4),
            (std::vector<double>{0, 0, 0, 0.25}));
  EXPECT_TRUE(table.greatest_distance.empty());
}

TEST(SiteStatistics, ARasterWithoutCellsOrLabelsHasNoRows) {
  std::vector<std::int32_t> cells(6);
  std::vector<float> numbers(6);
  for (const Extents& extents : {Extents{2, 3}, Extents{0, 3}, Extents{3, 0}, Extents{0, 0},
                                 Extents{2, 0, 5}, Extents{2, 5, 0}}) {
    const View<std::int32_t> labels(cells.data(), extents);
    const View<float> floats(numbers.data(), extents);
    for (const View<const void>& field : {View<const void>(labels), View<const void>(floats)}) {
      const SiteStatistics table = site_statistics(labels, {.field = field, .distance = floats});
      EXPECT_EQ(table.labels.extents(), Extents{0});
      EXPECT_TRUE(table.cells.empty() && table.centroid.empty() && table.mass.empty());
    }
    const Adjacency pairs = adjacency(labels);
    EXPECT_EQ(pairs.a.extents(), Extents{0});
    EXPECT_TRUE(pairs.contacts.empty());
  }
}

TEST(SiteStatistics, AllTrueBytesAreOneLabel) {
  std::vector<std::uint8_t> bytes = {0, 1, 2, 0, 255, 0};
  const View<void> labels(bytes.data(), ElementType::boolean, {2, 3});
  const SiteStatistics table = site_statistics(labels);
  EXPECT_EQ(table.labels.element_type(), ElementType::boolean);
  EXPECT_EQ(table.labels.bytes()[0], std::byte{1});
  EXPECT_EQ(table.cells, (std::vector<std::int64_t>{3}));
}

TEST(SiteStatistics, FloatLabelsAreComparedByValue) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> cells = {-0.0f, 0.0f, nan, -2.5f, 1e-40f, -2.5f};
  const SiteStatistics table =
      site_statistics(View<float>(cells.data(), {1, 6}), {}, {.background = std::nullopt});
  EXPECT_EQ(labels_of<float>(table.labels), (std::vector<float>{-2.5f, 0, 1e-40f}));
  EXPECT_EQ(table.cells, (std::vector<std::int64_t>{2, 2, 1}));
}

TEST(SiteStatistics, LabelsOfAllBytesKeepTheirOrder) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> cells = {kMost, 1, std::uint64_t{1} << 63, 5, kMost, 1 << 20};
  const SiteStatistics table = site_statistics(View<std::uint64_t>(cells.data(), {1, 6}));
  EXPECT_EQ(labels_of<std::uint64_t>(table.labels),
            (std::vector<std::uint64_t>{1, 5, 1 << 20, std::uint64_t{1} << 63, kMost}));
}

/// Sums of floats with any exponents, against the long accumulator of the whole range.
template <class T>
void expect_exact_masses(int least, int most, std::uint64_t seed) {
  Draw draw(seed);
  constexpr std::int64_t kHeight = 40;
  constexpr std::int64_t kWidth = 50;
  std::vector<std::uint8_t> labels;
  std::vector<T> field;
  std::map<std::uint8_t, std::vector<double>> values;
  for (std::int64_t i = 0; i < kHeight * kWidth; ++i) {
    labels.push_back(static_cast<std::uint8_t>(draw.below(4)));
    const T value = static_cast<T>(
        std::ldexp(draw.real() - 0.5, static_cast<int>(least + draw.below(most - least + 1))));
    field.push_back(draw.once_in(10) ? T{0} : value);
  }
  ExactSum<T> mass[4];
  ExactSum<T> along[4][2];
  for (std::int64_t i = 0; i < kHeight * kWidth; ++i) {
    const auto at = static_cast<std::size_t>(i);
    mass[labels[at]].add(field[at]);
    along[labels[at]][0].add(field[at], i / kWidth);
    along[labels[at]][1].add(field[at], i % kWidth);
  }
  for (const int threads : {1, 3}) {
    const SiteStatistics table =
        site_statistics(context_of(threads), View<std::uint8_t>(labels.data(), {kHeight, kWidth}),
                        {.field = View<T>(field.data(), {kHeight, kWidth}),
                         .distance = View<T>(field.data(), {kHeight, kWidth})});
    ASSERT_EQ(table.mass.size(), 3u);
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_EQ(table.mass[row], mass[row + 1].value());
      for (std::size_t axis = 0; axis < 2; ++axis)
        EXPECT_EQ(table.mass_centroid[row * 2 + axis],
                  ratio(along[row + 1][axis].rounded(), mass[row + 1].rounded()));
      const ScaledNumber sum = mass[row + 1].rounded();
      EXPECT_EQ(table.mean_distance[row],
                std::ldexp(sum.mantissa / static_cast<double>(table.cells[row]), sum.exponent));
    }
  }
}

TEST(SiteStatistics, MassesAreExactWhateverTheExponents) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    expect_exact_masses<float>(0, 0, seed);
    expect_exact_masses<float>(-10, 15, seed);
    expect_exact_masses<float>(-148, 120, seed);
    expect_exact_masses<double>(0, 0, seed);
    expect_exact_masses<double>(-10, 15, seed);
    expect_exact_masses<double>(-40, 30, seed);
    expect_exact_masses<double>(-1073, 1020, seed);
  }
}

TEST(SiteStatistics, FieldsOfIntegersMayBeAsLargeAsTheirType) {
  std::vector<std::uint8_t> labels(6, 1);
  std::vector<std::uint64_t> large(6, std::numeric_limits<std::uint64_t>::max());
  std::vector<std::int64_t> small(6, std::numeric_limits<std::int64_t>::min());
  const View<std::uint8_t> view(labels.data(), {2, 3});
  EXPECT_EQ(site_statistics(view, {.field = View<std::uint64_t>(large.data(), {2, 3})}).mass[0],
            6 * 0x1p64);
  const SiteStatistics table =
      site_statistics(view, {.field = View<std::int64_t>(small.data(), {2, 3})});
  EXPECT_EQ(table.mass[0], -6 * 0x1p63);
  EXPECT_EQ(table.mass_centroid, (std::vector<double>{0.5, 1}));
}

TEST(SiteStatistics, DistancesMayBeInfiniteOrNan) {
  std::vector<std::uint8_t> labels = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  std::vector<float> distance = {1, 2};
  const auto infinity = std::numeric_limits<float>::infinity();
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  distance.insert(distance.end(), {3, infinity, nan, -0.0f, nan, nan, -infinity, infinity});
  const SiteStatistics table = site_statistics(View<std::uint8_t>(labels.data(), {1, 10}),
                                               {.distance = View<float>(distance.data(), {1, 10})});
  EXPECT_EQ(bits_of(table.greatest_distance),
            bits_of(std::vector<double>{2, kInfinity, 0, kNan, kInfinity}));
  EXPECT_EQ(bits_of(table.mean_distance),
            bits_of(std::vector<double>{1.5, kInfinity, 0, kNan, kNan}));
}

TEST(SiteStatistics, AFieldThatIsNotFiniteIsRefusedByItsFirstCell) {
  std::vector<std::uint8_t> labels = {0, 1, 1, 1, 0, 1};
  std::vector<double> field = {kNan, 1, 1, 1, kInfinity, 1};
  const View<std::uint8_t> view(labels.data(), {2, 3});
  const SiteFields fields{.field = View<double>(field.data(), {2, 3})};
  EXPECT_EQ(site_statistics(view, fields).mass[0], 4);  // those are left out
  field[5] = kNan;
  field[3] = -kInfinity;
  for (const int threads : {1, 2})
    expect_refused([&] { site_statistics(context_of(threads), view, fields); },
                   "field[1, 0] = -inf; must be finite in cells whose label is not left out");
}

TEST(SiteStatistics, WrongArgumentsAreRefused) {
  std::vector<std::uint8_t> labels(6, 1);
  std::vector<float> field(6, 1);
  const View<std::uint8_t> view(labels.data(), {2, 3});
  const View<float> other(field.data(), {3, 2});
  expect_refused([&] { site_statistics(View<const void>()); },
                 "labels has 0 axes; must have 2 or 3");
  expect_refused([&] { site_statistics(view, {.field = other}); },
                 "field has other extents than the labels; must have the same");
  expect_refused([&] { site_statistics(view, {.distance = other}); },
                 "distance has other extents than the labels; must have the same");
  expect_refused([&] { site_statistics(view, {.distance = view}); },
                 "distance is u8; must be f32 or f64");
  expect_refused(
      [&] {
        site_statistics(view, {}, {.spacing = {1, 2, 3}});
      },
      "spacing has 3 values; must have one for each of the 2 axes");
  expect_refused(
      [&] {
        site_statistics(view, {}, {.spacing = {1, 0}});
      },
      "spacing[1] = 0; must be finite and > 0");
  expect_refused(
      [&] {
        adjacency(view, {.spacing = {kInfinity, 1}});
      },
      "spacing[0] = inf; must be finite and > 0");
  expect_refused([&] { site_statistics(view, {}, {.background = std::int64_t{256}}); },
                 "background = 256; must be a value of the sites' type u8");
  expect_refused([&] { adjacency(view, {.nodata = std::int64_t{-1}}); },
                 "nodata = -1; must be a value of the sites' type u8");
  expect_refused([&] { adjacency(view, {.connectivity = Connectivity::edges}); },
                 "connectivity = edges; must be faces or corners in 2-D");
  expect_refused(
      [&] {
        adjacency(View<std::uint8_t>(labels.data(), {1, 2, 3}),
                  {.connectivity = Connectivity::knights});
      },
      "connectivity = knights; must be one of faces, edges, corners");
  const View<const void> on_device(labels.data(), ElementType::u8, {2, 3}, MemorySpace::cuda);
  expect_refused(
      [&] { site_statistics(on_device); },
      "labels lies in memory of a CUDA device; device = cpu reaches memory of the host only");
}

TEST(SiteStatistics, CallsCanBeCancelled) {
  std::vector<std::uint8_t> labels(6, 1);
  const View<std::uint8_t> view(labels.data(), {2, 3});
  Context context;
  context.cancel();
  EXPECT_THROW(site_statistics(context, view, {}), Error);
  context.cancel();
  EXPECT_THROW(adjacency(context, view), Error);
  EXPECT_EQ(adjacency(context, view).contacts.size(), 0u);
}

// ---- adjacency ---------------------------------------------------------------------------------

struct Contact {
  std::int64_t contacts = 0;
  double boundary = 0;
};

template <class T>
std::map<std::pair<T, T>, Contact> contacts_of(const Scene<T>& scene, Connectivity connectivity) {
  std::map<std::pair<T, T>, Contact> all;
  const Axes extent = scene.extent();
  std::array<double, 3> spacing{1, 1, 1};
  std::copy(scene.spacing.begin(), scene.spacing.end(), spacing.end() - scene.rank());
  const double volume = spacing[0] * spacing[1] * spacing[2];
  for (std::size_t i = 0; i < scene.labels.size(); ++i) {
    const Axes cell = to_cell(extent, static_cast<std::int64_t>(i));
    for (std::int64_t k = 14; k < 27; ++k) {  // those that come after
      const Axes step{k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
      const auto steps = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
      if (steps > 1 && connectivity == Connectivity::faces) continue;
      if (steps > 2 && connectivity == Connectivity::edges) continue;
      const Axes other{cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]};
      bool inside = true;
      for (std::size_t axis = 0; axis < 3; ++axis)
        inside = inside && other[axis] >= 0 && other[axis] < extent[axis];
      if (!inside) continue;
      const auto j = static_cast<std::size_t>(to_index(extent, other));
      if (!scene.counts(i) || !scene.counts(j) || scene.labels[i] == scene.labels[j]) continue;
      Contact& contact = all[std::minmax(scene.labels[i], scene.labels[j])];
      ++contact.contacts;
      for (std::size_t axis = 0; axis < 3 && steps == 1; ++axis)
        if (step[axis] != 0) contact.boundary += volume / spacing[axis];
    }
  }
  return all;
}

template <class T>
void expect_right_adjacency(std::uint64_t seed) {
  Draw draw(seed);
  Scene<T> scene = draw_scene<T>(draw, draw_palette<T>(draw));
  for (double& length : scene.spacing) length = std::ldexp(1, static_cast<int>(draw.below(3)));
  AdjacencyOptions options{.spacing = scene.spacing};
  if (draw.once_in(2))
    scene.left_out.push_back(T{0});
  else
    options.background.reset();
  const Strided<T> strided(scene.labels, scene.extents);
  const View<T> labels(scene.labels.data(), scene.extents);
  for (const Connectivity connectivity :
       {Connectivity::faces, Connectivity::corners, Connectivity::edges}) {
    if (neighbours_of(connectivity, scene.rank()) == 0) continue;
    options.connectivity = connectivity;
    const auto expected = contacts_of(scene, connectivity);
    const auto expect_right = [&](const Adjacency& found) {
      const std::vector<T> a = labels_of<T>(found.a);
      const std::vector<T> b = labels_of<T>(found.b);
      ASSERT_EQ(a.size(), expected.size());
      std::size_t row = 0;
      for (const auto& [pair, contact] : expected) {
        ASSERT_EQ(a[row], pair.first);
        ASSERT_EQ(b[row], pair.second);
        ASSERT_EQ(found.contacts[row], contact.contacts);
        ASSERT_EQ(found.boundary[row], contact.boundary);
        ++row;
      }
    };
    expect_right(adjacency(context_of(1), labels, options));
    expect_right(adjacency(context_of(3), labels, options));
    expect_right(adjacency(context_of(2, Instructions::none), strided.view, options));
  }
}

TEST(Adjacency, IsThatOfTheOracle) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    expect_right_adjacency<std::uint8_t>(seed);
    expect_right_adjacency<std::int32_t>(seed);
    expect_right_adjacency<std::int64_t>(seed);
    expect_right_adjacency<float>(seed);
  }
}

/// Large enough to be cut into boxes of rows, and of planes.
TEST(Adjacency, BoxesMeetAtTheirFaces) {
  Draw draw(9);
  for (const Extents& extents : {Extents{700, 600}, Extents{40, 40, 300}, Extents{300, 20, 100}}) {
    Scene<std::int32_t> scene;
    scene.extents = extents;
    scene.left_out = {0};
    const auto cells = static_cast<std::size_t>(extents.count());
    const std::int64_t width = extents[extents.rank() - 1];
    for (std::size_t i = 0; i < cells; ++i)
      scene.labels.push_back(
          i > 0 && !draw.once_in(9)
              ? scene.labels[i - (i >= static_cast<std::size_t>(width) && draw.once_in(2)
                                      ? static_cast<std::size_t>(width)
                                      : 1)]
              : static_cast<std::int32_t>(draw.below(50)));
    scene.spacing.assign(static_cast<std::size_t>(extents.rank()), 1);
    const View<std::int32_t> labels(scene.labels.data(), extents);
    const auto expected = contacts_of(scene, Connectivity::corners);
    for (const int threads : {1, 7}) {
      const Adjacency found =
          adjacency(context_of(threads), labels, {.connectivity = Connectivity::corners});
      ASSERT_EQ(found.contacts.size(), expected.size());
      std::size_t row = 0;
      for (const auto& [pair, contact] : expected) {
        ASSERT_EQ(found.contacts[row], contact.contacts);
        ASSERT_EQ(found.boundary[row], contact.boundary);
        ++row;
      }
    }
  }
}

/// A label that touches 3000 others, which are in two rows with boundaries in other places.
TEST(Adjacency, ALabelMayTouchManyOthers) {
  constexpr std::int32_t kOthers = 3000;
  constexpr std::int64_t kWidth = 2 * kOthers;
  std::vector<std::int32_t> cells(3 * kWidth, 1);
  for (std::int64_t x = 0; x < kWidth; ++x)
    for (const std::int64_t y : {0, 2})
      cells[static_cast<std::size_t>(y * kWidth + x)] =
          2 + static_cast<std::int32_t>(std::min<std::int64_t>((x + y / 2) / 2, kOthers - 1));
  const Adjacency pairs = adjacency(View<std::int32_t>(cells.data(), {3, kWidth}));
  ASSERT_EQ(pairs.contacts.size(), 2u * kOthers - 1);
  for (std::size_t i = 0; i < kOthers; ++i) {
    EXPECT_EQ(pairs.a.view<std::int32_t>().data()[i], 1);
    EXPECT_EQ(pairs.b.view<std::int32_t>().data()[i], static_cast<std::int32_t>(i + 2));
    EXPECT_EQ(pairs.contacts[i], i == 0 ? 3 : i + 1 == kOthers ? 5 : 4);
  }
  for (std::size_t i = kOthers; i < pairs.contacts.size(); ++i) EXPECT_EQ(pairs.contacts[i], 2);
}

TEST(Adjacency, ASmallRaster) {
  std::vector<std::int16_t> cells = {1, 1,  2,  //
                                     1, -3, 2,  //
                                     0, 0,  2};
  const Adjacency pairs = adjacency(View<std::int16_t>(cells.data(), {3, 3}), {.spacing = {2, 3}});
  EXPECT_EQ(labels_of<std::int16_t>(pairs.a), (std::vector<std::int16_t>{-3, -3, 1}));
  EXPECT_EQ(labels_of<std::int16_t>(pairs.b), (std::vector<std::int16_t>{1, 2, 2}));
  EXPECT_EQ(pairs.contacts, (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(pairs.boundary, (std::vector<double>{5, 2, 2}));
}

}  // namespace
}  // namespace thiessen

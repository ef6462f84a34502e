// SPDX-License-Identifier: Apache-2.0
#include "thiessen/solvers/region_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "support/draw.hpp"
#include "support/statistics.hpp"
#include "thiessen/solvers/cost_solver.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::expect_refused;
using testing::expect_same_bits;
using testing::kInfinity;
using testing::kNan;

SiteStatistics statistics_of(RegionStatistics& regions, const View<const void>& labels = {}) {
  SiteStatistics table;
  regions.statistics(table, labels);
  return table;
}
Adjacency adjacency_of(RegionStatistics& regions, const View<const void>& labels = {}) {
  Adjacency table;
  regions.adjacency(table, labels);
  return table;
}
RegionChanges changes_of(RegionStatistics& regions) {
  RegionChanges changes;
  regions.changes(changes);
  return changes;
}

/// With one thread: rasters are small.
Context& small_context() {
  static Context context({.threads = 1});
  return context;
}

/// Rasters with gaps between their elements, and random edits of them.
template <class Label, class Field, class Distance>
class ChangingScene {
 public:
  explicit ChangingScene(std::uint64_t seed) : draw_(seed) {
    const bool flat = draw_.once_in(2);
    extents_ = flat ? Extents{1 + draw_.below(30), 1 + draw_.below(40)}
                    : Extents{1 + draw_.below(8), 1 + draw_.below(9), 1 + draw_.below(20)};
    const auto cells = static_cast<std::size_t>(extents_.count());
    labels_.resize(2 * cells);
    fields_.resize(cells);
    distances_.resize(3 * cells);
    const auto axes = static_cast<std::size_t>(extents_.rank());
    for (std::size_t axis = 0; axis < axes; ++axis)
      options_.spacing.push_back(draw_.once_in(2) ? 1 : 0.3 * static_cast<double>(axis + 1));
    options_.connectivity = draw_.once_in(2)            ? Connectivity::faces
                            : !flat && draw_.once_in(2) ? Connectivity::edges
                                                        : Connectivity::corners;
    if (draw_.once_in(3)) options_.background.reset();
    if (draw_.once_in(3)) options_.nodata = std::int64_t{3};
    palette_ = 2 + draw_.below(12);
    for (std::int64_t i = 0; i < extents_.count(); ++i) change(i);
  }

  Draw& draw() { return draw_; }
  std::int64_t cells() const { return extents_.count(); }
  const RegionStatisticsOptions& options() const { return options_; }
  View<const void> labels() const { return spread(labels_, 2); }
  SiteFields fields() const {
    return {.field = spread(fields_, 1), .distance = spread(distances_, 3)};
  }

  void change(std::int64_t cell) {
    const auto i = static_cast<std::size_t>(cell);
    const bool is_new = draw_.once_in(40);
    labels_[2 * i] = static_cast<Label>(is_new ? draw_.below(1 << 30) : draw_.below(palette_));
    change_values(cell);
  }
  void change_values(std::int64_t cell) {
    const auto i = static_cast<std::size_t>(cell);
    constexpr int kBits = std::is_integral_v<Field> ? std::numeric_limits<Field>::digits : 30;
    const double value = std::ldexp(draw_.real(), static_cast<int>(draw_.below(kBits)));
    fields_[i] = static_cast<Field>(std::is_unsigned_v<Field> || draw_.once_in(2) ? value : -value);
    const std::array<double, 5> special = {kNan, kInfinity, -kInfinity, -0.0, 1e-310};
    distances_[3 * i] = static_cast<Distance>(
        draw_.once_in(9) ? special[static_cast<std::size_t>(draw_.below(5))] : draw_.real());
  }

  SiteStatistics expected_statistics() const {
    return site_statistics(small_context(), labels(), fields(),
                           {.spacing = options_.spacing,
                            .background = options_.background,
                            .nodata = options_.nodata});
  }
  Adjacency expected_adjacency() const {
    return adjacency(small_context(), labels(),
                     {.connectivity = options_.connectivity,
                      .spacing = options_.spacing,
                      .background = options_.background,
                      .nodata = options_.nodata});
  }

 private:
  template <class T>
  View<const void> spread(const std::vector<T>& elements, std::int64_t every) const {
    auto strides = View<const void>::c_strides(detail::element_type_of<T>(), extents_);
    for (int axis = 0; axis < extents_.rank(); ++axis)
      strides[static_cast<std::size_t>(axis)] *= every;
    return View<const T>(elements.data(), extents_, strides);
  }

  Draw draw_;
  Extents extents_;
  std::vector<Label> labels_;
  std::vector<Field> fields_;
  std::vector<Distance> distances_;
  std::int64_t palette_ = 2;
  RegionStatisticsOptions options_;
};

/// The rows of some labels, out of a table of all.
template <class Label>
void expect_rows(const SiteStatistics& some, const SiteStatistics& all, View<const Label> labels) {
  const View<const Label> known = all.labels.view<Label>();
  const auto rank = static_cast<std::size_t>(all.rank);
  std::size_t row = 0;
  for (std::int64_t i = 0; i < known.extent(0); ++i) {
    bool is_wanted = false;
    for (std::int64_t j = 0; j < labels.extent(0); ++j) is_wanted |= labels(j) == known(i);
    if (!is_wanted) continue;
    const auto from = static_cast<std::size_t>(i);
    ASSERT_LT(row, some.cells.size());
    EXPECT_EQ(some.labels.view<Label>()(static_cast<std::int64_t>(row)), known(i));
    EXPECT_EQ(some.cells[row], all.cells[from]);
    EXPECT_EQ(some.mass[row], all.mass[from]);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      EXPECT_EQ(some.first[row * rank + axis], all.first[from * rank + axis]);
      EXPECT_EQ(some.last[row * rank + axis], all.last[from * rank + axis]);
    }
    ++row;
  }
  EXPECT_EQ(some.cells.size(), row);
}

template <class Label>
using Pairs = std::set<std::pair<Label, Label>>;

template <class Label>
Pairs<Label> pairs_of(const Raster& a, const Raster& b) {
  Pairs<Label> pairs;
  for (std::int64_t i = 0; i < a.extents()[0]; ++i)
    pairs.insert({a.view<Label>()(i), b.view<Label>()(i)});
  EXPECT_EQ(std::ssize(pairs), a.extents()[0]) << "each pair once";
  return pairs;
}

/// Checks the pairs that came and went between two tables.
template <class Label>
void expect_pairs(const RegionChanges& changes, const Adjacency& before, const Adjacency& now) {
  const Pairs<Label> old = pairs_of<Label>(before.a, before.b);
  const Pairs<Label> all = pairs_of<Label>(now.a, now.b);
  Pairs<Label> came;
  Pairs<Label> went;
  std::ranges::set_difference(all, old, std::inserter(came, came.end()));
  std::ranges::set_difference(old, all, std::inserter(went, went.end()));
  EXPECT_EQ(pairs_of<Label>(changes.came_a, changes.came_b), came);
  EXPECT_EQ(pairs_of<Label>(changes.went_a, changes.went_b), went);
}

template <class Label, class Field, class Distance>
void expect_kept(std::uint64_t seed, int steps) {
  ChangingScene<Label, Field, Distance> scene(seed);
  Context context;
  RegionStatistics regions(context, scene.labels(), scene.fields(), scene.options());
  RegionChanges changes;
  SiteStatistics table;
  Adjacency pairs;
  for (int step = 0; step < steps; ++step) {
    const Adjacency before = scene.expected_adjacency();
    for (std::int64_t update = scene.draw().below(3); update >= 0; --update) {
      std::vector<std::int64_t> cells;
      const std::int64_t count = scene.draw().once_in(5) ? scene.cells() : scene.draw().below(12);
      for (std::int64_t i = 0; i < count; ++i) {
        cells.push_back(scene.draw().below(scene.cells()));
        if (scene.draw().once_in(4)) scene.change_values(cells.back());
        if (!scene.draw().once_in(4)) scene.change(cells.back());
      }
      if (scene.draw().once_in(2)) regions.statistics(table);
      regions.update(cells);
    }
    regions.changes(changes);
    const Raster& touched = changes.labels;
    const SiteStatistics all = scene.expected_statistics();
    regions.statistics(table, touched.view());
    expect_rows<Label>(table, all, std::as_const(touched).view<Label>());
    regions.adjacency(pairs);
    expect_same_bits(pairs, scene.expected_adjacency());
    expect_pairs<Label>(changes, before, pairs);
    if (scene.draw().once_in(2)) expect_same_bits(statistics_of(regions), all);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RegionStatistics, AreThoseOfFreshCalls) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_kept<std::int32_t, float, float>(seed, 30);
    expect_kept<std::uint8_t, double, double>(seed, 30);
    expect_kept<std::uint64_t, std::uint64_t, float>(seed, 30);
    expect_kept<float, std::int16_t, double>(seed, 30);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RegionStatistics, PairsOfSomeLabels) {
  std::vector<std::int32_t> cells = {1, 1, 2,  //
                                     4, 3, 2};
  Context context;
  RegionStatistics regions(context, View<std::int32_t>(cells.data(), {2, 3}));
  const std::vector<std::int32_t> wanted = {4, 9, 4};
  const Adjacency pairs = adjacency_of(regions, View<const std::int32_t>(wanted.data(), {3}));
  ASSERT_EQ(pairs.contacts.size(), 2u);
  EXPECT_EQ(pairs.a.view<std::int32_t>()(0), 1);
  EXPECT_EQ(pairs.b.view<std::int32_t>()(0), 4);
  EXPECT_EQ(pairs.a.view<std::int32_t>()(1), 3);
  EXPECT_EQ(pairs.b.view<std::int32_t>()(1), 4);
}

TEST(RegionStatistics, BooleanLabelsAreOneLabel) {
  std::vector<std::uint8_t> cells = {0, 1, 2, 0, 255, 0};
  Context context;
  RegionStatistics regions(context, View<void>(cells.data(), ElementType::boolean, {2, 3}));
  EXPECT_EQ(statistics_of(regions).cells, (std::vector<std::int64_t>{3}));
  cells[0] = 7;
  const std::int64_t first = 0;
  regions.update({&first, 1});
  EXPECT_EQ(changes_of(regions).labels.extents(), Extents{1});
  EXPECT_EQ(changes_of(regions).labels.extents(), Extents{0}) << "since the last changes()";
  EXPECT_EQ(statistics_of(regions).cells, (std::vector<std::int64_t>{4}));
}

TEST(RegionStatistics, LabelsThatComeAndGoTakeNoMoreMemory) {
  constexpr std::int64_t kWidth = 50;
  std::vector<std::int64_t> cells(kWidth * kWidth, 1);
  std::vector<double> field(cells.size(), 0.5);
  const View<std::int64_t> labels(cells.data(), {kWidth, kWidth});
  const SiteFields fields{.field = View<double>(field.data(), {kWidth, kWidth})};
  Context context;
  RegionStatistics regions(context, labels, fields);
  Draw draw(3);
  RegionChanges changes;
  std::size_t most = 0;
  for (std::int64_t step = 0; step < 16000; ++step) {
    const std::int64_t cell = draw.below(labels.extents().count());
    // One label a cell at most, and a new one in each step.
    cells[static_cast<std::size_t>(cell)] = draw.once_in(2) ? 1 : 1000000 * step;
    regions.update({&cell, 1});
    regions.changes(changes);
    if (step < 8000)
      most = std::max(most, regions.bytes());
    else
      ASSERT_LE(regions.bytes(), 2 * most);
  }
  expect_same_bits(statistics_of(regions), site_statistics(labels, fields));
  expect_same_bits(adjacency_of(regions), adjacency(labels));
}

TEST(RegionStatistics, FollowASolver) {
  constexpr std::int64_t kWidth = 60;
  const Extents extents{kWidth, kWidth};
  const auto count = static_cast<std::size_t>(extents.count());
  Draw draw(5);
  std::vector<float> stiffness(count);
  for (float& value : stiffness) value = static_cast<float>(0.5 + draw.real());
  std::vector<std::int32_t> nodes(count);
  for (int label = 1; label <= 30; ++label)
    nodes[static_cast<std::size_t>(draw.below(extents.count()))] = label;
  std::vector<std::int32_t> labels(count);
  std::vector<float> cost(count);
  const View<float> map(stiffness.data(), extents);
  const View<std::int32_t> label_view(labels.data(), extents);
  const SiteFields fields{.field = map, .distance = View<float>(cost.data(), extents)};
  Context context;
  CostSolver solver(context, CostMap::stiffness(map), View<std::int32_t>(nodes.data(), extents), {},
                    {.labels = label_view, .distance = View<float>(cost.data(), extents)});
  RegionStatistics regions(context, label_view, fields);
  for (std::int64_t step = 0; step < 50; ++step) {
    std::vector<std::int64_t> cells;
    std::vector<float> values;
    for (int i = 0; i < 5; ++i) {
      cells.push_back(draw.below(extents.count()));
      values.push_back(draw.once_in(3) ? 0 : static_cast<float>(draw.real()));
      stiffness[static_cast<std::size_t>(cells.back())] = values.back();
    }
    solver.update_map(cells, View<float>(values.data(), {5}));
    solver.solve();
    regions.update(cells);
    regions.update(solver.changed_cells().cell);
    expect_same_bits(statistics_of(regions), site_statistics(label_view, fields));
    expect_same_bits(adjacency_of(regions), adjacency(label_view));
  }
}

TEST(RegionStatistics, AnUpdateThatIsRefusedChangesNothing) {
  std::vector<std::int32_t> cells = {1, 1, 2, 2, 0, 2};
  std::vector<double> field = {1, 1, 1, 1, kNan, 1};
  const View<std::int32_t> labels(cells.data(), {2, 3});
  Context context;
  RegionStatistics regions(context, labels, {.field = View<double>(field.data(), {2, 3})});
  const SiteStatistics before = statistics_of(regions);
  cells[0] = 5;
  cells[4] = 77;
  const std::vector<std::int64_t> changed = {0, 4};
  expect_refused([&] { regions.update(changed); },
                 "field[1, 1] = nan; must be finite in cells whose label is not left out");
  expect_same_bits(statistics_of(regions), before);
  for (const std::int64_t cell : {std::int64_t{-1}, std::int64_t{6}})
    expect_refused(
        [&] {
          regions.update({&cell, 1});
        },
        "cells[0] = " + std::to_string(cell) + "; must be from 0 to 5");
  expect_same_bits(statistics_of(regions), before);
  field[4] = 3;
  regions.update(changed);
  expect_same_bits(statistics_of(regions),
                   site_statistics(labels, {.field = View<double>(field.data(), {2, 3})}));
}

TEST(RegionStatistics, WrongArgumentsAreRefused) {
  std::vector<std::int32_t> cells(6, 1);
  const View<std::int32_t> labels(cells.data(), {2, 3});
  Context context;
  expect_refused(
      [&] { RegionStatistics(context, labels, {}, {.connectivity = Connectivity::edges}); },
      "connectivity = edges; must be faces or corners in 2-D");
  expect_refused(
      [&] {
        RegionStatistics(context, labels, {}, {.spacing = {0, 1}});
      },
      "spacing[0] = 0; must be finite and > 0");
  RegionStatistics regions(context, labels);
  const std::vector<std::uint8_t> bytes = {1};
  expect_refused([&] { statistics_of(regions, View<const std::uint8_t>(bytes.data(), {1})); },
                 "labels are u8 with 1 axes; must be i32, as the raster, with one axis");
  expect_refused([&] { adjacency_of(regions, labels); },
                 "labels are i32 with 2 axes; must be i32, as the raster, with one axis");
}

TEST(RegionStatistics, ARasterWithoutCellsHasNoRows) {
  std::vector<std::int32_t> cells;
  Context context;
  for (const Extents& extents : {Extents{0, 3}, Extents{2, 0, 5}}) {
    RegionStatistics regions(context, View<std::int32_t>(cells.data(), extents));
    EXPECT_TRUE(statistics_of(regions).cells.empty());
    EXPECT_TRUE(adjacency_of(regions).contacts.empty());
    regions.update({});
    EXPECT_EQ(changes_of(regions).labels.extents(), Extents{0});
  }
}

}  // namespace
}  // namespace thiessen

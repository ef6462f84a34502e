// SPDX-License-Identifier: Apache-2.0
//
// Properties of every nearest-site map, on rasters that are too large for the oracle.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/rng.hpp"
#include "property/maps.hpp"

namespace thiessen {
namespace {

using testing::make_map;
using testing::Map;
using testing::Solution;
using testing::solve;

struct Setting {
  const char* name;
  Extents extents;
  cases::Pattern pattern;
  std::int64_t amount;
  std::vector<double> spacing;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {
      {"random", {211, 307}, cases::Pattern::random, 300, {}},
      {"dense", {150, 1100}, cases::Pattern::random, 60000, {}},
      {"anisotropic", {120, 95}, cases::Pattern::random, 80, {2, 3}},
      {"digits", {90, 70}, cases::Pattern::random, 50, {3.14159265, 1}},
      {"circle", {200, 200}, cases::Pattern::circle, 90, {}},
      {"blobs", {180, 160}, cases::Pattern::blobs, 30, {}},
      {"lattice", {130, 131}, cases::Pattern::lattice, 8, {}},
      {"volume", {31, 40, 37}, cases::Pattern::random, 120, {}},
      {"volume_spacing", {20, 33, 30}, cases::Pattern::random, 90, {3, 1, 2}},
  };
  return list;
}

class Property : public ::testing::TestWithParam<std::tuple<Setting, Metric>> {
 protected:
  const Setting& setting() const { return std::get<0>(GetParam()); }
  NearestSiteOptions options() const {
    return {.metric = std::get<1>(GetParam()), .spacing = setting().spacing};
  }
  Map map() const {
    return make_map({.name = "",
                     .extents = setting().extents,
                     .pattern = setting().pattern,
                     .amount = setting().amount});
  }
};

template <class Visit>
void for_each_cell(const Axes& extent, Visit&& visit) {
  for (std::int64_t z = 0; z < extent[0]; ++z)
    for (std::int64_t y = 0; y < extent[1]; ++y)
      for (std::int64_t x = 0; x < extent[2]; ++x) visit(Axes{z, y, x});
}

/// The middle of three copies along each axis sees the same as a torus.
TEST_P(Property, ATorusIsTheMiddleOfItsCopies) {
  Map own = map();
  const std::size_t rank = static_cast<std::size_t>(own.extents().rank());
  NearestSiteOptions torus = options();
  torus.periodic.assign(rank, true);
  Map copies(Axes{rank == 3 ? 3 * own.extent[0] : 1, 3 * own.extent[1], 3 * own.extent[2]});
  for_each_cell(copies.extent, [&](const Axes& cell) {
    const Axes original{cell[0] % own.extent[0], cell[1] % own.extent[1], cell[2] % own.extent[2]};
    copies.at(cell) = own.at(original);
  });
  const Solution on_torus = solve(own, torus);
  const Solution in_copies = solve(copies, options());
  for_each_cell(own.extent, [&](const Axes& cell) {
    const Axes middle{rank == 3 ? cell[0] + own.extent[0] : 0, cell[1] + own.extent[1],
                      cell[2] + own.extent[2]};
    ASSERT_EQ(on_torus.distance[static_cast<std::size_t>(to_index(own.extent, cell))],
              in_copies.distance[static_cast<std::size_t>(to_index(copies.extent, middle))]);
  });
}

std::size_t index_of(const Axes& extent, const Axes& cell) {
  return static_cast<std::size_t>(to_index(extent, cell));
}

TEST_P(Property, FlipsKeepTheDistances) {
  Map original = map();
  const Solution solution = solve(original, options());
  for (std::size_t axis = original.extent[0] == 1 ? 1 : 0; axis < kAxes; ++axis) {
    const auto flip = [&](Axes cell) {
      cell[axis] = original.extent[axis] - 1 - cell[axis];
      return cell;
    };
    Map flipped(original.extent);
    for_each_cell(original.extent,
                  [&](const Axes& cell) { flipped.at(flip(cell)) = original.at(cell); });
    const Solution turned = solve(flipped, options());
    for_each_cell(original.extent, [&](const Axes& cell) {
      ASSERT_EQ(turned.distance[index_of(original.extent, flip(cell))],
                solution.distance[index_of(original.extent, cell)]);
    });
  }
}

TEST_P(Property, TransposingKeepsTheDistances) {
  Map original = map();
  const Solution solution = solve(original, options());
  const auto transpose = [](const Axes& cell) { return Axes{cell[0], cell[2], cell[1]}; };
  Map turned(transpose(original.extent));
  for_each_cell(original.extent,
                [&](const Axes& cell) { turned.at(transpose(cell)) = original.at(cell); });
  NearestSiteOptions swapped = options();
  if (!swapped.spacing.empty())
    std::iter_swap(swapped.spacing.end() - 1, swapped.spacing.end() - 2);
  const Solution other = solve(turned, swapped);
  for_each_cell(original.extent, [&](const Axes& cell) {
    ASSERT_EQ(other.distance[index_of(turned.extent, transpose(cell))],
              solution.distance[index_of(original.extent, cell)]);
  });
}

TEST_P(Property, FreeCellsAroundTheRasterChangeNothing) {
  Map original = map();
  const Solution solution = solve(original, options());
  const std::int64_t depth = original.extent[0] == 1 ? 0 : 2;
  const Axes shift{depth, 3, 5};
  Map larger({original.extent[0] + 2 * depth, original.extent[1] + 7, original.extent[2] + 9});
  const auto move = [&](const Axes& cell) {
    return Axes{cell[0] + shift[0], cell[1] + shift[1], cell[2] + shift[2]};
  };
  for_each_cell(original.extent,
                [&](const Axes& cell) { larger.at(move(cell)) = original.at(cell); });
  const Solution moved = solve(larger, options());
  for_each_cell(original.extent, [&](const Axes& cell) {
    const std::size_t from = index_of(original.extent, cell);
    const std::size_t to = index_of(larger.extent, move(cell));
    // The unit of approximated weights may change with the size; the winner and its label do not.
    if (setting().name != std::string("digits")) {
      ASSERT_EQ(moved.distance[to], solution.distance[from]);
    }
    ASSERT_EQ(moved.labels[to], solution.labels[from]);
  });
}

TEST_P(Property, RelabellingKeepsSitesAndDistances) {
  Map original = map();
  const Solution solution = solve(original, options());
  Map relabelled = original;
  for (std::size_t i = 0; i < relabelled.cells.size(); ++i)
    if (relabelled.cells[i] != 0) relabelled.cells[i] = -static_cast<std::int32_t>(i) - 1;
  const Solution other = solve(relabelled, options());
  EXPECT_EQ(other.distance, solution.distance);
  EXPECT_EQ(other.site_index, solution.site_index);
}

TEST_P(Property, ASiteIsItsOwnAndLabelsAreThoseOfTheSites) {
  const Map original = map();
  const Solution solution = solve(original, options());
  for (std::size_t i = 0; i < original.cells.size(); ++i) {
    ASSERT_GE(solution.site_index[i], 0);
    ASSERT_EQ(solution.labels[i], original.cells[static_cast<std::size_t>(solution.site_index[i])]);
    if (original.cells[i] != 0) {
      ASSERT_EQ(solution.site_index[i], static_cast<std::int64_t>(i));
      ASSERT_EQ(solution.distance[i], 0);
    }
  }
}

TEST_P(Property, AddingASiteNeverRaisesADistance) {
  const Map original = map();
  const Solution before = solve(original, options());
  Map more = original;
  for (std::uint64_t i = 0; i < 5; ++i) more.cells[splitmix64(1, i) % more.cells.size()] = 77;
  const Solution after = solve(more, options());
  for (std::size_t i = 0; i < original.cells.size(); ++i)
    ASSERT_LE(after.distance[i], before.distance[i]);
}

TEST_P(Property, TheMapOfAUnionIsTheBetterOfTheMaps) {
  const Map original = map();
  Map odd = original;
  Map even = original;
  for (std::size_t i = 0; i < original.cells.size(); ++i)
    (splitmix64(2, i) % 2 == 0 ? odd : even).cells[i] = 0;
  const Solution whole = solve(original, options());
  const Solution first = solve(odd, options());
  const Solution second = solve(even, options());
  for (std::size_t i = 0; i < original.cells.size(); ++i) {
    ASSERT_EQ(whole.distance[i], std::min(first.distance[i], second.distance[i]));
    const bool take_first =
        first.distance[i] < second.distance[i] ||
        (first.distance[i] == second.distance[i] && first.site_index[i] < second.site_index[i]);
    ASSERT_EQ(whole.site_index[i], take_first ? first.site_index[i] : second.site_index[i]);
  }
}

/// The settings for which cells times sites is small.
class SparseProperty : public Property {};

TEST_P(SparseProperty, BruteForceAgrees) {
  const Map original = map();
  NearestSiteOptions slow = options();
  slow.method = Method::brute_force;
  const Solution fast = solve(original, options());
  const Solution truth = solve(original, slow);
  EXPECT_EQ(fast.distance, truth.distance);
  EXPECT_EQ(fast.site_index, truth.site_index);
}

std::vector<Setting> sparse_settings() {
  std::vector<Setting> sparse;
  for (const Setting& setting : settings())
    if (setting.amount <= 1000) sparse.push_back(setting);
  return sparse;
}

const auto& all_metrics() {
  static const auto metrics =
      ::testing::Values(Metric::euclidean, Metric::manhattan, Metric::chessboard);
  return metrics;
}

std::string test_name(const ::testing::TestParamInfo<Property::ParamType>& test) {
  constexpr const char* kMetrics[] = {"euclidean", "manhattan", "chessboard"};
  return std::string(std::get<0>(test.param).name) + "_" +
         kMetrics[static_cast<std::size_t>(std::get<1>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(Maps, Property,
                         ::testing::Combine(::testing::ValuesIn(settings()), all_metrics()),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Maps, SparseProperty,
                         ::testing::Combine(::testing::ValuesIn(sparse_settings()), all_metrics()),
                         test_name);

}  // namespace
}  // namespace thiessen

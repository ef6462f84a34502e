// SPDX-License-Identifier: Apache-2.0
#include "cuda/flood/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace thiessen::cuda {
namespace {

using Extent = std::array<std::int32_t, 3>;
using Steps = std::span<const std::int64_t>;

/// Cells side by side in memory that are read together: a sector, or half of one where few tiles
/// would be left otherwise.
constexpr std::int32_t kMostRun = 8;
constexpr std::int32_t kLeastRun = 4;
constexpr std::int32_t kMostTile = 128;
constexpr std::int32_t kLeastTile = 16;

/// Costs, in passes over the whole raster by cells that are in shared memory already: to read it or
/// to write it once, and to launch a kernel, in cells. From the rates of an H200.
constexpr double kMove = 0.4;
constexpr double kLaunch = 1.5e6;
/// How much longer it takes to move halves of sectors, and cells that keep all threads of a block
/// busy.
constexpr double kHalves = 1.5;
constexpr double kBusy = 3072;

std::int32_t divide_up(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>((a + b - 1) / b);
}

/// Tiles of at most `cells` cells: an axis that fits as a whole has no halo.
bool cut_tiles(FloodGroup& group, const Extent& extent, std::int32_t halo, std::int64_t cells,
               std::int32_t most) {
  std::array<bool, 3> whole{};
  Extent length;
  for (std::size_t axis = 0; axis < 3; ++axis) length[axis] = divide_up(extent[axis], group.unit);
  for (bool changed = true; changed;) {
    changed = false;
    double room = static_cast<double>(cells >> group.run_bits);
    int cut = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (whole[axis])
        room /= length[axis];
      else
        ++cut;
    const auto side =
        static_cast<std::int32_t>(cut == 0 ? 0 : std::pow(room * 1.000001, 1.0 / cut));
    if (room < 1) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (whole[axis]) continue;
      group.halo[axis] = halo;
      group.tile[axis] = std::min(side - 2 * halo, most);
      if (length[axis] <= std::min(side, most + 2 * halo)) {
        whole[axis] = changed = true;
        group.halo[axis] = 0;
        group.tile[axis] = length[axis];
      }
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (group.tile[axis] < 1) return false;
    group.tiles[axis] = divide_up(length[axis], group.tile[axis]);
    group.tile[axis] = divide_up(length[axis], group.tiles[axis]);  // all of about the same size
    group.lattices[axis] = std::min(group.unit, extent[axis]);
  }
  group.lattices[2] = divide_up(group.lattices[2], group.run());
  return group.cells() <= cells;
}

/// The device and the raster, as costs depend on them.
struct Place {
  Extent extent;
  std::int64_t cells;   ///< that a tile may have
  std::int64_t blocks;  ///< at once
};

/// In passes over the raster.
double cost_of(const FloodGroup& group, const Place& place) {
  const auto share = [&](std::int32_t halo) {
    double cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int32_t around = std::min(halo, group.halo[axis]);
      cells *= 1 + 2.0 * around / group.tile[axis];
    }
    return cells;
  };
  std::int32_t rest = std::accumulate(std::begin(group.step), std::end(group.step), 0);
  const bool halves = group.run() < std::min(group.unit, kMostRun);
  double cost = (halves ? kHalves : 1) * kMove * (share(rest) + 1);
  for (int pass = 0; pass < group.passes; ++pass) {
    rest -= group.step[pass];
    cost += share(rest);
  }
  const std::int64_t rounds = (group.blocks() + place.blocks - 1) / place.blocks;
  const double idle =
      static_cast<double>(rounds * place.blocks) / static_cast<double>(group.blocks());
  const double raster = static_cast<double>(place.extent[0]) * place.extent[1] * place.extent[2];
  const double lonely = std::max(1.0, kBusy / group.cells());
  return cost * idle * lonely + kLaunch / raster;
}

/// The cheapest tiles for these passes together.
std::optional<FloodGroup> make_group(Steps steps, const Place& place) {
  FloodGroup group;
  group.passes = static_cast<int>(steps.size());
  std::int64_t unit = steps.empty() ? 1 : 0;
  for (const std::int64_t step : steps) unit = std::gcd(unit, step);
  group.unit = static_cast<std::int32_t>(unit);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    group.step[i] = static_cast<std::int32_t>(steps[i] / unit);
    sum += steps[i] / unit;
  }
  const auto halo = static_cast<std::int32_t>(std::min<std::int64_t>(sum, 1 << 16));
  const std::int32_t widest = std::min(group.unit, kMostRun);
  std::optional<FloodGroup> best;
  for (std::int32_t run = std::min(widest, kLeastRun); run <= widest; run *= 2)
    for (std::int32_t most = kLeastTile; most <= kMostTile; most *= 2) {
      FloodGroup tiles = group;
      tiles.run_bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(run))) - 1;
      if (!cut_tiles(tiles, place.extent, halo, place.cells, most)) continue;
      if (!best || cost_of(tiles, place) < cost_of(*best, place)) best = tiles;
    }
  return best;
}

}  // namespace

std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps, const Extent& extent,
                                      std::int64_t cells, std::int64_t blocks) {
  const std::int32_t longest = *std::max_element(extent.begin(), extent.end());
  std::vector<std::int64_t> own;  // that lead anywhere
  for (const std::int64_t step : steps)
    if (step < longest) own.push_back(step);
  const Place place{extent, cells, blocks};
  if (own.empty()) return {*make_group({}, place)};
  // The cheapest way to do the first i passes ends with the group last[i].
  std::vector<double> cost(own.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<FloodGroup> last(own.size() + 1);
  cost[0] = 0;
  for (std::size_t first = 0; first < own.size(); ++first)
    for (std::size_t count = 1; count <= kMostPasses && first + count <= own.size(); ++count) {
      const auto group = make_group(Steps(own).subspan(first, count), place);
      if (!group) continue;
      const double all = cost[first] + cost_of(*group, place);
      if (all >= cost[first + count]) continue;
      cost[first + count] = all;
      last[first + count] = *group;
    }
  std::vector<FloodGroup> groups;
  for (std::size_t end = own.size(); end > 0; end -= static_cast<std::size_t>(groups.back().passes))
    groups.push_back(last[end]);
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace thiessen::cuda

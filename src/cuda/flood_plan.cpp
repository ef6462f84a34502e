// SPDX-License-Identifier: Apache-2.0
#include "cuda/flood_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace thiessen::cuda {
namespace {

using Extent = std::array<std::int32_t, 3>;
using Steps = std::span<const std::int64_t>;

constexpr std::int32_t kMostRun = 8;  ///< 32 bytes: a sector
constexpr std::int32_t kMostTile = 128;
constexpr std::int32_t kLeastTile = 16;

/// Costs, in passes over the whole raster by cells that are in shared memory already: to read it or
/// to write it once, and to launch a kernel, in cells. From the rates of an H200.
constexpr double kMove = 0.4;
constexpr double kLaunch = 1.5e6;

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
    const auto side = static_cast<std::int32_t>(cut == 0 ? 0 : std::pow(room * 1.000001, 1.0 / cut));
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
    group.lattices[axis] = std::min(group.unit, extent[axis]);
  }
  group.lattices[2] = divide_up(group.lattices[2], group.run());
  return group.cells() <= cells;
}

std::optional<FloodGroup> make_group(Steps steps, const Extent& extent, std::int64_t cells,
                                     std::int64_t blocks) {
  FloodGroup group;
  group.passes = static_cast<int>(steps.size());
  std::int64_t unit = steps.empty() ? 1 : 0;
  for (const std::int64_t step : steps) unit = std::gcd(unit, step);
  group.unit = static_cast<std::int32_t>(unit);
  std::int64_t halo = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    group.step[i] = static_cast<std::int32_t>(steps[i] / unit);
    halo += steps[i] / unit;
  }
  const auto run = static_cast<std::uint32_t>(std::min(group.unit, kMostRun));
  group.run_bits = static_cast<int>(std::bit_width(run)) - 1;
  if (halo > std::numeric_limits<std::int16_t>::max()) halo = std::numeric_limits<std::int16_t>::max();
  // Smaller tiles, if that is what it takes to give everybody one.
  std::optional<FloodGroup> best;
  for (std::int32_t most = kMostTile; most >= kLeastTile; most /= 2) {
    FloodGroup smaller = group;
    if (!cut_tiles(smaller, extent, static_cast<std::int32_t>(halo), cells, most)) continue;
    best = smaller;
    if (smaller.blocks() >= blocks) break;
  }
  return best;
}

/// Cells that are read and flooded, in rasters.
double cost_of(const FloodGroup& group, double launch) {
  const auto share = [&](std::int32_t halo) {
    double cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int32_t around = std::min(halo, group.halo[axis]);
      cells *= 1 + 2.0 * around / group.tile[axis];
    }
    return cells;
  };
  std::int32_t rest = std::accumulate(group.step.begin(), group.step.end(), 0);
  double cost = launch + kMove * (share(rest) + 1);
  for (int pass = 0; pass < group.passes; ++pass) {
    rest -= group.step[static_cast<std::size_t>(pass)];
    cost += share(rest);
  }
  return cost;
}

}  // namespace

std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps, const Extent& extent,
                                      std::int64_t cells, std::int64_t blocks) {
  const std::int32_t longest = *std::max_element(extent.begin(), extent.end());
  std::vector<std::int64_t> own;  // that lead anywhere
  for (const std::int64_t step : steps)
    if (step < longest) own.push_back(step);
  if (own.empty()) return {*make_group({}, extent, cells, blocks)};
  const double raster = static_cast<double>(extent[0]) * extent[1] * extent[2];
  // The cheapest way to do the first i passes ends with the group last[i].
  std::vector<double> cost(own.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<FloodGroup> last(own.size() + 1);
  cost[0] = 0;
  for (std::size_t first = 0; first < own.size(); ++first)
    for (std::size_t count = 1; count <= kMostPasses && first + count <= own.size(); ++count) {
      const auto group = make_group(Steps(own).subspan(first, count), extent, cells, blocks);
      if (!group) continue;
      const double all = cost[first] + cost_of(*group, kLaunch / raster);
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

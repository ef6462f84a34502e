// SPDX-License-Identifier: Apache-2.0
//
// Plans the passes of jump flooding: estimates the time of every way to divide them into groups,
// each with its cheapest tiles, and takes the cheapest way (plan.hpp says what a group is).
#include "cuda/flood/plan.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace thiessen::cuda::flood {
namespace {

using Extent = std::array<std::int32_t, 3>;
using Steps = std::span<const std::int64_t>;

constexpr std::int32_t kWarp = 32;
constexpr std::int32_t kColumns = 2 * kWarp;  ///< columns that a warp does at once
/// Cells side by side in memory that are read together: a sector, or half of one if there would be
/// too few tiles otherwise.
constexpr std::int32_t kMostRun = 8;
constexpr std::int32_t kLeastRun = 4;
/// The largest tile that is cut: along x in warps, along the middle axis in cells.
constexpr std::int32_t kMostStrips = 8;
constexpr std::int32_t kMostMiddle = 16;

/// Costs, in passes over the whole raster by cells that are in shared memory: to read or write it
/// once, which is less of a pass in 3-D; and to launch a kernel, in cells. From the rates of an
/// H200.
constexpr double kMove[] = {0.4, 0.15};
constexpr double kLaunch = 1e6;
/// The factor by which moving halves of sectors is slower.
constexpr double kHalves = 1.5;
/// The time, in lines, that a warp needs to begin a piece of a chain, and to begin other columns.
constexpr double kTurn = 0.9;
constexpr double kStart = 1.0;

std::int32_t divide_up(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>((a + b - 1) / b);
}

/// The raster and the device, as far as costs depend on them.
struct Place {
  Extent extent;
  FloodCapacity capacity;
  bool is_flat() const { return extent[1] == 1; }
};

/// Cuts an axis into tiles with a halo, unless it fits as a whole.
void cut(FloodGroup& group, std::size_t axis, std::int32_t length, std::int32_t tile,
         std::int32_t halo) {
  const bool whole = length <= tile;
  group.halo[axis] = whole ? 0 : halo;
  group.tiles[axis] = whole ? 1 : divide_up(length, tile);
  group.tile[axis] = whole ? length : tile;
}

/// The warps for so many places of the lattices along x, in a pass of this step. A lane does two
/// columns that are a step apart.
std::int32_t strips_of(const FloodGroup& group, std::int32_t places, std::int32_t step) {
  const std::int32_t columns = places << group.run_bits;
  const std::int32_t side = step << group.run_bits;
  return divide_up(columns / (2 * side) * side + std::min(columns % (2 * side), side), kWarp);
}

/// The cells of an axis that a pass computes for each cell of the raster, if the cells around a
/// tile up to `rest` are still needed; along x in whole warps.
double share_of(const FloodGroup& group, const Place& place, std::size_t axis, std::int32_t rest,
                std::int32_t step) {
  const std::int32_t length = divide_up(place.extent[axis], group.unit);
  const std::int32_t around = 2 * std::min(rest, group.halo[axis]);
  if (axis != 2) return (length + static_cast<double>(group.tiles[axis] - 1) * around) / length;
  const std::int32_t others = group.tiles[axis] - 1;
  const std::int32_t last = length - others * group.tile[axis];
  const double all =
      static_cast<double>(others) * strips_of(group, group.tile[axis] + around, step) +
      strips_of(group, last + around / 2, step);
  return all * kColumns / (static_cast<double>(length) * group.run());
}

/// The cost of a group, in passes over the raster.
double cost_of(const FloodGroup& group, const Place& place) {
  const auto share = [&](std::int32_t rest, std::int32_t step) {
    double cells = share_of(group, place, 0, rest, step) * share_of(group, place, 2, rest, step);
    if (!place.is_flat()) cells *= share_of(group, place, 1, rest, step);
    return cells;
  };
  std::int32_t rest = std::accumulate(std::begin(group.step), std::end(group.step), 0);
  const bool halves = group.run() < std::min(group.unit, kMostRun);
  double cost = (halves ? kHalves : 1) * kMove[place.is_flat() ? 0 : 1] * (share(rest, 1) + 1);
  for (int pass = 0; pass < group.passes; ++pass) {
    rest -= group.step[pass];
    const double length =
        static_cast<double>(std::min(group.size(0), group.tile[0] + 2 * rest)) / group.step[pass];
    cost += share(rest, group.step[pass]) * (1 + kTurn / std::clamp(length, 1.0, 16.0));
  }
  const std::int64_t blocks = place.capacity.blocks;
  const std::int64_t rounds = (group.blocks() + blocks - 1) / blocks;
  const double idle = static_cast<double>(rounds * blocks) / static_cast<double>(group.blocks());
  const double raster = static_cast<double>(place.extent[0]) * place.extent[1] * place.extent[2];
  return cost * idle + kLaunch / raster;
}

/// Finds the cheapest tiles for a group whose passes and run are given.
class TileSearch {
 public:
  TileSearch(const Place& place, std::optional<FloodGroup>& best) : place_(place), best_(best) {}

  void run(FloodGroup group) {
    halo_ = 0;
    for (int pass = 0; pass < group.passes; ++pass)
      halo_ = std::min(halo_ + group.step[pass], 1 << 16);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      length_[axis] = divide_up(place_.extent[axis], group.unit);
      group.lattices[axis] = std::min(group.unit, place_.extent[axis]);
    }
    group.lattices[2] = divide_up(group.lattices[2], group.run());
    const std::int32_t after_first = halo_ - (group.passes > 0 ? group.step[0] : 0);
    cut_x(group, length_[2]);
    for (std::int32_t strips = 1; strips <= kMostStrips; ++strips)
      cut_x(group, (strips * kColumns >> group.run_bits) - 2 * after_first);
    if (best_) return;
    // If there is very little room, tiles are narrower than a warp.
    for (std::int32_t tile = 1; tile < kWarp >> group.run_bits; tile *= 2) cut_x(group, tile);
  }

 private:
  void cut_x(FloodGroup& group, std::int32_t tile) {
    if (tile < 1 || tile > length_[2]) return;
    cut(group, 2, length_[2], tile, halo_);
    cut_middle(group, length_[1]);
    for (std::int32_t middle = 2; middle <= std::min(kMostMiddle, length_[1] - 1); middle += 2)
      cut_middle(group, middle);
  }

  void cut_middle(FloodGroup& group, std::int32_t tile) {
    cut(group, 1, length_[1], tile, halo_);
    cut_top(group);
  }

  /// Makes tiles as long as there is room; shorter if not all blocks would have one.
  void cut_top(FloodGroup& group) {
    const std::int64_t line = std::int64_t{group.size(1)} * group.row();
    const std::int64_t most = place_.capacity.cells / line;
    if (most < 1) return;
    if (length_[0] <= most) {
      cut(group, 0, length_[0], length_[0], halo_);
      solve(group);
    }
    std::int64_t tile = std::min<std::int64_t>(most - 2 * std::int64_t{halo_}, length_[0] - 1);
    for (int halving = 0; halving < 2; ++halving, tile /= 2) {
      if (tile < 1) return;
      const std::int32_t tiles = divide_up(length_[0], tile);
      cut(group, 0, length_[0], divide_up(length_[0], tiles), halo_);
      solve(group);
    }
  }

  void solve(const FloodGroup& group) {
    const double cost = cost_of(group, place_);
    if (best_ && cost >= best_cost_) return;
    best_ = group;
    best_cost_ = cost;
  }

  const Place& place_;
  std::optional<FloodGroup>& best_;
  double best_cost_ = 0;
  std::int32_t halo_ = 0;
  Extent length_{};
};

/// Finds the cheapest tiles for doing these passes together.
std::optional<FloodGroup> make_group(Steps steps, const Place& place) {
  FloodGroup group;
  group.passes = static_cast<int>(steps.size());
  std::int64_t unit = steps.empty() ? 1 : 0;
  for (const std::int64_t step : steps) unit = std::gcd(unit, step);
  group.unit = static_cast<std::int32_t>(unit);
  for (std::size_t i = 0; i < steps.size(); ++i)
    group.step[i] = static_cast<std::int32_t>(steps[i] / unit);
  const std::int32_t widest = std::min(group.unit, kMostRun);
  std::optional<FloodGroup> best;
  TileSearch search(place, best);
  for (std::int32_t run = std::min(widest, kLeastRun); run <= widest; run *= 2) {
    group.run_bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(run))) - 1;
    search.run(group);
  }
  return best;
}

/// Cuts chains into pieces so that all warps of a block have about as much to do. Counts the time
/// of the warp that has most, and the average, as other blocks work meanwhile.
void share_out(FloodGroup& group, const Place& place) {
  const std::int32_t warps = place.capacity.warps;
  std::int32_t rest = std::accumulate(std::begin(group.step), std::end(group.step), 0);
  for (int pass = 0; pass < group.passes; ++pass) {
    const std::int32_t step = group.step[pass];
    rest -= step;
    const auto size = [&](int axis) {
      return std::min(group.size(axis), group.tile[axis] + 2 * rest);
    };
    const std::int64_t strips = std::int64_t{size(1)} * strips_of(group, size(2), step);
    const std::int32_t chains = std::min(step, size(0));
    const std::int32_t longest = divide_up(size(0), step);
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::int32_t pieces, std::int32_t bundle_bits) {
      const std::int32_t length = divide_up(longest, pieces);
      const std::int64_t walks = std::int64_t{chains} * pieces;
      const std::int64_t items = strips * divide_up(walks, std::int64_t{1} << bundle_bits);
      const double item = kStart + (length + kTurn) * (1 << bundle_bits);
      const double cost = static_cast<double>(divide_up(items, warps)) * item +
                          static_cast<double>(items) / warps * item;
      if (cost >= least) return;
      least = cost;
      group.division[pass] = {length, pieces, bundle_bits};
    };
    for (std::int32_t pieces = 1; pieces <= 8 && pieces <= longest; ++pieces)
      for (std::int32_t bits = 0; bits <= 3 && (1 << bits) <= chains; ++bits)
        consider(pieces, bits);
  }
}

}  // namespace

std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps, const Extent& extent,
                                      const FloodCapacity& capacity) {
  const std::int32_t longest = *std::max_element(extent.begin(), extent.end());
  std::vector<std::int64_t> own;  // steps that reach some cell
  for (const std::int64_t step : steps)
    if (step < longest) own.push_back(step);
  const Place place{extent, capacity};
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
  for (std::size_t end = own.size(); end > 0;
       end -= static_cast<std::size_t>(groups.back().passes)) {
    groups.push_back(last[end]);
    share_out(groups.back(), place);
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace thiessen::cuda::flood

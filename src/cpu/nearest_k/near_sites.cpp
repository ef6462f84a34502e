// SPDX-License-Identifier: Apache-2.0
#include "cpu/nearest_k/near_sites.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/cell_access.hpp"
#include "core/search/near_offsets.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// The S between opposite corners of a box of `count` cells, which is thin where cells are long,
/// with sides of at most `most`. kTooFar if there is no such box.
std::int64_t exact_across_box(const Problem& problem, std::int64_t count, const Axes& most) {
  Axes side{1, 1, 1};
  while (side[0] * side[1] * side[2] < count) {
    std::size_t least = kAxes;
    std::int64_t exact = kTooFar;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t along = small_exact_along(problem, axis, side[axis]);
      if (side[axis] >= most[axis] || along >= exact) continue;
      least = axis;
      exact = along;
    }
    if (least == kAxes) return kTooFar;
    ++side[least];
  }
  return std::min(small_exact(problem, {side[0] - 1, side[1] - 1, side[2] - 1}), kTooFar);
}

/// Whether k sites that follow each other along an axis are nearer to a cell than the one behind
/// them: not by chessboard distance if a step along another axis counts more.
bool has_deep_sites(const Problem& problem) {
  if (problem.metric != Metric::chessboard) return true;
  Int128 least = 0, greatest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (problem.extent[axis] == 1) continue;
    const Int128 factor = problem.weights.factor[axis];
    least = least == 0 ? factor : std::min(least, factor);
    greatest = std::max(greatest, factor);
  }
  return least == greatest;
}

}  // namespace

NearSites::NearSites(ContextState& state, const Problem& problem, const View<const void>& sites)
    : extent_(problem.extent), period_(problem.period) {
  mark_sites(state, problem, sites);
  list_steps(problem);
  Axes most;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    most[axis] = std::min(extent_[axis], problem.k + 1);
  if (has_deep_sites(problem) && exact_across_box(problem, problem.k, most) <= reached_)
    mark_deep(state, problem.k);
}

void NearSites::mark_sites(ContextState& state, const Problem& problem,
                           const View<const void>& sites) {
  constexpr std::int64_t kRowsAtOnce = 16;
  kinds_.resize(static_cast<std::size_t>(problem.cells()));
  const CellReader cells(sites);
  parallel_for(
      state, extent_[0] * extent_[1], kRowsAtOnce, 0,
      [&](std::int64_t begin, std::int64_t end, int) {
        ChunkBuffer buffer;
        std::array<std::uint8_t, kChunk> classes;
        for (std::int64_t row = begin; row < end; ++row)
          for_each_chunk(row / extent_[1], row % extent_[1], extent_[2], [&](const Chunk& chunk) {
            classify(problem.rule, cells.read(chunk.z, chunk.y, chunk.x, chunk.count, buffer),
                     chunk.count, classes.data());
            std::uint8_t* const kinds =
                &kinds_[static_cast<std::size_t>(to_index(extent_, {chunk.z, chunk.y, chunk.x}))];
            for (std::int64_t i = 0; i < chunk.count; ++i)
              kinds[i] = classes[static_cast<std::size_t>(i)] == kSiteCell ? kShallow : kNone;
          });
      });
}

/// Some more steps than a solid object needs, as they also serve sites with gaps between them.
void NearSites::list_steps(const Problem& problem) {
  constexpr std::int64_t kMostReach = std::int64_t{1} << 14;  // as small_exact_along() wants
  constexpr std::int64_t kReachFlat = 128, kReachSolid = 48;  // so that the list stays short
  Axes most;
  for (std::size_t axis = 0; axis < kAxes; ++axis) most[axis] = extent_[axis] > 1 ? kMostReach : 1;
  reached_ = std::min(exact_across_box(problem, 6 * problem.k + 8, most), kTooFar - 1);
  Axes reach{};
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
    reach[axis] = std::min(reach_within(problem, axis, reached_),
                           problem.rank == 2 ? kReachFlat : kReachSolid);
    // No cell is reached in two ways.
    if (period_[axis] != kNoPeriod) reach[axis] = std::min(reach[axis], (extent_[axis] - 1) / 2);
  }
  const auto all = static_cast<std::size_t>((2 * reach[0] + 1) * (2 * reach[1] + 1)) *
                   static_cast<std::size_t>(2 * reach[2] + 1);
  for (const NearOffset& offset : list_near_offsets(problem, reach, all, reached_)) {
    bool is_within = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      is_within = is_within && std::abs(offset.delta[axis]) < extent_[axis];
    if (!is_within) continue;
    steps_.push_back({offset.exact, to_index(extent_, offset.delta), offset.delta});
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      reach_[axis] = std::max(reach_[axis], std::abs(offset.delta[axis]));
  }
}

void NearSites::mark_deep(ContextState& state, std::int64_t k) {
  std::vector<std::uint8_t> solid = kinds_, eroded(kinds_.size());
  for (std::size_t axis = kAxes; axis-- > 0;) {
    if (extent_[axis] == 1) continue;
    erode(state, axis, k, solid, eroded);
    solid.swap(eroded);
  }
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    if (solid[i] != 0) kinds_[i] = kDeep;
}

/// Cells up to k steps from which, along an axis, there is none that is 0. Lines are taken side by
/// side, each with the number of such cells in its window.
void NearSites::erode(ContextState& state, std::size_t axis, std::int64_t k,
                      const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) const {
  constexpr std::int64_t kLanes = 64;
  const std::int64_t length = extent_[axis];
  std::int64_t stride = 1;
  for (std::size_t inner = axis + 1; inner < kAxes; ++inner) stride *= extent_[inner];
  const std::int64_t reach = std::min(k, length - 1);
  const std::int64_t bundles = (stride + kLanes - 1) / kLanes;  // of lines side by side
  const std::int64_t slices = std::ssize(from) / (length * stride);
  parallel_for(state, slices * bundles, kLanes, 0, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % bundles * kLanes;
      const std::int64_t lanes = std::min(kLanes, stride - first);
      const std::int64_t start = i / bundles * length * stride + first;
      std::array<std::int32_t, kLanes> empty{};
      const auto count = [&](std::int64_t place, std::int32_t by) {
        place = unwrap(place, period_[axis]);
        if (place < 0 || place >= length) return;
        const std::uint8_t* const row = &from[static_cast<std::size_t>(start + place * stride)];
        for (std::int64_t lane = 0; lane < lanes; ++lane)
          empty[static_cast<std::size_t>(lane)] += row[lane] == 0 ? by : 0;
      };
      for (std::int64_t place = -reach; place < reach; ++place) count(place, 1);
      for (std::int64_t place = 0; place < length; ++place) {
        count(place + reach, 1);
        std::uint8_t* const row = &to[static_cast<std::size_t>(start + place * stride)];
        for (std::int64_t lane = 0; lane < lanes; ++lane)
          row[lane] = empty[static_cast<std::size_t>(lane)] == 0 ? 1 : 0;
        count(place - reach, -1);
      }
    }
  });
}

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
//
// The near search for distances alone: which strips it does, and in which pieces. In 2-D a piece is
// some rows of a strip. In 3-D as many strips at a time as fit the caches are done within all
// planes first, and then across them; strips that are hardly worth it are left out.
#include "cpu/tiles/near/distances.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>

#include "cpu/tiles/job/near_choice.hpp"
#include "cpu/tiles/near/windows.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// Says of each unit whether it and those around it have `fewest` sites.
template <int kRank>
void find_worth(const Job& job, std::int64_t fewest, std::uint8_t* worth) {
  for (std::int64_t z = 0; z < job.units[0]; ++z)
    for (std::int64_t y = 0; y < job.units[1]; ++y)
      for (std::int64_t x = 0; x < job.units[2]; ++x)
        worth[job.unit_index(z, y, x)] = neighbourhood<kRank>(job, z, y, x, x).sites >= fewest;
}

/// Some strips side by side.
struct StripRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

template <int kRank>
class DistanceSearch {
 public:
  DistanceSearch(ContextState& state, const WindowPlan& plan, const Job& job)
      : state_(state), plan_(plan), job_(job), scratch_(state.scratch) {
    auto* const worth = scratch_.array<std::uint8_t>(unit_rows() * job.units[2]);
    find_worth<kRank>(job, EngineLimits::of_rank(state.limits.window_sites, kRank), worth);
    windows_ = {.job = &job,
                .plan = &plan,
                .leaf = {B::kLeafZ, B::kLeafY, kLeafWidth},
                .strips = plan_strips(job),
                .worth = worth};
    memory_ = scratch_.array<std::byte>(state.threads * kWindowMemory);
  }

  void run() {
    const WindowKernels kernels = window_kernels(state_.instruction_sets, plan_);
    if (kRank == 2)
      run_kernel(kernels.flat, {0, windows_.strips.count}, job_.extent[1]);
    else
      run_volumes(kernels);
  }

 private:
  using B = Blocks<kRank>;

  std::int64_t unit_rows() const { return job_.units[0] * job_.units[1]; }

  /// Calls the kernel for the rows (planes) 0..length-1 of some strips, in pieces.
  void run_kernel(WindowKernel kernel, const StripRange& strips, std::int64_t length) {
    constexpr std::int64_t kFewestRows = kRank == 2 ? 256 : 1;  // 2-D: those beside are read again
    constexpr std::int64_t kPiecesOfAThread = 4;
    const std::int64_t wanted =
        state_.threads == 1 ? 1 : parts(kPiecesOfAThread * state_.threads, strips.count);
    const std::int64_t pieces =
        std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, length / kFewestRows));
    // In 3-D there are two kernels. As many cells are counted for the marks.
    constexpr std::int64_t kPasses = kRank == 2 ? 2 : 4;
    const std::int64_t cells =
        job_.extent[0] * job_.extent[1] * job_.extent[2] / windows_.strips.count;
    parallel_for(state_, strips.count * pieces, 1, cells / (kPasses * pieces),
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t piece = i % pieces;
                     kernel(windows_, strips.first + i / pieces, length * piece / pieces,
                            length * (piece + 1) / pieces, memory_ + worker * kWindowMemory);
                   }
                   hwy::FlushStream();
                 });
  }

  void run_volumes(const WindowKernels& kernels) {
    constexpr std::int64_t kLine = 64;  // planes a power of two apart would share sets of the cache
    const std::int64_t plane = job_.extent[1] * kUnitWidth + kLine;
    const std::int64_t lane = plan_.wide ? sizeof(std::uint32_t) : sizeof(std::uint16_t);
    const std::int64_t bytes = plane * job_.extent[0] * lane;
    const std::int64_t all = windows_.strips.count;
    const std::int64_t at_once =
        std::clamp<std::int64_t>(state_.limits.window_bytes / bytes, 1, all);
    windows_.volumes = scratch_.array<StripVolume>(at_once);
    for (std::int64_t i = 0; i < at_once; ++i)
      windows_.volumes[i] = {scratch_.array<std::byte>(bytes), plane};
    for (StripRange strips; strips.first < all; strips.first += at_once) {
      strips.count = std::min(at_once, all - strips.first);
      windows_.first_strip = strips.first;
      if (are_worth(strips)) {
        run_kernel(kernels.in_planes, strips, job_.extent[0]);
        run_kernel(kernels.across_planes, strips, job_.extent[1]);
      } else {
        leave_open(strips);
      }
    }
  }

  /// Whether enough units are worth windows for the pass within planes, which does all cells.
  bool are_worth(const StripRange& strips) const {
    constexpr std::int64_t kOneIn = 4;
    if (plan_.complete) return true;
    const std::int64_t begin = unit_of_strip(job_, strips.first);
    const std::int64_t end = unit_of_strip(job_, strips.first + strips.count - 1) + 1;
    std::int64_t worth = 0;
    for (std::int64_t row = 0; row < unit_rows(); ++row) {
      const std::uint8_t* const units = windows_.worth + row * job_.units[2];
      worth += std::count(units + begin, units + end, 1);
    }
    return worth * kOneIn >= unit_rows() * (end - begin);
  }

  void leave_open(const StripRange& strips) {
    const std::int64_t column = windows_.strips.first_column(strips.first);
    const std::int64_t behind = windows_.strips.first_column(strips.first + strips.count);
    const std::int64_t begin = std::max<std::int64_t>(column, 0) / kLeafWidth;
    const std::int64_t end = std::min(parts(behind, kLeafWidth), job_.leaves[2]);
    for (std::int64_t row = 0; row < job_.leaves[0] * job_.leaves[1]; ++row)
      std::fill(job_.solved + row * job_.leaves[2] + begin,
                job_.solved + row * job_.leaves[2] + end, SolvedBy::none);
  }

  ContextState& state_;
  const WindowPlan& plan_;
  const Job& job_;
  Scratch::Frame scratch_;
  WindowJob windows_;
  std::byte* memory_ = nullptr;
};

}  // namespace

template <int kRank>
void find_distances(ContextState& state, const WindowPlan& plan, const Job& job) {
  DistanceSearch<kRank>(state, plan, job).run();
}

template void find_distances<2>(ContextState& state, const WindowPlan& plan, const Job& job);
template void find_distances<3>(ContextState& state, const WindowPlan& plan, const Job& job);

}  // namespace thiessen::cpu::tiles

// SPDX-License-Identifier: Apache-2.0
//
// Runs a search on strips, in pieces for the threads. In 2-D a piece is some rows of a strip. In
// 3-D as many strips at a time as fit the caches are done within all planes first, and then across
// them.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/base/scratch.hpp"
#include "cpu/tiles/near/windows.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::tiles {

/// Some strips side by side.
struct StripRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
};

template <int kRank>
class StripRunner {
 public:
  /// `lane`: bytes of an S; `memory`: bytes that a kernel needs. Takes `units` of the progress.
  StripRunner(ContextState& state, Scratch::Frame& scratch, WindowJob& windows, std::int64_t lane,
              std::int64_t memory, std::int64_t units)
      : state_(state), scratch_(scratch), windows_(windows), lane_(lane), units_(units) {
    // An array each: in a single one of many threads, each would touch large pages of its own.
    memory_.reserve(static_cast<std::size_t>(state.threads));
    for (int worker = 0; worker < state.threads; ++worker)
      memory_.push_back(scratch_.array<std::byte>(memory));
  }

  /// In 3-D, strips for which is_worth(strips) says no are left open.
  template <class IsWorth>
  void run(const WindowKernels& kernels, const StripRange& strips, const IsWorth& is_worth) {
    if (strips.count == 0) return;
    if (kRank == 2)
      run_kernel(kernels.flat, strips, job().extent[1]);
    else
      run_volumes(kernels, strips, is_worth);
  }

  /// Makes the open leaves that were not left open those of a search.
  void mark_solved(SolvedBy search) {
    const std::int64_t leaves = job().leaves[0] * job().leaves[1] * job().leaves[2];
    for (std::int64_t i = 0; i < leaves; ++i)
      if (job().solved[i] == SolvedBy::none && windows_.failed[i] == 0) job().solved[i] = search;
  }

  void leave_open(const StripRange& strips) {
    if (strips.count <= 0) return;
    const std::int64_t column = windows_.strips.first_column(strips.first);
    const std::int64_t behind = windows_.strips.first_column(strips.first + strips.count);
    const std::int64_t begin = std::max<std::int64_t>(column, 0) / kLeafWidth;
    const std::int64_t end = std::min(parts(behind, kLeafWidth), job().leaves[2]);
    for (std::int64_t row = 0; row < job().leaves[0] * job().leaves[1]; ++row)
      std::fill(windows_.failed + row * job().leaves[2] + begin,
                windows_.failed + row * job().leaves[2] + end, std::uint8_t{1});
  }

 private:
  const Job& job() const { return *windows_.job; }

  /// Calls the kernel for the rows (planes) 0..length-1 of some strips, in pieces.
  void run_kernel(WindowKernel kernel, const StripRange& strips, std::int64_t length) {
    constexpr std::int64_t kFewestRows = kRank == 2 ? 256 : 1;  // 2-D: those beside are read again
    constexpr std::int64_t kPiecesPerThread = 4;
    const std::int64_t wanted =
        state_.threads == 1 ? 1 : parts(kPiecesPerThread * state_.threads, strips.count);
    const std::int64_t pieces =
        std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, length / kFewestRows));
    constexpr std::int64_t kKernels = kRank == 2 ? 1 : 2;
    const std::int64_t units = units_ / (kKernels * windows_.strips.count * pieces);
    parallel_for(state_, strips.count * pieces, 1, units,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t piece = i % pieces;
                     kernel(windows_, strips.first + i / pieces, length * piece / pieces,
                            length * (piece + 1) / pieces,
                            memory_[static_cast<std::size_t>(worker)]);
                   }
                   hwy::FlushStream();
                 });
  }

  template <class IsWorth>
  void run_volumes(const WindowKernels& kernels, const StripRange& range, const IsWorth& is_worth) {
    constexpr std::int64_t kLine = 64;  // planes a power of two apart would share sets of the cache
    const std::int64_t plane = job().extent[1] * kUnitWidth + kLine;
    const std::int64_t cells = plane * job().extent[0];
    const bool has_winners = tells_sites(windows_.result);
    const std::int64_t winner = has_winners ? sizeof(std::uint32_t) : 0;
    const std::int64_t at_once = std::clamp<std::int64_t>(
        state_.limits.window_bytes / (cells * (lane_ + winner)), 1, range.count);
    windows_.volumes = scratch_.array<StripVolume>(at_once);
    for (std::int64_t i = 0; i < at_once; ++i)
      windows_.volumes[i] = {scratch_.array<std::byte>(cells * lane_),
                             has_winners ? scratch_.array<std::uint32_t>(cells) : nullptr, plane,
                             scratch_.array<std::uint8_t>(1)};
    for (StripRange strips = range; strips.first < range.end(); strips.first += at_once) {
      strips.count = std::min(at_once, range.end() - strips.first);
      windows_.first_strip = strips.first;
      for (std::int64_t i = 0; i < strips.count; ++i) *windows_.volumes[i].gave_up = 0;
      if (is_worth(strips)) {
        run_kernel(kernels.in_planes, strips, job().extent[0]);
        run_kernel(kernels.across_planes, strips, job().extent[1]);
      } else {
        leave_open(strips);
      }
    }
  }

  ContextState& state_;
  Scratch::Frame& scratch_;
  WindowJob& windows_;
  std::int64_t lane_;
  std::int64_t units_;
  std::vector<std::byte*> memory_;  // of each worker
};

}  // namespace thiessen::cpu::tiles

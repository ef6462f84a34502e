// SPDX-License-Identifier: Apache-2.0
//
// The near search: which strips are worth it. The pass within the planes does all cells of a strip,
// so in 3-D strips that are hardly worth it are left out.
#include "cpu/tiles/near/strips.hpp"

#include <algorithm>

#include "cpu/tiles/job/near_choice.hpp"
#include "cpu/tiles/near/strip_runner.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// How many leaves of a unit are open, and how many it has.
struct OpenLeaves {
  std::int64_t open = 0;
  std::int64_t all = 0;
};

template <int kRank>
OpenLeaves open_leaves(const Job& job, std::int64_t unit_z, std::int64_t unit_y,
                       std::int64_t unit_x) {
  using B = Blocks<kRank>;
  constexpr Axes kLeaves{B::kUnitZ / B::kLeafZ, B::kUnitY / B::kLeafY, kUnitWidth / kLeafWidth};
  const std::int64_t x = unit_x * kLeaves[2];
  const std::int64_t count = std::min(kLeaves[2], job.leaves[2] - x);
  const std::int64_t end_z = std::min((unit_z + 1) * kLeaves[0], job.leaves[0]);
  const std::int64_t end_y = std::min((unit_y + 1) * kLeaves[1], job.leaves[1]);
  OpenLeaves leaves;
  for (std::int64_t z = unit_z * kLeaves[0]; z < end_z; ++z)
    for (std::int64_t y = unit_y * kLeaves[1]; y < end_y; ++y) {
      const SolvedBy* const row = job.solved + job.leaf_index(z, y, x);
      leaves.open += std::count(row, row + count, SolvedBy::none);
      leaves.all += count;
    }
  return leaves;
}

/// Whether windows are worth their while in a unit: a quarter of it is open and has, with the units
/// around, `fewest` sites; or any of it is crowded.
template <int kRank>
WindowUse window_use_of_unit(const Job& job, std::int64_t fewest, std::int64_t z, std::int64_t y,
                             std::int64_t x) {
  constexpr std::int64_t kCellsPerCrowdedSite = 16;
  constexpr std::int64_t kOneOpenIn = 4;
  const OpenLeaves leaves = open_leaves<kRank>(job, z, y, x);
  if (leaves.open == 0) return WindowUse::no;
  const Neighbourhood around = neighbourhood<kRank>(job, z, y, x, x);
  if (around.sites * kCellsPerCrowdedSite >= around.cells) return WindowUse::crowded;
  const bool is_worth = leaves.open * kOneOpenIn >= leaves.all && around.sites >= fewest;
  return is_worth ? WindowUse::yes : WindowUse::no;
}

/// The same for each strip of each unit row, of which the units in its columns decide.
template <int kRank>
void find_window_use(const WindowJob& windows, std::int64_t fewest, WindowUse* use) {
  const Job& job = *windows.job;
  const bool is_boundary = windows.result == WindowResult::boundary;  // there is one everywhere
  std::fill_n(use, windows.window_use_index(job.units[0] * job.units[1], 0),
              is_boundary ? WindowUse::yes : WindowUse::no);
  if (is_boundary) return;
  for (std::int64_t z = 0; z < job.units[0]; ++z)
    for (std::int64_t y = 0; y < job.units[1]; ++y) {
      WindowUse* const of_row = use + windows.window_use_index(z * job.units[1] + y, 0);
      for (std::int64_t x = 0; x < job.units[2]; ++x) {
        const WindowUse of_unit = window_use_of_unit<kRank>(job, fewest, z, y, x);
        const std::int64_t column = x * kUnitWidth + windows.strips.before;
        const std::int64_t last =
            std::min(column + kUnitWidth - 1, windows.strips.count * kUnitWidth - 1);
        for (std::int64_t strip = column / kUnitWidth; strip <= last / kUnitWidth; ++strip)
          of_row[strip] = std::max(of_row[strip], of_unit);
      }
    }
}

template <int kRank>
class StripSearch {
 public:
  StripSearch(ContextState& state, const WindowPlan& plan, WindowResult result, const Job& job)
      : plan_(plan), job_(job), scratch_(state.scratch) {
    windows_ = {.job = &job,
                .plan = &plan,
                .rows = &plan,
                .result = result,
                .leaf = {B::kLeafZ, B::kLeafY, kLeafWidth},
                .strips = plan_strips(job),
                .failed = scratch_.array<std::uint8_t>(leaves())};
    std::fill_n(windows_.failed, leaves(), std::uint8_t{0});
    auto* const use = scratch_.array<WindowUse>(unit_rows() * windows_.strips.count);
    find_window_use<kRank>(windows_, plan.fewest_sites, use);
    windows_.use = use;
  }

  void run(ContextState& state, std::int64_t units) {
    const std::int64_t lane = plan_.wide ? sizeof(std::uint32_t) : sizeof(std::uint16_t);
    StripRunner<kRank> runner(state, scratch_, windows_, lane, kWindowMemory, units);
    const StripRange strips = strips_in_order();
    runner.leave_open({0, strips.first});
    runner.leave_open({strips.end(), windows_.strips.count - strips.end()});
    runner.run(window_kernels(state.instruction_sets, plan_, windows_.result), strips,
               [&](const StripRange& range) { return are_worth(range); });
    runner.mark_solved(SolvedBy::near);
  }

 private:
  using B = Blocks<kRank>;

  std::int64_t leaves() const { return job_.leaves[0] * job_.leaves[1] * job_.leaves[2]; }
  std::int64_t unit_rows() const { return job_.units[0] * job_.units[1]; }

  /// The strips in whose rows the order of sites is that of the columns in reach.
  StripRange strips_in_order() const {
    const std::int64_t all = windows_.strips.count;
    if (!tells_sites(windows_.result) || !job_.periodic[2]) return {0, all};
    const std::int64_t begin = parts(kMostColumns + windows_.strips.before, kUnitWidth);
    const std::int64_t end = (job_.extent[2] - kMostColumns + windows_.strips.before) / kUnitWidth;
    return begin < end ? StripRange{begin, end - begin} : StripRange{0, 0};
  }

  /// Whether enough of some strips is worth windows for the pass within planes, which does all
  /// cells.
  bool are_worth(const StripRange& strips) const {
    constexpr std::int64_t kOneIn = 4;
    constexpr std::int64_t kOneCrowdedIn = 128;
    if (plan_.complete) return true;
    std::int64_t worthwhile = 0;
    std::int64_t crowded = 0;
    for (std::int64_t row = 0; row < unit_rows(); ++row) {
      const WindowUse* const parts = windows_.use + windows_.window_use_index(row, 0);
      for (std::int64_t strip = strips.first; strip < strips.end(); ++strip) {
        worthwhile += parts[strip] != WindowUse::no ? 1 : 0;
        crowded += parts[strip] == WindowUse::crowded ? 1 : 0;
      }
    }
    const std::int64_t all = unit_rows() * strips.count;
    return worthwhile * kOneIn >= all || crowded * kOneCrowdedIn >= all;
  }

  const WindowPlan& plan_;
  const Job& job_;
  Scratch::Frame scratch_;
  WindowJob windows_;
};

}  // namespace

template <int kRank>
void search_strips(ContextState& state, const WindowPlan& plan, WindowResult result, const Job& job,
                   std::int64_t units) {
  StripSearch<kRank>(state, plan, result, job).run(state, units);
}

template void search_strips<2>(ContextState& state, const WindowPlan& plan, WindowResult result,
                               const Job& job, std::int64_t units);
template void search_strips<3>(ContextState& state, const WindowPlan& plan, WindowResult result,
                               const Job& job, std::int64_t units);

}  // namespace thiessen::cpu::tiles

// SPDX-License-Identifier: Apache-2.0
#include "cpu/tiles/lines/lines.hpp"

#include <algorithm>
#include <atomic>

#include "cpu/tiles/near/strip_runner.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::tiles {
namespace {

template <int kRank>
class StripLines {
 public:
  StripLines(ContextState& state, const LinePlan& plan, WindowResult result, const Job& job)
      : state_(state), plan_(plan), job_(job), scratch_(state.scratch), work_(plan.work) {
    windows_ = {.job = &job,
                .lines = &plan,
                .work = &work_,
                .rows = &plan,
                .result = result,
                .leaf = {B::kLeafZ, B::kLeafY, kLeafWidth},
                .code_bits = kLineCodeBits,
                .strips = plan_strips(job),
                .failed = scratch_.array<std::uint8_t>(leaves())};
    std::fill_n(windows_.failed, leaves(), std::uint8_t{0});
  }

  void run() {
    find_gaps();
    const std::int64_t memory =
        line_memory(plan_, windows_.result, std::max(job_.extent[0], job_.extent[1]));
    StripRunner<kRank> runner(state_, scratch_, windows_, plan_.lane(), memory, 0);

    runner.run(line_kernels(state_.instruction_sets, plan_, windows_.result),
               {0, windows_.strips.count},
               [&](const StripRange& strips) { return are_open(strips); });
    runner.mark_solved(SolvedBy::lines);
  }

 private:
  using B = Blocks<kRank>;

  std::int64_t leaves() const { return job_.leaves[0] * job_.leaves[1] * job_.leaves[2]; }

  void find_gaps() {
    constexpr std::int64_t kRowsAtOnce = 16;
    const std::int64_t rows = job_.extent[0] * job_.extent[1];
    auto* const gaps = scratch_.array<Gap>(rows * windows_.strips.count);
    const GapKernel kernel = gap_kernel(state_.instruction_sets, windows_.result);
    parallel_for(state_, rows, kRowsAtOnce, 0, [&](std::int64_t begin, std::int64_t end, int) {
      kernel(windows_, begin, end, gaps);
    });
    windows_.gaps = gaps;
  }

  bool are_open(const StripRange& strips) const {
    for (std::int64_t strip = strips.first; strip < strips.end(); ++strip)
      for (std::int64_t row = 0; row < job_.leaves[0] * job_.leaves[1]; ++row)
        if (windows_.is_open(strip, row)) return true;
    return false;
  }

  ContextState& state_;
  const LinePlan& plan_;
  const Job& job_;
  Scratch::Frame scratch_;
  std::atomic<std::int64_t> work_;
  WindowJob windows_;
};

}  // namespace

template <int kRank>
void search_lines(ContextState& state, const LinePlan& plan, WindowResult result, const Job& job) {
  StripLines<kRank>(state, plan, result, job).run();
}

template void search_lines<2>(ContextState& state, const LinePlan& plan, WindowResult result,
                              const Job& job);
template void search_lines<3>(ContextState& state, const LinePlan& plan, WindowResult result,
                              const Job& job);

}  // namespace thiessen::cpu::tiles

// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/steps/cost_steps.hpp"

#include "cpu/cost/cost.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

class StepsOfMap : public CostSteps {
 public:
  StepsOfMap(ContextState& state, const CostProblem& problem, const CostViews& views)
      : scratch_(state.scratch),
        job_{.problem = problem, .edges = make_edges<double>(problem), .sites = {}},
        placed_(make_placed_steps<double>(problem)) {
    const Loop loop = loop_over_rows(state, problem.extent[2], 0);
    load_ground(views, loop, scratch_, job_, placed_);
  }

  double cost(int k, std::int64_t from) const override {
    return step_weight(job_.edges, job_.placed, k, job_.resistance, from, job_.problem.extent);
  }

  double length(int k, std::int64_t from) const override {
    return placed_.metres(k, from / job_.problem.extent[2]);
  }

 private:
  Scratch::Frame scratch_;
  CostJob<double> job_;
  PlacedSteps<double> placed_;
};

}  // namespace

std::unique_ptr<CostSteps> make_cost_steps(ContextState& state, const CostProblem& problem,
                                           const CostViews& views) {
  return std::make_unique<StepsOfMap>(state, problem, views);
}

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.hpp"

#include "cpu/cost/cost_solver.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/steps/cost_steps.hpp"
#include "cpu/earth/earth.hpp"
#include "cpu/exact.hpp"
#include "cpu/exact_slab.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "cpu/slabs/cost_slab.hpp"
#include "cpu/solvers/nearest_solver.hpp"
#include "cpu/statistics/statistics.hpp"
#include "papers/methods.hpp"
#include "thiessen/error.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

Support supports_brute_force(const ContextState&, const Problem& problem) {
  if (problem.raster.allotment)
    return {"it has no allotment, since its threads take rows; cuda and opencl have it"};
  return problem.earth != nullptr ? Support{} : supports_scan(problem);
}

/// The Earth has a measure of its own.
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (problem.earth != nullptr) return cpu::run_earth_by_force(state, problem, views);
  papers::run_brute_force(state, problem, views);
}

/// What a method supports on every backend, as its row has it.
template <Support (*kSupports)(const Problem&)>
Support supports(const ContextState&, const Problem& problem) {
  return kSupports(problem);
}

constexpr MethodEntry kSingleMethods[] = {
    {Method::exact, cpu::supports_exact, cpu::run_exact, nullptr, false, true, true},
    {Method::brute_force, supports_brute_force, run_brute_force, nullptr, true},
    {Method::raster_gpu, supports<supports_scan>, papers::run_raster_gpu},
    {Method::chamfer, supports<supports_chamfer>, papers::run_chamfer},
    {Method::circle_growing, supports<supports_circle_growing>, papers::run_circle_growing},
    {Method::dilation, supports<supports_dilation>, papers::run_dilation},
    {Method::expansion, supports<supports_expansion>, papers::run_expansion},
};
constexpr auto kMethods = with_flooding(kSingleMethods, {Method::jfa, supports<supports_flooding>,
                                                         papers::run_jump_flood, nullptr, true});

constexpr CostMethodEntry kCostMethods[] = {
    {CostMethod::exact, cpu::supports_cost, cpu::run_exact_cost, true, true},
    {CostMethod::dijkstra, cpu::supports_cost, cpu::run_dijkstra, true},
    {CostMethod::relaxation, cpu::supports_cost, cpu::run_relaxation, true},
    {CostMethod::eikonal, cpu::supports_eikonal, cpu::run_eikonal, true},
};

constexpr SlabEntry kSlabs = {cpu::summarise_slab, cpu::finish_slab};
constexpr CostSlabEntry kCostSlabs = {cpu::begin_cost_slab, cpu::continue_cost_slab,
                                      cpu::finish_cost_slab};
constexpr StatisticsEntry kStatistics = {cpu::run_site_statistics, cpu::run_adjacency};

class CpuBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }

  std::vector<DeviceInfo> devices() const override {
    const int count = processors();
    return {{.name = "cpu",
             .description = std::to_string(count) + (count == 1 ? " processor" : " processors") +
                            " of this machine, instructions " +
                            std::string(cpu::instruction_set_names().back()),
             .available = true,
             .reason = "",
             .methods = {}}};
  }

  std::span<const MethodEntry> methods() const override { return kMethods; }
  std::span<const CostMethodEntry> cost_methods() const override { return kCostMethods; }
  const SlabEntry* slabs() const override { return &kSlabs; }
  const CostSlabEntry* cost_slabs() const override { return &kCostSlabs; }
  const StatisticsEntry* statistics() const override { return &kStatistics; }

  std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state,
                                                     const CostProblem& problem,
                                                     const CostViews& views,
                                                     const CostSiteTable& sites) const override {
    return cpu::make_cost_solver(state, problem, views, sites);
  }

  std::unique_ptr<CostSteps> make_cost_steps(ContextState& state, const CostProblem& problem,
                                             const CostViews& views) const override {
    return cpu::make_cost_steps(state, problem, views);
  }

  std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                           const NearestSolverData& data,
                                                           const FreshCalls& calls) const override {
    return cpu::solvers::make_nearest_solver(state, data, calls);
  }

  void open(ContextState& state, const ContextOptions& options) const override {
    if (options.device != "cpu" && options.device != "cpu:0")
      throw Error(ErrorCode::invalid_argument,
                  {"device", options.device, "the cpu backend has the one device cpu"});
    if (options.stream != nullptr)
      throw Error(ErrorCode::invalid_argument, {"stream", {}, "is given; the cpu has none"});
    state.device = "cpu";
    state.session = std::make_unique<Session>();
    state.instruction_sets = cpu::find_instruction_sets(
        options.instructions ? name_of(*options.instructions) : std::string_view{});
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend backend;
  return backend;
}

}  // namespace thiessen

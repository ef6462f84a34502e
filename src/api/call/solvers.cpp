// SPDX-License-Identifier: Apache-2.0
//
// Calls that run on solvers.
#include "operations/tables/solvers/solvers.hpp"

#include "api/call/structs_of.hpp"
#include "operations/tables/labels/statistics.hpp"
#include "operations/tables/slabs/cost_slabs.hpp"

namespace thiessen {
namespace {

/// A solver of sites, by straight lines or by costs.
template <class S>
concept SiteSolver = std::is_same_v<S, NearestSiteSolver> || std::is_same_v<S, CostSolver>;

/// The maker of a call that runs as run(solver, own), for the solvers that `run` takes.
template <const Operation& kOperation, class Inputs, class Options, class Results, class Run>
constexpr Maker runs_on(const Run&) {
  class Call final : public StructsOf<Inputs, Options, NoOutputs, Results> {
   public:
    void run_on(Solver& solver) override {
      std::visit(
          [this]<class S>(S& kept) {
            if constexpr (std::is_invocable_v<Run, S&, decltype((this->own_))>)
              Run()(kept, this->own_);
            else
              throw Error(ErrorCode::invalid_argument, {.argument = std::string(kOperation.name),
                                                        .rule = "is not for this solver"});
          },
          solver.kept);
    }
  };
  return {&kOperation, &make<Call>};
}
/// The same of an update.
template <const Operation& kOperation, class Results = NoResults, class Run>
constexpr Maker updates(const Run& run) {
  return runs_on<kOperation, UpdateInputs, NoOptions, Results>(run);
}

std::vector<std::int64_t> sites_of(const UpdateInputs& in) {
  return list_of<std::int64_t>("sites", in.sites);
}
std::vector<std::int64_t> cells_of(const UpdateInputs& in) {
  return list_of<std::int64_t>("cells", in.cells);
}
void refuse_initial_cost(const UpdateInputs& in) {
  if (in.initial_cost) refuse("initial_cost is given; must be missing without costs");
}

class RegionStatisticsCall
    : public StructsOf<SiteStatisticsInputs, RegionStatisticsOptions, NoOutputs, NoResults> {
 public:
  Solver make_solver(Context& context) override {
    return {RegionStatistics(context, own_.in.labels,
                             {.field = own_.in.field, .distance = own_.in.distance}, own_.options)};
  }
};

constexpr Maker kSolverMakers[] = {
    updates<kAddPoints, AddPointsResults>([]<SiteSolver S>(S& solver, auto& own) {
      if constexpr (std::is_same_v<S, CostSolver>) {
        own.results.first = solver.add_sites(points_of(own.in), own.in.initial_cost);
      } else {
        refuse_initial_cost(own.in);
        own.results.first = solver.add_sites(points_of(own.in));
      }
    }),
    updates<kMovePoints>([]<SiteSolver S>(S& solver, auto& own) {
      solver.move_sites(sites_of(own.in), own.in.points);
    }),
    updates<kAddSites>([]<SiteSolver S>(S& solver, auto& own) {
      if constexpr (std::is_same_v<S, CostSolver>) {
        solver.add_sites(cells_of(own.in), own.in.labels, own.in.initial_cost);
      } else {
        refuse_initial_cost(own.in);
        solver.add_sites(cells_of(own.in), own.in.labels);
      }
    }),
    updates<kMoveSites>([]<SiteSolver S>(S& solver, auto& own) {
      const std::vector<std::int64_t> from = list_of<std::int64_t>("from", own.in.from);
      const std::vector<std::int64_t> to = list_of<std::int64_t>("to", own.in.to);
      solver.move_sites(std::span<const std::int64_t>(from), std::span<const std::int64_t>(to));
    }),
    updates<kRemoveSites>(
        []<SiteSolver S>(S& solver, auto& own) { solver.remove_sites(sites_of(own.in)); }),
    updates<kFindSites, FindSitesResults>([]<SiteSolver S>(const S& solver, auto& own) {
      own.results = {.positions = solver.positions()};
      for (const std::int64_t site : sites_of(own.in))
        own.results.present.push_back(static_cast<std::uint8_t>(solver.has_site(site) ? 1 : 0));
    }),
    updates<kUpdateSites>([](NearestSiteSolver& solver, auto& own) {
      solver.update_sites(cells_of(own.in), own.in.values);
    }),
    updates<kUpdateMap>(
        [](CostSolver& solver, auto& own) { solver.update_map(cells_of(own.in), own.in.values); }),
    runs_on<kUpdateBox, UpdateInputs, UpdateBoxOptions, NoResults>(
        []<SiteSolver S>(S& solver, auto& own) {
          solver.update_box(own.options.first, own.in.values);
        }),
    runs_on<kUpdateBlockedFaces, UpdateInputs, UpdateBoxOptions, NoResults>(
        [](CostSolver& solver, auto& own) {
          solver.update_blocked_faces(own.options.first, own.in.blocked_faces);
        }),
    updates<kSetInitialCost>([](CostSolver& solver, auto& own) {
      solver.set_initial_cost(sites_of(own.in), own.in.initial_cost);
    }),
    runs_on<kSolve, NoInputs, NoOptions, Changes>(
        []<SiteSolver S>(S& solver, auto& own) { own.results = solver.solve(); }),
    runs_on<kEnqueue, NoInputs, NoOptions, NoResults>(
        []<SiteSolver S>(S& solver, auto&) { solver.enqueue(); }),
    runs_on<kChanges, NoInputs, NoOptions, Changes>(
        []<SiteSolver S>(S& solver, auto& own) { own.results = solver.changes(); }),
    runs_on<kChangedCells, NoInputs, NoOptions, ChangedCells>(
        []<SiteSolver S>(S& solver, auto& own) { own.results = solver.changed_cells(); }),
    {&kRegionStatistics, &make<RegionStatisticsCall>},
    runs_on<kSolverBytes, NoInputs, NoOptions, SolverBytesResults>(
        [](const auto& solver, auto& own) requires requires { solver.bytes(); } {
          own.results.bytes = static_cast<std::int64_t>(solver.bytes());
        }),
    runs_on<kUpdateRegions, UpdateRegionsInputs, NoOptions, NoResults>(
        [](RegionStatistics& regions, auto& own) {
          regions.update(list_of<std::int64_t>("cells", own.in.cells));
        }),
    runs_on<kRegionChanges, NoInputs, NoOptions, RegionChanges>(
        [](RegionStatistics& regions, auto& own) { regions.changes(own.results); }),
    runs_on<kRegionTable, LabelsInput, NoOptions, SiteStatistics>(
        [](RegionStatistics& regions, auto& own) {
          regions.statistics(own.results, own.in.labels);
        }),
    runs_on<kRegionAdjacency, LabelsInput, NoOptions, Adjacency>(
        [](RegionStatistics& regions, auto& own) {
          regions.adjacency(own.results, own.in.labels);
        }),
    runs_on<kNextCostSlab, NoInputs, NoOptions, NextCostSlabResults>(
        [](CostSlabQueue& queue, auto& own) {
          own.results = {};
          if (const auto next = queue.next())
            own.results = {.slab = static_cast<std::int64_t>(next->slab),
                           .is_first = static_cast<std::uint8_t>(next->is_first ? 1 : 0)};
        }),
    runs_on<kAddCostSlab, NoInputs, AddCostSlabOptions, NoResults>(
        [](CostSlabQueue& queue, auto& own) {
          queue.add(static_cast<std::size_t>(own.options.slab),
                    {.above = own.options.above, .below = own.options.below});
        }),
};

}  // namespace

std::span<const Maker> solver_makers() { return kSolverMakers; }

}  // namespace thiessen

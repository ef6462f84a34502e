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

/// Calls apply(solver) if it takes solvers of this kind.
template <class Apply>
void apply_to(Solver& solver, const Operation& operation, const Apply& apply) {
  std::visit(
      [&](auto& kept) {
        if constexpr (std::is_invocable_v<const Apply&, decltype(kept)>)
          apply(kept);
        else
          throw Error(ErrorCode::invalid_argument,
                      {.argument = std::string(operation.name), .rule = "is not for this solver"});
      },
      solver.kept);
}

template <class Options = NoOptions, class Results = NoResults>
class UpdateCall : public StructsOf<UpdateInputs, Options, NoOutputs, Results> {
 protected:
  PointList points() const {
    return {.coordinates = this->inputs_.points, .labels = this->inputs_.point_labels};
  }
  std::vector<std::int64_t> sites() const {
    return list_of<std::int64_t>("sites", this->inputs_.sites);
  }
  std::vector<std::int64_t> cells() const {
    return list_of<std::int64_t>("cells", this->inputs_.cells);
  }
  void refuse_initial_cost() const {
    if (this->inputs_.initial_cost) refuse("initial_cost is given; must be missing without costs");
  }
};

class AddPointsCall : public UpdateCall<NoOptions, AddPointsResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kAddPoints, [&]<SiteSolver S>(S& own) {
      if constexpr (std::is_same_v<S, CostSolver>) {
        results_.first = own.add_sites(points(), inputs_.initial_cost);
      } else {
        refuse_initial_cost();
        results_.first = own.add_sites(points());
      }
    });
  }
};

class MovePointsCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kMovePoints,
             [&]<SiteSolver S>(S& own) { own.move_sites(sites(), inputs_.points); });
  }
};

class AddSitesCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kAddSites, [&]<SiteSolver S>(S& own) {
      if constexpr (std::is_same_v<S, CostSolver>) {
        own.add_sites(cells(), inputs_.labels, inputs_.initial_cost);
      } else {
        refuse_initial_cost();
        own.add_sites(cells(), inputs_.labels);
      }
    });
  }
};

class MoveSitesCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    const std::vector<std::int64_t> from = list_of<std::int64_t>("from", inputs_.from);
    const std::vector<std::int64_t> to = list_of<std::int64_t>("to", inputs_.to);
    apply_to(solver, kMoveSites, [&]<SiteSolver S>(S& own) {
      own.move_sites(std::span<const std::int64_t>(from), std::span<const std::int64_t>(to));
    });
  }
};

class RemoveSitesCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kRemoveSites, [&]<SiteSolver S>(S& own) { own.remove_sites(sites()); });
  }
};

class FindSitesCall : public UpdateCall<NoOptions, FindSitesResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kFindSites, [&](const NearestSiteSolver& own) {
      results_ = {.positions = own.positions()};
      for (const std::int64_t site : sites())
        results_.present.push_back(static_cast<std::uint8_t>(own.has_site(site) ? 1 : 0));
    });
  }
};

class UpdateSitesCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kUpdateSites,
             [&](NearestSiteSolver& own) { own.update_sites(cells(), inputs_.values); });
  }
};

class UpdateMapCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kUpdateMap, [&](CostSolver& own) { own.update_map(cells(), inputs_.values); });
  }
};

class UpdateBoxCall : public UpdateCall<UpdateBoxOptions> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kUpdateBox,
             [&]<SiteSolver S>(S& own) { own.update_box(options_.first, inputs_.values); });
  }
};

class SetInitialCostCall : public UpdateCall<> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kSetInitialCost,
             [&](CostSolver& own) { own.set_initial_cost(sites(), inputs_.initial_cost); });
  }
};

class SolveCall : public StructsOf<NoInputs, NoOptions, NoOutputs, Changes> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kSolve, [&]<SiteSolver S>(S& own) { results_ = own.solve(); });
  }
};

class EnqueueCall : public StructsOf<NoInputs, NoOptions, NoOutputs, NoResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kEnqueue, []<SiteSolver S>(S& own) { own.enqueue(); });
  }
};

class ChangesCall : public StructsOf<NoInputs, NoOptions, NoOutputs, Changes> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kChanges, [&]<SiteSolver S>(S& own) { results_ = own.changes(); });
  }
};

class ChangedCellsCall : public StructsOf<NoInputs, NoOptions, NoOutputs, ChangedCells> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kChangedCells, [&]<SiteSolver S>(S& own) { results_ = own.changed_cells(); });
  }
};

class RegionStatisticsCall
    : public StructsOf<SiteStatisticsInputs, RegionStatisticsOptions, NoOutputs, NoResults> {
 public:
  Solver make_solver(Context& context) override {
    return {RegionStatistics(context, inputs_.labels,
                             {.field = inputs_.field, .distance = inputs_.distance}, options_)};
  }
};

class UpdateRegionsCall
    : public StructsOf<UpdateRegionsInputs, NoOptions, NoOutputs, UpdateRegionsResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kUpdateRegions, [&](RegionStatistics& own) {
      results_.labels = own.update(list_of<std::int64_t>("cells", inputs_.cells));
    });
  }
};

class RegionTableCall : public StructsOf<LabelsInput, NoOptions, NoOutputs, SiteStatistics> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kRegionTable, [&](RegionStatistics& own) {
      results_ = inputs_.labels ? own.statistics(inputs_.labels) : own.statistics();
    });
  }
};

class RegionAdjacencyCall : public StructsOf<LabelsInput, NoOptions, NoOutputs, Adjacency> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kRegionAdjacency, [&](const RegionStatistics& own) {
      results_ = inputs_.labels ? own.adjacency(inputs_.labels) : own.adjacency();
    });
  }
};

class NextCostSlabCall : public StructsOf<NoInputs, NoOptions, NoOutputs, NextCostSlabResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kNextCostSlab, [&](CostSlabQueue& own) {
      results_ = {};
      if (const auto next = own.next())
        results_ = {.slab = static_cast<std::int64_t>(next->slab),
                    .is_first = static_cast<std::uint8_t>(next->is_first ? 1 : 0)};
    });
  }
};

class AddCostSlabCall : public StructsOf<NoInputs, AddCostSlabOptions, NoOutputs, NoResults> {
 public:
  void run_on(Solver& solver) override {
    apply_to(solver, kAddCostSlab, [&](CostSlabQueue& own) {
      own.add(static_cast<std::size_t>(options_.slab),
              {.above = options_.above, .below = options_.below});
    });
  }
};

constexpr Maker kSolverMakers[] = {
    {&kAddPoints, &make<AddPointsCall>},
    {&kMovePoints, &make<MovePointsCall>},
    {&kAddSites, &make<AddSitesCall>},
    {&kMoveSites, &make<MoveSitesCall>},
    {&kRemoveSites, &make<RemoveSitesCall>},
    {&kFindSites, &make<FindSitesCall>},
    {&kUpdateSites, &make<UpdateSitesCall>},
    {&kUpdateMap, &make<UpdateMapCall>},
    {&kUpdateBox, &make<UpdateBoxCall>},
    {&kSetInitialCost, &make<SetInitialCostCall>},
    {&kSolve, &make<SolveCall>},
    {&kEnqueue, &make<EnqueueCall>},
    {&kChanges, &make<ChangesCall>},
    {&kChangedCells, &make<ChangedCellsCall>},
    {&kRegionStatistics, &make<RegionStatisticsCall>},
    {&kUpdateRegions, &make<UpdateRegionsCall>},
    {&kRegionTable, &make<RegionTableCall>},
    {&kRegionAdjacency, &make<RegionAdjacencyCall>},
    {&kNextCostSlab, &make<NextCostSlabCall>},
    {&kAddCostSlab, &make<AddCostSlabCall>},
};

}  // namespace

std::span<const Maker> solver_makers() { return kSolverMakers; }

}  // namespace thiessen

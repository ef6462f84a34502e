// SPDX-License-Identifier: Apache-2.0
//
// Method "eikonal": exact costs around sites (starts.hpp), the order of all cells (front.hpp), then
// costs, sites and directions in that order (arrivals.hpp). All of it is computed in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/scratch.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/outputs.hpp"
#include "cpu/cost/eikonal/arrivals.hpp"
#include "cpu/cost/eikonal/front.hpp"
#include "cpu/cost/eikonal/sides.hpp"
#include "cpu/cost/eikonal/starts.hpp"
#include "cpu/cost/methods.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

using eikonal::Answers;
using eikonal::Ground;
using eikonal::PlacedSites;

class EikonalCall {
 public:
  EikonalCall(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report)
      : state_(state),
        problem_(problem),
        views_(views),
        scratch_(state.scratch),
        loop_(loop_over_rows(state, problem.extent[2], problem.extent[2])),
        ground_{.rank = problem.rank,
                .extent = problem.extent,
                .spacing = problem.spacing,
                .resistance = load_map<double>(problem, views.map, loop_, scratch_),
                .is_stiffness = problem.edge_weight == EdgeWeight::stiffness} {
    sites_.list = load_sites<double>(problem, views, ground_.resistance, loop_, scratch_, report);
    if (problem.point_sites) place_sites();
    answers_.cost = scratch_.array<double>(problem.cells());
    answers_.word = scratch_.array<eikonal::CellWord>(problem.cells());
    if (!wants_ranks(views.out)) return;
    for (int i = 0; i < problem.rank - 1; ++i)
      answers_.direction[i] = scratch_.array<std::int64_t>(problem.cells());
  }

  void run() {
    std::uint8_t* const links =
        views_.out.back_link ? scratch_.array<std::uint8_t>(problem_.cells()) : nullptr;
    {
      Scratch::Frame scratch(state_.scratch);
      {
        const PhaseTimer phase(state_, "around sites");
        eikonal::start_answers(state_, ground_, sites_, problem_.exact_radius, answers_);
      }
      auto* const order = scratch.array<double>(problem_.cells());
      std::copy_n(answers_.cost, problem_.cells(), order);
      {
        const PhaseTimer phase(state_, "order");
        eikonal::lower_order(state_, ground_, order);
      }
      const PhaseTimer phase(state_, "costs");
      eikonal::find_arrivals(state_, ground_, sites_.list, order, answers_, links);
    }
    Rank* const ranks = wants_ranks(views_.out) ? scratch_.array<Rank>(problem_.cells()) : nullptr;
    loop_(problem_.extent[0] * problem_.extent[1], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) finish_row(row, ranks);
    });
    write(ranks, links);
  }

 private:
  /// Where points lie in their cells.
  void place_sites() {
    const std::int64_t count = sites_.list.count;
    auto* const offset = scratch_.array<std::array<double, kAxes>>(count);
    Scratch::Frame scratch(state_.scratch);
    const PointSites points = snap_points(views_.points, scratch.array<Axes>(count));
    const double unit = std::ldexp(1.0, -points.fraction_bits);
    for (std::int64_t i = 0; i < count; ++i) {
      offset[i] = {};
      // A point that has moved lies at the centre of its new cell.
      if (sites_.list.cell[i] != cell_of_point(problem_.extent, points, i, problem_.origin))
        continue;
      if (sites_.list.cell[i] == kNoCell) continue;
      const Axes cell = to_cell(problem_.extent, sites_.list.cell[i]);
      for (auto axis = static_cast<std::size_t>(kAxes - problem_.rank); axis < kAxes; ++axis)
        offset[i][axis] =
            static_cast<double>(points.at[i][axis] - (cell[axis] << points.fraction_bits)) * unit;
    }
    if (points.fraction_bits > 0) sites_.offset = offset;
  }

  /// Forgets the cells beyond the limit, and those whose cost the type of distances does not hold.
  void finish_row(std::int64_t row, Rank* ranks) const {
    const double held = problem_.wide ? eikonal::kInfinity : std::numeric_limits<float>::max();
    const double limit = std::min(problem_.max_distance, held);
    const std::int64_t first = row * problem_.extent[2];
    for (std::int64_t cell = first; cell < first + problem_.extent[2]; ++cell) {
      const bool is_far = !(answers_.cost[cell] <= limit);
      if (is_far) answers_.cost[cell] = eikonal::kInfinity;
      if (ranks != nullptr) ranks[cell] = is_far ? kNoRank : eikonal::rank_of(answers_.word[cell]);
    }
  }

  void write(Rank* ranks, std::uint8_t* links) {
    const PhaseTimer phase(state_, "output");
    TightGraph<double, FewSteps> graph{.extent = problem_.extent,
                                       .edges = make_edges<double>(problem_),
                                       .resistance = ground_.resistance,
                                       .cost = answers_.cost,
                                       .rank = ranks,
                                       .links = links,
                                       .fronts = answers_.direction[0]};
    if (links != nullptr) number_links(graph.edges, links);
    const CostWriter<double, FewSteps> writer(problem_, views_, sites_.list, graph);
    loop_(problem_.extent[0] * problem_.extent[1], [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) writer.write_row(row);
    });
  }

  /// Turns faces into numbers of neighbours.
  void number_links(const CostEdges<double>& edges, std::uint8_t* links) const {
    std::array<std::uint8_t, eikonal::kSides> number{};
    for (int k = 0; k < edges.count; ++k) {
      const CostOffset& o = edges.offset[static_cast<std::size_t>(k)];
      if (o.step != CostStep::face) continue;
      const std::size_t axis = o.z != 0 ? 0 : o.y != 0 ? 1 : 2;
      const bool is_above = o.z + o.y + o.x > 0;
      number[eikonal::side_of(axis, is_above)] = static_cast<std::uint8_t>(k + 1);
    }
    for (std::int64_t cell = 0; cell < problem_.cells(); ++cell)
      links[cell] = links[cell] == eikonal::kNoLink ? std::uint8_t{0} : number[links[cell]];
  }

  ContextState& state_;
  const CostProblem& problem_;
  const CostViews& views_;
  Scratch::Frame scratch_;
  Loop loop_;
  Ground ground_;
  PlacedSites sites_;
  Answers answers_;
};

}  // namespace

Support supports_eikonal(const ContextState&, const CostProblem& problem) {
  if (problem.walk) return {"an elevation is given; walks cost more in one direction than another"};
  if (problem.is_periodic()) return {"periodic is given; fronts end where the raster ends"};
  if (problem.has_blocked_faces)
    return {"blocked_faces is given; fronts run from cell to cell, not across faces"};
  if (problem.earth != nullptr) return {"the metric is one of the Earth"};
  if (problem.labels_carried) return {"labels are carried, which is for relaxation"};
  if (problem.wants_other_labels)
    return {"outputs of another label are wanted, which the other methods have"};
  return {};
}

void run_eikonal(ContextState& state, const CostProblem& problem, const CostViews& views,
                 CostDistanceReport& report) {
  constexpr std::int64_t kUnits = 3;  // inputs, order, costs
  state.progress.begin(kUnits * problem.cells());
  EikonalCall(state, problem, views, report).run();
}

}  // namespace thiessen::cpu

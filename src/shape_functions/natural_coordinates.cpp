// SPDX-License-Identifier: Apache-2.0
//
// Dijkstra's algorithm from a cell p, through the cells that p takes: those whose cost from p is
// below their least cost d. It needs no others. Behind a cell with c >= d a step of weight w has
// fl(c + w) >= fl(d + w), as rounded addition is monotone, and that is no less than the least cost
// of the cell there. Cells that no site reaches belong to nobody and are not counted.
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/cost/blocked_faces.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/problem.hpp"
#include "core/problem/call_checks.hpp"
#include "thiessen/shape_functions.hpp"
#include "threads/guarded.hpp"
#include "threads/rows.hpp"

namespace thiessen {
namespace {

/// The map, and where blocked faces stop no step, as PlacedSteps::open_steps.
template <class T>
struct Ground {
  const T* resistance;
  const std::uint32_t* open_steps;
};

/// What is known of the nearest sites, in C order.
template <class T>
struct NearestByCost {
  const T* cost;
  const std::int64_t* site;
};

template <class T>
class TakenCells {
 public:
  TakenCells(const CostProblem& problem, const Ground<T>& ground, const NearestByCost<T>& nearest)
      : extent_(problem.extent),
        edges_(make_edges<T>(problem)),
        limit_(greatest_cost<T>(problem)),
        deltas_(neighbour_deltas(edges_, extent_)),
        ground_(ground),
        nearest_(nearest),
        cost_(static_cast<std::size_t>(problem.cells()), std::numeric_limits<T>::infinity()) {}

  /// Appends the entries of a cell, and where they end.
  void add_entries(std::int64_t cell, NaturalCoordinates& found) {
    const std::int64_t site = nearest_.site[cell];
    if (site >= 0 && nearest_.cost[cell] == 0) {
      found.site_index.push_back(site);
      found.count.push_back(1);
    } else if (site >= 0) {
      take(cell);
      count(found);
    }
    found.first.push_back(static_cast<std::int64_t>(found.count.size()));
  }

 private:
  using Entry = std::pair<T, std::int64_t>;

  void take(std::int64_t start) {
    offer(T{0}, start);
    while (!queue_.empty()) {
      const auto [cost, cell] = queue_.top();
      queue_.pop();
      if (cost != cost_of(cell)) continue;
      if (nearest_.site[cell] >= 0) owners_.push_back(nearest_.site[cell]);
      std::uint32_t inside = neighbours_inside(edges_, extent_, to_cell(extent_, cell));
      if (ground_.open_steps != nullptr) inside &= ground_.open_steps[cell];
      for (; inside != 0; inside &= inside - 1) {
        const int k = std::countr_zero(inside);
        const T weight =
            step_weight(edges_, k, ground_.resistance + cell, extent_[1] * extent_[2], extent_[2]);
        offer(along(cost, weight), cell + deltas_[static_cast<std::size_t>(k)]);
      }
    }
    for (const std::int64_t cell : reached_) cost_of(cell) = std::numeric_limits<T>::infinity();
    reached_.clear();
  }

  /// Lowers the cost of a cell that is taken at it.
  void offer(T cost, std::int64_t cell) {
    T& own = cost_of(cell);
    if (!(cost < nearest_.cost[cell]) || !(cost < own) || cost > limit_) return;
    if (own == std::numeric_limits<T>::infinity()) reached_.push_back(cell);
    own = cost;
    queue_.push({cost, cell});
  }

  T& cost_of(std::int64_t cell) { return cost_[static_cast<std::size_t>(cell)]; }

  /// Counts the owners of the cells that were taken.
  void count(NaturalCoordinates& found) {
    std::sort(owners_.begin(), owners_.end());
    for (auto first = owners_.begin(); first != owners_.end();) {
      const auto end = std::upper_bound(first, owners_.end(), *first);
      found.site_index.push_back(*first);
      found.count.push_back(end - first);
      first = end;
    }
    owners_.clear();
  }

  Axes extent_;
  CostEdges<T> edges_;
  T limit_;  ///< of costs
  std::array<std::int64_t, kMostNeighbours> deltas_;
  Ground<T> ground_;
  NearestByCost<T> nearest_;
  std::vector<T> cost_;  ///< from the cell that takes; infinity elsewhere
  std::vector<std::int64_t> reached_;
  std::vector<std::int64_t> owners_;  ///< of the cells taken
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

/// The entries of pieces of the list of cells, one after the other.
NaturalCoordinates join(const std::vector<NaturalCoordinates>& pieces) {
  NaturalCoordinates all{.first = {0}};
  for (const NaturalCoordinates& piece : pieces) {
    const std::int64_t before = std::ssize(all.count);
    for (const std::int64_t end : piece.first) all.first.push_back(before + end);
    all.site_index.insert(all.site_index.end(), piece.site_index.begin(), piece.site_index.end());
    all.count.insert(all.count.end(), piece.count.begin(), piece.count.end());
  }
  return all;
}

/// Checks an array of what is known of the nearest sites.
void check_nearest(const NamedView& given, const Extents& wanted,
                   const ReachableMemory& reachable) {
  check_output(given, wanted, reachable);
  if (given.view.space() != MemorySpace::host) refuse(given.name, "must be on the host");
  if (wanted.count() > 0 && !is_packed(given.view))
    refuse(given.name, "has gaps; must be in C order without gaps");
  check_aligned_cells(given.name, given.view);
}

/// `views` has the map and the blocked faces.
template <class T>
NaturalCoordinates find_natural(ContextState& state, const CostProblem& problem,
                                const CostViews& views, const NearestByCost<T>& nearest,
                                std::span<const std::int64_t> cells) {
  Scratch::Frame scratch(state.scratch);
  const Loop loop = loop_over_rows(state, problem.extent[2], 0);
  const T* const resistance = load_map<T>(problem, views.map, loop, scratch);
  const Ground<T> ground{resistance,
                         views.blocked_faces
                             ? find_open_steps(problem, views.blocked_faces, make_edges<T>(problem),
                                               resistance, loop, scratch)
                             : nullptr};
  constexpr std::int64_t kCellsAtOnce = 16;
  const std::int64_t count = std::ssize(cells);
  const std::int64_t pieces = (count + kCellsAtOnce - 1) / kCellsAtOnce;
  std::vector<NaturalCoordinates> found(static_cast<std::size_t>(pieces));
  std::vector<std::optional<TakenCells<T>>> of_worker(static_cast<std::size_t>(state.threads));
  state.progress.begin(count);
  parallel_for(
      state, pieces, 1, kCellsAtOnce, [&](std::int64_t begin, std::int64_t end, int worker) {
        auto& taken = of_worker[static_cast<std::size_t>(worker)];
        if (!taken) taken.emplace(problem, ground, nearest);
        for (std::int64_t i = begin * kCellsAtOnce; i < std::min(end * kCellsAtOnce, count); ++i)
          taken->add_entries(cells[static_cast<std::size_t>(i)],
                             found[static_cast<std::size_t>(i / kCellsAtOnce)]);
      });
  return join(found);
}

void check_natural(const ContextState& state, const CostDistanceOptions& options,
                   const CostMap& map, const View<const std::int64_t>& site_index,
                   const View<const void>& distance, std::span<const std::int64_t> cells) {
  refuse_single_call_options(without_blocked_faces(options), "natural_coordinates()");
  if (options.method != CostMethod::exact)
    refuse("method", std::string(name_of(options.method)), "must be exact");
  const ReachableMemory reachable(state);
  check_cells("map", map, reachable);
  check_nearest({"site_index", site_index}, map.extents(), reachable);
  check_nearest({"distance", distance}, map.extents(), reachable);
  if (distance.element_type() != to_element_type(options.distance_type))
    refuse("distance", "is " + std::string(name_of(distance.element_type())) +
                           "; must have the type of the costs, distance_type");
  const std::int64_t count = map.extents().count();
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i] < 0 || cells[i] >= count)
      refuse("cells[" + std::to_string(i) + "]", std::to_string(cells[i]),
             "must be the linear index of a cell");
}

}  // namespace

NaturalCoordinates natural_coordinates(Context& context, const CostMap& map,
                                       View<const std::int64_t> site_index,
                                       View<const void> distance,
                                       std::span<const std::int64_t> cells,
                                       const CostDistanceOptions& options) {
  ContextState& state = context.state();
  NaturalCoordinates found;
  guarded(state, [&] {
    check_natural(state, options, map, site_index, distance, cells);
    const CostProblem problem = make_cost_problem(map, options, ReachableMemory(state));
    CostViews views;
    views.map = with_three_axes<View<const void>>(map);
    views.blocked_faces = with_three_axes(options.blocked_faces);
    const auto find = [&]<class T>(std::type_identity<T>) {
      return find_natural<T>(state, problem, views,
                             {reinterpret_cast<const T*>(distance.bytes()), site_index.data()},
                             cells);
    };
    found = problem.wide ? find(std::type_identity<double>()) : find(std::type_identity<float>());
  });
  return found;
}

}  // namespace thiessen

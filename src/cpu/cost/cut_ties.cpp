// SPDX-License-Identifier: Apache-2.0
//
//   c(s, p)   the cost of site s alone at cell p
//   D(p)      of the list of p with k + 1 places the last cost: the (k + 1)-th least of all c(s, p)
//   tied      a cell whose costs at the places k and k + 1, counted from 1, are equal
//   bound     U(p): only sites with c(s, p) <= U(p) matter for the tied cells behind p
//   open      a cell with D(p) <= U(p): not all sites that matter are in its list
//
// A search that drops all but the k + 1 cheapest sites of a cell finds D, and every site with
// c(s, p) < D(p) (nearest_k.cpp). So a cell that is not tied has its answer. In a tied cell the
// sites of least rank count, and these may have been dropped on their way, where rounding had not
// made costs equal yet, or where others of the same cost had come first.
//
// U is D in tied cells. A step of weight w from q to p with fl(c + w) <= U(p) has c <= U(p), as
// costs never fall, and c + w < n, the float after U(p): so U(q) is the greatest min(U(p), n - w).
// Bounds go back over open cells only. At the first cell that is not open the list has all sites
// that matter, at their costs.
//
// From there, and from the sites in open cells, paths go forward through open cells, one site after
// the other in ascending rank. Site s ends where k sites before it cost no more. They have lesser
// ranks, and rounded addition is monotone, so they are before s in all cells behind, too. What is
// among the k first of a cell therefore arrives.
#include "cpu/cost/cut_ties.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/cost/labels.hpp"
#include "cpu/cost/falling_costs.hpp"

namespace thiessen::cpu::cost {
namespace {

template <class T>
class CutTies {
 public:
  CutTies(ContextState& state, const CostJob<T>& job, NearestLists<T>& lists,
          Scratch::Frame& scratch)
      : state_(state),
        job_(job),
        lists_(lists),
        weights_(job),
        deltas_(neighbour_deltas(job.edges, job.problem.extent)),
        k_(lists.places() - 1),
        bound_(scratch.array<T>(job.problem.cells())) {}

  void settle() {
    find_tied_cells();
    if (tied_.empty()) return;
    number_.assign(static_cast<std::size_t>(job_.problem.cells()), kClosed);
    spread_bounds();
    list_starts();
    best_.resize(open_.size() * static_cast<std::size_t>(k_));
    reached_.assign(open_.size(), kNoRank);
    for (auto first = starts_.begin(); first != starts_.end();) {
      const auto end = std::find_if(first, starts_.end(),
                                    [&](const Start& start) { return start.rank != first->rank; });
      spread_site(first, end);
      first = end;
    }
    for (const std::int64_t cell : tied_)
      std::copy_n(best_of(number_[static_cast<std::size_t>(cell)]), k_, lists_.of(cell));
  }

 private:
  static constexpr std::uint32_t kClosed = 0xFFFFFFFFu;

  struct Start {
    Rank rank;
    T cost;
    std::int64_t cell;
  };
  using Starts = typename std::vector<Start>::const_iterator;
  using Entry = std::pair<T, std::int64_t>;

  /// Calls visit(neighbour, k) for the neighbours of a cell.
  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    thiessen::for_each_neighbour(job_.edges, deltas_, job_.problem.extent, cell, visit);
  }

  SiteCost<T>* best_of(std::size_t open) {
    return best_.data() + open * static_cast<std::size_t>(k_);
  }

  void find_tied_cells() {
    for (std::int64_t cell = 0; cell < job_.problem.cells(); ++cell) {
      const SiteCost<T>* const list = lists_.of(cell);
      const bool is_tied = list[k_].rank != kNoRank && list[k_].cost == list[k_ - 1].cost;
      bound_[cell] = is_tied ? list[k_].cost : T{-1};
      if (is_tied) tied_.push_back(cell);
    }
  }

  /// The greatest bounds first, so that each cell is done once.
  void spread_bounds() {
    std::priority_queue<Entry> queue;
    for (const std::int64_t cell : tied_) queue.push({bound_[cell], cell});
    while (!queue.empty()) {
      const auto next = queue.top();
      const auto bound = next.first;
      const std::int64_t cell = next.second;
      queue.pop();
      if (bound != bound_[cell]) continue;
      if (!(lists_.greatest(cell) <= bound)) {
        known_.push_back(cell);
        continue;
      }
      number_[static_cast<std::size_t>(cell)] = static_cast<std::uint32_t>(open_.size());
      if (open_.size() % kStride == 0) state_.progress.check();
      open_.push_back(cell);
      for_each_neighbour(cell, [&](std::int64_t from, int k) {
        const T before = bound_before(bound, weights_(from, job_.edges.count - 1 - k, cell));
        if (!(before > bound_[from]) || before < lists_.of(from)->cost) return;
        bound_[from] = before;
        queue.push({before, from});
      });
    }
  }

  /// The bound before a step of this weight; NaN if it does not pass.
  static T bound_before(T bound, T weight) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    if (!(weight >= 0)) return weight;
    return std::min(bound, std::nextafter(std::nextafter(bound, kInfinity) - weight, kInfinity));
  }

  void list_starts() {
    for (const std::int64_t cell : known_)
      for (std::int64_t i = 0; i < lists_.places() && lists_.of(cell)[i].cost <= bound_[cell]; ++i)
        starts_.push_back({lists_.of(cell)[i].rank, lists_.of(cell)[i].cost, cell});
    for (std::int64_t rank = 0; rank < job_.sites.count; ++rank) {
      const std::int64_t cell = job_.sites.cell[rank];
      if (cell == kNoCell || number_[static_cast<std::size_t>(cell)] == kClosed) continue;
      starts_.push_back({static_cast<Rank>(rank), job_.sites.initial_of(rank), cell});
    }
    std::sort(starts_.begin(), starts_.end(), [](const Start& a, const Start& b) {
      return std::pair(a.rank, a.cell) < std::pair(b.rank, b.cell);
    });
  }

  /// Takes one site on from its starts.
  void spread_site(Starts first, Starts end) {
    state_.progress.check();
    for (Starts start = first; start != end; ++start)
      if (number_[static_cast<std::size_t>(start->cell)] == kClosed)
        pass_on(start->rank, start->cost, start->cell);
      else
        put(start->cost, start->cell);
    while (!queue_.empty()) {
      const auto [cost, cell] = queue_.top();
      queue_.pop();
      if (enter(first->rank, cost, number_[static_cast<std::size_t>(cell)]))
        pass_on(first->rank, cost, cell);
    }
  }

  /// Enters a site behind those that cost the same; false if it is there, or k sites are before it.
  bool enter(Rank rank, T cost, std::size_t open) {
    SiteCost<T>* const list = best_of(open);
    if (reached_[open] == rank || !(cost < list[k_ - 1].cost)) return false;
    reached_[open] = rank;
    std::int64_t place = k_ - 1;
    for (; place > 0 && cost < list[place - 1].cost; --place) list[place] = list[place - 1];
    list[place] = {cost, rank};
    return true;
  }

  void pass_on(Rank rank, T cost, std::int64_t cell) {
    for_each_neighbour(cell, [&](std::int64_t next, int k) {
      const std::uint32_t open = number_[static_cast<std::size_t>(next)];
      if (open != kClosed && reached_[open] != rank)
        put(along(cost, weights_(cell, k, next)), next);
    });
  }

  /// Puts a site into the queue of an open cell if it matters there.
  void put(T cost, std::int64_t cell) {
    const std::size_t open = number_[static_cast<std::size_t>(cell)];
    if (cost <= bound_[cell] && cost < best_of(open)[k_ - 1].cost) queue_.push({cost, cell});
  }

  static constexpr std::size_t kStride = 4096;

  ContextState& state_;
  const CostJob<T>& job_;
  NearestLists<T>& lists_;
  StepWeights<T> weights_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::int64_t k_;
  T* bound_;  ///< of each cell; -1 where there is none
  std::vector<std::int64_t> tied_;
  std::vector<std::int64_t> open_;
  std::vector<std::int64_t> known_;    ///< cells before open ones that are not open
  std::vector<std::uint32_t> number_;  ///< of each cell its place among the open ones, or kClosed
  std::vector<Start> starts_;
  std::vector<SiteCost<T>> best_;  ///< k places for each open cell
  std::vector<Rank> reached_;      ///< of each open cell the last site that was entered
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

template <class T>
void settle_cut_ties(ContextState& state, const CostJob<T>& job, NearestLists<T>& lists,
                     Scratch::Frame& scratch) {
  CutTies<T>(state, job, lists, scratch).settle();
}
template void settle_cut_ties(ContextState&, const CostJob<float>&, NearestLists<float>&,
                              Scratch::Frame&);
template void settle_cut_ties(ContextState&, const CostJob<double>&, NearestLists<double>&,
                              Scratch::Frame&);

}  // namespace thiessen::cpu::cost

// SPDX-License-Identifier: Apache-2.0
//
// Repairs an answer after some values of the map and some sites have changed, at the cost of what
// changes with them.
//
//   costs   A cell is raised if nothing explains its old cost any more. It is explained if it
//           starts a path with that cost, or if a step leads to it, at that cost or less, from a
//           cell that cost less and is not raised itself. (Cells of equal cost do not explain each
//           other: around a step that costs nothing they could do so in a circle.) Raised cells
//           lose their cost, and get new ones from their rim by E. W. Dijkstra's algorithm, as do
//           cells that have become cheaper. The costs are then the greatest fixed point: no step
//           lowers any, and every cost is that of a path.
//   sites   The same on tight steps: a cell is lost if its cost has changed, or if neither a root
//           nor a tight step from a cheaper cell that is not lost gives it its site. Lost cells
//           take the least site that tight steps bring, in the order in which costs were settled.
//   hops    The same once more, where back links are wanted: a cell is lost if no tight step from a
//           cell of its site with one hop less leads to it.
//
// This is the scheme of G. Ramalingam and T. Reps, "An incremental algorithm for a generalization
// of the shortest-path problem" (1996), with three quantities one after the other, and with
// rounding: equality of rounded sums takes the place of equality.
//
// See core/cost/labels.hpp for tight steps, roots and hops.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/site_table.hpp"
#include "cpu/cost/radix_queue.hpp"

namespace thiessen::cpu::cost {

/// What stands for the site of a cell that is nodata.
inline constexpr Rank kOutside = kNoRank - 1;

// Bits for a cell. All but the first are for one repair.
inline constexpr std::uint8_t kIsOutside = 1;  ///< nodata in the map as it is now
inline constexpr std::uint8_t kTouched = 2;    ///< its old answer has been noted
inline constexpr std::uint8_t kNear = 4;       ///< steps to it may cost something else
inline constexpr std::uint8_t kWaiting = 8;    ///< in the queue
inline constexpr std::uint8_t kLost = 16;      ///< raised, or lost
inline constexpr std::uint8_t kListed = 32;    ///< to be looked at once all lost cells are known
inline constexpr std::uint8_t kDone = 64;      ///< has been looked at

/// Map and answer, one element a cell in C order.
template <class T>
struct SolverArrays {
  Axes extent{};
  CostEdges<T> edges;
  T limit = 0;
  T* resistance = nullptr;
  T* cost = nullptr;
  Rank* site = nullptr;          ///< id, kNoRank or kOutside
  std::int64_t* hops = nullptr;  ///< null if not wanted; -1 without a site
  std::uint8_t* marks = nullptr;
  std::uint32_t* open_steps = nullptr;  ///< as PlacedSteps::open_steps; null: all are
};

/// A value of the map that was replaced.
template <class T>
struct MapEdit {
  std::int64_t cell;
  T before;
};

/// Steps of a cell that blocked faces stopped before, or stop now; the steps back are listed, too.
struct StepEdit {
  std::int64_t cell;
  std::uint32_t before;
};

/// What has changed since the answer was right.
template <class T>
struct Edits {
  std::vector<MapEdit<T>>& map;                 ///< in the order in which they were made
  std::vector<StepEdit>& steps;                 ///< the same
  const std::vector<std::int64_t>& site_cells;  ///< cells whose sites changed
  const std::vector<Rank>& relabelled;          ///< sites of cells that have another label
};

/// The answer of a cell before a repair.
template <class T>
struct Touched {
  std::int64_t cell;
  T cost;
  Rank site;
};

/// Calls visit(cell) for the cells of a raster that lie no farther than `reach` from a cell along
/// each axis.
template <class Visit>
void for_each_near(const Axes& extent, std::int64_t cell, std::int64_t reach, const Visit& visit) {
  const Axes at = to_cell(extent, cell);
  Axes first;
  Axes last;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    first[axis] = std::max<std::int64_t>(at[axis] - reach, 0);
    last[axis] = std::min(at[axis] + reach, extent[axis] - 1);
  }
  for (std::int64_t z = first[0]; z <= last[0]; ++z)
    for (std::int64_t y = first[1]; y <= last[1]; ++y)
      for (std::int64_t x = first[2]; x <= last[2]; ++x) visit(to_index(extent, {z, y, x}));
}

template <class T>
class Repair {
 public:
  Repair(const SolverArrays<T>& arrays, const CostSiteTable& sites)
      : arrays_(arrays),
        sites_(sites),
        deltas_(neighbour_deltas(arrays.edges, arrays.extent)),
        width_(arrays.extent[2]),
        plane_(arrays.extent[1] * width_),
        is_deep_(arrays.extent[0] > 1),
        is_plain_(!arrays.edges.tight_barriers && arrays.edges.count != 16) {}

  /// Repairs the answer. Returns false if more than `most` cells change; then, and if it throws,
  /// the answer is as before.
  bool run(const Edits<T>& edits, std::int64_t most, ContextState& state) {
    clear();
    most_ = static_cast<std::size_t>(most);
    try {
      if (find_all(edits, state)) {
        forget_marks();
        return true;
      }
    } catch (...) {
      roll_back();
      throw;
    }
    roll_back();
    return false;
  }

  /// Makes the answer what it was before run().
  void roll_back() noexcept {
    for (const Touched<T>& each : touched_) {
      arrays_.cost[each.cell] = each.cost;
      arrays_.site[each.cell] = each.site;
    }
    for (std::size_t i = hops_before_.size(); i-- > 0;)
      arrays_.hops[hops_before_[i].first] = hops_before_[i].second;
    forget_marks();
  }

  /// Cells whose answer may have changed, each once, after run(); also those of sites that have
  /// another label.
  const std::vector<Touched<T>>& touched() const { return touched_; }
  /// Cells whose back link may have changed.
  const std::vector<std::int64_t>& relinked() const { return relinked_; }

  std::uint8_t back_link(std::int64_t cell) const {
    if (arrays_.hops[cell] == 0) return 0;
    std::uint32_t back = 0;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      const bool leads_back = arrays_.hops[from] < arrays_.hops[cell] && is_hop_back(k, cell, from);
      back |= std::uint32_t{leads_back} << k;
    });
    return link_along<T>(arrays_.edges, nullptr, back, 0);
  }

  std::size_t bytes() const {
    return touched_.capacity() * sizeof(Touched<T>) +
           hops_before_.capacity() * sizeof hops_before_[0] +
           (seen_.capacity() + near_.capacity() + queue_.capacity() + lost_.capacity() +
            listed_.capacity() + settled_.capacity() + relinked_.capacity()) *
               sizeof(std::int64_t) +
           tight_before_.capacity() * sizeof tight_before_[0];
  }

 private:
  using Cells = std::vector<std::int64_t>;
  using Lists = std::initializer_list<const Cells*>;
  /// Cells whose cost has fallen and has not been passed on.
  using Falling = RadixQueue<T, std::uint32_t>;

  bool find_all(const Edits<T>& edits, ContextState& state) {
    const Progress& progress = state.progress;
    find_near(edits.map, edits.steps);
    progress.check();
    queue_suspects(edits.map, edits.site_cells);
    if (!raise_costs()) return false;
    progress.check();
    if (!lower_costs(edits.site_cells, state.scratch)) return false;
    progress.check();
    if (!drop_stale_sites(edits.site_cells) || !find_sites()) return false;
    if (arrays_.hops != nullptr) find_hops(edits.site_cells);
    return touch_cells_of(edits.relabelled);
  }

  // --- marks and old values

  void mark(std::int64_t cell, std::uint8_t bits) {
    std::uint8_t& own = arrays_.marks[cell];
    if ((own & ~kIsOutside) == 0) seen_.push_back(cell);
    own |= bits;
  }
  bool has(std::int64_t cell, std::uint8_t bit) const { return (arrays_.marks[cell] & bit) != 0; }
  void unmark_all(std::uint8_t bits) {
    for (const std::int64_t cell : seen_) arrays_.marks[cell] &= static_cast<std::uint8_t>(~bits);
  }

  /// Notes the answer of a cell before it changes.
  void touch(std::int64_t cell) {
    if (has(cell, kTouched)) return;
    touched_.push_back({cell, arrays_.cost[cell], arrays_.site[cell]});
    mark(cell, kTouched);
  }
  bool is_too_much() const { return touched_.size() > most_; }

  void set_hops(std::int64_t cell, std::int64_t hops) {
    hops_before_.push_back({cell, arrays_.hops[cell]});
    arrays_.hops[cell] = hops;
  }

  void clear() {
    touched_.clear();
    hops_before_.clear();
    seen_.clear();
    near_.clear();
    tight_before_.clear();
    queue_.clear();
    lost_.clear();
    listed_.clear();
    settled_.clear();
    relinked_.clear();
  }

  void forget_marks() {
    for (const std::int64_t cell : seen_) arrays_.marks[cell] &= kIsOutside;
  }

  // --- steps; they cost the same both ways

  T weight(int k, std::int64_t cell, std::int64_t next) const {
    if (arrays_.open_steps != nullptr && (arrays_.open_steps[cell] >> k & 1) == 0)
      return std::numeric_limits<T>::quiet_NaN();
    const T* const r = arrays_.resistance;
    return is_plain_ ? arrays_.edges.weight(k, step_sum(r[cell], r[next]))
                     : step_weight(arrays_.edges, k, r + cell, plane_, width_);
  }

  /// Calls visit(k, neighbour).
  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    // A solver has fewer than 2^32 cells, and divisions of 32 bits take less time.
    const auto row = static_cast<std::uint32_t>(cell) / static_cast<std::uint32_t>(width_);
    const std::int64_t x = cell - row * width_;
    const std::int64_t z = is_deep_ ? row / static_cast<std::uint32_t>(arrays_.extent[1]) : 0;
    std::uint32_t inside =
        neighbours_inside(arrays_.edges, arrays_.extent, {z, row - z * arrays_.extent[1], x});
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      visit(k, cell + deltas_[static_cast<std::size_t>(k)]);
    }
  }

  bool is_tight_step(int k, std::int64_t cell, std::int64_t next) const {
    return is_tight(arrays_.cost[cell], weight(k, cell, next), arrays_.cost[next]);
  }
  /// The same the other way: from the neighbour to the cell.
  bool is_tight_back(int k, std::int64_t cell, std::int64_t next) const {
    return is_tight(arrays_.cost[next], weight(k, cell, next), arrays_.cost[cell]);
  }

  /// Bit k for each neighbour from which a tight step leads to a cell.
  std::uint32_t tight_steps_to(std::int64_t cell) const {
    std::uint32_t tight = 0;
    if (!(arrays_.cost[cell] < std::numeric_limits<T>::infinity())) return tight;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      tight |= std::uint32_t{is_tight_back(k, cell, from)} << k;
    });
    return tight;
  }

  /// The cost at which sites of a cell start paths.
  T start_of(std::int64_t cell) const {
    if (!sites_.has_site(cell) || !is_passable(arrays_.resistance[cell]))
      return std::numeric_limits<T>::infinity();
    const T initial = static_cast<T>(sites_.least_initial(cell));
    return initial <= arrays_.limit ? initial : std::numeric_limits<T>::infinity();
  }

  /// The first site of a cell that keeps its own initial cost, or kNoRank.
  Rank root_of(std::int64_t cell) const {
    const T own = arrays_.cost[cell];
    if (!sites_.has_site(cell) || !(own < std::numeric_limits<T>::infinity())) return kNoRank;
    return sites_.first_with(cell, static_cast<double>(own));
  }

  // --- costs

  /// Lists the cells to which steps may cost something else, and the steps that were tight before.
  void find_near(std::vector<MapEdit<T>>& edits, std::vector<StepEdit>& step_edits) {
    const auto add = [&](std::int64_t cell) {
      if (has(cell, kNear)) return;
      near_.push_back(cell);
      mark(cell, kNear);
    };
    // To and from these, steps may touch the cell of an edit.
    const std::int64_t reach = arrays_.edges.count == 16 ? 2 : 1;
    for (const MapEdit<T>& edit : edits) for_each_near(arrays_.extent, edit.cell, reach, add);
    for (const StepEdit& edit : step_edits) add(edit.cell);
    tight_before_.resize(near_.size());
    const auto swap = [&](MapEdit<T>& edit) {
      std::swap(arrays_.resistance[edit.cell], edit.before);
    };
    const auto swap_steps = [&](StepEdit& edit) {
      std::swap(arrays_.open_steps[edit.cell], edit.before);
    };
    std::for_each(edits.rbegin(), edits.rend(), swap);
    std::for_each(step_edits.rbegin(), step_edits.rend(), swap_steps);
    for (std::size_t i = 0; i < near_.size(); ++i) tight_before_[i] = tight_steps_to(near_[i]);
    std::for_each(edits.begin(), edits.end(), swap);
    std::for_each(step_edits.begin(), step_edits.end(), swap_steps);
  }

  void queue_cell(std::int64_t cell) {
    if (has(cell, kWaiting)) return;
    mark(cell, kWaiting);
    queue_.push_back(cell);
  }

  /// Calls visit(cell) for the cells of the queue, first in first out, and for those that visit()
  /// adds. Ends early if visit() returns false.
  template <class Visit>
  bool empty_queue(const Visit& visit) {
    std::size_t taken = 0;
    while (taken < queue_.size()) {
      const std::int64_t cell = queue_[taken++];
      arrays_.marks[cell] &= static_cast<std::uint8_t>(~kWaiting);
      if (!visit(cell)) return false;
    }
    queue_.clear();
    return true;
  }

  /// Queues the cells whose cost may no longer be explained.
  void queue_suspects(const std::vector<MapEdit<T>>& edits, const Cells& site_cells) {
    for (const MapEdit<T>& edit : edits) {
      touch(edit.cell);
      arrays_.site[edit.cell] = has(edit.cell, kIsOutside) ? kOutside : own_site(edit.cell);
      if (!is_passable(arrays_.resistance[edit.cell])) queue_cell(edit.cell);
    }
    for (std::size_t i = 0; i < near_.size(); ++i)
      if ((tight_before_[i] & ~tight_steps_to(near_[i])) != 0) queue_cell(near_[i]);
    for (const std::int64_t cell : site_cells) queue_cell(cell);
  }

  /// The site of a cell that is not outside; it may have been.
  Rank own_site(std::int64_t cell) const {
    return arrays_.site[cell] == kOutside ? kNoRank : arrays_.site[cell];
  }

  /// Raises the cells of the queue whose cost nothing explains, and those that this leaves without.
  bool raise_costs() {
    const bool is_done = empty_queue([&](std::int64_t cell) {
      if (has(cell, kLost) || is_explained(cell)) return true;
      touch(cell);
      mark(cell, kLost);
      lost_.push_back(cell);
      const T own = arrays_.cost[cell];
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        const T cost = arrays_.cost[next];
        if (cost >= own && cost < std::numeric_limits<T>::infinity() &&
            along(own, weight(k, cell, next)) <= cost)
          queue_cell(next);
      });
      return !is_too_much();
    });
    for (const std::int64_t cell : lost_) arrays_.cost[cell] = std::numeric_limits<T>::infinity();
    return is_done;
  }

  bool is_explained(std::int64_t cell) const {
    const T own = arrays_.cost[cell];
    if (!(own < std::numeric_limits<T>::infinity()) || start_of(cell) <= own) return true;
    bool explained = false;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      explained = explained || (arrays_.cost[from] < own && !has(from, kLost) &&
                                along(arrays_.cost[from], weight(k, cell, from)) <= own);
    });
    return explained;
  }

  bool lower_costs(const Cells& site_cells, Scratch& scratch) {
    Scratch::Frame frame(scratch);
    typename Falling::Pool pool(frame);
    Falling falling(arrays_.cost, pool);
    for (const Cells* const list : Lists{&lost_, &near_, &site_cells})
      for (const std::int64_t cell : *list) {
        T least = start_of(cell);
        for_each_neighbour(cell, [&](int k, std::int64_t from) {
          if (!(arrays_.cost[from] < least)) return;
          const T cost = along(arrays_.cost[from], weight(k, cell, from));
          if (cost < least) least = cost;
        });
        lower(cell, least, falling);
      }
    for (std::int64_t cell = falling.pop_least(); cell >= 0; cell = falling.pop_least()) {
      settled_.push_back(cell);
      const T own = arrays_.cost[cell];
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (own < arrays_.cost[next]) lower(next, along(own, weight(k, cell, next)), falling);
      });
      if (is_too_much()) return false;
    }
    return true;
  }

  void lower(std::int64_t cell, T cost, Falling& falling) {
    if (!(cost < arrays_.cost[cell]) || cost > arrays_.limit) return;
    touch(cell);
    arrays_.cost[cell] = cost;
    falling.put(cell);
  }

  // --- sites

  void list_cell(std::int64_t cell) {
    if (has(cell, kListed)) return;
    mark(cell, kListed);
    listed_.push_back(cell);
  }

  void lose_site(std::int64_t cell) {
    touch(cell);
    mark(cell, kLost);
    if (arrays_.site[cell] != kOutside) arrays_.site[cell] = kNoRank;
    lost_.push_back(cell);
  }

  /// Takes their sites from the cells whose cost has changed, and from those to which no cell that
  /// keeps its site brings it.
  bool drop_stale_sites(const Cells& site_cells) {
    unmark_all(kLost);
    lost_.clear();
    const std::size_t changed = touched_.size();
    for (std::size_t i = 0; i < changed; ++i)
      if (touched_[i].cost != arrays_.cost[touched_[i].cell]) lose_site(touched_[i].cell);
    const std::size_t with_other_costs = lost_.size();
    for (std::size_t i = 0; i < with_other_costs; ++i)
      for_each_neighbour(lost_[i], [&](int, std::int64_t next) { suspect(next); });
    for (const Cells* const list : Lists{&near_, &site_cells})
      for (const std::int64_t cell : *list) suspect(cell);
    return empty_queue([&](std::int64_t cell) {
      if (has(cell, kLost) || keeps_site(cell)) return true;
      const Rank site = arrays_.site[cell];
      lose_site(cell);
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (arrays_.site[next] == site && is_tight_step(k, cell, next)) queue_cell(next);
      });
      return !is_too_much();
    });
  }

  void suspect(std::int64_t cell) {
    if (has(cell, kListed) || !(arrays_.cost[cell] < std::numeric_limits<T>::infinity())) return;
    list_cell(cell);
    queue_cell(cell);
  }

  bool keeps_site(std::int64_t cell) const {
    const Rank site = arrays_.site[cell];
    if (root_of(cell) == site) return true;
    const T own = arrays_.cost[cell];
    bool keeps = false;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      keeps = keeps || (arrays_.site[from] == site && arrays_.cost[from] < own &&
                        !has(from, kLost) && is_tight_back(k, cell, from));
    });
    return keeps;
  }

  /// Looks at all lost and listed cells, the settled ones in the order of their cost, and spreads
  /// lesser sites from them.
  bool find_sites() {
    for (const std::int64_t cell : lost_) mark(cell, kListed);
    for (const Cells* const list : Lists{&settled_, &lost_, &listed_})
      for (const std::int64_t cell : *list) {
        if (!has(cell, kListed) || has(cell, kDone)) continue;
        take_site(cell);
        mark(cell, kDone);
        spread_site(cell);
      }
    return empty_queue([&](std::int64_t cell) {
      spread_site(cell);
      return !is_too_much();
    });
  }

  void take_site(std::int64_t cell) {
    if (!(arrays_.cost[cell] < std::numeric_limits<T>::infinity())) return;
    Rank least = root_of(cell);
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      if (arrays_.site[from] < least && is_tight_back(k, cell, from)) least = arrays_.site[from];
    });
    if (least >= arrays_.site[cell]) return;
    touch(cell);
    arrays_.site[cell] = least;
  }

  /// Gives the site of a cell to those behind it that have a greater one; cells that are still to
  /// be looked at will take it themselves.
  void spread_site(std::int64_t cell) {
    const Rank site = arrays_.site[cell];
    for_each_neighbour(cell, [&](int k, std::int64_t next) {
      if (site >= arrays_.site[next] || (has(next, kListed) && !has(next, kDone)) ||
          !is_tight_step(k, cell, next))
        return;
      touch(next);
      arrays_.site[next] = site;
      queue_cell(next);
    });
  }

  /// Touches all cells of some sites. Tight steps lead to each of them through others of its site.
  bool touch_cells_of(const std::vector<Rank>& cell_sites) {
    unmark_all(kWaiting | kDone);
    for (const Rank site : cell_sites)
      if (arrays_.site[site] == site) queue_cell(site);
    return empty_queue([&](std::int64_t cell) {
      touch(cell);
      mark(cell, kDone);
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (arrays_.site[next] == arrays_.site[cell] && !has(next, kDone) &&
            is_tight_step(k, cell, next))
          queue_cell(next);
      });
      return !is_too_much();
    });
  }

  // --- hops

  void find_hops(const Cells& site_cells) {
    unmark_all(kWaiting | kLost | kListed | kDone);
    lost_.clear();
    listed_.clear();
    const auto suspect_around = [&](std::int64_t cell) {
      list_cell(cell);
      for_each_neighbour(cell, [&](int, std::int64_t next) { list_cell(next); });
    };
    for (const Touched<T>& each : touched_) suspect_around(each.cell);
    for (const Cells* const list : Lists{&near_, &site_cells})
      for (const std::int64_t cell : *list) list_cell(cell);
    relinked_ = listed_;
    for (const std::int64_t cell : listed_) queue_cell(cell);
    empty_queue([&](std::int64_t cell) {
      drop_stale_hops(cell);
      return true;
    });
    for (const Cells* const list : Lists{&lost_, &listed_})
      for (const std::int64_t cell : *list) relax_hops(cell);
    empty_queue([&](std::int64_t cell) {
      for_each_neighbour(cell, [&](int k, std::int64_t next) {
        if (arrays_.site[next] == arrays_.site[cell] && is_tight_step(k, cell, next))
          lower_hops(next, arrays_.hops[cell] + 1);
      });
      return true;
    });
    for (const auto& [cell, hops] : hops_before_)
      for_each_neighbour(cell, [&](int, std::int64_t next) { relinked_.push_back(next); });
    for (const auto& [cell, hops] : hops_before_) relinked_.push_back(cell);
    std::sort(relinked_.begin(), relinked_.end());
    relinked_.erase(std::unique(relinked_.begin(), relinked_.end()), relinked_.end());
  }

  /// Whether a tight step leads to a cell from a neighbour of its site.
  bool is_hop_back(int k, std::int64_t cell, std::int64_t from) const {
    return arrays_.site[from] == arrays_.site[cell] && is_tight_back(k, cell, from);
  }

  bool is_first_of_site(std::int64_t cell) const {
    return sites_.cell_of(sites_.record_of(arrays_.site[cell])) == cell;
  }

  static constexpr std::int64_t kNoHops = std::numeric_limits<std::int64_t>::max();

  void drop_stale_hops(std::int64_t cell) {
    const std::int64_t own = arrays_.hops[cell];
    if (has(cell, kLost) || own < 0 || keeps_hops(cell)) {
      if (own < 0 && arrays_.site[cell] < kOutside) {
        set_hops(cell, kNoHops);
        mark(cell, kLost);
        lost_.push_back(cell);
      }
      return;
    }
    set_hops(cell, arrays_.site[cell] < kOutside ? kNoHops : -1);
    mark(cell, kLost);
    lost_.push_back(cell);
    for_each_neighbour(cell, [&](int, std::int64_t next) {
      if (arrays_.hops[next] == own + 1) queue_cell(next);
    });
  }

  bool keeps_hops(std::int64_t cell) const {
    if (arrays_.site[cell] >= kOutside) return false;
    const std::int64_t own = arrays_.hops[cell];
    if (is_first_of_site(cell)) return own == 0;
    bool keeps = false;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      keeps = keeps || (arrays_.hops[from] == own - 1 && own > 0 && !has(from, kLost) &&
                        is_hop_back(k, cell, from));
    });
    return keeps;
  }

  void relax_hops(std::int64_t cell) {
    if (arrays_.site[cell] >= kOutside) return;
    std::int64_t least = is_first_of_site(cell) ? -1 : kNoHops - 1;
    for_each_neighbour(cell, [&](int k, std::int64_t from) {
      const std::int64_t hops = arrays_.hops[from];
      if (hops >= 0 && hops < least && is_hop_back(k, cell, from)) least = hops;
    });
    if (least < kNoHops - 1) lower_hops(cell, least + 1);
  }

  void lower_hops(std::int64_t cell, std::int64_t hops) {
    if (hops >= arrays_.hops[cell]) return;
    set_hops(cell, hops);
    queue_cell(cell);
  }

  const SolverArrays<T>& arrays_;
  const CostSiteTable& sites_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::int64_t width_;
  std::int64_t plane_;
  bool is_deep_;
  bool is_plain_;  ///< steps depend only on the two cells
  std::size_t most_ = 0;

  std::vector<Touched<T>> touched_;
  std::vector<std::pair<std::int64_t, std::int64_t>> hops_before_;  ///< cell, hops
  std::vector<std::int64_t> seen_;                                  ///< cells with marks
  std::vector<std::int64_t> near_;
  std::vector<std::uint32_t> tight_before_;  ///< of near_
  std::vector<std::int64_t> queue_;
  std::vector<std::int64_t> lost_;
  std::vector<std::int64_t> listed_;
  std::vector<std::int64_t> settled_;  ///< cells with lower costs than before, cheapest first
  std::vector<std::int64_t> relinked_;
};

}  // namespace thiessen::cpu::cost

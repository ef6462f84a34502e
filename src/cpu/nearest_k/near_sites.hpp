// SPDX-License-Identifier: Apache-2.0
//
// The sites of a raster as a mask, for cells that have their k nearest sites right beside them. A
// walk over the cells around such a cell, in the order (S, site index), ends at the k-th site.
//
// A site is deep if all cells up to k steps away from it along every axis are sites, as far as
// there are cells. For a cell that is k or more steps away from it on some axis, k sites on the way
// are nearer. So it is one of the k nearest only for cells less than k steps away on every axis.
// Those are sites themselves, in a box of sites that is large enough for the walk to find k of
// them. For all other cells, deep sites need not be listed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/order/torus.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

class NearSites {
 public:
  /// Time O(cells); memory of a byte a cell, and two more while it is made.
  NearSites(ContextState& state, const Problem& problem, const View<const void>& sites);

  bool is_site(const Axes& cell) const { return is_site(to_index(extent_, cell)); }

  /// Calls reserve(count), and then visit(cell, index) for the sites that are not deep, in the
  /// order of their index.
  template <class Reserve, class Visit>
  void list_shallow(const Reserve& reserve, const Visit& visit) const;

  /// walk() comes to all sites with an S of at most this.
  std::int64_t reached() const { return reached_; }

  /// Calls visit(step, S) for the sites around a cell, by their steps from it, the nearer ones
  /// first, until it returns false. At the edges of periodic axes, sites with the same S come in
  /// any order.
  template <class Visit>
  void walk(const Axes& cell, const Visit& visit) const;

  /// The site index, and S, of a step from a cell.
  std::pair<std::int64_t, std::int64_t> site_at(const Axes& cell, std::int32_t step) const;

 private:
  static constexpr std::uint8_t kNone = 0, kShallow = 1, kDeep = 2;  ///< kinds of cells

  /// A difference of cells, also that of their indices.
  struct Step {
    std::int64_t exact, apart;
    Axes delta;
  };

  bool is_site(std::int64_t index) const {
    return kinds_[static_cast<std::size_t>(index)] != kNone;
  }
  bool is_away_from_edges(const Axes& cell) const {
    bool is_away = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      is_away = is_away && cell[axis] >= reach_[axis] && cell[axis] < extent_[axis] - reach_[axis];
    return is_away;
  }
  /// Whether there is a cell at a difference, and its coordinates.
  bool moves(const Axes& cell, const Axes& delta, Axes& to) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      to[axis] = unwrap(cell[axis] + delta[axis], period_[axis]);
      if (to[axis] < 0 || to[axis] >= extent_[axis]) return false;
    }
    return true;
  }

  void mark_sites(ContextState& state, const Problem& problem, const View<const void>& sites);
  void list_steps(const Problem& problem);
  void mark_deep(ContextState& state, std::int64_t k);
  void erode(ContextState& state, std::size_t axis, std::int64_t k,
             const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to) const;

  Axes extent_, period_;
  std::vector<std::uint8_t> kinds_;
  std::vector<Step> steps_;
  Axes reach_{};  ///< of the steps
  std::int64_t reached_ = 0;
};

template <class Reserve, class Visit>
void NearSites::list_shallow(const Reserve& reserve, const Visit& visit) const {
  std::int64_t count = 0;
  for (const std::uint8_t kind : kinds_) count += kind == kShallow ? 1 : 0;
  reserve(count);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i] != kShallow) continue;
    const auto index = static_cast<std::int64_t>(i);
    visit(to_cell(extent_, index), index);
  }
}

template <class Visit>
void NearSites::walk(const Axes& cell, const Visit& visit) const {
  const std::int64_t own = to_index(extent_, cell);
  const auto steps = static_cast<std::int32_t>(steps_.size());
  if (is_away_from_edges(cell)) {
    for (std::int32_t i = 0; i < steps; ++i) {
      const Step& step = steps_[static_cast<std::size_t>(i)];
      if (is_site(own + step.apart) && !visit(i, step.exact)) return;
    }
    return;
  }
  Axes other;
  for (std::int32_t i = 0; i < steps; ++i) {
    const Step& step = steps_[static_cast<std::size_t>(i)];
    if (!moves(cell, step.delta, other)) continue;
    if (is_site(to_index(extent_, other)) && !visit(i, step.exact)) return;
  }
}

inline std::pair<std::int64_t, std::int64_t> NearSites::site_at(const Axes& cell,
                                                                std::int32_t step) const {
  const Step& taken = steps_[static_cast<std::size_t>(step)];
  Axes other{};
  moves(cell, taken.delta, other);
  return {to_index(extent_, other), taken.exact};
}

}  // namespace thiessen::cpu

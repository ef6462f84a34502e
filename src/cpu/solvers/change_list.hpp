// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/changed_list.hpp"
#include "core/base/cells.hpp"
#include "thiessen/solvers/changes.hpp"

namespace thiessen::cpu::solvers {

/// Fills a Changes and, where cells are added one by one, the list of them; in ascending order.
/// What it keeps does not grow from call to call.
class ChangeList {
 public:
  /// Begins anew, for site indices below `sites`.
  void begin(int rank, std::int64_t sites) {
    forget_marks();  // of a list that an error has left unfinished
    cells_.clear();
    changes_.first.clear();
    changes_.last.clear();
    changes_.sites.clear();
    changes_.cells = 0;
    is_box_empty_ = true;
    first_axis_ = static_cast<std::size_t>(kAxes - rank);
    last_pair_ = {-1, -1};
    marked_.resize(static_cast<std::size_t>(sites), false);
  }

  /// The next cells are of this row, which begins with the cell of linear index `first`.
  void go_to_row(std::int64_t z, std::int64_t y, std::int64_t first) {
    row_ = {z, y, 0};
    row_first_ = first;
  }

  /// Cell x of the row.
  void add(std::int64_t x, std::int64_t before, std::int64_t now) {
    note_box(x, x);
    cells_.add(row_first_ + x, before);
    ++changes_.cells;
    note_pair(before, now);
  }

  /// Counts those of `count` cells from x on where differs[i] is 1, not 0; they are not listed.
  void count_some(std::int64_t x, std::int64_t count, const std::int32_t* before,
                  const std::int32_t* now, const std::uint8_t* differs) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += differs[i];
    if (sum == 0) return;
    changes_.cells += sum;
    std::int64_t first = 0;
    while (differs[first] == 0) ++first;
    std::int64_t last = count - 1;
    while (differs[last] == 0) --last;
    note_box(x + first, x + last);
    for (std::int64_t i = first; i <= last; ++i)
      if (before[i] != last_pair_.before || now[i] != last_pair_.now) note_pair(before[i], now[i]);
  }

  const Changes& finish() {
    std::sort(changes_.sites.begin(), changes_.sites.end());
    forget_marks();
    if (changes_.cells == 0) return changes_;
    changes_.first.assign(first_.begin() + static_cast<std::ptrdiff_t>(first_axis_), first_.end());
    changes_.last.assign(last_.begin() + static_cast<std::ptrdiff_t>(first_axis_), last_.end());
    return changes_;
  }

  const Changes& changes() const { return changes_; }
  ChangedList& cells() { return cells_; }
  std::size_t bytes() const {
    return cells_.bytes() + marked_.capacity() / 8 +
           changes_.sites.capacity() * sizeof(std::int64_t);
  }

 private:
  struct Pair {
    std::int64_t before;
    std::int64_t now;
  };

  /// The box has the cells from `first` to `last` of the row, too.
  void note_box(std::int64_t first, std::int64_t last) {
    const Axes low{row_[0], row_[1], first};
    const Axes high{row_[0], row_[1], last};
    if (is_box_empty_) {
      first_ = low;
      last_ = high;
      is_box_empty_ = false;
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      first_[axis] = std::min(first_[axis], low[axis]);
      last_[axis] = std::max(last_[axis], high[axis]);
    }
  }

  /// A cell went from one site to another one, or stayed with it.
  void note_pair(std::int64_t before, std::int64_t now) {
    if (before == now || (last_pair_.before == before && last_pair_.now == now)) return;
    last_pair_ = {before, now};
    mark(before);
    mark(now);
  }

  void mark(std::int64_t site) {
    if (site < 0 || marked_[static_cast<std::size_t>(site)]) return;
    changes_.sites.push_back(site);
    marked_[static_cast<std::size_t>(site)] = true;
  }

  void forget_marks() {
    for (const std::int64_t site : changes_.sites) marked_[static_cast<std::size_t>(site)] = false;
  }

  Changes changes_;
  ChangedList cells_;
  std::size_t first_axis_ = 0;
  Axes row_{};
  std::int64_t row_first_ = 0;
  bool is_box_empty_ = true;
  Axes first_{};
  Axes last_{};
  Pair last_pair_{-1, -1};    ///< of the last cell: neighbours mostly changed in the same way
  std::vector<bool> marked_;  ///< the sites that are in the list
};

}  // namespace thiessen::cpu::solvers

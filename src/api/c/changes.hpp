// SPDX-License-Identifier: Apache-2.0
//
// What solvers take from C callers and tell them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "api/c/arguments.hpp"
#include "thiessen/changes.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

/// `count` indices; null if there are none.
inline std::span<const std::int64_t> to_indices(const char* name, const std::int64_t* indices,
                                                std::int64_t count) {
  if (count < 0) refuse("count = " + std::to_string(count) + "; must be >= 0");
  if (count > 0) required(name, indices);
  return {indices, static_cast<std::size_t>(count)};
}

/// Checks the caller's struct before there is something to write into it.
inline void check_changes(const thiessen_changes* changes) {
  if (changes != nullptr) check_size("changes", changes->size, sizeof(thiessen_changes));
}

/// Fills the caller's struct; without one there is nothing to do.
inline void write_changes(thiessen_changes* target, const Changes& changes) {
  if (target == nullptr) return;
  thiessen_changes values{};
  values.cells = changes.cells;
  std::fill_n(values.first, THIESSEN_MAX_AXES, -1);
  std::fill_n(values.last, THIESSEN_MAX_AXES, -1);
  std::copy(changes.first.begin(), changes.first.end(), values.first);
  std::copy(changes.last.begin(), changes.last.end(), values.last);
  values.site_count = static_cast<std::int64_t>(changes.sites.size());
  values.sites = changes.sites.data();
  write_struct("changes", target, target->size, values);
}

/// Copies the cells that changed to arrays that have room for `capacity` of them.
inline void write_changed_cells(const ChangedCells& changed, std::int64_t* cells,
                                std::int64_t* site_before, std::size_t capacity,
                                std::size_t* count) {
  required("count", count) = changed.cell.size();
  if (capacity > 0) required("cells", cells);
  if (changed.cell.size() > capacity) return;
  std::copy(changed.cell.begin(), changed.cell.end(), cells);
  if (site_before != nullptr)
    std::copy(changed.site_before.begin(), changed.site_before.end(), site_before);
}

}  // namespace thiessen::c

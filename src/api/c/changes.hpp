// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "api/c/arguments.hpp"
#include "thiessen/changes.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

/// Fills the caller's struct with pointers into `changes`; without one there is nothing to do.
inline void write_changes(thiessen_changes* target, const Changes& changes) {
  if (target == nullptr) return;
  thiessen_changes values{};
  values.cell_count = static_cast<std::int64_t>(changes.cells.size());
  values.cells = changes.cells.data();
  values.site_before = changes.site_before.data();
  std::fill_n(values.first, THIESSEN_MAX_AXES, -1);
  std::fill_n(values.last, THIESSEN_MAX_AXES, -1);
  std::copy(changes.first.begin(), changes.first.end(), values.first);
  std::copy(changes.last.begin(), changes.last.end(), values.last);
  values.site_count = static_cast<std::int64_t>(changes.sites.size());
  values.sites = changes.sites.data();
  write_struct("changes", target, target->size, values);
}

}  // namespace thiessen::c

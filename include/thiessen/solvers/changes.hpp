// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thiessen {

/// The changes of a solver's last solve(): its answer now against its answer before. All numbers
/// are the same on every device and for every number of threads.
struct Changes {
  /// Number of cells whose site or distance changed.
  std::int64_t cells = 0;
  /// The least box that holds these cells: its first and its last cell, in array order; empty if
  /// nothing changed.
  std::vector<std::int64_t> first = {};
  std::vector<std::int64_t> last = {};
  /// Indices of the sites that gained or lost a cell, ascending, with removed sites.
  std::vector<std::int64_t> sites = {};
};

/// The cells that a solver's last solve() changed: a view of the solver's own list. The list stays
/// as it is for as long as such a view of it exists. The next solve() takes new memory if one does;
/// else it writes to the same memory.
struct ChangedCells {
  std::span<const std::int64_t> cell = {};         ///< linear indices, ascending
  std::span<const std::int64_t> site_before = {};  ///< site index of each: -1 unreached, -2 nodata
  std::shared_ptr<const void> memory = {};         ///< keeps the list
};

}  // namespace thiessen

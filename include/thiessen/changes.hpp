// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace thiessen {

/// What a solver's last solve() changed: its answer now against its answer before.
///
/// All numbers are the same on every device and for every number of threads.
struct Changes {
  /// Linear indices of the cells whose site or distance changed, ascending.
  std::vector<std::int64_t> cells = {};
  /// The site index that each of them had before: -1 unreached, -2 nodata.
  std::vector<std::int64_t> site_before = {};
  /// The least box that holds these cells: its first and its last cell, in array order; empty if
  /// nothing changed.
  std::vector<std::int64_t> first = {};
  std::vector<std::int64_t> last = {};
  /// Sites that gained or lost a cell, ascending; removed ones too.
  std::vector<std::int64_t> sites = {};
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// What the calls of the C API share: arguments that are drawn, and the checks of a call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "c_arrays.hpp"

namespace thiessen::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s; last error: %s\n", what, thiessen_last_error());
  std::abort();
}

inline thiessen_context* context() {
  static thiessen_context* const kContext = [] {
    thiessen_context* created = nullptr;
    require(thiessen_context_new("cpu", 1, nullptr, &created) == THIESSEN_OK, "no context");
    return created;
  }();
  return kContext;
}

/// Runs `call` and checks its status and what it left of its outputs.
template <class Call>
thiessen_status checked(const Call& call, const std::vector<const Cells*>& outputs) {
  std::vector<std::vector<std::uint8_t>> before;
  std::vector<std::vector<std::uint8_t>> gaps;
  for (const Cells* output : outputs) {
    before.push_back(output->memory());
    gaps.push_back(output->gaps());
  }
  const thiessen_status status = call();
  require(status == THIESSEN_OK || status == THIESSEN_INVALID_ARGUMENT ||
              status == THIESSEN_UNSUPPORTED,
          thiessen_status_name(status));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    require(outputs[i]->gaps() == gaps[i], "a byte beside the elements was written");
    require(status == THIESSEN_OK || outputs[i]->memory() == before[i],
            "a refused call has written");
  }
  return status;
}

/// False for an array that reaches beyond its memory, but not beyond all memory: the library would
/// have to believe it.
inline bool is_believable(const Cells& cells) {
  const thiessen_array& array = cells.array();
  if (cells.has_memory() || array.rank < 1 || array.rank > kMostAxes) return true;
  if (cells.reach() > std::numeric_limits<std::int64_t>::max()) return true;
  for (int axis = 0; axis < array.rank; ++axis)
    if (array.extents[axis] < 1 || array.extents[axis] > std::int64_t{1} << 30) return true;
  return false;
}

inline bool are_believable(const std::vector<const Cells*>& all) {
  return std::all_of(all.begin(), all.end(),
                     [](const Cells* each) { return is_believable(*each); });
}

/// Whether a call would take long, if it were accepted.
inline bool is_long(const thiessen_array& array) {
  if (array.extents[0] > 4096) return true;  // no rule limits a list, or a batch
  Int128 cells = 1;
  for (int axis = 0; axis < std::clamp(array.rank, 0, kMostAxes); ++axis)
    if (array.extents[axis] >= 0 && array.extents[axis] <= std::int64_t{1} << 30)
      cells *= std::max<std::int64_t>(1, array.extents[axis]);
  return cells > 4096;
}

}  // namespace thiessen::fuzz

// SPDX-License-Identifier: Apache-2.0
//
// Chooses among the compiled instruction sets of a kernel.
#pragma once

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>

namespace thiessen::cpu {

/// The place of the best of `targets`, a set of Highway's target bits, in the tables of HWY_EXPORT.
inline std::size_t dispatch_index(std::int64_t targets) {
  // Where one set alone is compiled, as on Arm, the tables have one place.
  if constexpr ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0) return 0;
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return chosen.GetIndex();
}

/// The same for kernels that also exist without vectors.
inline std::size_t dispatch_index_or_scalar(std::int64_t targets) {
  return dispatch_index(targets | static_cast<std::int64_t>(HWY_SCALAR));
}

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
//
// Which of the compiled instruction sets a kernel is taken from.
#pragma once

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>

namespace thiessen::cpu::tiles {

/// Place in the tables of HWY_EXPORT of the best of `targets`, a set of Highway's target bits.
inline std::size_t dispatch_index(std::int64_t targets) {
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return chosen.GetIndex();
}

}  // namespace thiessen::cpu::tiles

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/grid.hpp"

namespace cooperative_groups {

struct grid_group {
  static void sync() { emulator::sync_grid(); }
};
inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups

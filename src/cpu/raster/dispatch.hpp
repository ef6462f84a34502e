// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/targets.h>

#include "cpu/tiles/dispatch.hpp"

namespace thiessen::cpu::raster {

/// As tiles::dispatch_index(), for kernels that exist without vectors, too.
inline std::size_t dispatch_index(std::int64_t targets) {
  return tiles::dispatch_index(targets | static_cast<std::int64_t>(HWY_SCALAR));
}

}  // namespace thiessen::cpu::raster

// SPDX-License-Identifier: Apache-2.0
//
// Links of cells: each leads to a cell before it on a tight path, and that of a path's end to
// itself. Many threads shorten them at the same time, without locks.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen::cuda::cost {

/// Links a cell to the end of its path. On its way a thread links each cell of the path to the link
/// of its link, which shortens the paths of others; either link leads along the path. A thread that
/// comes late may put such a link where another one has put the end already. So links then lead to
/// the end by few steps, but not always by one.
THIESSEN_HD inline void shorten_path(volatile std::uint32_t* links, std::uint32_t own) {
  std::uint32_t at = links[own];
  std::uint32_t behind = own;
  for (std::uint32_t next = links[at]; next != at; next = links[at]) {
    links[behind] = next;
    behind = at;
    at = next;
  }
  links[own] = at;
}

/// The end of the path of a cell, when nobody changes links any more.
THIESSEN_HD inline std::uint32_t end_of_path(const std::uint32_t* links, std::uint32_t own) {
  std::uint32_t at = links[own];
  for (std::uint32_t next = links[at]; next != at; next = links[at]) at = next;
  return at;
}

}  // namespace thiessen::cuda::cost

// SPDX-License-Identifier: Apache-2.0
#include "bench/disconnected.hpp"

#include <algorithm>
#include <vector>

namespace thiessen::cli {

std::int64_t disconnected_cells(const View<const std::int64_t>& cells) {
  const std::int64_t height = cells.extent(0), width = cells.extent(1), count = height * width;
  const std::int64_t* const site = cells.data();
  std::vector<bool> reached(static_cast<std::size_t>(count));
  std::vector<std::int64_t> open;
  const auto reach = [&](std::int64_t cell) {
    if (reached[static_cast<std::size_t>(cell)]) return;
    reached[static_cast<std::size_t>(cell)] = true;
    open.push_back(cell);
  };
  for (std::int64_t cell = 0; cell < count; ++cell)
    if (site[cell] == cell) reach(cell);
  while (!open.empty()) {
    const std::int64_t cell = open.back();
    open.pop_back();
    const std::int64_t y = cell / width, x = cell % width;
    for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v < std::min(y + 2, height); ++v)
      for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u < std::min(x + 2, width); ++u)
        if (site[v * width + u] == site[cell]) reach(v * width + u);
  }
  std::int64_t disconnected = 0;
  for (std::int64_t cell = 0; cell < count; ++cell)
    disconnected += site[cell] >= 0 && !reached[static_cast<std::size_t>(cell)] ? 1 : 0;
  return disconnected;
}

}  // namespace thiessen::cli

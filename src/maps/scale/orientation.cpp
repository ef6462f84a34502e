// SPDX-License-Identifier: Apache-2.0
#include "maps/scale/orientation.hpp"

#include <algorithm>
#include <array>

namespace thiessen::maps {

std::optional<Turn> turn_of(const std::optional<Georeference>& georeference,
                            const Extents& extents) {
  if (!georeference) return std::nullopt;
  Turn turn{.georeference = *georeference};
  std::array<double, 6>& t = turn.georeference.transform;
  if (!(t[1] * t[5] - t[2] * t[4] > 0)) return std::nullopt;
  turn.rows = t[5] > 0;
  const std::size_t axis = turn.rows ? 2 : 1;
  const auto cells = static_cast<double>(extents[turn.rows ? 0 : 1]);
  for (const std::size_t first : {0U, 3U}) {
    t[first] += cells * t[first + axis];
    t[first + axis] = 0 - t[first + axis];  // and no -0
  }
  return turn;
}

void turn_cells(std::byte* cells, std::size_t bytes, const Extents& extents, const Turn& turn) {
  const std::int64_t height = extents[0], width = extents[1];
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return cells + static_cast<std::size_t>(y * width + x) * bytes;
  };
  if (turn.rows) {
    for (std::int64_t y = 0; y < height / 2; ++y)
      std::swap_ranges(at(y, 0), at(y, width), at(height - 1 - y, 0));
    return;
  }
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width / 2; ++x)
      std::swap_ranges(at(y, x), at(y, x + 1), at(y, width - 1 - x));
}

}  // namespace thiessen::maps

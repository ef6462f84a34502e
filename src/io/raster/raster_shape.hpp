// SPDX-License-Identifier: Apache-2.0
//
// Checks that every reader makes before it takes memory.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "io/files/input_file.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

inline constexpr std::int64_t kLongestAxis = std::int64_t{1} << 30;

/// What a header says about the cells.
struct RasterLayout {
  ElementType type = ElementType::u8;
  Extents extents;
};

/// The extents in the usual form: "2 x 3".
inline std::string text_of(const Extents& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank(); ++axis) {
    text += (axis > 0 ? " x " : "") + std::to_string(extents[axis]);
  }
  return text;
}

/// Throws Error{io} if an axis is too long.
inline Extents checked_extents(const InputFile& file, std::span<const std::int64_t> sizes) {
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > kLongestAxis) {
      file.fail("has an axis of " + std::to_string(size) + " cells; an axis has 0 to " +
                std::to_string(kLongestAxis));
    }
  }
  return Extents(sizes);
}

/// The bytes of so many cells of `cell_bytes` each; throws Error{io} if they cannot be counted.
inline std::uint64_t checked_bytes(const InputFile& file, const Extents& extents,
                                   std::uint64_t cell_bytes) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bytes = cell_bytes;
  bool too_many = false;
  for (int axis = 0; axis < extents.rank(); ++axis) {
    const auto size = static_cast<std::uint64_t>(extents[axis]);
    if (size == 0) return 0;
    too_many = too_many || bytes > kMost / size;
    bytes *= size;
  }
  if (too_many) file.fail("promises " + text_of(extents) + " cells; 2^63 bytes are too many");
  return bytes;
}

/// Throws Error{io} unless at least `bytes` follow.
inline void require_data(InputFile& file, const Extents& extents, std::uint64_t bytes) {
  const std::uint64_t there = file.available(bytes);
  if (there < bytes) {
    file.fail_short("promises " + text_of(extents) + " cells, at least " + std::to_string(bytes) +
                    " bytes, but only " + std::to_string(there) + " follow the header");
  }
}

/// Throws Error{io} if anything follows the cells.
inline void require_end(InputFile& file) {
  constexpr std::uint64_t kEnough = 1 << 20;
  const std::uint64_t rest = file.available(kEnough);
  if (rest == 0) return;
  file.fail("goes on after its last cell, for " + std::to_string(rest) +
            (rest == kEnough ? " bytes or more"
             : rest == 1     ? " byte"
                             : " bytes") +
            "; a file holds one raster and nothing else");
}

}  // namespace thiessen::io

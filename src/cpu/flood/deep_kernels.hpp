// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of rows of 3-D rasters, for one instruction set.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/cells.hpp"
#include "cpu/flood/kernels.hpp"

namespace thiessen::cpu::flood {

/// Sources are read so many at a time.
inline constexpr int kAtOnce = 3;

/// How codes of 3-D cells are made, z above y above x, and measured.
struct Packing {
  int y_shift = 0;
  int z_shift = 0;
  Code none = 0;                              ///< no site: no cell has a code as great as this one
  std::array<std::uint32_t, kAxes> factor{};  ///< the factors of S
  /// All factors are 1, and S to `none`, computed like that of a site, is more than any other.
  bool plain = false;

  Code code(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return static_cast<Code>(z << z_shift | y << y_shift | x);
  }
  Axes cell(Code code) const {
    return {code >> z_shift, code >> y_shift & y_mask(), code & x_mask()};
  }
  std::uint32_t x_mask() const { return (1u << y_shift) - 1; }
  std::uint32_t y_mask() const { return (1u << (z_shift - y_shift)) - 1; }
};

/// Cells begin..end-1 of a row.
struct DeepCells {
  std::uint32_t z = 0;
  std::uint32_t y = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// out[x] = the first, in the order (S, code), of in[0][x] … in[count - 1][x], `count` being
/// a multiple of kAtOnce. Reads up to kSlack codes behind the end.
using FloodDeep = void (*)(const Packing& packing, const Code* const* in, int count, Code* out,
                           const DeepCells& cells);

/// The kernel of the best instruction set among `targets` (bits of Highway); null without vectors.
FloodDeep deep_kernel(std::int64_t targets, Metric metric, bool plain);

}  // namespace thiessen::cpu::flood

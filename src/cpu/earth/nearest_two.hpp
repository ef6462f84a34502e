// SPDX-License-Identifier: Apache-2.0
//
// The shortest chords of some cells to many sites.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thiessen::cpu::earth {

inline constexpr std::size_t kCellsAtOnce = 8;

/// Points, one coordinate after the other.
struct PointRows {
  const double* x;
  const double* y;
  const double* z;
};

/// For each of some cells the site with the shortest chord, the square of that, and the square of
/// the next one (infinity, if there is none).
struct NearestTwo {
  alignas(64) std::array<double, kCellsAtOnce> least;
  alignas(64) std::array<double, kCellsAtOnce> next;
  alignas(64) std::array<double, kCellsAtOnce> site;  ///< its number in the list
};

using FindNearestTwo = void (*)(const PointRows& cells, const PointRows& sites, std::size_t count,
                                NearestTwo& found);

/// The function for the best of the instruction sets `targets`; `cells` are kCellsAtOnce, aligned
/// to 64 bytes. The results are the same with each set.
FindNearestTwo nearest_two_kernel(std::int64_t targets);

}  // namespace thiessen::cpu::earth

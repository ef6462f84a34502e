// SPDX-License-Identifier: Apache-2.0
//
// Rows of labels as runs of equal ones, on all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thiessen::cpu::statistics {

/// Places that a kernel may write behind those that it finds.
inline constexpr std::int64_t kPlaceSlack = 4;

/// Writes the places begin..end-1 of a row where the bits of a cell differ from those of the one
/// before, and returns how many there are; begin > 0, end < 2^32.
using FindRuns = std::int64_t (*)(const std::byte* row, std::int64_t begin, std::int64_t end,
                                  std::uint32_t* places);

/// For elements of 1, 2, 4 or 8 bytes.
FindRuns find_runs_kernel(std::int64_t targets, std::size_t element_bytes);

}  // namespace thiessen::cpu::statistics

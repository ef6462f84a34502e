// SPDX-License-Identifier: Apache-2.0
//
// Codes of labels: sets of n/2 of n digits, each label another one. None lies in another, so of two
// labels each has a digit that the other lacks. The sites whose labels have a digit are a part; a
// site of another label than l lies in the part of a digit that l lacks, and no site of l does. The
// least n with enough sets is little more than log2 of the labels: 4 for 6, 16 for 10,000
// (E. Sperner, "Ein Satz über Untermengen einer endlichen Menge", 1928).
#pragma once

#include <cstdint>

namespace thiessen {

/// The least n for which n digits have `count` sets of n/2 of them (rounded down); 0 for up to one.
inline int digits_for(std::int64_t count) {
  int digits = 0;
  // One more digit makes of the n over n/2 sets (n + 1) / ⌈(n + 1) / 2⌉ times as many.
  for (std::int64_t sets = 1; sets < count; ++digits) sets = sets * (digits + 1) / (digits / 2 + 1);
  return digits;
}

/// Writes the first `count` of these sets, in ascending order of their bits.
inline void list_codes(int digits, std::int64_t count, std::uint64_t* codes) {
  std::uint64_t code = (std::uint64_t{1} << digits / 2) - 1;
  for (std::int64_t i = 0; i < count; ++i) {
    codes[i] = code;
    if (code == 0) continue;
    // The next number with as many bits (R. W. Gosper, HAKMEM 175, 1972).
    const std::uint64_t lowest = code & (~code + 1);
    const std::uint64_t carried = code + lowest;
    code = ((carried ^ code) >> 2) / lowest | carried;
  }
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The cell in which a point lies.
#pragma once

#include <cstdint>

namespace thiessen {

/// The coordinate of the cell that holds a place in units of 2^-fraction_bits of a cell; the centre
/// of cell 0 is 0. Its left (upper) edge belongs to a cell, the other does not, as when a layer of
/// points is burned.
constexpr std::int64_t cell_of_place(std::int64_t place, int fraction_bits) {
  if (fraction_bits == 0) return place;
  return (place + (std::int64_t{1} << (fraction_bits - 1))) >> fraction_bits;
}

}  // namespace thiessen

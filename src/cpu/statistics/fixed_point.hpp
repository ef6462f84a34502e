// SPDX-License-Identifier: Apache-2.0
//
// How the values of a field are summed without rounding: as multiples of a power of two that all of
// them are, of 64 or 128 bits where the field's exponents allow that, which is one shift a cell.
// The sums of a label are as many words as the field needs (core/statistics/exact_sum.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/statistics/exact_sum.hpp"

namespace thiessen::cpu::statistics {

/// Cells of a row that are summed before they go to their label.
inline constexpr std::int64_t kPiece = 4096;

enum class Width : std::uint8_t {
  narrow,  ///< a value has 63 bits, and none of the field is subnormal
  middle,  ///< 128, of which a piece of a row and the coordinates of its cells leave 82
  wide,    ///< more: cell by cell
};

struct FixedPoint {
  int lowest = 0;  ///< all values are multiples of 2^lowest
  int bits = 0;    ///< of a value, besides its sign
  int words = 0;   ///< of a sum of all cells, each times a coordinate
  Width width = Width::narrow;
  double scale = 1;      ///< narrow: 2^-lowest
  bool special = false;  ///< there are NaN or infinite values, which count for nothing here
};

/// For a field of any type; reads it if it is of floats. Counts the rows' cells towards progress.
FixedPoint find_fixed_point(ContextState& state, const View<const void>& field, const Axes& extent);

template <class T>
bool is_special(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return FloatBits<T>::exponent(FloatBits<T>::of(value)) == FloatBits<T>::kSpecial;
  return false;
}

/// A value that is not special, as a multiple of 2^lowest. Narrow ones are found by a product with
/// a power of two, which is exact.
template <class T>
std::int64_t to_narrow(T value, const FixedPoint& fixed) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<std::int64_t>(static_cast<double>(value) * fixed.scale);
  else
    return static_cast<std::int64_t>(value);
}
template <class T>
Int128 to_fixed(T value, const FixedPoint& fixed) {
  if (fixed.width == Width::narrow) return to_narrow(value, fixed);
  if constexpr (std::is_floating_point_v<T>) {
    const BinaryParts parts = parts_of(value);
    return parts.mantissa == 0
               ? Int128{0}
               : Int128{parts.mantissa} * (Int128{1} << (parts.exponent - fixed.lowest));
  } else {
    return static_cast<Int128>(value);
  }
}

}  // namespace thiessen::cpu::statistics

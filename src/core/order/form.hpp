// SPDX-License-Identifier: Apache-2.0
//
// The squared length dᵀMd of a way d in the metric M of a site, in integers, and bounds of it in
// doubles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "core/base/cells.hpp"
#include "core/base/int128.hpp"

namespace thiessen {

/// A symmetric matrix with the axes (z, y, x). In 2-D all entries of z are 0.
template <class T>
struct Symmetric {
  std::array<T, kAxes> square{};  ///< M_aa of each axis
  std::array<T, kAxes> cross{};   ///< M_ab of the two other axes

  T operator()(std::size_t a, std::size_t b) const {
    return a == b ? square[a] : cross[kAxes - a - b];
  }
  T& operator()(std::size_t a, std::size_t b) { return a == b ? square[a] : cross[kAxes - a - b]; }
  friend bool operator==(const Symmetric&, const Symmetric&) = default;
  friend bool operator<(const Symmetric& a, const Symmetric& b) {
    return std::tie(a.square, a.cross) < std::tie(b.square, b.cross);
  }
};

using Form = Symmetric<Int128>;

/// dᵀMd. Single terms may overflow where the sum does not, so that it is taken modulo 2^128.
inline Int128 length_of(const Form& form, const Axes& way) {
  UInt128 sum = 0;
  for (std::size_t a = 0; a < kAxes; ++a)
    for (std::size_t b = 0; b < kAxes; ++b)
      sum += static_cast<UInt128>(Int128{way[a]} * way[b]) * static_cast<UInt128>(form(a, b));
  return static_cast<Int128>(sum);
}

/// Lower bounds of dᵀMd.
struct FormBounds {
  double least = 0;                   ///< of dᵀMd / |d|²: at most the least eigenvalue
  std::array<double, kAxes> along{};  ///< of dᵀMd / d_a² for each axis a: at most 1 / (M⁻¹)_aa
};

/// The axes of an ellipse that a metric has may be at most 2^16 times as long as each other.
inline constexpr double kMostUneven = 0x1p32;

/// Whether a matrix is positive definite, and not more uneven than that.
bool is_definite(const Symmetric<double>& form, std::size_t first_axis);

/// The bounds of such a matrix; 0 of others.
///
/// M = LLᵀ (Cholesky), M⁻¹ = KᵀK with K = L⁻¹, and the greatest eigenvalue of a positive B = M⁻¹ is
/// at most the 16th root of the trace of B¹⁶, which is at most 3^(1/16) times as much.
FormBounds bounds_of(const Symmetric<double>& form, std::size_t first_axis);

}  // namespace thiessen

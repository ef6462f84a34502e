// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "core/base/cell_access.hpp"
#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"

namespace thiessen::placing {

/// The mass of each cell of a raster; 1 without one.
class Density {
 public:
  /// Throws Error{invalid_argument} if the raster, of any element type, has not these extents or
  /// does not lie on the host.
  Density(const View<const void>& cells, const Extents& extents);

  const Axes& extent() const { return extent_; }
  std::int64_t cells() const { return extent_[0] * extent_[1] * extent_[2]; }
  explicit operator bool() const { return static_cast<bool>(given_); }
  const View<const void>& view() const { return given_; }  ///< as it was given

  /// Piece of a row: `count` cells from the linear index `first` on, and their densities.
  using Piece = std::function<void(std::int64_t first, std::int64_t count, const double* density,
                                   int worker)>;
  /// Calls `piece` for all cells, on the threads of `state`.
  void for_each(ContextState& state, const Piece& piece) const;

  /// Throws the error for a density that is NaN, infinite or < 0; `cells` says where it must not
  /// be.
  [[noreturn]] void refuse(std::int64_t cell, const char* cells) const;

 private:
  View<const void> given_;
  View<const void> cells_;  ///< of three axes
  Axes extent_;
  int rank_;
};

/// Whether a density is one: >= 0 and finite.
inline bool is_density(double value) {
  return (value >= 0) & (value <= std::numeric_limits<double>::max());  // without a branch
}

}  // namespace thiessen::placing

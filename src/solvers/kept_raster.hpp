// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/cells.hpp"

namespace thiessen::solvers {

/// A raster of the caller, and its cells as they were when they were last read.
class KeptRaster {
 public:
  /// `cells` has three axes.
  explicit KeptRaster(const View<const void>& cells)
      : cells_(cells),
        extent_(to_axes(cells.extents())),
        element_(size_of(cells.element_type())),
        kept_(static_cast<std::size_t>(cells.extents().count()) * element_) {}

  ElementType element_type() const { return cells_.element_type(); }

  const std::byte* now(std::int64_t cell) const {
    return address_of(cells_, to_cell(extent_, cell));
  }
  const std::byte* kept(std::int64_t cell) const {
    return kept_.data() + static_cast<std::size_t>(cell) * element_;
  }
  bool is_as_kept(std::int64_t cell) const {
    return std::memcmp(now(cell), kept(cell), element_) == 0;
  }
  void keep(std::int64_t cell) {
    std::memcpy(kept_.data() + static_cast<std::size_t>(cell) * element_, now(cell), element_);
  }

  std::size_t bytes() const { return kept_.capacity(); }

 private:
  View<const void> cells_;
  Axes extent_;
  std::size_t element_;
  std::vector<std::byte> kept_;
};

}  // namespace thiessen::solvers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/refuse.hpp"

namespace thiessen::placing {

/// Sites that are cells of a raster, and the coordinates of their centres.
class SiteCells {
 public:
  /// Throws Error{invalid_argument} for the first cell that the raster does not have.
  SiteCells(std::span<const std::int64_t> cells, const Extents& extents)
      : extent_(to_axes(extents)), rank_(static_cast<std::size_t>(extents.rank())) {
    const std::int64_t count = extents.count();
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] < 0 || cells[i] >= count)
        refuse("cells[" + std::to_string(i) + "]", std::to_string(cells[i]),
               "must be a cell of the raster, 0 to " + std::to_string(count - 1));
    cells_.resize(cells.size());
    coordinates_.resize(cells.size() * rank_);
    for (std::size_t i = 0; i < cells.size(); ++i) set(i, cells[i]);
  }

  const std::vector<std::int64_t>& cells() const { return cells_; }

  void set(std::size_t site, std::int64_t cell) {
    cells_[site] = cell;
    const Axes at = to_cell(extent_, cell);
    for (std::size_t axis = 0; axis < rank_; ++axis)
      coordinates_[site * rank_ + axis] = static_cast<double>(at[kAxes - rank_ + axis]);
  }

  /// (sites, axes), valid until the next set().
  View<const double> coordinates() const {
    return {coordinates_.data(),
            Extents{static_cast<std::int64_t>(cells_.size()), static_cast<std::int64_t>(rank_)}};
  }

 private:
  Axes extent_;
  std::size_t rank_;
  std::vector<std::int64_t> cells_;
  std::vector<double> coordinates_;
};

}  // namespace thiessen::placing

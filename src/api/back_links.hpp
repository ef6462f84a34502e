// SPDX-License-Identifier: Apache-2.0
//
// Back links as a caller gives them: cost_distance() wrote them, but somebody may have changed
// them.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/cell_access.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/problem.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

class BackLinks {
 public:
  /// With `joined_ends`, links may lead over an end of the raster to its other end. Throws
  /// Error{invalid_argument} for a connectivity that the raster does not have.
  BackLinks(const View<const std::uint8_t>& links, Connectivity connectivity, bool joined_ends)
      : links_(with_three_axes(links)),
        extent_(to_axes(links.extents())),
        joined_ends_(joined_ends) {
    set_neighbours(edges_, checked_connectivity(connectivity, links.rank()));
  }

  const Axes& extent() const { return extent_; }
  std::int64_t cells() const { return links_.extents().count(); }
  std::uint8_t at(const Axes& cell) const {
    return static_cast<std::uint8_t>(*address_of(links_, cell));
  }

  /// The cell to which the link of a cell leads; it must not be 0. Throws Error{invalid_argument}
  /// if there is none.
  Axes next(const Axes& cell) const {
    const std::uint8_t link = at(cell);
    if (link > edges_.count) refuse_link("to no neighbour", cell);
    const CostOffset& offset = edges_.offset[link - std::size_t{1}];
    Axes to{cell[0] + offset.z, cell[1] + offset.y, cell[2] + offset.x};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (to[axis] >= 0 && to[axis] < extent_[axis]) continue;
      if (!joined_ends_) refuse_link("out of the raster", cell);
      to[axis] = (to[axis] + 2 * extent_[axis]) % extent_[axis];
    }
    return to;
  }

  /// `where` it leads.
  [[noreturn]] void refuse_link(const char* where, const Axes& cell) const {
    refuse("back_link leads " + std::string(where) + " at cell " +
           std::to_string(to_index(extent_, cell)) + "; must be what cost_distance() wrote");
  }

 private:
  View<const std::uint8_t> links_;
  Axes extent_;
  bool joined_ends_;
  CostEdges<float> edges_;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The unit in which a map tells distances and costs.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace thiessen::maps {

struct ValueUnit {
  std::string title;  ///< "Distance (km)", "Cost (s)"
  std::string name;   ///< empty if nobody knows it
  double factor = 1;  ///< values are to be multiplied by this
};

/// `stored` is the unit that the raster names, and `of_grid` that of its coordinates, which lengths
/// have where the raster names none; empty: there is none. Lengths get a unit in which the greatest
/// value of `range` has few digits; `wanted`, if not empty, is the unit to convert to, or the name
/// of one that nobody knows. Throws Error{invalid_argument}: the stored unit does not convert to
/// it.
ValueUnit value_unit(const std::string& stored, const std::string& of_grid,
                     const std::string& wanted, const std::optional<std::array<double, 2>>& range);

}  // namespace thiessen::maps

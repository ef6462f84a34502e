// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"

namespace thiessen {

/// The neighbours of a cell. One type for connected_components() and cost_distance().
enum class Connectivity : std::uint8_t {
  corners,  ///< cells that share at least a corner: 8 in 2-D, 26 in 3-D
  faces,    ///< cells that share a face: 4 in 2-D, 6 in 3-D
  edges,    ///< 3-D only: cells that share a face or an edge, 18
  knights,  ///< 2-D only, cost distance only: `corners` and the knight's moves, 16
};

inline constexpr std::string_view kConnectivityNames[] = {"corners", "faces", "edges", "knights"};

constexpr std::string_view name_of(Connectivity connectivity) {
  return detail::choice_name(kConnectivityNames, connectivity);
}

/// The connectivity with this name, or nullopt.
constexpr std::optional<Connectivity> find_connectivity(std::string_view name) {
  return detail::find_choice<Connectivity>(kConnectivityNames, name);
}

/// The number of neighbours of a cell in a raster of `rank` axes, 2 or 3; 0 if there is no such
/// connectivity.
constexpr int neighbours_of(Connectivity connectivity, int rank) {
  switch (connectivity) {
    case Connectivity::corners:
      return rank == 2 ? 8 : 26;
    case Connectivity::faces:
      return rank == 2 ? 4 : 6;
    case Connectivity::edges:
      return rank == 2 ? 0 : 18;
    case Connectivity::knights:
      return rank == 2 ? 16 : 0;
  }
  return 0;
}

/// The connectivity with this number of neighbours in a raster of `rank` axes, or nothing: 4, 8 or
/// 16 in 2-D, 6, 18 or 26 in 3-D.
constexpr std::optional<Connectivity> find_connectivity(int neighbours, int rank) {
  for (const Connectivity each :
       {Connectivity::corners, Connectivity::faces, Connectivity::edges, Connectivity::knights})
    if (neighbours != 0 && neighbours_of(each, rank) == neighbours) return each;
  return std::nullopt;
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Steps whose cost depends on where they are, and not on the neighbour and the resistances alone:
// on the Earth a step is as long as its row makes it, a walk goes up and down, and blocked faces
// stop steps.
//
//   T        float or double, the type of a call, in which elevations are held; seconds are found
//            in double and rounded once
//   factor   of a step, as in CostEdges; in a walk its seconds stand in the place of its length,
//            unless the map adds: then it has factors of lengths, and the seconds come on top
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/neighbours.hpp"
#include "core/cost/walk.hpp"

namespace thiessen {

/// Values of steps that depend on the row: element y of the k-th line is that of step k from a cell
/// of row y. There are kRowMargin elements more before the first row and behind the last one, which
/// say nothing, for vectors. Null: there are no such values.
template <class Value>
using RowLines = std::array<const Value*, kMostNeighbours>;
inline constexpr std::int64_t kRowMargin = 64;

template <class T>
struct PlacedSteps {
  /// By which the length of a step, or its seconds, become its factor.
  std::array<double, kMostNeighbours> scale{};
  /// In metres, of a walk in the plane.
  std::array<double, kMostNeighbours> length{};
  /// On the Earth.
  RowLines<double> length_of_row{};
  RowLines<T> factor_of_row{};
  /// C order; null: nobody walks. For a walk to the site it is the negative elevation: costs spread
  /// from the site, and what is uphill on their way is downhill for who walks.
  const T* elevation = nullptr;
  WalkRule walk;
  WalkMap walk_map = WalkMap::multiplies;
  /// In C order: bit k of a cell where no blocked face stops step k from it. Null: none does.
  const std::uint32_t* open_steps = nullptr;

  /// Whether the lengths depend on the row.
  THIESSEN_HD bool are_of_rows() const { return factor_of_row[0] != nullptr; }
  /// Whether a step there does not cost what the step back does.
  THIESSEN_HD bool are_directed() const { return elevation != nullptr; }
  /// Whether no blocked face stops step k from a cell.
  THIESSEN_HD bool is_open(int k, std::int64_t cell) const {
    return open_steps == nullptr || (open_steps[cell] >> k & 1) != 0;
  }

  /// In metres, of step k from a cell of this row.
  THIESSEN_HD double metres(int k, std::int64_t row) const {
    const auto step = static_cast<std::size_t>(k);
    return are_of_rows() ? length_of_row[step][row] : length[step];
  }

  /// The cost of step k between two cells whose resistances have this sum; the first one lies in
  /// this row.
  THIESSEN_HD T weight(const CostEdges<T>& edges, int k, T sum, std::int64_t from, std::int64_t to,
                       std::int64_t row) const {
    const auto step = static_cast<std::size_t>(k);
    const T of_length = are_of_rows() ? factor_of_row[step][row] : edges.factor[step];
    if (!are_directed()) return edges.weight_by(of_length, sum);
    const double rise = static_cast<double>(elevation[to]) - static_cast<double>(elevation[from]);
    const double seconds = walking_seconds(walk, metres(k, row), rise);
    if (walk_map == WalkMap::adds) return static_cast<T>(seconds) + edges.weight_by(of_length, sum);
    return edges.weight_by(static_cast<T>(seconds * scale[step]), sum);
  }
};

/// The cost of step k from the cell `from` of a raster of this extent, which has that neighbour.
/// `placed` is null where steps do not depend on their place. NaN if the step does not pass.
template <class T>
THIESSEN_HD T step_weight(const CostEdges<T>& edges, const PlacedSteps<T>* placed, int k,
                          const T* resistance, std::int64_t from, const Axes& extent) {
  const T sum = edges.periodic == 0
                    ? sum_along(edges, k, resistance + from, extent[1] * extent[2], extent[2])
                    : sum_of_step(edges, k, [&](int z, int y, int x) {
                        return resistance[cell_beside(edges, extent, from, {z, y, x})];
                      });
  if (placed == nullptr) return edges.weight(k, sum);
  if (sum != sum) return sum;
  if (!placed->is_open(k, from)) return std::numeric_limits<T>::quiet_NaN();
  const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
  const std::int64_t to = cell_beside(edges, extent, from, {o.z, o.y, o.x});
  const std::int64_t row = placed->are_of_rows() ? from / extent[2] : 0;
  return placed->weight(edges, k, sum, from, to, row);
}

/// The back link of a cell of this row from which these steps, bit k for neighbour k, lead to cells
/// of its site with fewer hops: the shortest one, the first of several. It is 0 without steps.
/// `placed` as of step_weight().
template <class T>
THIESSEN_HD std::uint8_t link_along(const CostEdges<T>& edges, const PlacedSteps<T>* placed,
                                    std::uint32_t steps, std::int64_t row) {
  const bool of_rows = placed != nullptr && placed->are_of_rows();
  int shortest = -1;
  for (int i = 0; i < edges.count; ++i) {
    const int k = edges.by_length[static_cast<std::size_t>(i)];
    if ((steps >> k & 1) == 0) continue;
    if (shortest < 0 || placed->metres(k, row) < placed->metres(shortest, row)) shortest = k;
    if (!of_rows) break;
  }
  return static_cast<std::uint8_t>(shortest + 1);
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The cost of a step of cost distance: the one formula that all methods on all devices evaluate, in
// the float type of the call and without contraction.
//
//   T            float or double, the type of a call
//   resistance   of a cell: its stiffness or cost in T, and NaN where it is a barrier
//   neighbour k  the k-th (from 0) in ascending linear index; neighbour count-1-k lies opposite
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/host_device.hpp"

namespace thiessen {

/// Most neighbours that a connectivity has.
inline constexpr int kMostNeighbours = 26;

/// Kinds of step that differ in which other cells they touch.
enum class CostStep : std::uint8_t {
  face,      ///< to a cell that shares a face: touches no others
  diagonal,  ///< along two or three axes at once
  knight,    ///< of 16 neighbours: crosses two other cells
};

struct CostOffset {
  std::int8_t z = 0;
  std::int8_t y = 0;
  std::int8_t x = 0;
  CostStep step = CostStep::face;
};

/// Neighbours and formula of a call; plain data for kernels.
template <class T>
struct CostEdges {
  std::array<CostOffset, kMostNeighbours> offset{};
  std::array<T, kMostNeighbours> factor{};  ///< 2·|p-q| for stiffness, |p-q|/2 for cost; knight's
                                            ///< moves have twice and half that
  /// The neighbours from the shortest step to the longest one; equal ones in ascending order, and
  /// all of them where lengths depend on the row.
  std::array<std::uint8_t, kMostNeighbours> by_length{};
  int count = 0;
  bool stiffness = true;
  bool tight_barriers = false;
  /// Bit 0 where steps along z go on at the other end of the raster, bit 1 along y, bit 2 along x.
  std::uint8_t periodic = 0;

  /// Whether no step leads along z.
  THIESSEN_HD bool is_flat() const { return offset[0].z == 0; }

  /// The cost of a step k whose cells have resistances with this sum (NaN if one is a barrier); NaN
  /// if it does not pass.
  THIESSEN_HD T weight(int k, T sum) const {
    return weight_by(factor[static_cast<std::size_t>(k)], sum);
  }
  /// The same with a factor of its own.
  THIESSEN_HD T weight_by(T own, T sum) const { return stiffness ? own / sum : own * sum; }
};

/// The sum for a step between cells with resistances p and q.
template <class T>
THIESSEN_HD T step_sum(T p, T q) {
  return p + q;
}

/// The sum for a knight's move from p to q across a and b; the same from q to p.
template <class T>
THIESSEN_HD T knight_sum(T p, T q, T a, T b) {
  return (p + q) + (a + b);
}

/// Whether a path may enter a cell with this resistance.
template <class T>
THIESSEN_HD bool is_passable(T resistance) {
  return resistance == resistance;
}

template <class T>
struct Resistance {
  T value;
  bool legal;
};

/// Converts a value of the map that is not nodata into a resistance.
template <class T, class Value>
THIESSEN_HD Resistance<T> to_resistance(Value value, bool stiffness) {
  // There is no branch, so that loops can use vectors.
  bool barrier = false;
  bool illegal = false;
  if constexpr (std::is_floating_point_v<Value>) {
    const bool infinite = value > std::numeric_limits<Value>::max();
    barrier = (value != value) | infinite;
    illegal = infinite & stiffness;
  }
  if constexpr (std::is_signed_v<Value>) illegal |= value < 0;
  using Wide = std::conditional_t<std::is_same_v<Value, T>, T, double>;
  const Wide most = static_cast<Wide>(std::numeric_limits<T>::max()) / 4;
  const T converted = static_cast<T>(value);
  illegal |= !barrier & (static_cast<Wide>(value) > most);
  barrier |= illegal | (stiffness & (converted == 0));
  return {barrier ? std::numeric_limits<T>::quiet_NaN() : converted, !illegal};
}

/// The sum of the resistances of the cells that step k touches; NaN if the step does not pass.
/// at(z, y, x) is the resistance of the cell so far from the one in which the step begins.
template <class T, class At>
THIESSEN_HD T sum_of_step(const CostEdges<T>& edges, int k, const At& at) {
  const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
  const T p = at(0, 0, 0);
  const T q = at(o.z, o.y, o.x);
  if (o.step == CostStep::knight) {
    const bool steep = o.y == 2 || o.y == -2;
    const T a = steep ? at(0, o.y / 2, 0) : at(0, 0, o.x / 2);
    const T b = steep ? at(0, o.y / 2, o.x) : at(0, o.y, o.x / 2);
    return knight_sum(p, q, a, b);
  }
  if (o.step == CostStep::diagonal && edges.tight_barriers) {
    // The cell next along one axis, from which the way goes on along the others.
    const bool z = o.z != 0 && is_passable(at(o.z, 0, 0));
    const bool y = o.y != 0 && is_passable(at(0, o.y, 0));
    const bool x = o.x != 0 && is_passable(at(0, 0, o.x));
    bool open = z || y || x;
    if (o.z != 0 && o.y != 0 && o.x != 0)
      open = (is_passable(at(o.z, o.y, 0)) && (z || y)) ||
             (is_passable(at(o.z, 0, o.x)) && (z || x)) ||
             (is_passable(at(0, o.y, o.x)) && (y || x));
    if (!open) return std::numeric_limits<T>::quiet_NaN();
  }
  return step_sum(p, q);
}

/// The same of step k from `cell` of a raster in C order (z·height·width + y·width + x). It must
/// lead to a cell of the raster, and not over an end.
template <class T>
THIESSEN_HD T sum_along(const CostEdges<T>& edges, int k, const T* cell, std::int64_t plane,
                        std::int64_t width) {
  return sum_of_step(edges, k,
                     [&](int z, int y, int x) { return cell[z * plane + y * width + x]; });
}

/// The cost of step k from `cell`, as of sum_along(); NaN if it does not pass.
template <class T>
THIESSEN_HD T step_weight(const CostEdges<T>& edges, int k, const T* cell, std::int64_t plane,
                          std::int64_t width) {
  return edges.weight(k, sum_along(edges, k, cell, plane, width));
}

/// d(p) when reached from q: fl(d(q) + w), or NaN, which compares less than nothing.
template <class T>
THIESSEN_HD T along(T cost, T weight) {
  return cost + weight;
}

/// Whether a step with cost `weight` explains the cost of the cell that it leads to.
template <class T>
THIESSEN_HD bool is_tight(T from, T weight, T to) {
  return along(from, weight) == to && to < std::numeric_limits<T>::infinity();
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Sweeps over one tile for the first order of Eikonal cost distance.
//
// A tile and a halo of one cell are copied into a sheared layout, whose rows are anti-diagonals:
// cells of one row do not depend on each other, so that a sweep takes them as vectors, and later
// rows see what earlier ones have found. A second, mirrored layout serves the two other directions
// of a plane. In 3-D each plane is swept after the other, upwards and downwards. Sweeps take turns
// until one changes nothing.
//
//   (row i, column j) lies at row i + j, column j of the sheared plane
//
// A cell is first tested against the number just below its value. Only where that is enough, the
// root of the quadratic is found; then steps of one unit in the last place lead to the least number
// that is.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_COST_EIKONAL_FRONT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_COST_EIKONAL_FRONT_INL
#undef THIESSEN_CPU_COST_EIKONAL_FRONT_INL
#else
#define THIESSEN_CPU_COST_EIKONAL_FRONT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/cost/eikonal.hpp"
#include "cpu/cost/eikonal/sort-inl.hpp"
#include "cpu/cost/eikonal/tile_front.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::eikonal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// More lanes than the padding of rows has room for are not used.
using Doubles = hn::CappedTag<double, kMostLanes>;
using DoubleV = hn::Vec<Doubles>;
using DoubleM = hn::Mask<Doubles>;

/// The lesser neighbours of some cells along each axis, and how steep the cells are.
template <int kRank>
struct CellsV {
  DoubleV least[kRank];
  DoubleV steepness[kRank];
};

template <int kRank>
HWY_INLINE DoubleM is_enough(DoubleV v, const CellsV<kRank>& cells) {
  const Doubles d;
  auto sum = hn::Zero(d);
  for (int axis = 0; axis < kRank; ++axis) {
    const auto rise = hn::Mul(hn::Sub(v, cells.least[axis]), cells.steepness[axis]);
    const auto counted = hn::IfThenElseZero(hn::Gt(v, cells.least[axis]), rise);
    sum = hn::Add(sum, hn::Mul(counted, counted));
  }
  return hn::Ge(sum, hn::Set(d, 1));
}

/// The next number above or below positive ones.
HWY_INLINE DoubleV step(DoubleV v, std::int64_t units) {
  const hn::Repartition<std::int64_t, Doubles> di;
  return hn::BitCast(Doubles(), hn::Add(hn::BitCast(di, v), hn::Set(di, units)));
}

/// About the least value that is enough: a root, in units of the step along the axis of the least
/// neighbour.
template <int kRank>
HWY_INLINE DoubleV estimate(const CellsV<kRank>& cells, DoubleV& low) {
  const Doubles d;
  DoubleV least[kRank], steepness[kRank];
  for (int axis = 0; axis < kRank; ++axis) {
    least[axis] = cells.least[axis];
    steepness[axis] = cells.steepness[axis];
  }
  sort_axes<kRank>(least, steepness);
  low = least[0];
  const auto unit = hn::Div(hn::Set(d, 1), steepness[0]);
  auto a = hn::Set(d, 1), b = hn::Zero(d), c = hn::Set(d, -1), x = a;
  for (int axis = 1; axis < kRank; ++axis) {
    const auto later = hn::Mul(hn::Sub(least[axis], low), steepness[0]);
    const auto counts = hn::Lt(later, x);
    const auto part = hn::Mul(steepness[axis], unit);
    const auto weight = hn::Mul(part, part);
    a = hn::Add(a, weight);
    b = hn::Add(b, hn::Mul(weight, later));
    c = hn::Add(c, hn::Mul(hn::Mul(weight, later), later));
    const auto square = hn::Max(hn::Sub(hn::Mul(b, b), hn::Mul(a, c)), hn::Zero(d));
    x = hn::IfThenElse(counts, hn::Div(hn::Add(b, hn::Sqrt(square)), a), x);
  }
  return hn::Add(low, hn::Mul(x, unit));
}

/// The least value that is enough, of the cells that `falls` marks, where an estimate is far off:
/// where costs differ by many powers of ten.
template <int kRank>
HWY_NOINLINE DoubleV least_by_halving(const CellsV<kRank>& cells, DoubleV low, DoubleV v,
                                      DoubleM falls) {
  const Doubles d;
  alignas(64) double lows[kMostLanes], all[kMostLanes], marks[kMostLanes];
  alignas(64) double least[kRank][kMostLanes], steepness[kRank][kMostLanes];
  hn::Store(low, d, lows);
  hn::Store(v, d, all);
  hn::Store(hn::IfThenElseZero(falls, hn::Set(d, 1)), d, marks);
  for (int axis = 0; axis < kRank; ++axis) {
    hn::Store(cells.least[axis], d, least[axis]);
    hn::Store(cells.steepness[axis], d, steepness[axis]);
  }
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    if (marks[i] == 0) continue;
    AlongAxes m{}, s{};
    for (std::size_t axis = 0; axis < kRank; ++axis) {
      m[kAxes - kRank + axis] = least[axis][i];
      s[kAxes - kRank + axis] = steepness[axis][i];
    }
    all[i] = thiessen::eikonal::least_that_is_enough(lows[i], m, s, kRank);
  }
  return hn::Load(d, all);
}

/// The same from an estimate.
template <int kRank>
HWY_INLINE DoubleV least_enough(const CellsV<kRank>& cells, DoubleM falls) {
  const Doubles d;
  DoubleV low;
  auto v = estimate<kRank>(cells, low);
  // What is not a number goes just above, too.
  v = hn::IfThenElse(hn::Gt(v, low), v, step(low, 1));
  constexpr int kFewSteps = 8;
  for (int i = 0; i < kFewSteps; ++i) {
    const auto wrong = hn::AndNot(is_enough<kRank>(v, cells), falls);
    if (hn::AllFalse(d, wrong)) {
      for (int k = 0; k < kFewSteps; ++k) {
        const auto below = step(v, -1);
        const auto holds = hn::And(falls, is_enough<kRank>(below, cells));
        if (hn::AllFalse(d, holds)) return v;
        v = hn::IfThenElse(holds, below, v);
      }
      break;
    }
    v = hn::IfThenElse(wrong, step(v, 1), v);
  }
  return least_by_halving<kRank>(cells, low, v, falls);
}

/// The sweeps of one tile, in the memory of one thread.
template <int kRank>
class TileSweep {
 public:
  TileSweep(const Ground& ground, double* order, const TileTurn& turn, TileMemory& memory)
      : ground_(ground), order_(order), box_(turn.box), turn_(turn), memory_(memory) {}

  Fallen run() {
    load();
    if (!sweep_all(turn_.from) && !turn_.is_first) return nothing();
    if (layout_ == 1) mirror(memory_.order, 0);
    return store();
  }

 private:
  static constexpr std::size_t kFirst = kAxes - kRank;
  static constexpr int kPlanes = kRank == 3 ? kTileDepth + 2 : 1;
  static constexpr int kFirstPlane = kRank == 3 ? 1 : 0;

  int height() const { return static_cast<int>(box_.size(1)); }
  int width() const { return static_cast<int>(box_.size(2)); }
  int depth() const { return static_cast<int>(box_.size(0)); }
  int steep_axes() const { return ground_.is_even() ? 1 : kRank; }

  static constexpr std::ptrdiff_t at(int row, int column) {
    return (row + column) * kRowCells + column;
  }

  std::int64_t cell_of(int plane, int row) const {
    const std::int64_t z = box_.begin[0] + plane - kFirstPlane;
    const std::int64_t y = box_.begin[1] + row - 1;
    return (z * ground_.extent[1] + y) * ground_.extent[2] + box_.begin[2];
  }

  /// Copies the tile and the cells around it.
  void load() {
    for (int plane = 0; plane < kPlanes; ++plane)
      for (int row = 0; row < kTileSide + 2; ++row) {
        load_order(plane, row);
        for (int axis = 0; axis < steep_axes(); ++axis) load_steepness(plane, row, axis);
      }
  }

  void load_order(int plane, int row) {
    const std::int64_t z = box_.begin[0] + plane - kFirstPlane;
    const std::int64_t y = box_.begin[1] + row - 1;
    const bool is_there = z >= 0 && z < ground_.extent[0] && y >= 0 && y < ground_.extent[1];
    const int begin = !is_there ? kTileSide + 2 : box_.begin[2] > 0 ? 0 : 1;
    const int end = is_there ? width() + (box_.end[2] < ground_.extent[2] ? 2 : 1) : 0;
    double* const to = memory_.order[0].plane(plane);
    const double* const from = order_ + cell_of(plane, row) - 1;
    for (int column = 0; column < std::min(begin, kTileSide + 2); ++column)
      to[at(row, column)] = kInfinity;
    for (int column = begin; column < end; ++column) to[at(row, column)] = from[column];
    for (int column = end; column < kTileSide + 2; ++column) to[at(row, column)] = kInfinity;
  }

  void load_steepness(int plane, int row, int axis) {
    double* const to = memory_.steepness[axis][0].plane(plane);
    const bool is_own =
        row > 0 && row <= height() && plane >= kFirstPlane && plane < kFirstPlane + depth();
    const int end = is_own ? width() + 1 : 1;
    const double* const from = ground_.resistance + cell_of(plane, row) - 1;
    for (int column = 1; column < end; ++column)
      to[at(row, column)] =
          ground_.steepness(from[column], kFirst + static_cast<std::size_t>(axis));
    for (int column = end; column <= kTileSide; ++column) to[at(row, column)] = 0;
  }

  /// Copies one layout into the other one.
  void mirror(ShearedPlanes* layouts, int to) {
    for (int plane = 0; plane < kPlanes; ++plane) {
      const double* const source = layouts[1 - to].plane(plane);
      double* const target = layouts[to].plane(plane);
      for (int row = 0; row < kTileSide + 2; ++row)
        for (int column = 0; column < kTileSide + 2; ++column)
          target[at(row, column)] = source[at(row, kTileSide + 1 - column)];
    }
  }

  /// Sweeps until nothing falls; whether anything did. Begins at the corner where values come from.
  bool sweep_all(Sides from) {
    constexpr int kDirections = 4;  // of a plane: down and right, up and left, down and left, …
    const bool up = (from & side_bit(1, true)) != 0, right = (from & side_bit(2, true)) != 0;
    const int first = up == right ? (up ? 1 : 0) : (up ? 3 : 2);
    const bool from_above = (from & side_bit(0, true)) != 0;
    bool has_mirror = false, any = false;
    for (int turn = 0;; ++turn) {
      const int direction = (first + turn) % kDirections;
      const int layout = direction / 2;
      if (layout != layout_) {
        mirror(memory_.order, layout);
        if (!has_mirror)
          for (int axis = 0; axis < steep_axes(); ++axis) mirror(memory_.steepness[axis], layout);
        has_mirror = true;
        layout_ = layout;
      }
      bool falls = sweep(direction % 2 == 0, from_above);
      if constexpr (kRank == 3) falls |= sweep(direction % 2 == 0, !from_above);
      if (!falls) return any;
      any = true;
    }
  }

  bool sweep(bool is_forward, bool is_downward) {
    return ground_.is_even() ? sweep<true>(is_forward, is_downward)
                             : sweep<false>(is_forward, is_downward);
  }

  template <bool kIsEven>
  bool sweep(bool is_forward, bool is_downward) {
    bool any = false;
    for (int k = 0; k < (kRank == 3 ? kTileDepth : 1); ++k) {
      const int plane = kFirstPlane + (is_downward && kRank == 3 ? kTileDepth - 1 - k : k);
      for (int i = 2; i <= 2 * kTileSide; ++i)
        any |= sweep_row<kIsEven>(plane, is_forward ? i : 2 * kTileSide + 2 - i);
    }
    return any;
  }

  template <bool kIsEven>
  HWY_INLINE bool sweep_row(int plane, int row) {
    const Doubles d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const int begin = std::max(1, row - kTileSide) / lanes * lanes;
    const int end = std::min(kTileSide, row - 1);
    double* const order = memory_.order[layout_].plane(plane) + row * kRowCells;
    const double* steep[kRank];
    for (int axis = 0; axis < kRank; ++axis)
      steep[axis] = memory_.steepness[kIsEven ? 0 : axis][layout_].plane(plane) + row * kRowCells;
    bool any = false;
    for (int column = begin; column <= end; column += lanes) {
      double* const here = order + column;
      const auto lesser = [&](std::ptrdiff_t step) HWY_ATTR {
        return hn::Min(hn::LoadU(d, here - step), hn::LoadU(d, here + step));
      };
      CellsV<kRank> cells;
      if constexpr (kRank == 3) cells.least[0] = lesser(kPlaneCells);
      cells.least[kRank - 2] = lesser(kRowCells);
      cells.least[kRank - 1] = lesser(kRowCells + 1);
      for (int axis = 0; axis < kRank; ++axis)
        cells.steepness[axis] = hn::LoadU(d, steep[axis] + column);
      const auto old = hn::LoadU(d, here);
      const auto falls = is_enough<kRank>(step(old, -1), cells);
      if (hn::AllFalse(d, falls)) continue;
      hn::StoreU(hn::IfThenElse(falls, least_enough<kRank>(cells, falls), old), d, here);
      any = true;
    }
    return any;
  }

  static Fallen nothing() {
    Fallen fallen;
    fallen.fill(kInfinity);
    return fallen;
  }

  /// Writes the tile back.
  Fallen store() {
    Fallen fallen = nothing();
    const double* const first = memory_.order[0].plane(kFirstPlane);
    const auto look = [&](const double* cell, double old, std::ptrdiff_t step, std::size_t side) {
      if (*cell < cell[step] && (turn_.is_first || *cell < old))
        fallen[side] = std::min(fallen[side], *cell);
    };
    for (int k = 0; k < depth(); ++k)
      for (int row = 1; row <= height(); ++row) {
        const double* const from = first + k * kPlaneCells;
        double* const to = order_ + cell_of(kFirstPlane + k, row) - 1;
        look(from + at(row, 1), to[1], -(kRowCells + 1), side_of(2, false));
        look(from + at(row, width()), to[width()], kRowCells + 1, side_of(2, true));
        for (int column = 1; column <= width(); ++column) {
          const double* const cell = from + at(row, column);
          if (row == 1) look(cell, to[column], -kRowCells, side_of(1, false));
          if (row == height()) look(cell, to[column], kRowCells, side_of(1, true));
          if (kRank == 3 && k == 0) look(cell, to[column], -kPlaneCells, side_of(0, false));
          if (kRank == 3 && k == depth() - 1) look(cell, to[column], kPlaneCells, side_of(0, true));
          to[column] = *cell;
        }
      }
    return fallen;
  }

  const Ground& ground_;
  double* order_;
  const TileBox& box_;
  const TileTurn& turn_;
  TileMemory& memory_;
  int layout_ = 0;  ///< that is up to date
};

template <int kRank>
Fallen sweep_tile(const Ground& ground, double* order, const TileTurn& turn, TileMemory& memory) {
  return TileSweep<kRank>(ground, order, turn, memory).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::eikonal
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: Apache-2.0
//
// Passes over costs: steps are weights, computed from the resistances once for a visit of the tile.
#include "cpu/cost/tiles/sweep.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/tiles/sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/cost/tiles/passes-inl.hpp"
#include "cpu/cost/tiles/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

template <class T>
SweepKernel<T> kernel_of() {
  return {};
}

#else

/// The costs of the steps between one row and the next, in planes; the same in both directions.
template <class T>
struct CostSteps {
  /// At x of row r: the steps to (r, x) from (r - 1, x), and from (r - 1, x - 1).
  const T* straight;
  const T* from_left;
  /// At x of row 0: the step to (1, x) from (0, x + 1).
  const T* from_right;

  struct Row {
    const T* straight_weight;
    const T* left_weight;
    const T* right_weight;

    HWY_INLINE Vector<T> straight(Vector<T> v, int x) const { return add(v, straight_weight + x); }
    HWY_INLINE Vector<T> from_left(Vector<T> v, int x) const { return add(v, left_weight + x); }
    HWY_INLINE Vector<T> from_right(Vector<T> v, int x) const { return add(v, right_weight + x); }
    static HWY_INLINE Vector<T> add(Vector<T> v, const T* weights) {
      return hn::Add(v, hn::LoadU(Full<T>(), weights));
    }
  };

  template <bool kDown>
  HWY_INLINE Row to_row(int row) const {
    if constexpr (kDown)
      return {straight + row * kTile, from_left + row * kTile, from_right + (row - 1) * kTile};
    const int behind = row + 1;  // its steps are the same, the other way round
    return {straight + behind * kTile, from_right + row * kTile - 1,
            from_left + behind * kTile + 1};
  }
};

/// The costs of directed steps to the cells of a row from those of the row behind it, in planes.
template <class T>
struct DirectedSteps {
  struct Planes {
    const T* straight;
    const T* from_left;
    const T* from_right;
  };
  Planes down;
  Planes up;

  template <bool kDown>
  HWY_INLINE typename CostSteps<T>::Row to_row(int row) const {
    const Planes& planes = kDown ? down : up;
    return {planes.straight + row * kTile, planes.from_left + row * kTile,
            planes.from_right + row * kTile};
  }
};

/// The steps to open cells on level ground: one weight for straight ones, and one for diagonal
/// ones.
template <class T>
struct LevelSteps {
  const std::uint64_t* open;
  T straight_weight;
  T diagonal_weight;

  struct Row {
    std::uint64_t open;
    T straight_weight;
    T diagonal_weight;

    HWY_INLINE Vector<T> straight(Vector<T> v, int x) const { return add(v, straight_weight, x); }
    HWY_INLINE Vector<T> from_left(Vector<T> v, int x) const { return add(v, diagonal_weight, x); }
    HWY_INLINE Vector<T> from_right(Vector<T> v, int x) const { return add(v, diagonal_weight, x); }
    HWY_INLINE Vector<T> add(Vector<T> v, T weight, int x) const {
      const std::uint64_t bits = open >> x;
      const Full<T> d;
      const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
      return hn::IfThenElse(mask, hn::Add(v, hn::Set(d, weight)), unreached<T>());
    }
  };

  template <bool kDown>
  HWY_INLINE Row to_row(int row) const {
    return {open[row], straight_weight, diagonal_weight};
  }
};

/// Infinity in the place of NaN, the cost of steps that do not pass.
template <class T>
HWY_INLINE Vector<T> or_unreached(Vector<T> weight) {
  return hn::IfThenElse(hn::Ge(weight, hn::Zero(Full<T>())), weight, unreached<T>());
}

/// The costs of steps from a factor and sums of resistances; infinity where a step does not pass.
template <class T>
HWY_INLINE Vector<T> weights(const SweepEdges<T>& edges, Vector<T> factor, Vector<T> sum) {
  return or_unreached<T>(edges.stiffness ? hn::Div(factor, sum) : hn::Mul(factor, sum));
}

template <class T>
class Sweep {
 public:
  Sweep(const SweepTile<T>& tile, const SweepEdges<T>& edges, SweepBuffers<T>& buffers)
      : tile_(tile),
        place_(tile.place),
        edges_(edges),
        b_(buffers),
        first_row_(edges.are_by_row() ? tile.place.first / tile.place.width : 0) {}

  LoweredNeighbours run(const Lines& start) {
    load_costs();
    const Lines fallen = tile_.walk != nullptr     ? solve_walk(start)
                         : tile_.ground != nullptr ? solve_level(start)
                                                   : solve_uneven(start);
    for (int y = 0; y < place_.rows; ++y)
      if ((fallen.rows >> y & 1) != 0) store(b_.cost + y * kTile, place_.row(tile_.cost, y));
    const Lines changed{fallen.rows | start.rows, fallen.columns | start.columns};
    return tile_.walk != nullptr ? walk_out(changed) : propagate_out(changed);
  }

 private:
  using Buffers = SweepBuffers<T>;
  static constexpr Full<T> kTag{};
  static constexpr int kMargin = SweepBuffers<T>::kMargin;

  template <class Steps>
  Lines solve(const Steps& steps, const Steps& turned_steps, const Lines& start) {
    const BothWays<T, Steps> planes{b_.cost,      b_.turned_cost, steps,
                                    turned_steps, place_.rows,    place_.columns};
    return edges_.diagonals ? pass_until_stable<T, true>(planes, start)
                            : pass_until_stable<T, false>(planes, start);
  }

  Lines solve_level(const Lines& start) {
    const Ground<T>& ground = *tile_.ground;
    turn_bits(ground.open, b_.turned_open);
    const T sum = step_sum(ground.resistance, ground.resistance);
    const auto weight = [&](T factor) { return edges_.stiffness ? factor / sum : factor * sum; };
    const SweepFactors<T>& factors = edges_.everywhere;
    const T diagonal = weight(factors.diagonal);
    return solve(LevelSteps<T>{ground.open, weight(factors.y), diagonal},
                 LevelSteps<T>{b_.turned_open, weight(factors.x), diagonal}, start);
  }

  Lines solve_uneven(const Lines& start) {
    load_resistances();
    make_planes();
    // Transposed, a step from the cell above on the right is one of the row before, a cell farther.
    return solve(CostSteps<T>{b_.above, b_.left_above, b_.right_above + kTile},
                 CostSteps<T>{b_.turned_left, b_.turned_left_above, b_.turned_right_above + 1},
                 start);
  }

  Lines solve_walk(const Lines& start) {
    load_resistances();
    load_elevations();
    make_directed_planes();
    const SweepWalk<T>& w = *tile_.walk;
    return solve(DirectedSteps<T>{{b_.above, b_.left_above, b_.right_above},
                                  {w.below, w.left_below, w.right_below}},
                 DirectedSteps<T>{{b_.turned_left, b_.turned_left_above, w.turned_left_below},
                                  {w.turned_right, b_.turned_right_above, w.turned_right_below}},
                 start);
  }

  void load_costs() {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (int y = 0; y < place_.rows; ++y)
      copy_row(place_.row(tile_.cost, y), place_.columns, b_.cost + y * kTile);
    for (int y = 0; y < place_.rows && place_.columns < kTile; ++y)
      std::fill_n(b_.cost + y * kTile + place_.columns, kTile - place_.columns, kInfinity);
    std::fill(b_.cost + place_.rows * kTile, b_.cost + Buffers::kPlane, kInfinity);
  }

  /// Cells outside of the raster are barriers.
  void load_resistances() {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    std::fill_n(b_.resistance, kMargin, kNan);
    for (int y = 0; y < place_.rows; ++y) {
      T* const resistance = b_.resistance + y * Buffers::kPadded + kMargin;
      copy_row(place_.row(tile_.resistance, y), place_.columns, resistance);
      std::fill_n(resistance + place_.columns,
                  kTile - place_.columns + (y + 1 < place_.rows ? 2 : 1) * kMargin, kNan);
    }
  }

  /// Outside of the raster it is 0: steps to barriers do not pass anyway.
  void load_elevations() {
    SweepWalk<T>& w = *tile_.walk;
    std::fill(std::begin(w.elevation), std::end(w.elevation), T{0});
    for (int y = 0; y < place_.rows; ++y)
      copy_row(place_.row(w.steps->elevation, y), place_.columns,
               w.elevation + y * Buffers::kPadded + kMargin);
  }

  void make_directed_planes() {
    SweepWalk<T>& w = *tile_.walk;
    struct Plane {
      int y, x;  ///< where steps come from
      T* upright;
      T* turned;  ///< null: not needed
    };
    const Plane planes[] = {{-1, 0, b_.above, nullptr},
                            {1, 0, w.below, nullptr},
                            {0, -1, b_.left, b_.turned_left},
                            {0, 1, w.right, w.turned_right},
                            {-1, -1, b_.left_above, b_.turned_left_above},
                            {-1, 1, b_.right_above, b_.turned_right_above},
                            {1, -1, w.left_below, w.turned_left_below},
                            {1, 1, w.right_below, w.turned_right_below}};
    for (const Plane& plane : planes) {
      if (plane.y != 0 && plane.x != 0 && !edges_.diagonals) continue;
      const int first = plane.y < 0 ? 1 : 0;
      const int end = plane.y > 0 ? place_.rows - 1 : place_.rows;
      std::fill_n(plane.upright, first * kTile, unreached_cost());
      for (int y = first; y < end; ++y)
        for (int x = 0; x < kTile; x += kLanes<T>)
          hn::Store(directed_weights(y, x, plane.y, plane.x), kTag, plane.upright + y * kTile + x);
      std::fill(plane.upright + end * kTile, plane.upright + Buffers::kPlane, unreached_cost());
      close_steps(plane.upright, plane.y, plane.x);
      if (plane.turned != nullptr) turn(plane.upright, plane.turned);
    }
  }

  /// Closes the steps of a plane, to cells from those that lie (down, right) of them, which blocked
  /// faces stop, in both directions alike.
  void close_steps(T* plane, int down, int right) const {
    if (tile_.open_steps == nullptr) return;
    const std::uint32_t bit = std::uint32_t{1} << neighbour(down, right);
    for (int y = 0; y < place_.rows; ++y) {
      const std::uint32_t* const open = place_.row(tile_.open_steps, y);
      T* const steps = plane + y * kTile;
      for (int x = 0; x < place_.columns; ++x)
        steps[x] = (open[x] & bit) != 0 ? steps[x] : unreached_cost();
    }
  }

  static constexpr T unreached_cost() { return std::numeric_limits<T>::infinity(); }

  /// The costs of the steps to (y, x) and the cells after it from those that lie (down, right) of
  /// them.
  HWY_INLINE Vector<T> directed_weights(int y, int x, int down, int right) const {
    const int place = y * Buffers::kPadded + kMargin + x;
    const int from = place + down * Buffers::kPadded + right;
    const SweepWalk<T>& w = *tile_.walk;
    const auto resistance = [&](int at) HWY_ATTR { return hn::LoadU(kTag, b_.resistance + at); };
    // The step back is as long.
    const int k = neighbour(down, right);
    const SameLength length{w.steps->metres(k, first_row_ + y)};
    const auto sum = hn::Add(resistance(from), resistance(place));
    const auto of_length = hn::Set(kTag, edges_.of_step(first_row_ + y, down, right));
    const Ends<Vector<T>> ends{hn::LoadU(kTag, w.elevation + from),
                               hn::LoadU(kTag, w.elevation + place)};
    const auto own = or_unreached<T>(
        walk_weight(kTag, *w.steps, length, ends, of_length,
                    [&](Vector<T> factor) HWY_ATTR { return weights(edges_, factor, sum); }));
    if (!edges_.tight_barriers || down == 0 || right == 0) return own;
    const auto closed = hn::And(hn::IsNaN(resistance(place + down * Buffers::kPadded)),
                                hn::IsNaN(resistance(place + right)));
    return hn::IfThenElse(closed, unreached<T>(), own);
  }

  /// The number of a neighbour in the order of the linear index.
  int neighbour(int down, int right) const {
    const int place = (down + 1) * 3 + right + 1;  // among 9, of which the cell is the fifth
    if (edges_.diagonals) return place < 4 ? place : place - 1;
    return place / 2;
  }

  void make_planes() {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (T* plane : {b_.above, b_.left_above, b_.right_above}) {
      std::fill_n(plane, kTile, kInfinity);
      std::fill(plane + place_.rows * kTile, plane + Buffers::kPlane, kInfinity);
    }
    std::fill(b_.left + place_.rows * kTile, b_.left + Buffers::kPlane, kInfinity);
    for (int y = 0; y < place_.rows; ++y) {
      const SweepFactors<T> factors = edges_.at(first_row_ + y);
      for (int x = 0; x < kTile; x += kLanes<T>) make_weights(factors, y, x);
    }
    close_steps(b_.above, -1, 0);
    close_steps(b_.left, 0, -1);
    turn(b_.left, b_.turned_left);
    if (!edges_.diagonals) return;
    close_steps(b_.left_above, -1, -1);
    close_steps(b_.right_above, -1, 1);
    turn(b_.left_above, b_.turned_left_above);
    turn(b_.right_above, b_.turned_right_above);
    for (T* plane : {b_.turned_left_above, b_.turned_right_above})
      std::fill(plane + kTile * kTile, plane + Buffers::kPlane, kInfinity);
  }

  void make_weights(const SweepFactors<T>& factors, int y, int x) {
    const T* const cell = b_.resistance + y * Buffers::kPadded + kMargin + x;
    const int place = y * kTile + x;
    const auto here = hn::LoadU(kTag, cell);
    const auto left = hn::LoadU(kTag, cell - 1);
    const auto factor_x = hn::Set(kTag, factors.x);
    hn::Store(weights(edges_, factor_x, hn::Add(left, here)), kTag, b_.left + place);
    if (y == 0) return;
    const auto above = hn::LoadU(kTag, cell - Buffers::kPadded);
    const auto factor_y = hn::Set(kTag, factors.y);
    hn::Store(weights(edges_, factor_y, hn::Add(above, here)), kTag, b_.above + place);
    if (!edges_.diagonals) return;
    const auto diagonal = hn::Set(kTag, factors.diagonal);
    const auto left_above = hn::LoadU(kTag, cell - Buffers::kPadded - 1);
    const auto right_above = hn::LoadU(kTag, cell - Buffers::kPadded + 1);
    auto from_left = weights(edges_, diagonal, hn::Add(left_above, here));
    auto from_right = weights(edges_, diagonal, hn::Add(right_above, here));
    if (edges_.tight_barriers) {
      const auto closed = hn::IsNaN(above);
      const auto right = hn::LoadU(kTag, cell + 1);
      from_left = hn::IfThenElse(hn::And(closed, hn::IsNaN(left)), unreached<T>(), from_left);
      from_right = hn::IfThenElse(hn::And(closed, hn::IsNaN(right)), unreached<T>(), from_right);
    }
    hn::Store(from_left, kTag, b_.left_above + place);
    hn::Store(from_right, kTag, b_.right_above + place);
  }

  /// Writes the costs of a row back into the raster; cells that have not fallen keep their value.
  HWY_INLINE void store(const T* costs, T* to) const {
    const auto limit = hn::Set(kTag, edges_.limit);
    int x = 0;
    for (; x + kLanes<T> <= place_.columns; x += kLanes<T>) {
      const auto cost = hn::Load(kTag, costs + x);
      hn::StoreU(hn::IfThenElse(hn::Le(cost, limit), cost, unreached<T>()), kTag, to + x);
    }
    for (; x < place_.columns; ++x)
      to[x] = costs[x] <= edges_.limit ? costs[x] : std::numeric_limits<T>::infinity();
  }

  static bool is_upright(Direction direction) {
    return direction == Direction::above || direction == Direction::below;
  }

  /// The factors of the lengths of steps over a side, to the cells from i on from those `beside`
  /// them.
  class SideFactors {
   public:
    SideFactors(const SweepEdges<T>& edges, Direction direction, std::int64_t first_row, int rows) {
      if (edges.are_by_row() && !is_upright(direction)) {
        straight_of_row_ = edges.by_row.x + first_row;
        diagonal_of_row_ = edges.by_row.diagonal + first_row;
        return;
      }
      // The step to the row above, or from the row below, the first one after the tile.
      const SweepFactors<T> factors =
          edges.at(first_row + (direction == Direction::below ? rows : 0));
      straight_ = is_upright(direction) ? factors.y : factors.x;
      diagonal_ = factors.diagonal;
    }

    HWY_INLINE Vector<T> at(int i, int beside) const {
      if (straight_of_row_ == nullptr) return hn::Set(kTag, beside == 0 ? straight_ : diagonal_);
      if (beside == 0) return hn::LoadU(kTag, straight_of_row_ + i);
      return hn::LoadU(kTag, diagonal_of_row_ + i + (beside < 0 ? 0 : 1));
    }

   private:
    T straight_ = 0;
    T diagonal_ = 0;
    const T* straight_of_row_ = nullptr;  ///< where lengths change along the side
    const T* diagonal_of_row_ = nullptr;
  };

  /// Passes costs out over the sides that are among these lines.
  LoweredNeighbours propagate_out(const Lines& lines) {
    return pass_over_sides(place_, lines, [&](Direction direction, const Side& side) HWY_ATTR {
      load(direction, side);
      const SideFactors factors(edges_, direction, first_row_, place_.rows);
      return propagate_out(side, [&](int i, int beside, Vector<T> sum) HWY_ATTR {
        return weights(edges_, factors.at(i, beside), sum);
      });
    });
  }

  /// The same for a walk.
  LoweredNeighbours walk_out(const Lines& lines) {
    return pass_over_sides(place_, lines, [&](Direction direction, const Side& side) HWY_ATTR {
      load(direction, side);
      load_elevations(side);
      load_lengths(direction, side);
      const SweepWalk<T>& w = *tile_.walk;
      const SideFactors factors(edges_, direction, first_row_, place_.rows);
      return propagate_out(side, [&](int i, int beside, Vector<T> sum) HWY_ATTR {
        const int at = kMargin + i;
        const Ends<Vector<T>> ends{hn::LoadU(kTag, w.inner_elevation + at + beside),
                                   hn::LoadU(kTag, w.outer_elevation + at)};
        return or_unreached<T>(
            walk_weight(kTag, *w.steps, LengthOfLanes{w.side_length[1 + beside] + i}, ends,
                        factors.at(i, beside),
                        [&](Vector<T> factor) HWY_ATTR { return weights(edges_, factor, sum); }));
      });
    });
  }

  /// The number of the steps from the cells beyond a side to those `beside` the ones across: as
  /// long as the steps out, and as open.
  int step_back(Direction direction, int beside) const {
    switch (direction) {
      case Direction::above:
        return neighbour(1, beside);
      case Direction::below:
        return neighbour(-1, beside);
      case Direction::left:
        return neighbour(beside, 1);
      default:
        return neighbour(beside, -1);
    }
  }

  /// Writes how long the steps over a side are.
  void load_lengths(Direction direction, const Side& side) {
    SweepWalk<T>& w = *tile_.walk;
    const int first = direction == Direction::below   ? place_.rows
                      : direction == Direction::above ? -1
                                                      : 0;
    for (int beside = -1; beside <= 1; ++beside) {
      if (beside != 0 && !edges_.diagonals) continue;
      const int k = step_back(direction, beside);
      double* const length = w.side_length[1 + beside];
      std::fill_n(length, kTile, 0.0);
      for (int i = 0; i < side.count; ++i)
        length[i] = w.steps->metres(k, first_row_ + first + (is_upright(direction) ? 0 : i));
    }
  }

  /// Takes the steps out over a side; bits of the cells whose cost fell.
  /// `weight(i, beside, sum)` is that of the steps to the cells from i on from those `beside` them,
  /// by the sum of their resistances.
  template <class Weight>
  std::uint64_t propagate_out(const Side& side, const Weight& weight) {
    SweepSide<T>& s = b_.side;
    const auto limit = hn::Set(kTag, edges_.limit);
    std::uint64_t fallen = 0;
    for (int i = 0; i < side.count; i += kLanes<T>) {
      const auto old = hn::Load(kTag, s.outer_cost + i);
      const auto cost = cost_beyond(i, [&](int at, int beside, Vector<T> sum) HWY_ATTR {
        const auto own = weight(at, beside, sum);
        if (tile_.open_steps == nullptr) return own;
        return hn::Add(own, hn::Load(kTag, s.closed[1 + beside] + at));
      });
      const auto lower = hn::And(hn::Lt(cost, old), hn::Le(cost, limit));
      fallen |= mask_bits<T>(lower) << i;
      hn::Store(cost, kTag, s.outer_cost + i);
    }
    for (std::uint64_t bits = fallen; bits != 0; bits &= bits - 1) {
      const int i = std::countr_zero(bits);
      tile_.cost[side.first + side.out + i * side.step] = s.outer_cost[i];
    }
    return fallen;
  }

  void load(Direction direction, const Side& side) {
    load_closed(direction, side);
    SweepSide<T>& s = b_.side;
    std::fill_n(s.inner_resistance, kTile + 2 * kMargin, std::numeric_limits<T>::quiet_NaN());
    std::fill_n(s.outer_resistance, kTile + 2 * kMargin, std::numeric_limits<T>::quiet_NaN());
    std::fill_n(s.inner_cost, kTile + 2 * kMargin, std::numeric_limits<T>::infinity());
    std::fill_n(s.outer_cost, kTile, std::numeric_limits<T>::infinity());
    for (int i = 0; i < side.count; ++i) {
      const std::int64_t inner = side.first + i * side.step;
      s.inner_resistance[kMargin + i] = tile_.resistance[inner];
      s.inner_cost[kMargin + i] = tile_.cost[inner];
      s.outer_resistance[kMargin + i] = tile_.resistance[inner + side.out];
      s.outer_cost[i] = tile_.cost[inner + side.out];
    }
  }

  void load_closed(Direction direction, const Side& side) {
    if (tile_.open_steps == nullptr) return;
    for (int beside = -1; beside <= 1; ++beside) {
      if (beside != 0 && !edges_.diagonals) continue;
      const int k = step_back(direction, beside);
      T* const closed = b_.side.closed[1 + beside];
      std::fill_n(closed, kTile, T{0});
      for (int i = 0; i < side.count; ++i) {
        const std::int64_t outer = side.first + side.out + i * side.step;
        if ((tile_.open_steps[outer] >> k & 1) == 0) closed[i] = unreached_cost();
      }
    }
  }

  void load_elevations(const Side& side) {
    SweepWalk<T>& w = *tile_.walk;
    std::fill(std::begin(w.inner_elevation), std::end(w.inner_elevation), T{0});
    std::fill(std::begin(w.outer_elevation), std::end(w.outer_elevation), T{0});
    for (int i = 0; i < side.count; ++i) {
      const std::int64_t inner = side.first + i * side.step;
      w.inner_elevation[kMargin + i] = w.steps->elevation[inner];
      w.outer_elevation[kMargin + i] = w.steps->elevation[inner + side.out];
    }
  }

  /// The least costs at which steps across a side reach the cells beyond it, from i on.
  template <class Weight>
  HWY_INLINE Vector<T> cost_beyond(int i, const Weight& weight) const {
    const SweepSide<T>& s = b_.side;
    const T* const inner = s.inner_resistance + kMargin + i;
    const T* const outer = s.outer_resistance + kMargin + i;
    const T* const from = s.inner_cost + kMargin + i;
    const auto here = hn::Load(kTag, outer);
    const auto across = hn::Load(kTag, inner);
    const auto least = hn::Add(hn::Load(kTag, from), weight(i, 0, hn::Add(here, across)));
    if (!edges_.diagonals) return least;
    auto before = weight(i, -1, hn::Add(here, hn::LoadU(kTag, inner - 1)));
    auto after = weight(i, 1, hn::Add(here, hn::LoadU(kTag, inner + 1)));
    if (edges_.tight_barriers) {
      const auto closed = hn::IsNaN(across);
      const auto is_barrier = [&](const T* beside)
                                  HWY_ATTR { return hn::IsNaN(hn::LoadU(kTag, beside)); };
      before = hn::IfThenElse(hn::And(closed, is_barrier(outer - 1)), unreached<T>(), before);
      after = hn::IfThenElse(hn::And(closed, is_barrier(outer + 1)), unreached<T>(), after);
    }
    return hn::Min(least, hn::Min(hn::Add(hn::LoadU(kTag, from - 1), before),
                                  hn::Add(hn::LoadU(kTag, from + 1), after)));
  }

  const SweepTile<T>& tile_;
  const TilePlace& place_;
  const SweepEdges<T>& edges_;
  Buffers& b_;
  std::int64_t first_row_;  ///< of the tile in the raster, where rows count
};

template <class T>
bool survey_tile(const T* resistance, const TilePlace& place, Ground<T>& ground) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  const Full<T> d;
  ground.resistance = kNan;
  std::fill(std::begin(ground.open), std::end(ground.open), std::uint64_t{0});
  for (int y = 0; y < place.rows; ++y) {
    const T* const row = place.row(resistance, y);
    for (int x = 0; x < place.columns && !is_passable(ground.resistance); ++x)
      ground.resistance = row[x];
    alignas(64) T cells[kTile];
    std::fill_n(cells, kTile, kNan);
    copy_row(row, place.columns, cells);
    const auto one = hn::Set(d, ground.resistance);
    for (int x = 0; x < kTile; x += kLanes<T>) {
      const auto here = hn::Load(d, cells + x);
      const auto open = hn::Eq(here, one);
      if (!hn::AllTrue(d, hn::Or(open, hn::IsNaN(here)))) return false;
      ground.open[y] |= mask_bits<T>(open) << x;
    }
  }
  return true;
}

template <class T>
LoweredNeighbours sweep_tile(const SweepTile<T>& tile, const SweepEdges<T>& edges,
                             const Lines& start, SweepBuffers<T>& buffers) {
  return Sweep<T>(tile, edges, buffers).run(start);
}

template <class T>
SweepKernel<T> kernel_of() {
  return {survey_tile<T>, sweep_tile<T>};
}

#endif

SweepKernel<float> kernel32() { return kernel_of<float>(); }
SweepKernel<double> kernel64() { return kernel_of<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::cost {

HWY_EXPORT(kernel32);
HWY_EXPORT(kernel64);

SweepKernel<float> sweep_kernel(std::int64_t targets, float) {
  return HWY_DISPATCH_TABLE(kernel32)[dispatch_index(targets)]();
}

SweepKernel<double> sweep_kernel(std::int64_t targets, double) {
  return HWY_DISPATCH_TABLE(kernel64)[dispatch_index(targets)]();
}

}  // namespace thiessen::cpu::cost
#endif

// SPDX-License-Identifier: Apache-2.0
//
// Passes over ranks: steps are bits, 64 to a row, and a cell without a step gets kNoRank.
#include "cpu/cost/tiles/rank_sweep.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/tiles/rank_sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/cost/tiles/passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

RankKernel kernel() { return {}; }

#else

static_assert(kNoRank == kUnreached<Rank>);

/// The steps from one line to the next, as bits of the cells they lead to.
struct RankLine {
  std::uint64_t straight_bits;
  std::uint64_t left_bits;
  std::uint64_t right_bits;

  HWY_INLINE Vector<Rank> straight(Vector<Rank> v, int x) const {
    return keep(v, straight_bits >> x);
  }
  HWY_INLINE Vector<Rank> from_left(Vector<Rank> v, int x) const { return keep(v, left_bits >> x); }
  HWY_INLINE Vector<Rank> from_right(Vector<Rank> v, int x) const {
    return keep(v, right_bits >> x);
  }
  static HWY_INLINE Vector<Rank> keep(Vector<Rank> v, std::uint64_t bits) {
    const auto mask = hn::LoadMaskBits(Full<Rank>(), reinterpret_cast<const std::uint8_t*>(&bits));
    return hn::IfThenElse(mask, v, unreached<Rank>());
  }
};

/// The tight steps to the line beside one: for each row, bits of the cells that have a step there.
struct TightStepsOut {
  const std::uint64_t* straight;
  const std::uint64_t* to_right;  ///< and to the cell on the right
  const std::uint64_t* to_left;

  HWY_INLINE RankLine from(int row) const {
    return {straight[row], to_right[row] << 1, to_left[row] >> 1};
  }
};

struct RankSteps {
  TightStepsOut down;
  TightStepsOut up;

  template <bool kDown>
  HWY_INLINE RankLine to_row(int row) const {
    return kDown ? down.from(row - 1) : up.from(row + 1);
  }
};

class Sweep {
 public:
  Sweep(const RankTile& tile, RankBuffers& buffers)
      : tile_(tile), place_(tile.place), b_(buffers) {}

  LoweredNeighbours run(const Lines& start) {
    load();
    const BothWays<Rank, RankSteps> planes{
        b_.rank,
        b_.turned_rank,
        {steps_out(Direction::below), steps_out(Direction::above)},
        {steps_out(Direction::right), steps_out(Direction::left)},
        place_.rows,
        place_.columns};
    const Lines fallen = tile_.diagonals ? pass_until_stable<Rank, true>(planes, start)
                                         : pass_until_stable<Rank, false>(planes, start);
    for (int y = 0; y < place_.rows; ++y)
      if ((fallen.rows >> y & 1) != 0)
        copy_row(b_.rank + y * kTile, place_.columns, place_.row(tile_.rank, y));
    return propagate_out({fallen.rows | start.rows, fallen.columns | start.columns});
  }

 private:
  void load() {
    if (place_.rows < kTile || place_.columns < kTile)
      std::fill(std::begin(b_.rank), std::end(b_.rank), kNoRank);
    for (auto& direction : b_.out)
      std::fill(std::begin(direction), std::end(direction), std::uint64_t{0});
    for (int y = 0; y < place_.rows; ++y) {
      copy_row(place_.row(tile_.rank, y), place_.columns, b_.rank + y * kTile);
      load_steps_out(y);
    }
    for (int direction = 0; direction < 8; ++direction)
      if (direction != number_of(Direction::above) && direction != number_of(Direction::below))
        turn_bits(b_.out[direction], b_.turned_out[direction]);
  }

  void load_steps_out(int y) {
    const hn::CappedTag<FewSteps, kTile> d;
    constexpr int kBytes = static_cast<int>(hn::MaxLanes(d));
    constexpr Direction kFourDirections[] = {Direction::above, Direction::left, Direction::right,
                                             Direction::below};
    alignas(64) FewSteps steps[kTile] = {};
    copy_row(place_.row(tile_.steps, y), place_.columns, steps);
    for (int k = 0; k < (tile_.diagonals ? 8 : 4); ++k) {
      const auto bit = hn::Set(d, static_cast<FewSteps>(1 << k));
      std::uint64_t& bits = b_.out[tile_.diagonals ? k : number_of(kFourDirections[k])][y];
      for (int x = 0; x < kTile; x += kBytes) {
        std::uint64_t some = 0;
        hn::StoreMaskBits(d, hn::TestBit(hn::Load(d, steps + x), bit),
                          reinterpret_cast<std::uint8_t*>(&some));
        bits |= some << x;
      }
    }
  }

  /// Transposing swaps the steps to the right and down.
  TightStepsOut steps_out(Direction direction) const {
    const auto& out =
        direction == Direction::above || direction == Direction::below ? b_.out : b_.turned_out;
    const auto three = [&](Direction straight, Direction to_right, Direction to_left) {
      return TightStepsOut{out[number_of(straight)], out[number_of(to_right)],
                           out[number_of(to_left)]};
    };
    switch (direction) {
      case Direction::above:
        return three(direction, Direction::right_above, Direction::left_above);
      case Direction::below:
        return three(direction, Direction::right_below, Direction::left_below);
      case Direction::left:
        return three(direction, Direction::left_below, Direction::left_above);
      default:
        return three(Direction::right, Direction::right_below, Direction::right_above);
    }
  }

  /// Passes ranks out over the sides that are among these lines.
  LoweredNeighbours propagate_out(const Lines& lines) {
    return pass_over_sides(place_, lines, [&](Direction direction, const Side& side) {
      const int last = direction == Direction::below   ? place_.rows - 1
                       : direction == Direction::right ? place_.columns - 1
                                                       : 0;
      return propagate_out(steps_out(direction).from(last), side);
    });
  }

  /// Takes the steps out over a side; bits of the cells whose rank fell.
  std::uint64_t propagate_out(const RankLine& steps, const Side& side) {
    constexpr int kMargin = 16;
    alignas(64) Rank inner[kTile + 2 * kMargin];
    alignas(64) Rank outer[kTile];
    std::fill(std::begin(inner), std::end(inner), kNoRank);
    std::fill(std::begin(outer), std::end(outer), Rank{0});
    Rank* const first = tile_.rank + side.first;
    for (int i = 0; i < side.count; ++i) {
      inner[kMargin + i] = first[i * side.step];
      outer[i] = first[i * side.step + side.out];
    }
    const Full<Rank> d;
    std::uint64_t fallen = 0;
    for (int i = 0; i < kTile; i += kLanes<Rank>) {
      const Rank* const own = inner + kMargin + i;
      const auto least = hn::Min(steps.straight(hn::Load(d, own), i),
                                 hn::Min(steps.from_left(hn::LoadU(d, own - 1), i),
                                         steps.from_right(hn::LoadU(d, own + 1), i)));
      fallen |= mask_bits<Rank>(hn::Lt(least, hn::Load(d, outer + i))) << i;
      hn::Store(least, d, outer + i);
    }
    for (std::uint64_t bits = fallen; bits != 0; bits &= bits - 1) {
      const int i = std::countr_zero(bits);
      first[i * side.step + side.out] = outer[i];
    }
    return fallen;
  }

  const RankTile& tile_;
  const TilePlace& place_;
  RankBuffers& b_;
};

LoweredNeighbours sweep_tile(const RankTile& tile, const Lines& start, RankBuffers& buffers) {
  return Sweep(tile, buffers).run(start);
}

RankKernel kernel() { return {sweep_tile}; }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::cost {

HWY_EXPORT(kernel);

RankKernel rank_kernel(std::int64_t targets) {
  return HWY_DISPATCH_TABLE(kernel)[dispatch_index(targets)]();
}

}  // namespace thiessen::cpu::cost
#endif

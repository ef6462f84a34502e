// SPDX-License-Identifier: Apache-2.0
//
// core/cost/exponential.hpp, core/cost/walk.hpp and core/cost/placed_steps.hpp by vectors: the same
// operations in the same order, so that the bits are the same.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_COST_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_COST_WALK_INL
#undef THIESSEN_CPU_COST_WALK_INL
#else
#define THIESSEN_CPU_COST_WALK_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "core/cost/placed_steps.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// end_of_series().
template <class D, class V = hn::Vec<D>>
HWY_INLINE V end_of_series(D d, V r, V square) {
  const auto next = [&](double term, V rest)
                        HWY_ATTR { return hn::Add(hn::Set(d, term), hn::Mul(square, rest)); };
  auto even = hn::Set(d, 1 / 87178291200.0);
  even = next(1 / 479001600.0, even);
  even = next(1 / 3628800.0, even);
  even = next(1 / 40320.0, even);
  even = next(1 / 720.0, even);
  even = next(1 / 24.0, even);
  auto odd = hn::Set(d, 1 / 6227020800.0);
  odd = next(1 / 39916800.0, odd);
  odd = next(1 / 362880.0, odd);
  odd = next(1 / 5040.0, odd);
  odd = next(1 / 120.0, odd);
  odd = next(1 / 6.0, odd);
  return hn::Mul(square, hn::Add(hn::Mul(r, odd), hn::Mul(square, even)));
}

/// lost_by_squaring().
template <class D, class V = hn::Vec<D>>
HWY_INLINE V lost_by_squaring(D d, V x, V square) {
  const auto scaled = hn::Mul(hn::Set(d, 0x1p27 + 1), x);
  const auto upper = hn::Sub(scaled, hn::Sub(scaled, x));
  const auto lower = hn::Sub(x, upper);
  const auto cross = hn::Mul(hn::Mul(hn::Set(d, 2.0), upper), lower);
  return hn::Add(hn::Add(hn::Sub(hn::Mul(upper, upper), square), cross), hn::Mul(lower, lower));
}

/// exponential(), for x >= 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exponential(D d, V x) {
  using Parts = ExponentialParts;
  const auto set = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  const auto rounded = hn::Add(hn::Mul(x, set(Parts::kInverseLn2)), set(Parts::kRound));
  const auto turns = hn::Sub(rounded, set(Parts::kRound));
  const auto exact = hn::Sub(x, hn::Mul(turns, set(Parts::kLn2High)));
  const auto correction = hn::Mul(turns, set(Parts::kLn2Low));
  const auto r = hn::Sub(exact, correction);
  const auto rest = hn::Sub(hn::Sub(exact, r), correction);
  const auto square = hn::Mul(r, r);
  const auto linear = hn::Add(set(1), r);
  const auto half_square = hn::Mul(square, set(0.5));
  const auto high = hn::Add(linear, half_square);
  const auto lost =
      hn::Add(hn::Sub(r, hn::Sub(linear, set(1))), hn::Sub(half_square, hn::Sub(high, linear)));
  const auto low = hn::Add(
      lost, hn::Add(hn::Mul(lost_by_squaring(d, r, square), set(0.5)), hn::Mul(rest, linear)));
  const auto result = hn::Add(high, hn::Add(low, end_of_series(d, r, square)));
  // The last bits of the rounded number are n.
  const hn::RebindToSigned<D> integers;
  const auto n = hn::And(hn::BitCast(integers, rounded), hn::Set(integers, 0x7ff));
  const auto half = hn::ShiftRight<1>(n);
  const auto power = [&](hn::Vec<decltype(integers)> exponent) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(integers, 1023))));
  };
  const auto scaled = hn::Mul(hn::Mul(result, power(half)), power(hn::Sub(n, half)));
  return hn::IfThenElse(hn::Gt(x, set(Parts::kGreatest)),
                        set(std::numeric_limits<double>::infinity()), scaled);
}

/// SlopeTable::factor_of(), lane by lane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V factors_of(D d, const SlopeTable& table, V slope) {
  HWY_ALIGN double lanes[hn::MaxLanes(d)];
  hn::Store(slope, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = table.factor_of(lanes[i]);
  return hn::Load(d, lanes);
}

/// walking_seconds().
template <class D, class V = hn::Vec<D>>
HWY_INLINE V walking_seconds(D d, const WalkRule& walk, V length, V rise) {
  const auto set = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  const auto slope = hn::IfThenElseZero(hn::Gt(length, hn::Zero(d)), hn::Div(rise, length));
  if (walk.walk == Walk::surface || walk.walk == Walk::table) {
    const auto along = hn::Sqrt(hn::Add(hn::Mul(length, length), hn::Mul(rise, rise)));
    return walk.walk == Walk::surface ? along : hn::Mul(along, factors_of(d, walk.table, slope));
  }
  const Langmuir& rule = walk.langmuir;
  if (walk.walk == Walk::tobler) {
    const auto away = hn::Abs(hn::Add(slope, set(Tobler::kFastest)));
    return hn::Mul(hn::Mul(length, set(Tobler::kSecondsPerMetre)),
                   exponential(d, hn::Mul(set(Tobler::kFall), away)));
  }
  const auto down =
      hn::IfThenElse(hn::Lt(slope, set(rule.steep)), set(rule.steep_down), set(rule.down));
  const auto per_metre = hn::IfThenElse(hn::Ge(rise, hn::Zero(d)), set(rule.up), down);
  const auto seconds = hn::Add(hn::Mul(set(rule.level), length), hn::Mul(per_metre, rise));
  return hn::IfThenZeroElse(hn::Lt(seconds, hn::Zero(d)), seconds);
}

/// The length of all steps.
struct SameLength {
  double metres;

  template <class D>
  HWY_INLINE hn::Vec<D> from(D d, std::size_t /*lane*/) const {
    return hn::Set(d, metres);
  }
};

/// A length for each lane.
struct LengthOfLanes {
  const double* metres;

  template <class D>
  HWY_INLINE hn::Vec<D> from(D d, std::size_t lane) const {
    return hn::LoadU(d, metres + lane);
  }
};

/// Elevations at both ends of steps.
template <class V>
struct Ends {
  V from;
  V to;
};

/// The seconds, times `scale`, of steps of the lengths given.
template <class D, class Length, class V = hn::Vec<D>>
HWY_INLINE V scaled_seconds(D d, const PlacedSteps<hn::TFromD<D>>& steps, double scale,
                            const Length& length, const Ends<V>& ends) {
  const auto seconds_of = [&](auto wide, auto metres, auto rise) HWY_ATTR {
    const auto seconds = walking_seconds(wide, steps.walk, metres, rise);
    return hn::Mul(seconds, hn::Set(wide, scale));
  };
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(double)) {
    return seconds_of(d, length.from(d, 0), hn::Sub(ends.to, ends.from));
  } else {
    const hn::Half<D> half;
    const hn::Rebind<double, hn::Half<D>> wide;
    const auto factor = [&](std::size_t lane, hn::Vec<hn::Half<D>> begin,
                            hn::Vec<hn::Half<D>> end) HWY_ATTR {
      const auto rise = hn::Sub(hn::PromoteTo(wide, end), hn::PromoteTo(wide, begin));
      return hn::DemoteTo(half, seconds_of(wide, length.from(wide, lane), rise));
    };
    return hn::Combine(
        d, factor(hn::Lanes(half), hn::UpperHalf(half, ends.from), hn::UpperHalf(half, ends.to)),
        factor(0, hn::LowerHalf(half, ends.from), hn::LowerHalf(half, ends.to)));
  }
}

/// What steps cost; see PlacedSteps::weight(). `of_length` are the factors of their lengths alone,
/// and weigh(factors) are the costs of steps with these.
template <class D, class Length, class Weigh, class V = hn::Vec<D>>
HWY_INLINE V walk_weight(D d, const PlacedSteps<hn::TFromD<D>>& steps, const Length& length,
                         const Ends<V>& ends, V of_length, const Weigh& weigh) {
  if (steps.walk_map == WalkMap::adds)
    return hn::Add(scaled_seconds(d, steps, 1, length, ends), weigh(of_length));
  // Up to 8 neighbours have one scale.
  return weigh(scaled_seconds(d, steps, steps.scale[0], length, ends));
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#endif

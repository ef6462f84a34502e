// SPDX-License-Identifier: Apache-2.0
//
// One pass over the numbers, in eight lanes. Squares are those of differences from the first number
// that counts, since those from zero would cancel where a piece of a large raster varies little.
#include "io/raster/cell_statistics.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "io/raster/cell_statistics.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef THIESSEN_IO_LANE_SUMS
#define THIESSEN_IO_LANE_SUMS
namespace thiessen::io {

/// What each lane has found.
struct LaneSums {
  using Lanes = std::array<double, detail::kStatisticsLanes>;
  alignas(64) Lanes count, least, greatest;
  alignas(64) Lanes sum, squares;  // of differences from `near`
};

}  // namespace thiessen::io
#endif

HWY_BEFORE_NAMESPACE();
namespace thiessen::io {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums of numbers that are finite and not nodata.
void add_numbers(const double* numbers, std::size_t count, double nodata, double near,
                 LaneSums& sums) {
  const hn::CappedTag<double, detail::kStatisticsLanes> d;
  const auto none = hn::Set(d, nodata);
  const auto origin = hn::Set(d, near);
  const auto one = hn::Set(d, 1);
  const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t lane = 0; lane < detail::kStatisticsLanes; lane += hn::Lanes(d)) {
    auto number_of_cells = hn::Zero(d);
    auto sum = hn::Zero(d);
    auto squares = hn::Zero(d);
    auto least = infinity;
    auto greatest = hn::Neg(infinity);
    for (std::size_t i = lane; i < count; i += detail::kStatisticsLanes) {
      const auto number = hn::Load(d, numbers + i);
      const auto counts = hn::AndNot(hn::Eq(number, none), hn::Lt(hn::Abs(number), infinity));
      const auto difference = hn::IfThenElseZero(counts, hn::Sub(number, origin));
      number_of_cells = hn::Add(number_of_cells, hn::IfThenElseZero(counts, one));
      sum = hn::Add(sum, difference);
      squares = hn::Add(squares, hn::Mul(difference, difference));
      least = hn::Min(least, hn::IfThenElse(counts, number, infinity));
      greatest = hn::Max(greatest, hn::IfThenElse(counts, number, hn::Neg(infinity)));
    }
    hn::Store(number_of_cells, d, sums.count.data() + lane);
    hn::Store(sum, d, sums.sum.data() + lane);
    hn::Store(squares, d, sums.squares.data() + lane);
    hn::Store(least, d, sums.least.data() + lane);
    hn::Store(greatest, d, sums.greatest.data() + lane);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::io
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::io {

HWY_EXPORT(add_numbers);

void CellStatistics::merge(const CellStatistics& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const auto ours = static_cast<double>(count);
  const auto theirs = static_cast<double>(other.count);
  const double delta = other.mean - mean;
  least = std::min(least, other.least);
  greatest = std::max(greatest, other.greatest);
  mean += delta * theirs / (ours + theirs);
  squares += other.squares + delta * delta * ours * theirs / (ours + theirs);
  count += other.count;
}

namespace detail {

CellStatistics statistics_of_numbers(const double* numbers, std::size_t count, double nodata) {
  const double* const first = std::find_if(numbers, numbers + count, [nodata](double number) {
    return std::isfinite(number) && number != nodata;
  });
  if (first == numbers + count) return {};
  LaneSums lanes;
  HWY_DYNAMIC_DISPATCH(add_numbers)(numbers, count, nodata, *first, lanes);
  const auto total = [](const LaneSums::Lanes& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  };
  const double cells = total(lanes.count);
  const double sum = total(lanes.sum);
  return {.count = static_cast<std::int64_t>(cells),
          .least = *std::min_element(lanes.least.begin(), lanes.least.end()),
          .greatest = *std::max_element(lanes.greatest.begin(), lanes.greatest.end()),
          .mean = *first + sum / cells,
          .squares = std::max(0.0, total(lanes.squares) - sum * sum / cells)};
}

}  // namespace detail
}  // namespace thiessen::io
#endif

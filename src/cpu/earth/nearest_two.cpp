// SPDX-License-Identifier: Apache-2.0
#include "cpu/earth/nearest_two.hpp"

#include <limits>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/earth/nearest_two.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::earth {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void find_nearest_two(const PointRows& cells, const PointRows& sites, std::size_t count,
                      NearestTwo& found) {
  const hn::CappedTag<double, kCellsAtOnce> d;
  for (std::size_t lane = 0; lane < kCellsAtOnce; lane += hn::Lanes(d)) {
    const auto cell_x = hn::Load(d, cells.x + lane);
    const auto cell_y = hn::Load(d, cells.y + lane);
    const auto cell_z = hn::Load(d, cells.z + lane);
    auto least = hn::Set(d, std::numeric_limits<double>::infinity());
    auto next = least;
    auto nearest = hn::Zero(d);
    auto number = hn::Zero(d);
    const auto one = hn::Set(d, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = hn::Sub(hn::Set(d, sites.x[i]), cell_x);
      const auto y = hn::Sub(hn::Set(d, sites.y[i]), cell_y);
      const auto z = hn::Sub(hn::Set(d, sites.z[i]), cell_z);
      const auto square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
      const auto is_nearer = hn::Lt(square, least);
      next = hn::Min(next, hn::Max(square, least));
      least = hn::Min(least, square);
      nearest = hn::IfThenElse(is_nearer, number, nearest);
      number = hn::Add(number, one);
    }
    hn::Store(least, d, found.least.data() + lane);
    hn::Store(next, d, found.next.data() + lane);
    hn::Store(nearest, d, found.site.data() + lane);
  }
}

FindNearestTwo find_nearest_two_of() { return find_nearest_two; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::earth
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::earth {

HWY_EXPORT(find_nearest_two_of);

FindNearestTwo nearest_two_kernel(std::int64_t targets) {
  return HWY_DISPATCH_TABLE(find_nearest_two_of)[dispatch_index_or_scalar(targets)]();
}

}  // namespace thiessen::cpu::earth
#endif

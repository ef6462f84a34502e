// SPDX-License-Identifier: Apache-2.0
//
// The second-order equation of Eikonal cost distance for one cell (core/cost/eikonal.hpp), and the
// site and the direction that follow from it. Kernels of the CPU have it for vectors.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/host_device.hpp"
#include "core/cost/eikonal.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/sides.hpp"

namespace thiessen::eikonal {

/// The unit vector in which a front crosses a cell; 0 at a site.
template <int kDimensions>
using FrontDirection = std::array<float, kDimensions>;

/// From which site the front comes, and over which side of the cell.
template <int kDimensions>
struct FrontSite {
  std::uint32_t rank = kNoRank;
  std::size_t side = 0;
  FrontDirection<kDimensions> direction{};
};

/// Around tells of a cell and of those over its sides:
///   ground()             the cost of the cell per unit of length
///   is_earlier(side)     whether the neighbour is earlier; of such a one
///   cost(side)           its cost
///   sees_behind(side)    whether the cell behind it, over the same side, is earlier than it
///   cost_behind(side)    and the cost there
///   ground(side)         its cost per unit of length
///   front(side)          its FrontSite, without the side
template <int kDimensions, class Around>
class Arrival {
 public:
  THIESSEN_HD Arrival(const Around& around, const AlongAxes& spacing)
      : around_(around), spacing_(spacing), own_(around.ground()) {
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) look_along(i);
    solve();
  }

  THIESSEN_HD double cost() const { return cost_; }

  /// The site of the neighbour whose front, if it went straight on to the cell as a plane, would be
  /// the first. Where sites meet, the direction of the front is that neighbour's.
  THIESSEN_HD FrontSite<kDimensions> site() const {
    FrontSite<kDimensions> chosen;
    double first = kInfinity;
    std::uint32_t low = kNoRank, high = 0;
    bool counts[kDimensions], has_least = false;
    FrontSite<kDimensions> fronts[kDimensions];
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) {
      const bool is_least = !has_least && v_[i] == least_;
      has_least = has_least || is_least;
      counts[i] = is_least || v_[i] < cost_;
      if (counts[i]) fronts[i] = around_.front(side_[i]);
    }
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) {
      if (!counts[i]) continue;
      FrontSite<kDimensions>& there = fronts[i];
      there.side = side_[i];
      low = there.rank < low ? there.rank : low;
      high = there.rank > high ? there.rank : high;
      const double straight = straight_on(i, there.direction);
      if (!(straight < first || (straight == first && there.rank < chosen.rank))) continue;
      first = straight;
      chosen = there;
    }
    if (low != high || !(own_ > 0)) return chosen;
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) {
      const double size = (cost_ - v_[i]) * scale_[i] / own_;
      chosen.direction[static_cast<std::size_t>(i)] =
          static_cast<float>(counts[i] ? (is_upper(side_[i]) ? -size : size) : 0);
    }
    return chosen;
  }

 private:
  static constexpr std::size_t kFirst = kAxes - kDimensions;

  THIESSEN_HD double spacing(int i) const { return spacing_[kFirst + static_cast<std::size_t>(i)]; }

  /// What an axis tells: the cost of the earlier neighbour of the lesser one, extrapolated by a
  /// third of the rise to it where the cell behind it counts.
  THIESSEN_HD void look_along(int i) {
    const std::size_t axis = kFirst + static_cast<std::size_t>(i);
    const auto cost_over = [&](bool above) -> double {
      const std::size_t side = side_of(axis, above);
      return around_.is_earlier(side) ? around_.cost(side) : kInfinity;
    };
    const double below = cost_over(false), above = cost_over(true);
    const std::size_t side = side_of(axis, above < below);
    side_[i] = side;
    near_[i] = v_[i] = above < below ? above : below;
    scale_[i] = 1 / spacing(i);
    if (!(near_[i] < kInfinity) || !around_.sees_behind(side)) return;
    const double behind = around_.cost_behind(side);
    if (!(behind <= near_[i])) return;
    v_[i] = near_[i] + (near_[i] - behind) / 3;
    scale_[i] = 1.5 * scale_[i];
  }

  /// Axis after axis counts, the least v first, until the cost is not above v.
  THIESSEN_HD void solve() {
    double v[kDimensions], scale[kDimensions];
    THIESSEN_UNROLL
    for (int i = 0; i < kDimensions; ++i) {
      v[i] = v_[i];
      scale[i] = scale_[i];
    }
    sort_axes(v, scale);
    least_ = v[0];
    const double square = own_ * own_;
    double a = scale[0] * scale[0], b = 0, c = 0;
    const auto root = [&] {
      const double inner = b * b - a * (c - square);
      return (b + std::sqrt(inner > 0 ? inner : 0)) / a;
    };
    double x = root();
    THIESSEN_UNROLL
    for (int i = 1; i < kDimensions; ++i) {
      const double later = v[i] - v[0];
      if (!(x > later)) break;
      const double weight = scale[i] * scale[i];
      a += weight;
      b += weight * later;
      c += weight * later * later;
      x = root();
    }
    cost_ = v[0] + x;
  }

  THIESSEN_HD double straight_on(int i, const FrontDirection<kDimensions>& there) const {
    bool is_zero = true;
    THIESSEN_UNROLL
    for (int k = 0; k < kDimensions; ++k)
      is_zero = is_zero && there[static_cast<std::size_t>(k)] == 0;
    const double part = double{there[static_cast<std::size_t>(i)]};
    const double along = is_zero ? 1 : is_upper(side_[i]) ? -part : part;
    return near_[i] + (own_ + around_.ground(side_[i])) * 0.5 * spacing(i) * along;
  }

  const Around& around_;
  const AlongAxes& spacing_;
  double own_;
  std::size_t side_[kDimensions];
  double v_[kDimensions], scale_[kDimensions], near_[kDimensions];
  double least_ = 0, cost_ = 0;
};

/// Whether a cell comes before another one.
THIESSEN_HD inline bool is_before(const double* order, std::int64_t cell, std::int64_t other) {
  return order[cell] < order[other] || (order[cell] == order[other] && cell < other);
}

/// The side over which the way back leaves a cell whose answer was known at the start, but which is
/// not that of its site: it leads to the earliest neighbour, one of the same site if there is any.
template <class RankOf>
THIESSEN_HD std::size_t side_of_known(const Axes& extent, const double* order, std::int64_t cell,
                                      const RankOf& rank_of) {
  std::size_t found = kNoSide;
  std::int64_t earliest = cell;
  bool has_site = false;
  const Axes place = to_cell(extent, cell);
  for (std::size_t side = 0; side < kSides; ++side) {
    if (!has_beyond(side, place, extent)) continue;
    const std::int64_t other = cell + step_over(side, extent);
    if (!is_before(order, other, cell)) continue;
    const bool is_own = rank_of(other) == rank_of(cell);
    if (is_own == has_site ? !is_before(order, other, earliest) : has_site) continue;
    found = side;
    earliest = other;
    has_site = is_own;
  }
  return found;
}

}  // namespace thiessen::eikonal

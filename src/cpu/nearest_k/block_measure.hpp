// SPDX-License-Identifier: Apache-2.0
//
// S between blocks of cells and boxes of sites: the least and the greatest, of all cells or by
// axes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/problem/problem.hpp"
#include "core/search/geometry.hpp"
#include "cpu/nearest_k/corner_bounds.hpp"
#include "cpu/nearest_k/site_boxes.hpp"

namespace thiessen::cpu {

/// Cells from `begin` to before `end`.
struct CellBlock {
  Axes begin, end;

  std::int64_t side(std::size_t axis) const { return end[axis] - begin[axis]; }
  std::int64_t cells() const { return side(0) * side(1) * side(2); }
};

/// A box, or a site (level 0), with the least and the greatest S to the cells of a block.
template <class Scalar>
struct SiteItem {
  int level;
  std::int64_t place;
  Scalar least, greatest;
};

template <class Geometry, class Scalar>
class BlockMeasure {
 public:
  using Item = SiteItem<Scalar>;
  using Bounds = BlockBounds<Scalar>;

  BlockMeasure(const Problem& problem, const SiteBoxes& boxes)
      : problem_(problem), boxes_(boxes), factor_(factors_of<Scalar>(problem)) {}

  /// What a difference along an axis contributes to S.
  Scalar part(std::size_t axis, std::int64_t axis_distance) const {
    return Geometry::along(factor_[axis], axis_distance);
  }

  Item item(int level, std::int64_t place, const CellBlock& block) const {
    const auto [low, high] = range_of(level, place);
    Item item{level, place, {}, {}};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const auto [least, greatest] =
          range_apart(axis, low[axis], high[axis], unit(block.begin[axis]), last(block, axis));
      item.least = axis == 0 ? part(axis, least) : Geometry::combine(item.least, part(axis, least));
      item.greatest =
          axis == 0 ? part(axis, greatest) : Geometry::combine(item.greatest, part(axis, greatest));
    }
    return item;
  }

  /// The longest side of a box or block, as a part of S.
  Scalar size_of_box(const Item& item) const {
    if (item.level == 0) return {};
    const SiteBox& box = boxes_.box(item.level, item.place);
    Scalar size{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      size = std::max(size, part(axis, box.high[axis] - box.low[axis]));
    return size;
  }
  Scalar size_of_block(const CellBlock& block) const {
    Scalar size{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      size = std::max(size, part(axis, unit(block.side(axis) - 1)));
    return size;
  }

  static std::array<std::size_t, kAxes> ends_of(const CellBlock& block) {
    std::array<std::size_t, kAxes> ends;
    for (std::size_t axis = 0; axis < kAxes; ++axis) ends[axis] = block.side(axis) > 1 ? 2 : 1;
    return ends;
  }

  Bounds bounds(const Item& item, const CellBlock& block) const {
    return bounds(item.level > 0 ? boxes_.box(item.level, item.place)
                                 : SiteBox::of(boxes_.site(item.place), item.place),
                  boxes_.sites_in(item.level, item.place), block);
  }
  /// The same for the site of a box that is first in the order of ties.
  Bounds bounds_of_first(const Item& item, const CellBlock& block) const {
    const std::int64_t place = boxes_.box(item.level, item.place).first_place;
    return bounds(SiteBox::of(boxes_.site(place), place), 1, block);
  }

 private:
  Bounds bounds(const SiteBox& box, std::int64_t sites, const CellBlock& block) const {
    Bounds bounds;
    bounds.is_one_way = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t low = box.low[axis], high = box.high[axis];
      const std::int64_t begin = unit(block.begin[axis]), end = last(block, axis);
      bounds.is_one_way = bounds.is_one_way && goes_one_way(axis, low, high, begin, end);
      const auto set = [&](std::int64_t from, std::int64_t to, Scalar& least, Scalar& greatest) {
        const auto [near, far] = range_apart(axis, low, high, from, to);
        least = part(axis, near);
        greatest = part(axis, far);
      };
      set(begin, begin, bounds.least[axis][0], bounds.greatest[axis][0]);
      set(end, end, bounds.least[axis][1], bounds.greatest[axis][1]);
      set(begin, end, bounds.least_of[axis], bounds.greatest_of[axis]);
    }
    bounds.sites = sites;
    bounds.first = box.first;
    bounds.last = box.last;
    bounds.groups = box.groups;
    return bounds;
  }

  std::int64_t unit(std::int64_t cells) const { return cells << problem_.fraction_bits; }
  std::int64_t last(const CellBlock& block, std::size_t axis) const {
    return unit(block.end[axis] - 1);
  }

  std::pair<const Axes&, const Axes&> range_of(int level, std::int64_t place) const {
    if (level == 0) return {boxes_.site(place).at, boxes_.site(place).at};
    return {boxes_.box(level, place).low, boxes_.box(level, place).high};
  }

  /// The least and the greatest distance along an axis between two ranges of coordinates, by the
  /// shorter way round on a periodic axis.
  std::pair<std::int64_t, std::int64_t> range_apart(std::size_t axis, std::int64_t low,
                                                    std::int64_t high, std::int64_t begin,
                                                    std::int64_t last) const {
    const std::int64_t least = low - last, greatest = high - begin;  // of the differences
    const std::int64_t period = problem_.period[axis];
    if (period == kNoPeriod)
      return {std::max({std::int64_t{0}, least, -greatest}), std::max(-least, greatest)};
    const auto round = [&](std::int64_t difference) {
      return periodic_distance(0, std::abs(difference), period);
    };
    const auto holds = [&](std::int64_t difference) {
      return least <= difference && difference <= greatest;
    };
    const bool meets = holds(0) || holds(period) || holds(-period);
    const bool is_opposite = (2 * least <= period && period <= 2 * greatest) ||
                             (2 * least <= -period && -period <= 2 * greatest);
    return {meets ? 0 : std::min(round(least), round(greatest)),
            is_opposite ? period / 2 : std::max(round(least), round(greatest))};
  }

  /// Whether the shorter way round leads from all coordinates of a range to all of another one in
  /// the same direction, and over the same edge if over one.
  bool goes_one_way(std::size_t axis, std::int64_t low, std::int64_t high, std::int64_t begin,
                    std::int64_t last) const {
    const std::int64_t period = problem_.period[axis];
    if (period == kNoPeriod) return true;
    const auto goes = [&](std::int64_t shift) {
      return 2 * std::abs(low - last + shift) <= period &&
             2 * std::abs(high - begin + shift) <= period;
    };
    return goes(0) || goes(period) || goes(-period);
  }

  const Problem& problem_;
  const SiteBoxes& boxes_;
  std::array<Scalar, kAxes> factor_;
};

}  // namespace thiessen::cpu

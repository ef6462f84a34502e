// SPDX-License-Identifier: Apache-2.0
//
// S between blocks of cells and boxes of sites: the least and the greatest, of all cells or at the
// corners of the block.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/geometry.hpp"
#include "core/problem.hpp"
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
  using AtCorners = typename CornerBounds<Scalar>::Bounds;

  BlockMeasure(const Problem& problem, const SiteBoxes& boxes)
      : problem_(problem), boxes_(boxes), factor_(factors_of<Scalar>(problem)) {}

  /// What a difference along an axis contributes to S.
  Scalar part(std::size_t axis, std::int64_t apart_by) const {
    return Geometry::along(factor_[axis], apart_by);
  }

  Item item(int level, std::int64_t place, const CellBlock& block) const {
    const auto [low, high] = range_of(level, place);
    Item item{level, place, {}, {}};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const auto [least, greatest] =
          range_apart(axis, low[axis], high[axis], unit(block.begin[axis]), last(block, axis));
      item.least = axis == 0 ? part(axis, least) : Geometry::join(item.least, part(axis, least));
      item.greatest =
          axis == 0 ? part(axis, greatest) : Geometry::join(item.greatest, part(axis, greatest));
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

  static std::size_t corners_of(const CellBlock& block) {
    std::size_t corners = 1;
    for (std::size_t axis = 0; axis < kAxes; ++axis) corners *= block.side(axis) > 1 ? 2 : 1;
    return corners;
  }

  /// What neither beats nor is beaten, where the shorter way round is not the same for all cells.
  AtCorners at_corners(const Item& item, const CellBlock& block) const {
    const auto [low, high] = range_of(item.level, item.place);
    std::array<Ends, kAxes> ends;
    bool is_one_way = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t begin = unit(block.begin[axis]), end = last(block, axis);
      is_one_way = is_one_way && goes_one_way(axis, low[axis], high[axis], begin, end);
      ends[axis].size = begin == end ? 1 : 2;
      ends[axis].set(0, parts(axis, low[axis], high[axis], begin));
      if (begin != end) ends[axis].set(1, parts(axis, low[axis], high[axis], end));
    }
    AtCorners bounds;
    bounds.sites = boxes_.sites_in(item.level, item.place);
    std::size_t corner = 0;
    for (std::size_t z = 0; z < ends[0].size; ++z)
      for (std::size_t y = 0; y < ends[1].size; ++y)
        for (std::size_t x = 0; x < ends[2].size; ++x, ++corner) {
          bounds.least[corner] = join(ends[0].least[z], ends[1].least[y], ends[2].least[x]);
          bounds.greatest[corner] =
              join(ends[0].greatest[z], ends[1].greatest[y], ends[2].greatest[x]);
        }
    if (!is_one_way) {
      bounds.least.fill(Scalar{});
      bounds.greatest.fill(std::numeric_limits<Scalar>::max());
    }
    return bounds;
  }

 private:
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
      return apart(0, std::abs(difference), period);
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

  /// The least and the greatest part of S at both ends of a block, or at one where they are equal.
  struct Ends {
    std::size_t size;
    std::array<Scalar, 2> least, greatest;

    void set(std::size_t end, const std::pair<Scalar, Scalar>& parts) {
      least[end] = parts.first;
      greatest[end] = parts.second;
    }
  };

  /// The least and the greatest part of S between a range and a coordinate.
  std::pair<Scalar, Scalar> parts(std::size_t axis, std::int64_t low, std::int64_t high,
                                  std::int64_t at) const {
    const auto [least, greatest] = range_apart(axis, low, high, at, at);
    return {part(axis, least), part(axis, greatest)};
  }

  static Scalar join(Scalar z, Scalar y, Scalar x) {
    return Geometry::join(Geometry::join(z, y), x);
  }

  const Problem& problem_;
  const SiteBoxes& boxes_;
  std::array<Scalar, kAxes> factor_;
};

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
//
// The passes of separable_slab.cu: those of separable_passes.hpp, where the site of a line along
// the first axis may lie beyond the slab. Coordinates of sites along that axis are those in the
// whole raster, and so are their indices; cells are those of the slab.
#pragma once

#include <cstdint>

#include "core/order/torus.hpp"
#include "core/slabs/slab.hpp"
#include "cuda/job/results.hpp"
#include "cuda/lines/separable_passes.hpp"

namespace thiessen::cuda::lines {

/// The sites of a slab and those beyond it, by their index in the whole raster.
struct SlabSites {
  Neighbours above;
  Neighbours below;
  Axes whole{};   ///< extents of the raster
  Axes period{};  ///< its periods
  std::int64_t columns = 0;
  std::int32_t first = 0;  ///< coordinate of the slab's first row or plane
  std::int32_t axis = 0;   ///< along which slabs lie

  THIESSEN_HD std::int64_t period_along() const { return period[static_cast<std::size_t>(axis)]; }

  /// The coordinate of the place whose image a face tells of.
  THIESSEN_HD std::int32_t coordinate_of(std::int32_t image) const {
    return static_cast<std::int32_t>(unwrap(image, period_along()));
  }

  /// The nearest of what lies above, below and in the slab, which may be images; of two equally
  /// near ones that with the smaller coordinate. Or kNoSite.
  THIESSEN_HD std::int32_t nearest(const sites::LineBits& own, std::int64_t outer,
                                   std::int64_t inner, std::int32_t at) const {
    const std::int32_t last = own.last_to(outer, inner, at);
    const std::int32_t next = own.first_from(outer, inner, at);
    const std::int32_t up = last != sites::kNoneBefore    ? first + last
                            : above.coordinate != nullptr ? above.coordinate[inner]
                                                          : kNoSite;
    const std::int32_t down = next != sites::kNoneAfter     ? first + next
                              : below.coordinate != nullptr ? below.coordinate[inner]
                                                            : kNoSite;
    if (up == kNoSite && down == kNoSite) return kNoSite;
    if (up == kNoSite) return coordinate_of(down);
    if (down == kNoSite) return coordinate_of(up);
    const std::int32_t to_up = first + at - up;
    const std::int32_t to_down = down - first - at;
    const bool takes_down =
        to_down < to_up || (to_down == to_up && coordinate_of(down) < coordinate_of(up));
    return coordinate_of(takes_down ? down : up);
  }

  // What write_result() asks of sites.

  THIESSEN_HD const std::byte* label(const Job& job, std::int64_t site) const {
    const std::int32_t element = job.out.labels.element;
    const std::int64_t own = site - first * columns;
    if (own >= 0 && own < job.cells()) return job.labels.bytes + own * element;
    const std::int64_t column = site % columns;
    const bool is_above = above.coordinate != nullptr && above.coordinate[column] != kNoSite &&
                          coordinate_of(above.coordinate[column]) == site / columns;
    return (is_above ? above.labels : below.labels) + column * element;
  }
  THIESSEN_HD std::int64_t index(const Job&, std::int64_t site) const { return site; }
  THIESSEN_HD Axes way(const Job& job, std::int64_t cell, std::int64_t site) const {
    Axes from = to_cell(job.extent, cell);
    from[static_cast<std::size_t>(axis)] += first;
    return Images{job.metric, job.factor, period}.way(from, to_cell(whole, site));
  }
};

/// The data that the passes of a slab use.
template <class Geometry, class Scalar>
struct SlabPassOf : PassOf<Geometry, Scalar> {
  SlabSites sites;

  /// S along the first axis from a row or plane of the slab to the coordinate of a site.
  THIESSEN_HD Scalar along_first(std::int32_t own, std::int32_t site) const {
    return Geometry::along(this->factor[static_cast<std::size_t>(sites.axis)],
                           periodic_distance(sites.first + own, site, sites.period_along()));
  }
  THIESSEN_HD void write(std::int64_t cell, std::int64_t site, Scalar exact) const {
    write_result(this->job, cell, site, exact, sites);
  }
};

/// 2-D, along x. Leaves hold the coordinate of the nearest site of each column, or kNoSite.
template <class Geometry, class TheScalar>
struct SlabFlatRows : SlabPassOf<Geometry, TheScalar> {
  using Leaf = std::int32_t;
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    return this->sites.nearest(this->first, line.z, x, line.y);
  }
  THIESSEN_HD bool exists(Leaf y) const { return y != kNoSite; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, Leaf y, std::int32_t x,
                                       std::int32_t position) const {
    return {this->along_first(line.y, y), std::int64_t{y} * this->width() + x, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, Leaf y, std::int32_t at,
                          TheScalar exact) const {
    this->write(line.cell + x, std::int64_t{y} * this->width() + at, exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    this->write(line.cell + x, kUnreached, TheScalar{0});
  }
};

/// 3-D, along y in a plane. Leaves hold the z of the nearest site of each line along z, or kNoSite.
/// The y of the winner is kept.
template <class Geometry, class TheScalar>
struct SlabPlaneColumns : SlabPassOf<Geometry, TheScalar> {
  using Leaf = std::int32_t;
  using Line = ColumnLine;
  static constexpr std::int32_t kMostTogether = 32;

  std::int32_t* winner = nullptr;  ///< y of the winner of each cell; -1: none

  THIESSEN_HD static constexpr std::size_t axis() { return 1; }
  THIESSEN_HD Line line(std::int64_t number) const { return ColumnLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t y) const {
    return this->sites.nearest(this->first, 0, y * this->width() + line.x, line.z);
  }
  THIESSEN_HD bool exists(Leaf z) const { return z != kNoSite; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, Leaf z, std::int32_t y,
                                       std::int32_t position) const {
    return {this->along_first(line.z, z), std::int64_t{z} * this->height() + y, position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t y, Leaf, std::int32_t at,
                          TheScalar) const {
    winner[cell(line, y)] = at;
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t y) const {
    winner[cell(line, y)] = -1;
  }

 private:
  THIESSEN_HD std::int64_t cell(const Line& line, std::int32_t y) const {
    return (std::int64_t{line.z} * this->height() + y) * this->width() + line.x;
  }
};

/// 3-D, along x. Leaves are the results of the planes' columns.
template <class Geometry, class TheScalar>
struct SlabPlaneRows : SlabPassOf<Geometry, TheScalar> {
  struct Leaf {
    std::int32_t z;
    std::int32_t y;  ///< -1: none
  };
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  const std::int32_t* winner = nullptr;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    const std::int32_t y = winner[line.cell + x];
    if (y < 0) return {0, -1};
    return {this->sites.nearest(this->first, 0, y * this->width() + x, line.z), y};
  }
  THIESSEN_HD bool exists(const Leaf& leaf) const { return leaf.y >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, const Leaf& leaf, std::int32_t x,
                                       std::int32_t position) const {
    return {Geometry::combine(this->along_first(line.z, leaf.z), this->across(1, line.y, leaf.y)),
            index_of(leaf, x), position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, const Leaf& leaf, std::int32_t at,
                          TheScalar exact) const {
    this->write(line.cell + x, index_of(leaf, at), exact);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    this->write(line.cell + x, kUnreached, TheScalar{0});
  }

 private:
  THIESSEN_HD std::int64_t index_of(const Leaf& leaf, std::int32_t x) const {
    return (std::int64_t{leaf.z} * this->height() + leaf.y) * this->width() + x;
  }
};

}  // namespace thiessen::cuda::lines

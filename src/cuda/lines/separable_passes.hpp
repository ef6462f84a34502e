// SPDX-License-Identifier: Apache-2.0
//
// The passes of separable.cu. Index is an integer for coordinates. kHasWeights: sites have weights
// of the kind power. S in Interval is then the key S·u − w, for S·u in the unit of the weights
// (factors of passes are multiples of u), and leaves keep w.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/job/results.hpp"
#include "cuda/lines/pass.hpp"
#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda::lines {

/// The data that all passes use. First::nearest(outer, inner, at) is the coordinate of the best
/// site of a line along the first axis, as of LineBits.
template <class TheGeometry, class TheScalar, class First = sites::LineBits>
struct PassOf {
  using Geometry = TheGeometry;
  using Scalar = TheScalar;

  Job job;
  const std::int32_t* open = nullptr;  ///< null, or on the device: 0 if there is nothing to do
  First first;                         ///< sites along the first axis
  Scalar factor[kAxes];

  /// The part of a difference of coordinates in S. Only wide integers do periodic axes.
  THIESSEN_HD Scalar across(std::size_t axis, std::int32_t a, std::int32_t b) const {
    if constexpr (sizeof(Scalar) < sizeof(std::int64_t))
      return Geometry::along(factor[axis], a - b);
    else
      return Geometry::along(factor[axis], periodic_distance(a, b, job.period[axis]));
  }
  THIESSEN_HD LineCount lines(std::size_t axis) const { return all_lines(job, axis); }
  THIESSEN_HD std::int32_t height() const { return static_cast<std::int32_t>(job.extent[1]); }
  THIESSEN_HD std::int64_t width() const { return job.extent[2]; }
};

/// The best sites of lines with weights: a coordinate for each cell; -1: its line has none.
template <class Index>
struct BestOfLines {
  Index* coordinate = nullptr;
  std::int64_t lines = 0;

  THIESSEN_HD std::int64_t cell(std::int64_t line, std::int32_t at) const {
    return at * lines + line;
  }
  THIESSEN_HD std::int32_t nearest(std::int64_t /*outer*/, std::int64_t inner,
                                   std::int32_t at) const {
    const Index best = coordinate[cell(inner, at)];
    return best < 0 ? kNoSite : best;
  }
};

/// What leaves know of the weight of their site.
template <class Scalar, bool kHasWeights>
struct LeafWeight {
  Scalar weight;

  THIESSEN_HD Scalar key(Scalar squared) const { return squared - weight; }
};
template <class Scalar>
struct LeafWeight<Scalar, false> {
  THIESSEN_HD Scalar key(Scalar squared) const { return squared; }
};

/// The data of the passes that lead to the outputs.
template <class Geometry, class TheScalar, class Index, bool kHasWeights>
struct SitePassOf : PassOf<Geometry, TheScalar,
                           std::conditional_t<kHasWeights, BestOfLines<Index>, sites::LineBits>> {
  using Weight = LeafWeight<TheScalar, kHasWeights>;

  THIESSEN_HD Weight weight_of(std::int64_t site) const {
    if constexpr (kHasWeights)
      return {static_cast<TheScalar>(this->job.weights.exact[site])};
    else
      return {};
  }
  THIESSEN_HD void write(std::int64_t cell, std::int64_t site, TheScalar key,
                         const Weight& weight) const {
    if constexpr (kHasWeights) {
      const auto factor = static_cast<TheScalar>(this->job.weights.keys.factor);
      const TheScalar squared = key + weight.weight;
      write_weighted_result(this->job, cell, site,
                            factor == 1 ? squared : squared / (factor * factor));
    } else {
      write_result(this->job, cell, site, key);
    }
  }
  THIESSEN_HD void write_none(std::int64_t cell) const {
    if constexpr (kHasWeights)
      write_weighted_result(this->job, cell, kUnreached, TheScalar{0});
    else
      write_result(this->job, cell, kUnreached, TheScalar{0});
  }
};

/// With weights, along the first axis: y in 2-D, z in 3-D. Leaves are the weights of the sites of a
/// line, whose number is that of its first cell.
template <class Geometry, class TheScalar, class Index>
struct FirstLines : SitePassOf<Geometry, TheScalar, Index, true> {
  using Leaf = TheScalar;
  using Line = std::int64_t;
  static constexpr std::int32_t kMostTogether = 32;
  static constexpr Leaf kNone = -greatest_of<TheScalar>();

  THIESSEN_HD std::size_t axis() const { return this->job.rank == 2 ? 1 : 0; }
  THIESSEN_HD Line line(std::int64_t number) const { return number; }
  THIESSEN_HD Leaf load(Line line, std::int32_t at) const {
    const std::int64_t cell = this->first.cell(line, at);
    return class_of(this->job, cell) == kSiteCell ? this->weight_of(cell).weight : kNone;
  }
  THIESSEN_HD bool exists(Leaf weight) const { return weight != kNone; }
  THIESSEN_HD Interval<TheScalar> site(Line, Leaf weight, std::int32_t at,
                                       std::int32_t position) const {
    return {-weight, at, position, 0};
  }
  THIESSEN_HD void finish(Line line, std::int32_t x, Leaf, std::int32_t at, TheScalar) const {
    this->first.coordinate[this->first.cell(line, x)] = static_cast<Index>(at);
  }
  THIESSEN_HD void finish_none(Line line, std::int32_t x) const {
    this->first.coordinate[this->first.cell(line, x)] = -1;
  }
};

/// A row: (z, y).
struct RowLine {
  std::int32_t z;
  std::int32_t y;
  std::int64_t cell;  ///< its first cell

  THIESSEN_HD static RowLine at(const Job& job, std::int64_t number) {
    return {static_cast<std::int32_t>(number / job.extent[1]),
            static_cast<std::int32_t>(number % job.extent[1]), number * job.extent[2]};
  }
};

/// A line along y: (z, x).
struct ColumnLine {
  std::int32_t z;
  std::int32_t x;

  THIESSEN_HD static ColumnLine at(const Job& job, std::int64_t number) {
    return {static_cast<std::int32_t>(number / job.extent[2]),
            static_cast<std::int32_t>(number % job.extent[2])};
  }
};

/// 2-D, along x. Leaves hold the row of the nearest site of each column; -1: the column has none.
template <class Geometry, class TheScalar, class Index, bool kHasWeights>
struct FlatRows : SitePassOf<Geometry, TheScalar, Index, kHasWeights> {
  struct Leaf : LeafWeight<TheScalar, kHasWeights> {
    Index y;
  };
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    const std::int32_t y = this->first.nearest(line.z, x, line.y);
    if (y == kNoSite) return {{}, -1};
    return {this->weight_of(y * this->width() + x), static_cast<Index>(y)};
  }
  THIESSEN_HD bool exists(const Leaf& leaf) const { return leaf.y >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, const Leaf& leaf, std::int32_t x,
                                       std::int32_t position) const {
    return {leaf.key(this->across(1, line.y, leaf.y)), std::int64_t{leaf.y} * this->width() + x,
            position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, const Leaf& leaf, std::int32_t at,
                          TheScalar exact) const {
    const std::int64_t row = std::int64_t{line.z} * this->job.extent[1] + leaf.y;
    this->write(line.cell + x, row * this->width() + at, exact, leaf);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    this->write_none(line.cell + x);
  }
};

/// 3-D, along y in a plane. Leaves hold the z of the nearest site of each line along z; -1: it has
/// none. The y of the winner is kept.
template <class Geometry, class TheScalar, class Index, bool kHasWeights>
struct PlaneColumns : SitePassOf<Geometry, TheScalar, Index, kHasWeights> {
  struct Leaf : LeafWeight<TheScalar, kHasWeights> {
    Index z;
  };
  using Line = ColumnLine;
  static constexpr std::int32_t kMostTogether = 32;

  Index* winner = nullptr;  ///< y of the winner of each cell; -1: none

  THIESSEN_HD static constexpr std::size_t axis() { return 1; }
  THIESSEN_HD Line line(std::int64_t number) const { return ColumnLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t y) const {
    const std::int32_t z = this->first.nearest(0, y * this->width() + line.x, line.z);
    if (z == kNoSite) return {{}, -1};
    const std::int64_t row = std::int64_t{z} * this->height() + y;
    return {this->weight_of(row * this->width() + line.x), static_cast<Index>(z)};
  }
  THIESSEN_HD bool exists(const Leaf& leaf) const { return leaf.z >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, const Leaf& leaf, std::int32_t y,
                                       std::int32_t position) const {
    return {leaf.key(this->across(0, line.z, leaf.z)), std::int64_t{leaf.z} * this->height() + y,
            position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t y, const Leaf&, std::int32_t at,
                          TheScalar) const {
    winner[cell(line, y)] = static_cast<Index>(at);
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
template <class Geometry, class TheScalar, class Index, bool kHasWeights>
struct PlaneRows : SitePassOf<Geometry, TheScalar, Index, kHasWeights> {
  struct Leaf : LeafWeight<TheScalar, kHasWeights> {
    Index z;
    Index y;  ///< -1: none
  };
  using Line = RowLine;
  static constexpr std::int32_t kMostTogether = 1;

  const Index* winner = nullptr;

  THIESSEN_HD static constexpr std::size_t axis() { return 2; }
  THIESSEN_HD Line line(std::int64_t number) const { return RowLine::at(this->job, number); }
  THIESSEN_HD Leaf load(const Line& line, std::int32_t x) const {
    const Index y = winner[line.cell + x];
    if (y < 0) return {{}, 0, -1};
    const std::int32_t z = this->first.nearest(0, y * this->width() + x, line.z);
    const std::int64_t row = std::int64_t{z} * this->height() + y;
    return {this->weight_of(row * this->width() + x), static_cast<Index>(z), y};
  }
  THIESSEN_HD bool exists(const Leaf& leaf) const { return leaf.y >= 0; }
  THIESSEN_HD Interval<TheScalar> site(const Line& line, const Leaf& leaf, std::int32_t x,
                                       std::int32_t position) const {
    const TheScalar squared =
        Geometry::combine(this->across(0, line.z, leaf.z), this->across(1, line.y, leaf.y));
    return {leaf.key(squared), index_of(leaf, x), position, 0};
  }
  THIESSEN_HD void finish(const Line& line, std::int32_t x, const Leaf& leaf, std::int32_t at,
                          TheScalar exact) const {
    this->write(line.cell + x, index_of(leaf, at), exact, leaf);
  }
  THIESSEN_HD void finish_none(const Line& line, std::int32_t x) const {
    this->write_none(line.cell + x);
  }

 private:
  THIESSEN_HD std::int64_t index_of(const Leaf& leaf, std::int32_t x) const {
    return (std::int64_t{leaf.z} * this->height() + leaf.y) * this->width() + x;
  }
};

}  // namespace thiessen::cuda::lines

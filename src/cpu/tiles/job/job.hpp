// SPDX-License-Identifier: Apache-2.0
//
// Plain data that the kernels of the tile engine work on, the same for every instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/cell_access.hpp"
#include "core/base/engine_limits.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/tiles/job/blocks.hpp"

namespace thiessen::cpu::tiles {

/// Cells of a raster in memory.
template <class Byte>
struct Cells {
  Byte* bytes = nullptr;
  Axes stride{};
  std::int64_t element = 0;  ///< bytes of an element

  explicit operator bool() const { return bytes != nullptr; }
  bool contiguous() const { return stride[2] == element; }
  Byte* at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return bytes + z * stride[0] + y * stride[1] + x * stride[2];
  }
};

enum class ListState : std::uint8_t {
  none,  ///< nothing around for the near search by lists
  all,   ///< all sites are listed
  full,  ///< the sites do not fit
};

/// The site cells of each row, in order.
struct SiteLists {
  std::uint16_t* x = nullptr;      ///< modulo 2^16
  std::uint32_t* label = nullptr;  ///< if Job::fused; else labels are read where they lie
  std::int64_t capacity = 0;       ///< room for the sites of one unit row
  ListState* state = nullptr;      ///< one for each unit row
  std::uint32_t* row = nullptr;    ///< the first site of each row
  /// For each word of each row, the range of the sites from kMarginX columns before it to kMarginX
  /// after.
  std::uint32_t* begin = nullptr;
  std::uint32_t* end = nullptr;
};

/// A level of the near search by lists is tried if a cell should find so many sites on average, by
/// the density around: then the first try finds the winners of most leaves.
inline constexpr std::int64_t kSitesInReach = 6;

/// A level of that search: any site with S <= bound lies within `margin` cells on every axis.
struct NearLevel {
  std::int32_t bound = 0;
  std::array<std::int32_t, kAxes> margin{};
  std::int32_t offsets = 0;  ///< cells with S <= bound around a cell
  std::int32_t window = 0;   ///< cells within the margins of a leaf
};

/// The tables of the near search by lists. A key is S << kRankBits | rank in 16 bits. Greater ones
/// become the greatest key; that happens only beyond the bound of every level.
struct NearTables {
  static constexpr int kRankBits = 7;
  static constexpr std::int32_t kMostRanks = 1 << kRankBits;
  static constexpr std::int32_t kMostExact = (1 << (16 - kRankBits)) - 1;
  static constexpr std::int64_t kReach = 40;  ///< differences of coordinates are -40 .. 39

  using Lanes = std::array<std::uint16_t, 2 * kLeafWidth>;
  /// The part of a difference in the keys of two neighbouring rows of a leaf. x: for a site at
  /// column j - kMarginX of the leaf, for each column; y: for a site j - kReach rows below the
  /// first of the two rows; z: the same for both rows.
  alignas(64) std::array<Lanes, kLeafWidth + 2 * kMarginX> x;
  alignas(64) std::array<Lanes, 2 * kReach> y;
  alignas(64) std::array<Lanes, 2 * kReach> z;
  std::array<NearLevel, 20> level;
  int levels = 0;
  int levels_of_next = 0;  ///< levels that look no further than the next unit rows
  int first_levels = 0;    ///< and the number of those that are tried first
  /// The search skips a unit if it, or one of those around it, has fewer sites.
  int fewest_sites = 0;
};

/// The tables of the dense search: differences of coordinates from a cell to a site, in the order
/// (S, dz, dy, dx), which for one cell is that of (S, site index). All differences up to the S of
/// the last one are listed, except those beyond a max distance. The winner of a cell is the first
/// difference that leads to a site; its place in this list is called the cell's offset.
struct DenseTables {
  static constexpr int kMost = 253;
  static constexpr int kUnreached = 254;  ///< offset of a cell without a site in range
  static constexpr int kNodata = 255;     ///< offset of a nodata cell
  template <class T>
  using Table = std::array<T, 256>;

  int count = 0;
  bool complete = false;  ///< all that is in range is listed: cells without an offset are unreached
  bool short_labels = false;    ///< `label32` can be used
  Table<std::int32_t> word;     ///< in DenseWindow::words; beyond the last offset that of the cell
                                ///< itself
  Table<std::int32_t> columns;  ///< greatest |dx| up to and with this offset
  Table<std::int64_t> label;    ///< bytes from a cell's label to the site's
  alignas(64) Table<std::int32_t> label32;
  Table<std::int64_t> site;   ///< from a cell's linear index to the site's
  Table<std::int32_t> exact;  ///< S; -1 for kUnreached, -2 for kNodata
  alignas(64) Table<float> distance;
};

/// The search that wrote a leaf; no search writes leaves with rows outside of RowRange.
enum class SolvedBy : std::uint8_t { none, dense, near, far, lines, outside_rows };

/// Writes everything that has no fast way: any output, any strides. Changes `winners`.
using WriteGeneral = void (*)(const void* writer, const Chunk& chunk,
                              Winners<std::int64_t>& winners);

/// Outputs that windows write themselves, contiguous along x. Other searches leave them to
/// Job::write_general.
struct WindowOutputs {
  Cells<std::byte> distance;  ///< of 8 bytes; of 4 too if `is_inside`
  /// Distances are negated, and cells with S = 0 keep what they have.
  bool is_inside = false;
  Cells<std::byte> squared;
  Cells<std::byte> site_index;
  bool are_large = false;                ///< each is more than the caches hold
  const void* general_writer = nullptr;  ///< the writer of what is left after these, or null
};

struct Job {
  const EngineLimits* limits = nullptr;
  Axes extent{};
  Axes leaves{};  ///< along each axis
  Axes units{};
  std::array<bool, kAxes> periodic{};  ///< only for the far search
  Metric metric = Metric::euclidean;
  std::array<std::int64_t, kAxes> factor{};  ///< the factors of S

  const SiteRule* rule = nullptr;
  const CellReader* sites = nullptr;
  Cells<const std::byte> labels;
  bool plain = false;  ///< sites are the cells that are neither zero nor NaN
  bool fused = false;  ///< also, the labels are these cells, of 4 bytes
  /// For a list of points: `sites` holds for each cell the number of the first point in it, from 1
  /// on. This number decides ties, and `labels` are those of the points, one after the other.
  const std::int32_t* numbers = nullptr;

  Bitmap bits;                ///< sites
  bool inverts_bits = false;  ///< they are those that another run has marked, inverted
  Bitmap nodata;              ///< if there are any
  /// For distances to the boundary: along each axis, the cells whose next one has another value.
  std::array<Bitmap, kAxes> edges;
  std::uint16_t* unit_sites = nullptr;  ///< number of sites of each unit
  /// Number of the patches of sites that begin in each unit, but for its upper rows: sites without
  /// another one to the left or in the three cells above. Null if nothing is known of them.
  std::uint16_t* unit_patches = nullptr;
  SiteLists lists;
  const NearTables* near = nullptr;
  const DenseTables* dense = nullptr;

  std::int64_t limit = INT64_MAX;  ///< greatest S in range; this value: no limit
  bool special = false;            ///< there may be cells without a site: a limit, or nodata
  std::uint64_t unreached_label = 0;
  std::uint64_t nodata_label = 0;

  Cells<std::byte> out_labels;    ///< contiguous along x
  Cells<std::byte> out_distance;  ///< of 4 bytes, contiguous along x
  bool large_labels = false;      ///< more than the caches hold
  bool large_distance = false;
  bool stream_labels = false;  ///< write rows of leaves past the caches: they are whole lines
  bool stream_distance = false;
  const Weights* weights = nullptr;  ///< from S to distances
  WriteGeneral write_general = nullptr;
  const void* general_writer = nullptr;
  WindowOutputs window_out;

  SolvedBy* solved = nullptr;  ///< of each leaf

  /// Only rows (z, y) from this one to before that one are written; they are whole leaves.
  Axes begin{};
  Axes end{};
  bool is_written(std::int64_t z, std::int64_t y) const {
    return z >= begin[0] && z < end[0] && y >= begin[1] && y < end[1];
  }

  bool is_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }
  /// Whether the order of the sites differs from that of their places.
  bool orders_sites_itself() const { return numbers != nullptr || is_periodic(); }
  /// Whether a distance is unit·√S, not unit·S.
  bool is_root() const { return metric == Metric::euclidean; }
  /// The part of a difference >= 0 along one axis in S.
  std::int64_t along(std::size_t axis, std::int64_t delta) const {
    return factor[axis] * (is_root() ? delta * delta : delta);
  }
  /// The limit, for searches with S of 32 bits.
  std::optional<std::int32_t> limit32() const {
    return limit < INT32_MAX ? std::optional(static_cast<std::int32_t>(limit)) : std::nullopt;
  }
  bool wants_exact() const { return out_distance || write_general != nullptr || special; }
  std::int64_t leaf_index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * leaves[1] + y) * leaves[2] + x;
  }
  std::int64_t unit_index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * units[1] + y) * units[2] + x;
  }
};

}  // namespace thiessen::cpu::tiles

// SPDX-License-Identifier: Apache-2.0
//
// From what backends count to the tables that users get.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/statistics/cell_moments.hpp"
#include "core/statistics/problem.hpp"
#include "core/statistics/slot_sums.hpp"

namespace thiessen {

/// What is known of the place of a label.
template <int kRank, class Sum>
struct LabelPlace {
  CellMoments<kRank, Sum> moments;
  CellBox<kRank> box;
};

inline double volume_of_cell(const LabelRaster& raster) {
  return raster.spacing[0] * raster.spacing[1] * raster.spacing[2];
}

/// Empties a table, and takes the memory for so many rows if it has less.
void begin_rows(std::size_t labels, SiteStatistics& table);

/// The centroid and the second moments of cells, in units of spacing.
template <int kRank>
struct Spread {
  double centroid[kRank];
  double second_moments[kRank][kRank];
};

/// There are cells.
template <int kRank, class Sum>
THIESSEN_HD Spread<kRank> spread_of(const CellMoments<kRank, Sum>& moments, const double* spacing) {
  Spread<kRank> spread;
  typename CellMoments<kRank, Sum>::Mean means[kRank];
  for (int i = 0; i < kRank; ++i) {
    means[i] = moments.mean(i);
    spread.centroid[i] = moments.to_double(means[i]) * spacing[i];
  }
  for (int i = 0; i < kRank; ++i)
    for (int j = i; j < kRank; ++j)
      spread.second_moments[i][j] = spread.second_moments[j][i] =
          moments.central(i, j, means[i], means[j]) * (spacing[i] * spacing[j]);
  return spread;
}

/// Appends a row with the place of a label, which has cells.
template <int kRank, class Sum>
void append_place(const LabelPlace<kRank, Sum>& place, const LabelRaster& raster,
                  SiteStatistics& table) {
  const auto& [moments, box] = place;
  const Spread<kRank> spread = spread_of(moments, raster.spacing.data() + kAxes - kRank);
  table.cells.push_back(moments.cells);
  table.volume.push_back(static_cast<double>(moments.cells) * volume_of_cell(raster));
  table.centroid.insert(table.centroid.end(), spread.centroid, spread.centroid + kRank);
  for (const auto& row : spread.second_moments)
    table.second_moments.insert(table.second_moments.end(), row, row + kRank);
  table.first.insert(table.first.end(), box.first, box.first + kRank);
  table.last.insert(table.last.end(), box.last, box.last + kRank);
}

/// The same for the mass of a label: sum(0) is that of the field, sum(1 + axis) that of its
/// products with a coordinate.
template <int kRank, class Sum>
void append_mass(const Sum& sum, const LabelRaster& raster, SiteStatistics& table) {
  const double* const spacing = raster.spacing.data() + kAxes - kRank;
  const ScaledNumber mass = sum(0);
  table.mass.push_back(to_double(mass));
  for (int axis = 0; axis < kRank; ++axis)
    table.mass_centroid.push_back(ratio(sum(1 + axis), mass) * spacing[axis]);
}

/// The same for its distances.
inline void append_distances(const DistanceCounts& counts, const ScaledNumber& sum,
                             SiteStatistics& table) {
  table.greatest_distance.push_back(counts.greatest_or_nan());
  table.mean_distance.push_back(counts.mean(sum));
}

/// The kinds of contacts: across a face along each axis of (z, y, x), and others.
inline constexpr int kContactKinds = kAxes + 1;
inline constexpr int kAcrossRows = 1;
inline constexpr int kAlongRows = 2;
inline constexpr int kDiagonal = 3;
using ContactCounts = std::array<std::int64_t, kContactKinds>;

/// The area of a face of a cell across each axis.
inline std::array<double, kAxes> faces_of_cell(const LabelRaster& raster) {
  std::array<double, kAxes> faces{1, 1, 1};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    for (std::size_t other = 0; other < kAxes; ++other)
      if (other != axis) faces[axis] *= raster.spacing[other];
  return faces;
}

/// The number of contacts of all kinds, and the length or the area of those across faces.
struct Boundary {
  std::int64_t contacts;
  double size;
};
THIESSEN_HD inline Boundary boundary_of(const ContactCounts& counts,
                                        const std::array<double, kAxes>& faces) {
  Boundary boundary{counts[kDiagonal], 0};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    boundary.contacts += counts[axis];
    if (counts[axis] != 0) boundary.size += static_cast<double>(counts[axis]) * faces[axis];
  }
  return boundary;
}

/// Labels by slots, of which 0 is none, and the pairs that touch.
struct TouchingPairs {
  std::span<const LabelKey> keys;           ///< of each slot
  std::span<const std::uint32_t> in_order;  ///< the slots from 1 on, ascending by label
  std::span<const std::uint64_t> pairs;     ///< one slot << 32 | the other
  std::span<const ContactCounts> counts;    ///< of each pair
};

Adjacency make_adjacency(const LabelRaster& raster, const TouchingPairs& touching);

/// The slots 1 … of keys, ascending by label; `slots` is some order of them that may be right.
void sort_slots(std::span<const LabelKey> keys, ElementType type,
                std::vector<std::uint32_t>& slots);

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// Searches rows outward from that of the cell. In a row only the nearest site on either side can be
// nearest to the cell. A row that is farther than the best site so far ends the search.
#include "cpu/tiles/cells/cell_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "core/search/special_values.hpp"

namespace thiessen::cpu::tiles {
namespace {

class CellSearch {
 public:
  CellSearch(const Job& job, const Axes& cell, std::int64_t rows, NearestCell& best)
      : job_(job), cell_(cell), rows_(rows), best_(best) {}

  bool run() {
    for_each_distance(0, 0, [&](std::int64_t z, std::int64_t in_z) {
      for_each_distance(1, in_z,
                        [&](std::int64_t y, std::int64_t in_y) { search_row(z, y, in_y); });
    });
    return !gave_up_;
  }

 private:
  /// Calls visit(coordinate, S so far) on both sides of the cell while a site could be as near as
  /// the best one.
  template <class Visit>
  void for_each_distance(std::size_t axis, std::int64_t before, Visit&& visit) {
    const std::int64_t at = cell_[axis];
    for (std::int64_t delta = 0; delta <= at || at + delta < job_.extent[axis]; ++delta) {
      const std::int64_t exact = before + job_.along(axis, delta);
      if (exact > best_.exact) return;
      gave_up_ = gave_up_ || (axis == 1 && delta > rows_);
      if (gave_up_) return;
      if (delta <= at) visit(at - delta, exact);
      if (delta > 0 && at + delta < job_.extent[axis]) visit(at + delta, exact);
    }
  }

  void search_row(std::int64_t z, std::int64_t y, std::int64_t before) {
    const std::uint64_t* row = job_.bits.own_row(z, y);
    const std::int64_t x = cell_[2];
    // S may not fit 64 bits for differences beyond the width of the raster.
    const auto too_far = [&](std::int64_t delta) {
      return delta >= job_.extent[2] || before + job_.along(2, delta) > best_.exact;
    };
    if (too_far(32) && bits_around(row, x) == 0) return;
    std::int64_t w = x / 64;
    std::uint64_t word = row[w] & (~std::uint64_t{0} >> (63 - x % 64));
    for (; word == 0 && w > 0 && !too_far(x - w * 64 + 1);) word = row[--w];
    if (word != 0) take(before, {z, y, w * 64 + 63 - std::countl_zero(word)});
    w = x / 64;
    word = row[w] & (~std::uint64_t{0} << (x % 64));
    for (; word == 0 && w + 1 < job_.units[2] && !too_far((w + 1) * 64 - x);) word = row[++w];
    if (word != 0) take(before, {z, y, w * 64 + std::countr_zero(word)});
  }

  /// The bits of 64 cells, from x - 32 on.
  static std::uint64_t bits_around(const std::uint64_t* row, std::int64_t x) {
    const std::int64_t first = x + 32;  // it counts from the word of zeros before the row
    const std::uint64_t* word = row + first / 64 - 1;
    const std::int64_t shift = first % 64;
    return shift == 0 ? word[0] : word[0] >> shift | word[1] << (64 - shift);
  }

  void take(std::int64_t before, const Axes& site) {
    const std::int64_t exact = before + job_.along(2, std::abs(site[2] - cell_[2]));
    if (std::tie(exact, site) < std::tie(best_.exact, best_.site)) best_ = {exact, site};
  }

  const Job& job_;
  Axes cell_;
  std::int64_t rows_;
  NearestCell& best_;
  bool gave_up_ = false;
};

bool has_bit(const Bitmap& bitmap, const Axes& cell) {
  return (bitmap.own_row(cell[0], cell[1])[cell[2] / 64] >> (cell[2] % 64) & 1) != 0;
}

/// The site of a cell; or the kind of a cell that has none.
std::int64_t site_of(const Job& job, const Axes& cell, const NearestCell& winner) {
  if (job.nodata && has_bit(job.nodata, cell)) return kNodata;
  return winner.exact > job.limit ? kUnreached : to_index(job.extent, winner.site);
}

float distance_of(const Job& job, std::int64_t site, std::int64_t exact) {
  if (site == kNodata) return static_cast<float>(kNodataDistance);
  if (site == kUnreached) return static_cast<float>(kUnreachedDistance);
  return static_cast<float>(to_distance(*job.weights, job.metric, exact));
}

}  // namespace

bool search_cell(const Job& job, const Axes& cell, std::int64_t rows, NearestCell& best) {
  return CellSearch(job, cell, rows, best).run();
}

void write_cell(const Job& job, const Axes& cell, const NearestCell& winner) {
  const std::int64_t site = site_of(job, cell, winner);
  if (job.out_labels) {
    const Axes& from = winner.site;
    const void* label = site == kNodata      ? static_cast<const void*>(&job.nodata_label)
                        : site == kUnreached ? static_cast<const void*>(&job.unreached_label)
                                             : job.labels.at(from[0], from[1], from[2]);
    std::memcpy(job.out_labels.at(cell[0], cell[1], cell[2]), label,
                static_cast<std::size_t>(job.labels.element));
  }
  if (job.out_distance) {
    const float distance = distance_of(job, site, winner.exact);
    std::memcpy(job.out_distance.at(cell[0], cell[1], cell[2]), &distance, sizeof distance);
  }
  if (job.write_general == nullptr) return;
  Winners<std::int64_t> winners;
  winners.site[0] = site;
  winners.exact[0] = winner.exact;
  job.write_general(job.general_writer, {cell[0], cell[1], cell[2], 1}, winners);
}

}  // namespace thiessen::cpu::tiles

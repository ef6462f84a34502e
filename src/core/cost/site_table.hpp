// SPDX-License-Identifier: Apache-2.0
//
// The sites of a solver of cost distances, which come, go and move.
//
//   record   a site; of points its number is the place in their list, and stays
//   id       a site's index, by which sites are ordered: of points the number of the record, of a
//            raster's sites the linear index of the cell
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/make_room.hpp"
#include "core/cost/inputs.hpp"

namespace thiessen {

class CostSiteTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  /// The cell of a site that was removed; one outside of the raster has kNoCell.
  static constexpr std::int64_t kAbsent = -2;

  /// `label_bytes` is 0 where sites have no labels of their own.
  CostSiteTable(std::int64_t cells, bool by_cell, std::size_t label_bytes, bool keeps_offsets)
      : by_cell_(by_cell),
        keeps_offsets_(keeps_offsets),
        label_bytes_(label_bytes),
        first_(static_cast<std::size_t>(cells), kNone) {}

  bool by_cell() const { return by_cell_; }
  /// Records, those of absent sites included.
  std::int64_t count() const { return static_cast<std::int64_t>(sites_.size()); }
  /// Sites that are not absent, and those of them that lie outside of the raster.
  std::int64_t present() const { return present_; }
  std::int64_t outside() const { return outside_; }
  /// The first record outside of the raster, where there is one; time O(records).
  std::int64_t first_outside() const {
    const auto found = std::find_if(sites_.begin(), sites_.end(),
                                    [](const Site& each) { return each.cell == kNoCell; });
    return found - sites_.begin();
  }

  std::int64_t cell_of(std::uint32_t record) const { return sites_[record].cell; }
  double initial_of(std::uint32_t record) const { return sites_[record].initial; }
  /// Null if labels are record + 1.
  const std::byte* label_of(std::uint32_t record) const {
    return label_bytes_ == 0 ? nullptr : labels_.data() + record * label_bytes_;
  }
  /// Where the site lies in its cell, in cells from the centre; null if that is not kept.
  const std::array<double, kAxes>* offset_of(std::uint32_t record) const {
    return offsets_.empty() ? nullptr : &offsets_[record];
  }
  Rank id_of(std::uint32_t record) const {
    return by_cell_ ? static_cast<Rank>(sites_[record].cell) : record;
  }
  std::uint32_t record_of(Rank id) const { return by_cell_ ? first_[id] : id; }
  bool has_site(std::int64_t cell) const { return first_[static_cast<std::size_t>(cell)] != kNone; }

  /// Calls visit(record) for the sites in a cell.
  template <class Visit>
  void for_each_in(std::int64_t cell, const Visit& visit) const {
    for (std::uint32_t r = first_[static_cast<std::size_t>(cell)]; r != kNone; r = sites_[r].next)
      visit(r);
  }
  /// The least initial cost of the sites in a cell; infinity if it has none.
  double least_initial(std::int64_t cell) const {
    double least = std::numeric_limits<double>::infinity();
    for_each_in(cell, [&](std::uint32_t r) { least = std::min(least, sites_[r].initial); });
    return least;
  }
  /// The first of the sites in a cell that have this initial cost, or kNoRank.
  Rank first_with(std::int64_t cell, double initial) const {
    Rank first = kNoRank;
    for_each_in(cell, [&](std::uint32_t r) {
      if (sites_[r].initial == initial) first = std::min(first, id_of(r));
    });
    return first;
  }

  /// Makes room for so many more records, so that add() does not throw.
  void reserve(std::int64_t more) {
    make_room(sites_, more);
    make_room(labels_, more * static_cast<std::int64_t>(label_bytes_));
    if (keeps_offsets_) make_room(offsets_, more);
  }

  /// `cell` may be kNoCell; `label` is not read without labels.
  std::uint32_t add(std::int64_t cell, double initial, const std::byte* label) {
    std::uint32_t record = free_;
    if (record != kNone) {
      free_ = sites_[record].next;
    } else {
      record = static_cast<std::uint32_t>(sites_.size());
      sites_.emplace_back();
      labels_.resize(labels_.size() + label_bytes_);
      if (keeps_offsets_) offsets_.emplace_back();
    }
    if (label_bytes_ > 0) std::memcpy(labels_.data() + record * label_bytes_, label, label_bytes_);
    sites_[record] = {cell, initial, kNone};
    link(record);
    return record;
  }

  void remove(std::uint32_t record) {
    unlink(record);
    sites_[record].cell = kAbsent;
    if (by_cell_) {
      sites_[record].next = free_;
      free_ = record;
    }
  }

  void set_offset(std::uint32_t record, const std::array<double, kAxes>& offset) {
    offsets_[record] = offset;
  }

  void move(std::uint32_t record, std::int64_t cell) {
    unlink(record);
    sites_[record].cell = cell;
    link(record);
  }

  void set_initial(std::uint32_t record, double initial) { sites_[record].initial = initial; }

  std::size_t bytes() const {
    return first_.capacity() * sizeof first_[0] + sites_.capacity() * sizeof sites_[0] +
           labels_.capacity() + offsets_.capacity() * sizeof offsets_[0];
  }

 private:
  struct Site {
    std::int64_t cell = kAbsent;
    double initial = 0;
    std::uint32_t next = kNone;  ///< in the same cell; of a free record the next free one
  };

  void tally(std::int64_t cell, std::int64_t more) {
    present_ += cell == kAbsent ? 0 : more;
    outside_ += cell == kNoCell ? more : 0;
  }

  void link(std::uint32_t record) {
    const std::int64_t cell = sites_[record].cell;
    tally(cell, 1);
    if (cell < 0) return;
    sites_[record].next = first_[static_cast<std::size_t>(cell)];
    first_[static_cast<std::size_t>(cell)] = record;
  }

  void unlink(std::uint32_t record) {
    const std::int64_t cell = sites_[record].cell;
    tally(cell, -1);
    if (cell < 0) return;
    std::uint32_t* place = &first_[static_cast<std::size_t>(cell)];
    while (*place != record) place = &sites_[*place].next;
    *place = sites_[record].next;
  }

  bool by_cell_;
  bool keeps_offsets_;
  std::size_t label_bytes_;
  std::vector<std::uint32_t> first_;  ///< of each cell a record
  std::vector<Site> sites_;
  std::vector<std::byte> labels_;
  std::vector<std::array<double, kAxes>> offsets_;
  std::uint32_t free_ = kNone;
  std::int64_t present_ = 0;
  std::int64_t outside_ = 0;
};

}  // namespace thiessen

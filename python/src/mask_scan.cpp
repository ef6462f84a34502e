// SPDX-License-Identifier: Apache-2.0
//
// A row at a time. The neighbours in other rows are final when a row is scanned, so the least of
// them is found for the whole row by loops that compilers turn into vectors. What is left to do
// cell by cell is the neighbour in the row itself: it comes last in the order of the mask, and so
// must be nearer than the others to win.
#include "mask_scan.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace thiessen::python {
namespace {

// Stands for "no site" while the scans run, so that comparisons need no test for it.
constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

std::int32_t& at(std::byte* place) { return *reinterpret_cast<std::int32_t*>(place); }

struct Neighbour {
  std::vector<int> steps;  // along each axis
  std::int64_t distance_offset = 0;
  std::int64_t feature_offset = 0;
};

class Scan {
 public:
  Scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
       const ScanRaster& distances, const ScanFeatures& features,
       const std::function<void()>& between_rows)
      : extents_(extents),
        distances_(distances),
        features_(features),
        between_rows_(between_rows),
        columns_(extents.back()),
        stride_(distances.strides.back()),
        position_(extents.size(), 0),
        least_(static_cast<std::size_t>(columns_)),
        from_(features.data == nullptr ? 0 : least_.size()) {
    const std::size_t before_centre = mask.size() / 2;
    for (std::size_t i = 0; i + 1 < before_centre; ++i) {
      if (mask[i]) others_.push_back(neighbour(i));
    }
    has_in_row_ = mask[before_centre - 1];
    in_row_ = neighbour(before_centre - 1);
  }

  void forwards() {
    for_rows([this] {
      collect_others();
      features_.data == nullptr ? finish_row<false, 1>() : finish_row<true, 1>();
    });
  }

  void backwards() {
    for (Neighbour& n : others_) mirror(n);
    mirror(in_row_);
    for_rows([this] {
      collect_others();
      features_.data == nullptr ? finish_row<false, -1>() : finish_row<true, -1>();
    });
    if (unreached_) for_rows([this] { mark_unreached(); });
  }

 private:
  Neighbour neighbour(std::size_t mask_index) const {
    Neighbour n;
    n.steps.resize(extents_.size());
    for (std::size_t axis = extents_.size(); axis-- > 0; mask_index /= 3) {
      n.steps[axis] = static_cast<int>(mask_index % 3) - 1;
      n.distance_offset += n.steps[axis] * distances_.strides[axis];
      if (features_.data != nullptr) n.feature_offset += n.steps[axis] * features_.strides[axis];
    }
    return n;
  }

  static void mirror(Neighbour& n) {
    for (int& step : n.steps) step = -step;
    n.distance_offset = -n.distance_offset;
    n.feature_offset = -n.feature_offset;
  }

  // Calls scan for every row, in row-major order or, from the second time on, against it.
  template <class ScanRow>
  void for_rows(const ScanRow& scan) {
    constexpr std::int64_t kCellsBetweenCalls = 1 << 22;
    std::int64_t cells = 0;
    do {
      place_row();
      scan();
      if ((cells += columns_) >= kCellsBetweenCalls) {
        between_rows_();
        cells = 0;
      }
    } while (next_row());
    backwards_ = true;
  }

  bool next_row() {
    for (std::size_t axis = extents_.size() - 1; axis-- > 0;) {
      if (++position_[axis] < extents_[axis]) return true;
      position_[axis] = 0;
    }
    return false;
  }

  // Coordinate of the row, which position_ counts in the order of the visits.
  std::int64_t coordinate(std::size_t axis) const {
    return backwards_ ? extents_[axis] - 1 - position_[axis] : position_[axis];
  }

  void place_row() {
    row_ = distances_.data;
    feature_row_ = features_.data;
    for (std::size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      row_ += coordinate(axis) * distances_.strides[axis];
      if (feature_row_ != nullptr) feature_row_ += coordinate(axis) * features_.strides[axis];
    }
  }

  bool has_row(const Neighbour& n) const {
    for (std::size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      const std::int64_t other = coordinate(axis) + n.steps[axis];
      if (other < 0 || other >= extents_[axis]) return false;
    }
    return true;
  }

  // The least distance among the neighbours in other rows, and the first of those that have it.
  void collect_others() {
    std::fill(least_.begin(), least_.end(), kNone);
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (!has_row(others_[i])) continue;
      if (stride_ == sizeof(std::int32_t)) {
        collect(others_[i], static_cast<std::int32_t>(i), sizeof(std::int32_t));
      } else {
        collect(others_[i], static_cast<std::int32_t>(i), stride_);
      }
    }
  }

  [[gnu::always_inline]] void collect(const Neighbour& n, std::int32_t number,
                                      std::int64_t stride) {
    const int step = n.steps.back();
    const std::int64_t begin = step < 0 ? 1 : 0;
    const std::int64_t end = step > 0 ? columns_ - 1 : columns_;
    std::byte* const other = row_ + n.distance_offset;
    std::int32_t* const least = least_.data();
    std::int32_t* const from = from_.data();
    if (features_.data == nullptr) {
      for (std::int64_t x = begin; x < end; ++x)
        least[x] = std::min(least[x], at(other + x * stride));
      return;
    }
    for (std::int64_t x = begin; x < end; ++x) {
      const std::int32_t distance = at(other + x * stride);
      from[x] = distance < least[x] ? number : from[x];
      least[x] = std::min(least[x], distance);
    }
  }

  // The cells of a row, each after its neighbour in the row.
  template <bool kFeatures, int kDirection>
  void finish_row() {
    std::int32_t before = kNone;
    const std::int64_t begin = kDirection > 0 ? 0 : columns_ - 1;
    for (std::int64_t i = 0, x = begin; i < columns_; ++i, x += kDirection) {
      std::int32_t& distance = at(row_ + x * stride_);
      if (kDirection > 0 && distance != 0) distance = kNone;
      const std::int32_t other = least_[static_cast<std::size_t>(x)];
      const std::int32_t in_row = has_in_row_ ? before : kNone;
      const std::int32_t nearest = std::min(std::min(other, in_row), kNone - 1) + 1;
      if constexpr (kFeatures) {
        if (nearest < distance) {
          take_feature(x, in_row < other);
        } else if (kDirection > 0) {
          start_feature(x, distance == 0);
        }
      }
      distance = before = std::min(distance, nearest);
      if (kDirection < 0) unreached_ |= distance == kNone;
    }
  }

  void take_feature(std::int64_t x, bool in_row) {
    const Neighbour& n =
        in_row ? in_row_ : others_[static_cast<std::size_t>(from_[static_cast<std::size_t>(x)])];
    std::byte* to = feature_row_ + x * features_.strides.back();
    for (std::size_t axis = 0; axis < extents_.size(); ++axis, to += features_.component_stride)
      at(to) = at(to + n.feature_offset);
  }

  void start_feature(std::int64_t x, bool is_site) {
    std::byte* to = feature_row_ + x * features_.strides.back();
    for (std::size_t axis = 0; axis < extents_.size(); ++axis, to += features_.component_stride) {
      const std::int64_t own = axis + 1 < extents_.size() ? coordinate(axis) : x;
      at(to) = is_site ? static_cast<std::int32_t>(own) : -1;
    }
  }

  void mark_unreached() {
    for (std::int64_t x = 0; x < columns_; ++x) {
      std::int32_t& distance = at(row_ + x * stride_);
      if (distance == kNone) distance = -1;
    }
  }

  std::span<const std::int64_t> extents_;
  ScanRaster distances_;
  ScanFeatures features_;
  const std::function<void()>& between_rows_;
  std::int64_t columns_;
  std::int64_t stride_;
  std::vector<std::int64_t> position_;
  std::vector<std::int32_t> least_;
  std::vector<std::int32_t> from_;
  std::vector<Neighbour> others_;
  Neighbour in_row_;
  bool has_in_row_ = false;
  bool backwards_ = false;
  bool unreached_ = false;
  std::byte* row_ = nullptr;
  std::byte* feature_row_ = nullptr;
};

}  // namespace

void mask_scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
               const ScanRaster& distances, const ScanFeatures& features,
               const std::function<void()>& between_rows) {
  for (const std::int64_t extent : extents) {
    if (extent == 0) return;
  }
  Scan scan(extents, mask, distances, features, between_rows);
  scan.forwards();
  scan.backwards();
}

}  // namespace thiessen::python

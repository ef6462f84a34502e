// SPDX-License-Identifier: Apache-2.0
#include "mask_scan.hpp"

#include <vector>

namespace thiessen::python {
namespace {

// One neighbour of the mask that the scan looks back at: its step along each axis, and what those
// steps are in bytes.
struct Neighbour {
  std::vector<int> steps;
  std::int64_t distance_offset = 0;
  std::int64_t feature_offset = 0;
};

// The part of a neighbour that the inner loop needs.
struct Offsets {
  std::int64_t distance = 0;
  std::int64_t feature = 0;
};

// The neighbours that exist for the cells of one row: of its first cell, of those between, of its
// last.
struct RowNeighbours {
  std::vector<Offsets> first, middle, last, only;

  void clear() {
    first.clear();
    middle.clear();
    last.clear();
    only.clear();
  }
};

class Scan {
 public:
  Scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
       const ScanRaster& distances, const ScanFeatures& features)
      : extents_(extents), features_(features.data != nullptr) {
    const std::size_t axes = extents.size();
    distance_strides_.assign(distances.strides.begin(), distances.strides.end());
    distance_ = distances.data;
    if (features_) {
      feature_strides_.assign(features.strides.begin(), features.strides.end());
      feature_ = features.data;
      component_stride_ = features.component_stride;
    } else {
      feature_strides_.assign(axes, 0);
    }
    for (std::size_t i = 0; i < mask.size() / 2; ++i) {
      if (mask[i]) neighbours_.push_back(neighbour(i));
    }
    position_.assign(axes, 0);
  }

  void run() {
    do {
      scan_row();
    } while (next_row());
  }

  // From here on the raster is seen from its last cell. The neighbours' steps stay, so that in the
  // raster as it was they are the mirror images. What this scan does not reach, nothing will.
  void turn_round() {
    last_scan_ = true;
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
      distance_ += (extents_[axis] - 1) * distance_strides_[axis];
      feature_ += features_ ? (extents_[axis] - 1) * feature_strides_[axis] : 0;
      distance_strides_[axis] = -distance_strides_[axis];
      feature_strides_[axis] = -feature_strides_[axis];
    }
    for (Neighbour& n : neighbours_) {
      n.distance_offset = -n.distance_offset;
      n.feature_offset = -n.feature_offset;
    }
  }

 private:
  Neighbour neighbour(std::size_t mask_index) const {
    Neighbour n;
    n.steps.resize(extents_.size());
    for (std::size_t axis = extents_.size(); axis-- > 0; mask_index /= 3) {
      n.steps[axis] = static_cast<int>(mask_index % 3) - 1;
      n.distance_offset += n.steps[axis] * distance_strides_[axis];
      n.feature_offset += n.steps[axis] * feature_strides_[axis];
    }
    return n;
  }

  bool inside(const Neighbour& n) const {
    for (std::size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      const std::int64_t at = position_[axis] + n.steps[axis];
      if (at < 0 || at >= extents_[axis]) return false;
    }
    return true;
  }

  void collect_neighbours() {
    row_.clear();
    for (const Neighbour& n : neighbours_) {
      if (!inside(n)) continue;
      const Offsets offsets{n.distance_offset, n.feature_offset};
      const int step = n.steps.back();
      row_.middle.push_back(offsets);
      if (step >= 0) row_.first.push_back(offsets);
      if (step <= 0) row_.last.push_back(offsets);
      if (step == 0) row_.only.push_back(offsets);
    }
  }

  void scan_row() {
    collect_neighbours();
    std::byte* distance = distance_;
    std::byte* feature = feature_;
    for (std::size_t axis = 0; axis + 1 < extents_.size(); ++axis) {
      distance += position_[axis] * distance_strides_[axis];
      feature += features_ ? position_[axis] * feature_strides_[axis] : 0;
    }
    const std::int64_t columns = extents_.back();
    if (columns == 1) return scan_cells(distance, feature, 1, row_.only);
    const auto cell = [&](std::int64_t x) { return distance + x * distance_strides_.back(); };
    const auto cell_feature = [&](std::int64_t x) {
      return features_ ? feature + x * feature_strides_.back() : nullptr;
    };
    scan_cells(distance, feature, 1, row_.first);
    scan_cells(cell(1), cell_feature(1), columns - 2, row_.middle);
    scan_cells(cell(columns - 1), cell_feature(columns - 1), 1, row_.last);
  }

  void scan_cells(std::byte* distance, std::byte* feature, std::int64_t cells,
                  const std::vector<Offsets>& neighbours) {
    if (features_) return scan_with_features(distance, feature, cells, neighbours);
    for (std::int64_t i = 0; i < cells; ++i, distance += distance_strides_.back()) {
      auto& value = *reinterpret_cast<std::int32_t*>(distance);
      if (value == 0) continue;
      nearest(distance, value, neighbours);
    }
  }

  void scan_with_features(std::byte* distance, std::byte* feature, std::int64_t cells,
                          const std::vector<Offsets>& neighbours) {
    for (std::int64_t i = 0; i < cells; ++i) {
      auto& value = *reinterpret_cast<std::int32_t*>(distance);
      if (value != 0) {
        if (const Offsets* from = nearest(distance, value, neighbours)) {
          copy_feature(feature, feature + from->feature);
        } else if (last_scan_ && value < 0) {
          clear_feature(feature);
        }
      }
      distance += distance_strides_.back();
      feature += feature_strides_.back();
    }
  }

  // The neighbour whose distance and one step more is less than what the cell has, the first of
  // those at the least; null if there is none. The cell's distance is replaced.
  static const Offsets* nearest(const std::byte* cell, std::int32_t& value,
                                const std::vector<Offsets>& neighbours) {
    const Offsets* from = nullptr;
    std::int32_t least = value;
    for (const Offsets& n : neighbours) {
      const std::int32_t other = *reinterpret_cast<const std::int32_t*>(cell + n.distance);
      if (other >= 0 && (least < 0 || other + 1 < least)) {
        least = other + 1;
        from = &n;
      }
    }
    value = least;
    return from;
  }

  void copy_feature(std::byte* to, const std::byte* from) const {
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
      *reinterpret_cast<std::int32_t*>(to) = *reinterpret_cast<const std::int32_t*>(from);
      to += component_stride_;
      from += component_stride_;
    }
  }

  void clear_feature(std::byte* feature) const {
    for (std::size_t axis = 0; axis < extents_.size(); ++axis, feature += component_stride_) {
      *reinterpret_cast<std::int32_t*>(feature) = -1;
    }
  }

  bool next_row() {
    for (std::size_t axis = extents_.size() - 1; axis-- > 0;) {
      if (++position_[axis] < extents_[axis]) return true;
      position_[axis] = 0;
    }
    return false;
  }

  std::span<const std::int64_t> extents_;
  bool features_;
  bool last_scan_ = false;
  std::byte* distance_ = nullptr;
  std::byte* feature_ = nullptr;
  std::int64_t component_stride_ = 0;
  std::vector<std::int64_t> distance_strides_, feature_strides_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::int64_t> position_;
  RowNeighbours row_;
};

}  // namespace

void mask_scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
               const ScanRaster& distances, const ScanFeatures& features) {
  if (extents.empty()) return;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return;
  }
  Scan scan(extents, mask, distances, features);
  scan.run();
  scan.turn_round();
  scan.run();
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/cost_network.hpp"

namespace thiessen::networks {

/// Places with the numbers 1, 2, … in the order of their labels, which are what searches know them
/// by.
class NumberedPlaces {
 public:
  /// Throws Error{invalid_argument} naming the argument `name` for what are no places of a map with
  /// these extents, Error{unsupported} for more than 2^31 - 1 of them.
  NumberedPlaces(const Places& places, const Extents& extents, const CostDistanceOptions& options,
                 const char* name);

  std::int32_t count() const { return static_cast<std::int32_t>(first_cell_.size()) - 1; }
  const Raster& labels() const { return labels_; }
  Raster& labels() { return labels_; }

  /// The cells of a place, ascending; without those of points outside of the map.
  std::span<const std::int64_t> cells(std::int32_t number) const;

  /// Runs cost_distance() with one place for sites; with number 0, with all of them, whose labels
  /// are their numbers (i32).
  void search(Context& context, const CostMap& map, CostDistanceOptions options,
              const CostDistanceOutputs& out, std::int32_t number = 0) const;

 private:
  void number_raster(const View<const void>& raster, const CostDistanceOptions& options);
  void number_points(const PointList& list, const Extents& extents,
                     const std::vector<bool>& periodic);
  void number_point_labels(const View<const void>& labels, std::vector<std::int32_t>& numbers);
  /// Lists cells, of which cell i belongs to numbers[i], by numbers; -1 is no cell.
  void list_cells(std::span<const std::int64_t> cells, std::span<const std::int32_t> numbers);
  void number_labels_up(std::int64_t count);

  Raster labels_;
  std::vector<std::int64_t> cells_, first_cell_;
  Array<std::int32_t> numbers_;      ///< of the cells of a raster, else 0
  std::vector<double> coordinates_;  ///< of points, by their numbers
  std::vector<std::int32_t> point_numbers_;
  std::size_t rank_ = 2;
};

}  // namespace thiessen::networks

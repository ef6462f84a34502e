// SPDX-License-Identifier: Apache-2.0
//
// From cells and seeds to colours: rows of the canvas in linear light.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pictures/scene.hpp"
#include "pictures/seeds.hpp"

namespace thiessen {

/// Paints rows of the canvas, from top to bottom.
class Painter {
 public:
  explicit Painter(const Scene& scene);

  const std::vector<LinearColour>& paint(std::int64_t y);

 private:
  std::size_t padding() const;
  SeedRow& at(std::int64_t y);
  void seed_until(std::int64_t y);
  void paint_cells(std::int64_t y);
  void paint_labels();
  void paint_distances();
  double along_ramp(double share) const;
  void fade_cells();
  void paint_special_labels();
  void paint_special_distances();
  bool is_nodata(std::size_t x) const;
  LinearColour edge_over(const LinearColour& light) const;
  /// Puts a brush on the seeds of the rows around y, and calls paint(light, coverage, x) where it
  /// covers.
  template <class Paint>
  void put(std::int64_t y, const Brush& brush, std::vector<std::int32_t> SeedRow::*seeds,
           const Paint& paint);

  const Scene& scene_;
  Seeder seeder_;
  std::vector<SeedRow> seeds_;  // for the rows in reach, row y at y modulo their number
  std::int64_t seeded_ = 0;
  std::int64_t painted_ = -1;
  std::vector<std::uint64_t> numbers_;
  std::vector<double> distances_;
  std::vector<LinearColour> row_;
  std::vector<std::uint8_t> covered_;
};

}  // namespace thiessen

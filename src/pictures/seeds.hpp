// SPDX-License-Identifier: Apache-2.0
//
// Seeds: the units of the canvas from which lines and marks start. They are found row by row, some
// rows ahead of those that are painted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pictures/scene.hpp"

namespace thiessen {

/// Seeds of one row of the canvas.
struct SeedRow {
  std::vector<std::int32_t> contours, edges, outlines, points;
  std::vector<std::array<std::int32_t, 2>> solid;  // begin and end of stretches

  void clear() {
    for (auto* seeds : {&contours, &edges, &outlines, &points}) seeds->clear();
    solid.clear();
  }
};

/// The units that hold sites, in rows of marks that are read on demand.
class SiteRows {
 public:
  explicit SiteRows(const Scene& scene) : scene_(scene) {}

  bool is_site(std::int64_t y, std::int64_t x);
  /// Whether none of the eight units around it holds a site.
  bool is_single(std::int64_t y, std::int64_t x);
  const std::vector<std::uint8_t>& row(std::int64_t y);

 private:
  static constexpr std::int64_t kKept = 4;

  void read(std::int64_t y, std::vector<std::uint8_t>& marks);
  void classify_row(std::int64_t y);
  void gather(std::vector<std::uint8_t>& marks) const;

  const Scene& scene_;
  std::array<std::int64_t, kKept> kept_{-1, -1, -1, -1};
  std::array<std::vector<std::uint8_t>, kKept> rows_;
  std::vector<std::uint8_t> classes_;
};

/// Finds the seeds of one row after the other.
class Seeder {
 public:
  explicit Seeder(const Scene& scene) : scene_(scene), sites_(scene) {}

  void find(std::int64_t y, SeedRow& seeds);

 private:
  void find_edges(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds);
  void find_contours(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds);
  void read_levels(std::int64_t y);
  void find_sites(std::int64_t y, SeedRow& seeds);
  bool is_border(std::int64_t y, std::int64_t x);
  static void add_solid(std::int32_t column, SeedRow& seeds);

  const Scene& scene_;
  SiteRows sites_;
  std::int64_t read_ = -1;  // the row of next_numbers_ and next_levels_
  std::vector<std::uint64_t> numbers_, next_numbers_;
  std::vector<std::uint64_t> level_numbers_;
  std::vector<double> levels_, next_levels_;
};

}  // namespace thiessen

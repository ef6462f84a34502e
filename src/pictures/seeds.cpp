// SPDX-License-Identifier: Apache-2.0
#include "pictures/seeds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/base/cells.hpp"
#include "core/problem/cell_class.hpp"

namespace thiessen {

bool SiteRows::is_site(std::int64_t y, std::int64_t x) {
  return row(y)[static_cast<std::size_t>(x)] == kSiteCell;
}

bool SiteRows::is_single(std::int64_t y, std::int64_t x) {
  for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min(y + 1, scene_.y.marks - 1);
       ++v)
    for (std::int64_t u = std::max<std::int64_t>(x - 1, 0);
         u <= std::min(x + 1, scene_.x.marks - 1); ++u)
      if ((v != y || u != x) && is_site(v, u)) return false;
  return true;
}

const std::vector<std::uint8_t>& SiteRows::row(std::int64_t y) {
  const auto slot = static_cast<std::size_t>(y % kKept);
  if (kept_[slot] != y) read(y, rows_[slot]);
  kept_[slot] = y;
  return rows_[slot];
}

void SiteRows::read(std::int64_t y, std::vector<std::uint8_t>& marks) {
  marks.assign(static_cast<std::size_t>(scene_.x.marks), kFreeCell);
  const std::int64_t end = scene_.y.first_cell_of_mark(y + 1);
  for (std::int64_t cell = scene_.y.first_cell_of_mark(y); cell < end; ++cell) {
    classify_row(cell);
    if (scene_.x.marks == scene_.x.cells && end - scene_.y.first_cell_of_mark(y) == 1) {
      marks.swap(classes_);
      return;
    }
    gather(marks);
  }
}

void SiteRows::classify_row(std::int64_t y) {
  const View<const void>& sites = scene_.inputs.sites;
  const SiteRule& rule = scene_.site_rule;
  classes_.resize(static_cast<std::size_t>(scene_.x.cells));
  if (sites.stride(2) == static_cast<std::int64_t>(size_of(sites.element_type())))
    return classify(rule, address_of(sites, {0, y, 0}), scene_.x.cells, classes_.data());
  for (std::int64_t x = 0; x < scene_.x.cells; ++x)
    classify(rule, address_of(sites, {0, y, x}), 1, &classes_[static_cast<std::size_t>(x)]);
}

void SiteRows::gather(std::vector<std::uint8_t>& marks) const {
  for (std::int64_t x = 0; x < scene_.x.marks; ++x) {
    const auto begin = classes_.begin() + scene_.x.first_cell_of_mark(x);
    const auto end = classes_.begin() + scene_.x.first_cell_of_mark(x + 1);
    if (std::find(begin, end, kSiteCell) != end) marks[static_cast<std::size_t>(x)] = kSiteCell;
  }
}

void Seeder::find(std::int64_t y, SeedRow& seeds) {
  seeds.clear();
  const std::int64_t below = std::min(y + 1, scene_.y.size - 1);
  if (scene_.inputs.labels && scene_.options.edges) find_edges(y, below, seeds.edges);
  if (scene_.inputs.distance && scene_.options.contours) find_contours(y, below, seeds.contours);
  if (scene_.inputs.sites && scene_.options.marks != Marks::none) find_sites(y, seeds);
  read_ = below;
}

void Seeder::find_edges(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds) {
  if (read_ != y) read_numbers(scene_, y, next_numbers_);
  numbers_.swap(next_numbers_);
  read_numbers(scene_, below, next_numbers_);
  const std::size_t last = numbers_.size() - 1;
  for (std::size_t x = 0; x <= last; ++x)
    if (numbers_[x] != next_numbers_[x] || numbers_[x] != numbers_[std::min(x + 1, last)])
      seeds.push_back(static_cast<std::int32_t>(x));
}

void Seeder::find_contours(std::int64_t y, std::int64_t below, std::vector<std::int32_t>& seeds) {
  if (read_ != y) read_levels(y);
  levels_.swap(next_levels_);
  read_levels(below);
  // Infinity, NaN and nodata have the level NaN, which never counts as a difference.
  const auto differ = [](double a, double b) { return a < b || a > b; };
  const std::size_t last = levels_.size() - 1;
  for (std::size_t x = 0; x <= last; ++x)
    if (differ(levels_[x], next_levels_[x]) || differ(levels_[x], levels_[std::min(x + 1, last)]))
      seeds.push_back(static_cast<std::int32_t>(x));
}

void Seeder::read_levels(std::int64_t y) {
  read_distances(scene_, y, next_levels_);
  for (double& level : next_levels_)
    level = std::fabs(level) < kInfinity ? std::floor(level / scene_.interval)
                                         : std::numeric_limits<double>::quiet_NaN();
  if (!scene_.inputs.labels) return;
  read_numbers(scene_, y, level_numbers_);
  for (std::size_t x = 0; x < next_levels_.size(); ++x)
    if (scene_.is_nodata(level_numbers_[x]))
      next_levels_[x] = std::numeric_limits<double>::quiet_NaN();
}

void Seeder::find_sites(std::int64_t y, SeedRow& seeds) {
  const std::int64_t mark_y = scene_.y.mark_of(y);
  const std::vector<std::uint8_t>& row = sites_.row(mark_y);
  for (std::int64_t x = 0; x < scene_.x.size; ++x) {
    const std::int64_t mark_x = scene_.x.mark_of(x);
    if (row[static_cast<std::size_t>(mark_x)] != kSiteCell) continue;
    const auto column = static_cast<std::int32_t>(x);
    if (sites_.is_single(mark_y, mark_x)) {
      if (y == scene_.y.middle_of_mark(mark_y) && x == scene_.x.middle_of_mark(mark_x))
        seeds.points.push_back(column);
      continue;
    }
    if (is_border(y, x)) seeds.outlines.push_back(column);
    if (scene_.options.marks == Marks::solid) add_solid(column, seeds);
  }
}

bool Seeder::is_border(std::int64_t y, std::int64_t x) {
  for (const auto& [v, u] : {std::array{y - 1, x}, {y + 1, x}, {y, x - 1}, {y, x + 1}})
    if (v >= 0 && u >= 0 && v < scene_.y.size && u < scene_.x.size &&
        !sites_.is_site(scene_.y.mark_of(v), scene_.x.mark_of(u)))
      return true;
  return false;
}

void Seeder::add_solid(std::int32_t column, SeedRow& seeds) {
  if (!seeds.solid.empty() && seeds.solid.back()[1] == column)
    ++seeds.solid.back()[1];
  else
    seeds.solid.push_back({column, column + 1});
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "bench/whole_raster.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "talk/interrupt.hpp"

namespace thiessen::cli {
namespace {

class Work {
 public:
  Work(Metric metric, const WholeRaster& raster)
      : metric_(metric),
        height_(raster.sites.extent(0)),
        width_(raster.sites.extent(1)),
        sites_(raster.sites.data()),
        labels_(raster.labels.data()),
        distance_(raster.distance.data()) {}

  /// Each site covers the blank cells on the rim of its circle; those inside are covered.
  void grow_circles() {
    start();
    const std::vector<Cell> sites = list_sites();
    for (std::int64_t radius = 1; !is_covered(); ++radius)
      for (const Cell& site : sites)
        for_each_on_rim(site, radius, [&](std::int64_t cell) {
          cover(cell, sites_[site.y * width_ + site.x], radius);
        });
  }

  /// Each blank cell beside covered ones gets the least of their labels.
  void dilate() {
    start();
    std::vector<std::int32_t> before(labels_, labels_ + cells());
    for (std::int64_t round = 1; !is_covered(); ++round) {
      for (std::int64_t y = 0; y < height_; ++y)
        for (std::int64_t x = 0; x < width_; ++x) dilate_at({y, x}, round, before.data());
      std::copy(labels_, labels_ + cells(), before.begin());
    }
  }

  /// Each cell looks around itself, at one rim after the other, until there is a site.
  void expand() {
    for (std::int64_t y = 0; y < height_; ++y) {
      throw_if_interrupted();
      for (std::int64_t x = 0; x < width_; ++x) expand_at({y, x});
    }
  }

 private:
  struct Cell {
    std::int64_t y, x;
  };

  std::int64_t cells() const { return height_ * width_; }

  /// Sites are covered, all other cells blank.
  void start() {
    std::copy(sites_, sites_ + cells(), labels_);
    std::fill(distance_, distance_ + cells(), 0.0F);
  }

  /// Looks at the whole raster.
  bool is_covered() const {
    throw_if_interrupted();
    return std::count(labels_, labels_ + cells(), 0) == 0;
  }

  std::vector<Cell> list_sites() const {
    std::vector<Cell> found;
    for (std::int64_t cell = 0; cell < cells(); ++cell)
      if (sites_[cell] != 0) found.push_back({cell / width_, cell % width_});
    return found;
  }

  void cover(std::int64_t cell, std::int32_t label, std::int64_t radius) {
    if (labels_[cell] != 0) return;
    labels_[cell] = label;
    distance_[cell] = static_cast<float>(radius);
  }

  /// Calls visit(cell) for the cells of the raster that are `radius` > 0 away from one.
  template <class Visit>
  void for_each_on_rim(const Cell& middle, std::int64_t radius, const Visit& visit) const {
    const std::int64_t first = std::max<std::int64_t>(middle.y - radius, 0);
    const std::int64_t last = std::min(middle.y + radius, height_ - 1);
    for (std::int64_t y = first; y <= last; ++y) {
      const std::int64_t dy = std::abs(y - middle.y);
      const bool whole_row = metric_ == Metric::chessboard && dy == radius;
      const std::int64_t reach = metric_ == Metric::chessboard ? radius : radius - dy;
      const std::int64_t step = whole_row || reach == 0 ? 1 : 2 * reach;
      for (std::int64_t x = middle.x - reach; x <= middle.x + reach; x += step)
        if (x >= 0 && x < width_) visit(y * width_ + x);
    }
  }

  void dilate_at(const Cell& cell, std::int64_t round, const std::int32_t* before) {
    const std::int64_t own = cell.y * width_ + cell.x;
    if (before[own] != 0) return;
    std::int32_t least = 0;
    for_each_on_rim(cell, 1, [&](std::int64_t neighbour) {
      const std::int32_t label = before[neighbour];
      if (label != 0 && (least == 0 || label < least)) least = label;
    });
    if (least != 0) cover(own, least, round);
  }

  void expand_at(const Cell& cell) {
    const std::int64_t own = cell.y * width_ + cell.x;
    std::int32_t least = sites_[own];
    std::int64_t radius = 0;
    while (least == 0)
      for_each_on_rim(cell, ++radius, [&](std::int64_t other) {
        if (sites_[other] != 0 && (least == 0 || sites_[other] < least)) least = sites_[other];
      });
    labels_[own] = least;
    distance_[own] = static_cast<float>(radius);
  }

  Metric metric_;
  std::int64_t height_, width_;
  const std::int32_t* sites_;
  std::int32_t* labels_;
  float* distance_;
};

}  // namespace

void run_on_whole_raster(Method method, Metric metric, const WholeRaster& raster) {
  Work work(metric, raster);
  if (method == Method::circle_growing) return work.grow_circles();
  if (method == Method::dilation) return work.dilate();
  work.expand();
}

}  // namespace thiessen::cli

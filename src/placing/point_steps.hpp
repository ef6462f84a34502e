// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/problem/call_checks.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "placing/diagram.hpp"
#include "placing/images.hpp"
#include "placing/parts.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen::placing {

/// The mass centroid of cells in parts, each with its own.
class JoinedCentroid {
 public:
  void add(double mass, const double* centroid, std::size_t rank) {
    masses_.push_back(mass);
    centroids_.insert(centroids_.end(), centroid, centroid + rank);
  }
  bool empty() const { return masses_.empty(); }

  /// The mean along an axis, of `rank` axes.
  double mean(std::size_t axis, std::size_t rank) const {
    if (masses_.size() == 1) return centroids_[axis];
    const double greatest = *std::max_element(masses_.begin(), masses_.end());
    double sum = 0;
    double shares = 0;
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      const double share = masses_[i] / greatest;
      shares += share;
      sum += share * centroids_[i * rank + axis];
    }
    return sum / shares;
  }

  void clear() {
    masses_.clear();
    centroids_.clear();
  }

 private:
  std::vector<double> masses_;
  std::vector<double> centroids_;
};

/// Points that move to the mass centroids of their cells; see relax().
class PointSteps {
 public:
  // NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
  PointSteps(Context& context, const View<const void>& points, const Grid& grid,
             const RelaxOptions& options, const View<const void>& density,
             const View<const void>& domain, const View<const void>& weights)
      : context_(context),
        grid_(grid),
        domain_(domain),
        weights_(weights),
        rank_(static_cast<std::size_t>(grid.extents.rank())),
        spacing_(checked_spacing(grid.spacing, grid.extents.rank())),
        periods_(make_periods(grid.extents, options.periodic)),
        is_periodic_(has_period(periods_)),
        coordinates_(snapped(points, periods_)),
        diagram_(grid.extents, density),
        parts_(context.state().progress, parts_of(options, 2, is_periodic_ ? 2 : 1)) {
    nearest_.periodic = options.periodic;
    nearest_.weighting = options.weighting;
  }

  double measure() {
    parts_.next();
    voronoi(context_, {.coordinates = coordinates(), .weights = weights_}, grid_, nearest_,
            {.labels = diagram_.labels()}, domain_);
    parts_.next();
    return diagram_.energy(context_.state(),
                           squares_to_points(diagram_.extent(), diagram_.labels().data(),
                                             coordinates_, periods_, spacing_));
  }

  double move() {
    if (is_periodic_) {
      parts_.next();
      // The labels may be changed: the next diagram, if there is one, makes them anew.
      mark_images(context_.state(), diagram_.extent(), periods_, coordinates_,
                  diagram_.labels().data());
    }
    parts_.next();
    double farthest = 0;
    std::int64_t point = -1;
    JoinedCentroid joined;
    const auto finish = [&] {
      if (!joined.empty()) farthest = std::max(farthest, move_to(point, joined));
      joined.clear();
    };
    diagram_.for_each_centroid(
        context_, [&](std::int32_t label, double mass, const double* centroid) {
          const std::int64_t own = is_periodic_ ? point_of(label) : label - 1;
          if (own != point) finish();
          point = own;
          const Shift shift = is_periodic_ ? shift_of(label) : Shift{};
          double image[kAxes];
          for (std::size_t axis = 0; axis < rank_; ++axis) {
            const auto periods = static_cast<double>(shift[kAxes - rank_ + axis]);
            image[axis] = centroid[axis] + (periods == 0 ? 0 : periods * periods_[axis]);
          }
          joined.add(mass, image, rank_);
        });
    finish();
    return farthest;
  }

  std::vector<double>& result() { return coordinates_; }

 private:
  /// Moves a point to a centroid, and returns how far.
  double move_to(std::int64_t point, const JoinedCentroid& centroid) {
    double way[kAxes];
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      double& own = coordinates_[static_cast<std::size_t>(point) * rank_ + axis];
      const std::int64_t to = to_units(centroid.mean(axis, rank_));
      way[axis] = to_coordinate(to) - own;
      own = to_coordinate(wrap(to, periods_[axis]));
    }
    return length_of(way, spacing_);
  }

  static std::vector<double> snapped(const View<const void>& points, const Periods& periods) {
    std::vector<double> coordinates = snap_to_first_period(points, periods);
    check_count(static_cast<std::int64_t>(coordinates.size() / periods.size()),
                std::numeric_limits<std::int32_t>::max() / (has_period(periods) ? kImages : 1),
                "points");
    return coordinates;
  }

  View<const double> coordinates() const {
    return {coordinates_.data(), Extents{static_cast<std::int64_t>(coordinates_.size() / rank_),
                                         static_cast<std::int64_t>(rank_)}};
  }

  Context& context_;
  const Grid& grid_;
  View<const void> domain_, weights_;
  std::size_t rank_;
  std::vector<double> spacing_;
  Periods periods_;
  bool is_periodic_;
  NearestSiteOptions nearest_;
  std::vector<double> coordinates_;
  Diagram diagram_;
  Parts parts_;
};

}  // namespace thiessen::placing

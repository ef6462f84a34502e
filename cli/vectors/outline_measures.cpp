// SPDX-License-Identifier: Apache-2.0
#include "vectors/outline_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::int64_t at(const std::vector<std::int64_t>& list, std::int64_t i) {
  return list[static_cast<std::size_t>(i)];
}

/// Twice the area of a ring in cells, counted from a point near by, so that small ones keep their
/// digits.
double twice_area(const Polygons& polygons, std::int64_t ring, const double* origin) {
  double sum = 0;
  for (std::int64_t i = at(polygons.points, ring); i + 1 < at(polygons.points, ring + 1); ++i) {
    const double* const point = polygons.coordinates.data() + 2 * i;
    sum += (point[3] - origin[1]) * (point[0] - origin[0]) -
           (point[1] - origin[1]) * (point[2] - origin[0]);
  }
  return sum;
}

/// The regions on both sides of contacts, as one number, and the shortest way over them.
template <class T, class Distance>
class WayFinder {
 public:
  WayFinder(const View<const void>& regions, const View<const void>& distance,
            const Adjacency& pairs)
      : labels_(reinterpret_cast<const T*>(regions.bytes())),
        distance_(reinterpret_cast<const Distance*>(distance.bytes())) {
    const auto* a = reinterpret_cast<const T*>(pairs.a.bytes());
    const auto* b = reinterpret_cast<const T*>(pairs.b.bytes());
    for (std::size_t i = 0; i < pairs.contacts.size(); ++i) row_of_[a[i]].emplace(b[i], i);
    ways_.assign(pairs.contacts.size(), kNaN);
  }

  /// Two neighbours, and the length of the step between them.
  void add(std::int64_t one, std::int64_t other, double step) {
    const T a = labels_[one], b = labels_[other];
    if (a == b) return;
    const auto rows = row_of_.find(std::min(a, b));
    if (rows == row_of_.end()) return;
    const auto row = rows->second.find(std::max(a, b));
    if (row == rows->second.end()) return;
    double& way = ways_[row->second];
    way = std::fmin(
        way, static_cast<double>(distance_[one]) + step + static_cast<double>(distance_[other]));
  }

  std::vector<double> take() { return std::move(ways_); }

 private:
  const T* labels_;
  const Distance* distance_;
  std::unordered_map<T, std::unordered_map<T, std::size_t>> row_of_;
  std::vector<double> ways_;
};

template <class T, class Distance>
std::vector<double> find_ways(const Adjacency& pairs, const View<const void>& regions,
                              const View<const void>& distance,
                              const std::vector<double>& spacing) {
  WayFinder<T, Distance> finder(regions, distance, pairs);
  const std::int64_t height = regions.extent(0), width = regions.extent(1);
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t cell = y * width + x;
      if (x + 1 < width) finder.add(cell, cell + 1, spacing[1]);
      if (y + 1 < height) finder.add(cell, cell + width, spacing[0]);
    }
  return finder.take();
}

}  // namespace

std::vector<double> areas_of(const Polygons& polygons, const std::vector<double>& spacing) {
  std::vector<double> areas;
  for (std::size_t region = 0; region + 1 < polygons.parts.size(); ++region) {
    const std::int64_t first = at(polygons.rings, polygons.parts[region]);
    const std::int64_t end = at(polygons.rings, polygons.parts[region + 1]);
    const double* const origin = polygons.coordinates.data() + 2 * at(polygons.points, first);
    double sum = 0;
    for (std::int64_t ring = first; ring < end; ++ring) sum += twice_area(polygons, ring, origin);
    areas.push_back(sum / 2 * spacing[0] * spacing[1]);
  }
  return areas;
}

BorderMeasures measure(const Borders& borders, const std::vector<double>& spacing) {
  BorderMeasures measures;
  for (std::size_t border = 0; border + 1 < borders.points.size(); ++border) {
    double length = 0, least = kNaN, greatest = kNaN;
    for (std::int64_t i = borders.points[border]; i < borders.points[border + 1]; ++i) {
      const double* const point = borders.coordinates.data() + 2 * i;
      if (i + 1 < borders.points[border + 1])
        length +=
            std::hypot((point[2] - point[0]) * spacing[0], (point[3] - point[1]) * spacing[1]);
      least = std::fmin(least, borders.distance[static_cast<std::size_t>(i)]);
      greatest = std::fmax(greatest, borders.distance[static_cast<std::size_t>(i)]);
    }
    measures.length.push_back(length);
    measures.least.push_back(least);
    measures.greatest.push_back(greatest);
  }
  return measures;
}

SiteGaps measure_gaps(const Borders& borders, const std::vector<double>& points,
                      const std::vector<double>& spacing) {
  SiteGaps gaps;
  const auto rows = static_cast<std::int64_t>(borders.points.size()) - 1;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double* const a = points.data() + 2 * borders.a.view<std::int64_t>()(i);
    const double* const b = points.data() + 2 * borders.b.view<std::int64_t>()(i);
    const std::int64_t first = at(borders.points, i), last = at(borders.points, i + 1) - 1;
    const double* const from = borders.coordinates.data() + 2 * first;
    const double* const to = borders.coordinates.data() + 2 * last;
    const auto way = [&](const double* p, const double* q, std::size_t axis) {
      return (q[axis] - p[axis]) * spacing[axis];
    };
    const double down = way(from, to, 0), right = way(from, to, 1);
    const auto along = [&](const double* end) {
      return way(end, a, 0) * down + way(end, a, 1) * right;
    };
    const double across = way(from, a, 0) * right - way(from, a, 1) * down;
    const bool foot_is_inside = along(from) > 0 && along(to) < 0;
    gaps.between.push_back(std::hypot(way(a, b, 0), way(a, b, 1)));
    gaps.least.push_back(foot_is_inside
                             ? std::abs(across) / std::hypot(down, right)
                             : std::fmin(borders.distance[static_cast<std::size_t>(first)],
                                         borders.distance[static_cast<std::size_t>(last)]));
  }
  return gaps;
}

std::vector<double> shortest_ways(const Adjacency& pairs, const View<const void>& regions,
                                  const View<const void>& distance,
                                  const std::vector<double>& spacing) {
  return visit_element_type(regions.element_type(), [&]<class T>(std::type_identity<T>) {
    return distance.element_type() == ElementType::f64
               ? find_ways<T, double>(pairs, regions, distance, spacing)
               : find_ways<T, float>(pairs, regions, distance, spacing);
  });
}

}  // namespace thiessen::cli

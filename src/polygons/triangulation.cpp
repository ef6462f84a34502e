// SPDX-License-Identifier: Apache-2.0
//
// A new site takes the triangles at whose centres its key is the least. They are connected, and the
// site sees all of their outer edges, with which it makes new triangles. A site inside them that is
// a corner of no new one has lost its region.
//
// If the site's key is equal to those at the centre of a triangle, this one is taken, too, so that
// four sites with one centre, of which one lies between two others, lose that one. The new
// triangles are none the less proper: where the site lies on the line of an edge, the keys of both
// its triangles compare equally with that of the site.
//
// The triangle in which the site lies is found by steps from the last one. It is never taken where
// the keys are equal: the new region would have no area.
//
// Source: A. Bowyer, "Computing Dirichlet tessellations" (1981); D. Watson, "Computing the
// n-dimensional Delaunay tessellation" (1981); H. Edelsbrunner and N. Shah, "Incremental
// topological flipping works for regular triangulations" (1996).
#include "polygons/triangulation.hpp"

#include <algorithm>
#include <utility>

namespace thiessen::polygons {
namespace {

class Triangulation {
 public:
  explicit Triangulation(PowerSites& sites) : sites_(sites), begins_(sites.list.size()) {
    triangles_.reserve(2 * sites.list.size());
    triangles_.push_back({{0, 1, 2}, {kNoTriangle, kNoTriangle, kNoTriangle}});
    taken_by_.push_back(0);
  }

  void add(std::int32_t site) {
    const PowerSite& own = sites_[site];
    last_ = triangle_of(own);
    if (sites_.beats(triangle(last_).site, own) <= 0) return keep_first(own);
    take_triangles(site);
    fill(site);
  }

  std::vector<Triangle> take() { return std::move(triangles_); }

 private:
  /// An edge around the triangles that a site takes.
  struct OuterEdge {
    std::int32_t from, to;  ///< sites
    std::int32_t beyond;    ///< the triangle there
    int back;               ///< the number of this edge in it
  };

  Triangle& triangle(std::int32_t number) { return triangles_[static_cast<std::size_t>(number)]; }

  static std::size_t next(std::size_t corner) { return corner == 2 ? 0 : corner + 1; }
  static std::size_t before(std::size_t corner) { return corner == 0 ? 2 : corner - 1; }

  std::int32_t triangle_of(const PowerSite& site) {
    std::int32_t number = last_, from = kNoTriangle;
    for (std::size_t corner = 0; corner < 3;) {
      const Triangle& at = triangle(number);
      if (at.across[corner] == from ||
          lies_left(site, at.site[next(corner)], at.site[before(corner)])) {
        ++corner;
      } else {
        from = std::exchange(number, at.across[corner]);
        corner = 0;
      }
    }
    return number;
  }

  /// Whether a place lies on the left of an edge, or on its line.
  bool lies_left(const PowerSite& site, std::int32_t from, std::int32_t to) const {
    const Plane& start = sites_[from].at;
    return turn_of(way(start, sites_[to].at), way(start, site.at)) >= 0;
  }

  /// The first of the list counts of equal sites at one place.
  void keep_first(const PowerSite& site) {
    for (const std::int32_t corner : triangle(last_).site) {
      PowerSite& other = sites_.list[static_cast<std::size_t>(corner)];
      if (other.at == site.at && other.weight == site.weight)
        other.place = std::min(other.place, site.place);
    }
  }

  void take_triangles(std::int32_t site) {
    taken_.assign(1, last_);
    outer_.clear();
    taken_by_[static_cast<std::size_t>(last_)] = site;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      const Triangle at = triangle(taken_[i]);
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::int32_t beyond = at.across[corner];
        const auto place = static_cast<std::size_t>(beyond);
        if (beyond != kNoTriangle && taken_by_[place] == site) continue;
        if (beyond != kNoTriangle && sites_.beats(triangle(beyond).site, sites_[site]) >= 0) {
          taken_by_[place] = site;
          taken_.push_back(beyond);
        } else {
          outer_.push_back({at.site[next(corner)], at.site[before(corner)], beyond,
                            beyond == kNoTriangle ? 0 : edge_to(taken_[i], triangle(beyond))});
        }
      }
    }
  }

  static int edge_to(std::int32_t number, const Triangle& from) {
    return from.across[0] == number ? 0 : from.across[1] == number ? 1 : 2;
  }

  /// Puts new triangles into the place of the taken ones.
  void fill(std::int32_t site) {
    for (const std::int32_t number : taken_) triangle(number).site[0] = -1;
    free_.insert(free_.end(), taken_.begin(), taken_.end());
    for (const OuterEdge& edge : outer_) {
      const std::int32_t number = free_number();
      triangle(number) = {{site, edge.from, edge.to}, {edge.beyond, kNoTriangle, kNoTriangle}};
      if (edge.beyond != kNoTriangle)
        triangle(edge.beyond).across[static_cast<std::size_t>(edge.back)] = number;
      begins_[static_cast<std::size_t>(edge.from)] = last_ = number;
    }
    for (const OuterEdge& edge : outer_) {
      const std::int32_t number = begins_[static_cast<std::size_t>(edge.from)];
      const std::int32_t following = begins_[static_cast<std::size_t>(edge.to)];
      triangle(number).across[1] = following;
      triangle(following).across[2] = number;
    }
  }

  std::int32_t free_number() {
    if (free_.empty()) {
      triangles_.emplace_back();
      taken_by_.push_back(0);
      return static_cast<std::int32_t>(triangles_.size()) - 1;
    }
    const std::int32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  PowerSites& sites_;
  std::vector<Triangle> triangles_;
  std::vector<std::int32_t> taken_by_;  ///< the last site that took each triangle
  std::vector<std::int32_t> begins_;    ///< by site: the new triangle whose outer edge begins there
  std::vector<std::int32_t> taken_;
  std::vector<std::int32_t> free_;
  std::vector<OuterEdge> outer_;
  std::int32_t last_ = 0;
};

}  // namespace

std::vector<Triangle> triangulate(PowerSites& sites,
                                  const std::function<void(std::int64_t)>& advance) {
  constexpr std::int32_t kSitesPerReport = 1024;
  Triangulation triangulation(sites);
  for (std::int32_t site = 3; site < std::ssize(sites.list); ++site) {
    if (site % kSitesPerReport == 0) advance(kSitesPerReport);
    triangulation.add(site);
  }
  return triangulation.take();
}

}  // namespace thiessen::polygons

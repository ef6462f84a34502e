// SPDX-License-Identifier: Apache-2.0
//
// What a backend does for a NearestSiteSolver. Updates have been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/problem/problem.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/solvers/changes.hpp"

namespace thiessen {

/// What happened to the sites since the answer was made. A site that moved went and came.
struct SiteEdits {
  struct Place {
    std::int64_t site;
    Axes place;  ///< where it was
  };
  struct Move {
    std::int64_t site;
    Axes before;
    Axes now;
  };
  std::vector<Place> went;  ///< ascending, as the next ones
  std::vector<std::int64_t> came;
  std::vector<Move> moved;
  std::vector<std::int64_t> relabelled;
  std::vector<std::int64_t> to_nodata;    ///< cells
  std::vector<std::int64_t> from_nodata;  ///< cells

  void clear() {
    went.clear();
    came.clear();
    moved.clear();
    relabelled.clear();
    to_nodata.clear();
    from_nodata.clear();
  }
};

/// What a solver keeps on the host: its problem, and its sites as they are now.
struct NearestSolverData {
  NearestSiteOptions options;
  NearestSiteOutputs out;
  Extents extents;
  Grid grid;  ///< of points
  Problem problem;
  ProblemViews views;                ///< sites and labels are those below
  std::vector<std::uint8_t> domain;  ///< 1 for each cell that is inside; empty: all are

  ElementType type = ElementType::i32;  ///< of the raster, or of the labels of points
  std::vector<std::byte> cells;         ///< the raster

  std::int64_t points = 0;               ///< length of the list
  std::vector<std::byte> labels;         ///< of points; empty if no labels are wanted
  std::vector<std::uint8_t> is_present;  ///< 0: an absent point
  std::vector<Axes> places;              ///< of points; those of absent ones mean nothing

  bool is_list() const { return problem.point_sites; }
  int rank() const { return extents.rank(); }
  std::size_t element() const { return size_of(type); }
  bool is_inside(std::int64_t cell) const {
    return domain.empty() || domain[static_cast<std::size_t>(cell)] != 0;
  }
  std::int64_t positions() const { return is_list() ? points : problem.cells(); }
  /// The place of a site, in the units of S.
  Axes place(std::int64_t site) const {
    return is_list() ? places[static_cast<std::size_t>(site)] : to_cell(problem.extent, site);
  }
  std::size_t bytes() const {
    return cells.capacity() + domain.capacity() + labels.capacity() + is_present.capacity() +
           places.capacity() * sizeof places[0];
  }
  View<const void> domain_view() const {
    if (domain.empty()) return {};
    return View<const std::uint8_t>(domain.data(), extents);
  }
};

/// The public calls, for an engine that makes fresh ones.
struct FreshCalls {
  std::function<void(const View<const void>& sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out, const View<const void>& domain)>
      of_raster;
  std::function<void(const PointList& points, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out, const View<const void>& domain)>
      of_points;
};

class NearestSolverEngine {
 public:
  virtual ~NearestSolverEngine() = default;

  /// Throws Error{unsupported} if it cannot go on with this problem, which differs from that of the
  /// solver in how far away points may be.
  virtual void check(const Problem& /*problem*/) const {}
  /// Tells that S of the problem needs other integers than before.
  virtual void change_integers() = 0;

  /// Makes room for a list of so many points.
  virtual void reserve(std::int64_t /*points*/) {}
  /// Tells that a site comes to its place, or leaves it.
  virtual void add_site(std::int64_t /*site*/) noexcept {}
  virtual void remove_site(std::int64_t /*site*/) noexcept {}

  /// Brings the answer up to date, on a device maybe after it has returned. `is_stale`: there is no
  /// answer that could be repaired. After an Error, which leaves outputs as they were, the next
  /// call has to be told so.
  virtual void solve(const SiteEdits& edits, bool is_stale) = 0;
  /// What the last solve() changed. Both wait for the device.
  virtual const Changes& changes() = 0;
  virtual ChangedCells changed_cells() = 0;

  virtual std::size_t bytes() const = 0;
};

}  // namespace thiessen

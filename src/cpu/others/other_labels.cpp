// SPDX-License-Identifier: Apache-2.0
#include "cpu/others/other_labels.hpp"

#include <algorithm>
#include <cstring>

#include "core/search/geometry.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/others/label_codes.hpp"
#include "cpu/others/label_groups.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

/// A site with its part in S of a row.
template <class Scalar>
struct SiteOfRow {
  std::int64_t site = kUnreached;
  Axes place{};
  Scalar part{};
};

/// S of cells and sites.
template <class Geometry, class Scalar>
class SiteMeasure {
 public:
  SiteMeasure(const Problem& problem, const PointSites& points)
      : problem_(problem), points_(points), factor_(factors_of<Scalar>(problem)) {}

  /// S of cell x of a row and a site; `last` is the site before.
  Scalar exact(SiteOfRow<Scalar>& last, std::int64_t site, std::int64_t z, std::int64_t y,
               std::int64_t x) const {
    if (last.site != site) {
      const Axes place = problem_.point_sites ? points_.at[site] : to_cell(problem_.extent, site);
      last = {site, place, Geometry::combine(part(0, z, place), part(1, y, place))};
    }
    return Geometry::combine(last.part, part(2, x, last.place));
  }

 private:
  Scalar part(std::size_t axis, std::int64_t cell, const Axes& place) const {
    return Geometry::along(factor_[axis], periodic_distance(cell << problem_.fraction_bits,
                                                            place[axis], problem_.period[axis]));
  }

  const Problem& problem_;
  const PointSites& points_;
  std::array<Scalar, kAxes> factor_;
};

class OtherLabels {
 public:
  OtherLabels(ContextState& state, const Problem& problem, const ProblemViews& views,
              const FindNearest& find, Scratch::Frame& scratch)
      : state_(state),
        problem_(problem),
        views_(views),
        find_(find),
        extents_{problem.extent[0], problem.extent[1], problem.extent[2]},
        codes_(scratch.array<Code>(problem.cells())),
        found_(scratch.array<std::int64_t>(problem.cells())),
        best_(scratch.array<std::int64_t>(problem.cells())) {}

  void run(std::int64_t units) {
    find_nearest();
    Scratch::Frame scratch(state_.scratch);
    const std::size_t phases = state_.phases.size();
    const PhaseTimer phase(state_, "other labels");
    const int digits = problem_.point_sites ? make_codes_of_points(scratch) : make_codes(scratch);
    state_.progress.begin_rest(digits * units);
    for (int digit = 0; digit < digits; ++digit) {
      if (problem_.point_sites)
        find_in_points(digit);
      else
        find_in_cells(digit);
      with_geometry(problem_, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
        keep_nearer<Geometry, Scalar>(digit);
      });
    }
    with_geometry(problem_, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
      write<Geometry, Scalar>();
    });
    state_.phases.resize(phases);  // those of the runs, which this phase stands for
  }

 private:
  using Code = std::uint64_t;
  /// In the code of a cell: it is a site.
  static constexpr Code kIsSite = Code{1} << 63;

  /// Calls visit(row = z·height + y) for all rows, on all threads.
  template <class Visit>
  void for_each_row(const Visit& visit) {
    const Axes& extent = problem_.extent;
    parallel_for(state_, extent[0] * extent[1], rows_per_task(extent[2]), 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row) visit(row);
                 });
  }

  /// The same for all cells.
  template <class Visit>
  void for_each_cell(const Visit& visit) {
    const std::int64_t width = problem_.extent[2];
    for_each_row([&](std::int64_t row) {
      for (std::int64_t cell = row * width; cell < (row + 1) * width; ++cell) visit(cell);
    });
  }

  /// All outputs but those of another label; best_ becomes the site index.
  void find_nearest() {
    ProblemViews views = views_;
    views.out.site_index = View<std::int64_t>(best_, extents_);
    find_(problem_, views);
    if (!views_.out.site_index) return;
    const std::int64_t width = problem_.extent[2];
    for_each_row([&](std::int64_t row) {
      std::byte* cell = address_of(views_.out.site_index,
                                   {row / problem_.extent[1], row % problem_.extent[1], 0});
      for (std::int64_t x = 0; x < width; ++x, cell += views_.out.site_index.stride(2))
        std::memcpy(cell, best_ + row * width + x, sizeof *best_);
    });
  }

  bool is_site(std::int64_t cell) const { return best_[cell] == cell; }

  /// Fills codes_ and returns the number of digits. What no site reaches has the code 0. Then best_
  /// has no site any more.
  int make_codes(Scratch::Frame& scratch) {
    const bool numbered = problem_.rule.type == ElementType::boolean;
    LabelGroups groups(views_.labels.element_type());
    std::int64_t count = 0;
    for (std::int64_t cell = 0; cell < problem_.cells(); ++cell)
      if (is_site(cell))
        codes_[cell] = static_cast<Code>(
            numbered ? count++
                     : groups.group_of(address_of(views_.labels, to_cell(problem_.extent, cell))));
    if (!numbered) count = groups.count();
    const int digits = digits_for(count);
    auto* const code_of = scratch.array<Code>(count);
    list_codes(digits, count, code_of);
    for_each_cell([&](std::int64_t cell) {
      if (is_site(cell)) codes_[cell] = code_of[codes_[cell]] | kIsSite;
    });
    for_each_cell([&](std::int64_t cell) {
      const std::int64_t site = best_[cell];
      if (site != cell) codes_[cell] = site < 0 ? 0 : codes_[site] & ~kIsSite;
    });
    forget_sites();
    return digits;
  }

  /// The same for points, whose codes go to point_codes_, too.
  int make_codes_of_points(Scratch::Frame& scratch) {
    const PointSites& points = views_.points;
    point_codes_ = scratch.array<Code>(points.count);
    std::int64_t count = points.count;
    if (views_.labels) {
      LabelGroups groups(views_.labels.element_type());
      const auto element = static_cast<std::int64_t>(size_of(views_.labels.element_type()));
      for (std::int64_t i = 0; i < points.count; ++i)
        point_codes_[i] = groups.group_of(views_.labels.bytes() + i * element);
      count = groups.count();
    } else {
      for (std::int64_t i = 0; i < points.count; ++i) point_codes_[i] = static_cast<Code>(i);
    }
    const int digits = digits_for(count);
    auto* const code_of = scratch.array<Code>(count);
    list_codes(digits, count, code_of);
    for (std::int64_t i = 0; i < points.count; ++i) point_codes_[i] = code_of[point_codes_[i]];
    for_each_cell(
        [&](std::int64_t cell) { codes_[cell] = best_[cell] < 0 ? 0 : point_codes_[best_[cell]]; });
    forget_sites();
    part_ = scratch.array<Axes>(points.count);
    place_in_list_ = scratch.array<std::int64_t>(points.count);
    return digits;
  }

  void forget_sites() {
    for_each_cell([&](std::int64_t cell) { best_[cell] = std::min(best_[cell], kUnreached); });
  }

  Problem problem_of_part() const {
    Problem part = problem_;
    part.wants_other_labels = false;
    part.rule = {.type = ElementType::boolean};
    return part;
  }

  ProblemViews views_of_part() const {
    ProblemViews views;
    views.out.site_index = View<std::int64_t>(found_, extents_);
    return views;
  }

  /// found_ becomes the nearest of the sites whose labels have the digit.
  void find_in_cells(int digit) {
    Scratch::Frame scratch(state_.scratch);
    auto* const mask = scratch.array<bool>(problem_.cells());
    for_each_cell([&](std::int64_t cell) {
      mask[cell] = (codes_[cell] & kIsSite) != 0 && (codes_[cell] >> digit & 1) != 0;
    });
    ProblemViews views = views_of_part();
    views.sites = View<const bool>(mask, extents_);
    find_(problem_of_part(), views);
  }

  void find_in_points(int digit) {
    ProblemViews views = views_of_part();
    views.points = views_.points;
    views.points.at = part_;
    views.points.count = 0;
    for (std::int64_t i = 0; i < views_.points.count; ++i) {
      if ((point_codes_[i] >> digit & 1) == 0) continue;
      part_[views.points.count] = views_.points.at[i];
      place_in_list_[views.points.count++] = i;
    }
    find_(problem_of_part(), views);
    for_each_cell([&](std::int64_t cell) {
      if (found_[cell] >= 0) found_[cell] = place_in_list_[found_[cell]];
    });
  }

  /// Takes what was found where the label lacks the digit, if it is the first in the order (S, site
  /// index).
  template <class Geometry, class Scalar>
  void keep_nearer(int digit) {
    const SiteMeasure<Geometry, Scalar> measure(problem_, views_.points);
    const std::int64_t width = problem_.extent[2];
    for_each_row([&](std::int64_t row) {
      const std::int64_t z = row / problem_.extent[1];
      const std::int64_t y = row % problem_.extent[1];
      SiteOfRow<Scalar> last_found;
      SiteOfRow<Scalar> last_best;
      for (std::int64_t x = 0; x < width; ++x) {
        const Code code = codes_[row * width + x];
        const std::int64_t found = found_[row * width + x];
        std::int64_t& best = best_[row * width + x];
        if (code == 0 || (code >> digit & 1) != 0 || found < 0 || found == best) continue;
        if (best >= 0) {
          const Scalar own = measure.exact(last_found, found, z, y, x);
          const Scalar least = measure.exact(last_best, best, z, y, x);
          if (own > least || (own == least && found > best)) continue;
        }
        best = found;
      }
    });
  }

  template <class Geometry, class Scalar>
  void write() {
    const SiteMeasure<Geometry, Scalar> measure(problem_, views_.points);
    ProblemViews views = views_;
    views.out = {.labels = views_.out.other_labels,
                 .site_index = views_.out.other_site_index,
                 .distance = views_.out.other_distance};
    const Slab slab = whole_raster(problem_);
    const ResultWriter<Scalar> writer(problem_, slab, views, Write::all);
    const std::int64_t width = problem_.extent[2];
    for_each_row([&](std::int64_t row) {
      const std::int64_t z = row / problem_.extent[1];
      const std::int64_t y = row % problem_.extent[1];
      Winners<Scalar> winners;
      SiteOfRow<Scalar> last;
      for_each_chunk(z, y, width, [&](const Chunk& chunk) {
        for (std::int64_t i = 0; i < chunk.count; ++i) {
          const auto at = static_cast<std::size_t>(i);
          const std::int64_t site = best_[row * width + chunk.x + i];
          winners.site[at] = site;
          winners.exact[at] = site < 0 ? Scalar{} : measure.exact(last, site, z, y, chunk.x + i);
        }
        writer.write(chunk, winners);
      });
    });
  }

  ContextState& state_;
  const Problem& problem_;
  const ProblemViews& views_;
  const FindNearest& find_;
  Extents extents_;
  Code* codes_;          ///< of the label of each cell
  std::int64_t* found_;  ///< the nearest site of a part
  std::int64_t* best_;   ///< the nearest site of another label so far
  Code* point_codes_ = nullptr;
  Axes* part_ = nullptr;  ///< the points of a part
  std::int64_t* place_in_list_ = nullptr;
};

}  // namespace

void find_other_labels(ContextState& state, const Problem& problem, const ProblemViews& views,
                       std::int64_t units, const FindNearest& find) {
  Scratch::Frame scratch(state.scratch);
  OtherLabels(state, problem, views, find, scratch).run(units);
}

}  // namespace thiessen::cpu

// SPDX-License-Identifier: Apache-2.0
//
// Random updates of a NearestSiteSolver, each beside the same change to a plain list or raster that
// a fresh call solves; and what must be true after every solve().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "support/problems/answer.hpp"
#include "support/problems/points_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/small_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// The site index and the distance of every cell.
struct Map {
  std::vector<std::int64_t> site;
  std::vector<double> distance;

  explicit Map(const Extents& extents)
      : site(static_cast<std::size_t>(extents.count())), distance(site.size()), extents_(extents) {}
  NearestSiteOutputs views() {
    return {.site_index = View<std::int64_t>(site.data(), extents_),
            .distance = View<double>(distance.data(), extents_)};
  }
  bool differs(const Map& other, std::size_t cell) const {
    return site[cell] != other.site[cell] ||
           std::memcmp(&distance[cell], &other.distance[cell], sizeof(double)) != 0;
  }

 private:
  Extents extents_;
};

/// Fails unless `changes` is what two maps say.
inline void expect_changes(const Changes& changes, const ChangedCells& cells, const Map& before,
                           const Map& now, const Extents& extents) {
  Changes expected;
  std::vector<std::int64_t> expected_cells;
  std::vector<std::int64_t> expected_before;
  std::vector<std::int64_t> sites;
  for (std::size_t cell = 0; cell < now.site.size(); ++cell) {
    if (!now.differs(before, cell)) continue;
    expected_cells.push_back(static_cast<std::int64_t>(cell));
    expected_before.push_back(before.site[cell]);
    if (before.site[cell] != now.site[cell])
      for (const std::int64_t site : {before.site[cell], now.site[cell]})
        if (site >= 0) sites.push_back(site);
    const Axes at = to_cell(to_axes(extents), static_cast<std::int64_t>(cell));
    const std::vector<std::int64_t> own(at.end() - extents.rank(), at.end());
    if (expected.first.empty()) expected.first = expected.last = own;
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      expected.first[axis] = std::min(expected.first[axis], own[axis]);
      expected.last[axis] = std::max(expected.last[axis], own[axis]);
    }
  }
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  EXPECT_EQ(changes.cells, static_cast<std::int64_t>(expected_cells.size()));
  EXPECT_TRUE(std::ranges::equal(cells.cell, expected_cells));
  EXPECT_TRUE(std::ranges::equal(cells.site_before, expected_before));
  EXPECT_EQ(changes.first, expected.first);
  EXPECT_EQ(changes.last, expected.last);
  EXPECT_EQ(changes.sites, sites);
}

/// What a solver does not refuse.
inline void allow_for_solver(NearestSiteOptions& options) {
  options.signed_distance = false;
  options.distance_to = DistanceTo::sites;
}

/// A number as an element of a type.
inline std::array<std::byte, 8> element_of(ElementType type, std::int64_t number) {
  std::array<std::byte, 8> bytes{};
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    const auto value = static_cast<T>(number);
    std::memcpy(bytes.data(), &value, sizeof value);
  });
  return bytes;
}

inline std::vector<std::uint8_t> draw_domain(Draw& draw, std::size_t cells) {
  if (!draw.once_in(4)) return {};
  std::vector<std::uint8_t> domain(cells);
  for (auto& each : domain) each = draw.once_in(3) ? 0 : 1;
  return domain;
}

/// The contexts of a run: that of the solver has 1 or 4 threads and maybe small limits.
struct SolverContexts {
  Context own;
  Context fresh{{.device = "cpu", .threads = 1}};

  SolverContexts(Draw& draw, std::uint64_t seed, const std::string& device)
      : own({.device = device, .threads = seed % 2 == 0 ? 1 : 4}) {
    if (draw.once_in(2)) own.state().limits = draw_small_limits(draw);
  }
};

/// Whether the last solve() repaired what was there.
inline bool has_repaired(const Context& context) {
  return std::ranges::any_of(context.phases(),
                             [](const Phase& phase) { return phase.name == "repair"; }) &&
         std::ranges::none_of(context.phases(),
                              [](const Phase& phase) { return phase.name == "compare"; });
}

/// A solve(), or its two halves.
inline const Changes& solve(NearestSiteSolver& solver, Draw& draw) {
  if (draw.once_in(2)) return solver.solve();
  solver.enqueue();
  return solver.changes();
}

/// Updates of raster sites.
class RasterSteps {
 public:
  RasterSteps(std::uint64_t seed, RasterProblem problem, const std::string& device = "cpu")
      : draw_(~seed),
        contexts_(draw_, seed, device),
        problem_(std::move(problem)),
        wanted_(Wanted::draw(draw_, problem_)),
        domain_(draw_domain(draw_, problem_.sites.size())),
        before_(problem_.extents()),
        now_(problem_.extents()) {
    allow_for_solver(problem_.options);
    if (problem_.type == ElementType::boolean) wanted_.labels = false;
    if (!domain_.empty() && wanted_.labels) problem_.options.nodata_label = std::int64_t{99};
    if (domain_.empty() || !wanted_.labels) problem_.options.nodata_label.reset();
    original_ = problem_.cells;
    const Placement placement{draw_.below(20), draw_.once_in(3) ? draw_.below(20) : 0};
    answer_ = std::make_unique<Answer>(problem_, wanted_, placement);
    solver_ = std::make_unique<NearestSiteSolver>(contexts_.own, problem_.view(), problem_.options,
                                                  answer_->views(), domain());
    check();
  }

  /// Up to three updates, and a solve().
  void step() {
    const std::int64_t updates = draw_.below(4);
    for (std::int64_t i = 0; i < updates; ++i) update();
    before_ = now_;
    const Changes& changes = solve(*solver_, draw_);
    repairs_ += has_repaired(contexts_.own) ? 1 : 0;
    check();
    expect_changes(changes, solver_->changed_cells(), before_, now_, problem_.extents());
  }

  std::int64_t repairs() const { return repairs_; }

 private:
  View<const void> domain() const {
    if (domain_.empty()) return {};
    return View<const std::uint8_t>(domain_.data(), problem_.extents());
  }
  std::int64_t cells() const { return std::ssize(problem_.sites); }
  std::size_t element() const { return size_of(problem_.type); }
  std::byte* cell(std::int64_t index) {
    return problem_.cells.data() + static_cast<std::size_t>(index) * element();
  }

  void check() {
    Answer expected(problem_, wanted_);
    nearest_site(contexts_.fresh, problem_.view(), problem_.options, expected.views(), domain());
    ASSERT_TRUE(*answer_ == expected && answer_->is_within_cells());
    NearestSiteOptions options = problem_.options;
    options.nodata_label.reset();
    nearest_site(contexts_.fresh, problem_.view(), options, now_.views(), domain());
  }

  /// Any value, most of them sites.
  std::int64_t draw_value() { return draw_.once_in(3) ? 0 : 1 + draw_.below(100); }
  /// A value that is a site by all options.
  std::int64_t draw_label() {
    const bool is_nodata =
        problem_.options.nodata && std::get<std::int64_t>(*problem_.options.nodata) == 7;
    return is_nodata ? 8 : 7;
  }
  /// Cells near each other, or anywhere; those that `allow`.
  template <class Allow>
  std::vector<std::int64_t> draw_cells(std::int64_t most, const Allow& allow) {
    std::vector<std::int64_t> drawn;
    const std::int64_t count = 1 + draw_.below(most);
    const std::int64_t first = draw_.below(cells());
    const std::int64_t range = draw_.once_in(2) ? cells() : std::min<std::int64_t>(20, cells());
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t index = (first + draw_.below(range)) % cells();
      if (allow(index) && std::ranges::find(drawn, index) == drawn.end()) drawn.push_back(index);
    }
    return drawn;
  }
  std::vector<std::byte> values_of(std::size_t count, std::int64_t (RasterSteps::*value)()) {
    std::vector<std::byte> values(count * element());
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(values.data() + i * element(), element_of(problem_.type, (this->*value)()).data(),
                  element());
    return values;
  }
  View<const void> list_of(const std::vector<std::byte>& values) const {
    return {values.data(), problem_.type,
            Extents{static_cast<std::int64_t>(values.size() / element())}};
  }
  void put(const std::vector<std::int64_t>& at, const std::vector<std::byte>& values) {
    for (std::size_t i = 0; i < at.size(); ++i)
      std::memcpy(cell(at[i]), values.data() + i * element(), element());
  }

  void update() {
    const bool may_leave = !problem_.options.zero_is_site && !problem_.options.free_nodata;
    const auto is_site = [&](std::int64_t index) { return solver_->has_site(index); };
    const auto is_free = [&](std::int64_t index) { return !solver_->has_site(index); };
    switch (draw_.below(8)) {
      case 0: {
        const auto at = draw_cells(1, is_free);
        const auto labels = values_of(at.size(), &RasterSteps::draw_label);
        solver_->add_sites(at, list_of(labels));
        return put(at, labels);
      }
      case 1:
      case 2: {
        if (!may_leave) return;
        const auto at = draw_cells(20, is_site);
        solver_->remove_sites(at);
        return put(at, std::vector<std::byte>(at.size() * element()));
      }
      case 3:
      case 4: {
        if (!may_leave) return;
        auto from = draw_cells(8, is_site);
        auto to = draw_cells(8, is_free);
        from.resize(std::min(from.size(), to.size()));
        to.resize(from.size());
        std::vector<std::byte> labels(from.size() * element());
        for (std::size_t i = 0; i < from.size(); ++i)
          std::memcpy(labels.data() + i * element(), cell(from[i]), element());
        solver_->move_sites(from, to);
        put(from, std::vector<std::byte>(labels.size()));
        return put(to, labels);
      }
      case 5:
        return update_box();
      default: {
        const auto at = draw_cells(6, [](std::int64_t) { return true; });
        const auto values = values_of(at.size(), &RasterSteps::draw_value);
        solver_->update_sites(at, list_of(values));
        return put(at, values);
      }
    }
  }

  /// A box of any values, or of those that the raster had at first; sometimes all of it.
  void update_box() {
    const int rank = problem_.rank();
    const bool is_all = draw_.once_in(5);
    const std::int64_t kind = draw_.below(3);
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> sizes;
    for (int axis = 0; axis < rank; ++axis) {
      const std::int64_t extent = problem_.extents()[axis];
      first.push_back(is_all ? 0 : draw_.below(extent));
      const std::int64_t most = is_all ? extent : std::min<std::int64_t>(8, extent - first.back());
      sizes.push_back(is_all ? extent : draw_.below(most + 1));
    }
    const Extents extents(sizes);
    std::vector<std::byte> values(static_cast<std::size_t>(extents.count()) * element());
    Axes corner{};
    std::copy(first.begin(), first.end(), corner.end() - rank);
    const Axes size = to_axes(extents);
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      Axes at = to_cell(size, i);
      for (std::size_t axis = 0; axis < kAxes; ++axis) at[axis] += corner[axis];
      const std::int64_t index = to_index(to_axes(problem_.extents()), at);
      std::byte* const value = values.data() + static_cast<std::size_t>(i) * element();
      const auto drawn = element_of(problem_.type, kind == 0 ? 0 : draw_value());
      std::memcpy(
          value,
          kind == 2 ? original_.data() + static_cast<std::size_t>(index) * element() : drawn.data(),
          element());
      std::memcpy(cell(index), value, element());
    }
    solver_->update_box(first, {values.data(), problem_.type, extents});
  }

  Draw draw_;
  SolverContexts contexts_;
  RasterProblem problem_;
  Wanted wanted_;
  std::vector<std::uint8_t> domain_;
  std::vector<std::byte> original_;
  std::unique_ptr<Answer> answer_;
  std::unique_ptr<NearestSiteSolver> solver_;
  Map before_;
  Map now_;
  std::int64_t repairs_ = 0;
};

/// Updates of a list of points.
class PointSteps {
 public:
  PointSteps(std::uint64_t seed, RasterProblem problem, const std::string& device = "cpu")
      : draw_(~seed),
        contexts_(draw_, seed, device),
        problem_(std::move(problem)),
        options_(options_of_points(problem_)),
        wanted_(Wanted::draw(draw_, problem_)),
        domain_(draw_domain(draw_, problem_.sites.size())),
        before_(problem_.extents()),
        now_(problem_.extents()) {
    if (draw_.once_in(2)) wanted_.offset = wanted_.squared = false;
    on_centres_ = wanted_.offset || wanted_.squared;
    options_.unreached = problem_.options.unreached;
    if (!domain_.empty() && wanted_.labels) options_.nodata_label = std::int64_t{99};
    grid_ = {.extents = problem_.extents(), .spacing = problem_.options.spacing};
    PointsOf points(problem_, draw_);
    const auto count = static_cast<std::size_t>(points.list.coordinates.extent(0));
    coordinates_ = std::move(points.coordinates);
    if (on_centres_)
      for (double& each : coordinates_) each = std::floor(each);
    labels_ = std::move(points.labels);
    present_.assign(count, true);
    answer_ = std::make_unique<Answer>(problem_, wanted_, Placement{draw_.below(20), 0});
    solver_ = std::make_unique<NearestSiteSolver>(contexts_.own, list(coordinates_, labels_), grid_,
                                                  options_, answer_->views(), domain());
    check();
  }

  void step() {
    const std::int64_t updates = draw_.below(4);
    for (std::int64_t i = 0; i < updates; ++i) update();
    before_ = now_;
    const Changes& changes = solve(*solver_, draw_);
    repairs_ += has_repaired(contexts_.own) ? 1 : 0;
    check();
    expect_changes(changes, solver_->changed_cells(), before_, now_, problem_.extents());
  }

  std::int64_t repairs() const { return repairs_; }

 private:
  std::size_t rank() const { return static_cast<std::size_t>(problem_.rank()); }
  std::size_t element() const { return size_of(problem_.type); }
  bool has_labels() const { return problem_.type != ElementType::boolean; }
  View<const void> domain() const {
    if (domain_.empty()) return {};
    return View<const std::uint8_t>(domain_.data(), problem_.extents());
  }
  PointList list(const std::vector<double>& coordinates,
                 const std::vector<std::byte>& labels) const {
    const auto count = static_cast<std::int64_t>(coordinates.size() / rank());
    PointList points{.coordinates = View<const double>(coordinates.data(),
                                                       {count, static_cast<std::int64_t>(rank())})};
    if (has_labels()) points.labels = {labels.data(), problem_.type, {count}};
    return points;
  }

  /// The fresh call is that of the points that are there, with the numbers that they have in the
  /// whole list.
  void check() {
    std::vector<double> coordinates;
    std::vector<std::byte> labels;
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> position;
    for (std::size_t i = 0; i < present_.size(); ++i) {
      if (!present_[i]) continue;
      position.push_back(static_cast<std::int64_t>(i));
      numbers.push_back(static_cast<std::int32_t>(i + 1));
      coordinates.insert(coordinates.end(), &coordinates_[i * rank()],
                         &coordinates_[i * rank()] + rank());
      if (has_labels())
        labels.insert(labels.end(), &labels_[i * element()], &labels_[i * element()] + element());
    }
    PointList points = list(coordinates, labels);
    if (!has_labels())
      points.labels = View<const std::int32_t>(numbers.data(), {std::ssize(numbers)});
    Answer expected(problem_, wanted_);
    voronoi(contexts_.fresh, points, grid_, options_, expected.views(), domain());
    const auto to_positions = [&](const View<std::int64_t>& index) {
      if (!index) return;
      const View<std::int64_t> cells = with_three_axes(index);
      for (std::int64_t z = 0; z < cells.extent(0); ++z)
        for (std::int64_t y = 0; y < cells.extent(1); ++y)
          for (std::int64_t x = 0; x < cells.extent(2); ++x)
            if (std::int64_t& own = cells(z, y, x); own >= 0)
              own = position[static_cast<std::size_t>(own)];
    };
    to_positions(expected.views().site_index);
    ASSERT_TRUE(*answer_ == expected && answer_->is_within_cells());
    NearestSiteOptions options = options_;
    options.nodata_label.reset();
    voronoi(contexts_.fresh, list(coordinates, labels), grid_, options, now_.views(), domain());
    to_positions(now_.views().site_index);
  }

  /// In the grid or around it, in whole cells or in parts of some.
  void draw_place(std::vector<double>& coordinates) {
    const bool is_far = draw_.once_in(12);
    for (int axis = 0; axis < problem_.rank(); ++axis) {
      const std::int64_t extent = problem_.extents()[axis];
      const std::int64_t whole =
          is_far ? draw_.below(9 * extent) - 4 * extent : draw_.below(extent);
      const double part = on_centres_ || draw_.once_in(2) ? 0 : draw_.real() - 0.5;
      coordinates.push_back(static_cast<double>(whole) + part);
    }
  }
  std::vector<std::int64_t> draw_sites(std::int64_t most, bool absent_too) {
    std::vector<std::int64_t> drawn;
    if (present_.empty()) return drawn;
    const std::int64_t count = 1 + draw_.below(most);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t site = draw_.below(std::ssize(present_));
      if ((present_[static_cast<std::size_t>(site)] || absent_too) &&
          std::ranges::find(drawn, site) == drawn.end())
        drawn.push_back(site);
    }
    return drawn;
  }

  void update() {
    switch (draw_.below(6)) {
      case 0:
        return add();
      case 1:
        return remove(draw_sites(3, false));
      case 2: {
        if (!draw_.once_in(5)) return;
        std::vector<std::int64_t> all;  // everything goes
        for (std::size_t i = 0; i < present_.size(); ++i)
          if (present_[i]) all.push_back(static_cast<std::int64_t>(i));
        return remove(all);
      }
      default:
        return move(draw_sites(draw_.once_in(4) ? 30 : 2, draw_.once_in(3)));
    }
  }

  void add() {
    const std::int64_t count = draw_.below(3);
    std::vector<double> coordinates;
    std::vector<std::byte> labels;
    for (std::int64_t i = 0; i < count; ++i) {
      draw_place(coordinates);
      const auto label = element_of(problem_.type, 1 + draw_.below(100));
      if (has_labels())
        labels.insert(labels.end(), label.begin(),
                      label.begin() + static_cast<std::ptrdiff_t>(element()));
    }
    EXPECT_EQ(solver_->add_sites(list(coordinates, labels)), std::ssize(present_));
    coordinates_.insert(coordinates_.end(), coordinates.begin(), coordinates.end());
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    present_.resize(present_.size() + static_cast<std::size_t>(count), true);
    EXPECT_EQ(solver_->positions(), std::ssize(present_));
  }

  void remove(const std::vector<std::int64_t>& sites) {
    solver_->remove_sites(sites);
    for (const std::int64_t site : sites) present_[static_cast<std::size_t>(site)] = false;
  }

  /// To new places, to that of another point, a little, or not at all.
  void move(const std::vector<std::int64_t>& sites) {
    std::vector<double> places;
    for (const std::int64_t site : sites) {
      const auto own = static_cast<std::size_t>(site) * rank();
      const auto other = static_cast<std::size_t>(draw_.below(std::ssize(present_))) * rank();
      const std::int64_t way = draw_.below(6);
      if (way < 2) {
        draw_place(places);
        continue;
      }
      for (std::size_t axis = 0; axis < rank(); ++axis) {
        const double from = coordinates_[(way == 2 ? other : own) + axis];
        const double by =
            on_centres_ ? static_cast<double>(draw_.below(3) - 1) : draw_.real() * 2 - 1;
        places.push_back(way < 4 ? from : from + by);
      }
    }
    solver_->move_sites(sites, list(places, {}).coordinates);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const auto site = static_cast<std::size_t>(sites[i]);
      present_[site] = true;
      std::copy_n(&places[i * rank()], rank(), &coordinates_[site * rank()]);
    }
  }

  Draw draw_;
  SolverContexts contexts_;
  RasterProblem problem_;
  NearestSiteOptions options_;
  Wanted wanted_;
  bool on_centres_ = false;
  Grid grid_;
  std::vector<std::uint8_t> domain_;
  std::vector<double> coordinates_;
  std::vector<std::byte> labels_;
  std::vector<bool> present_;
  std::unique_ptr<Answer> answer_;
  std::unique_ptr<NearestSiteSolver> solver_;
  Map before_;
  Map now_;
  std::int64_t repairs_ = 0;
};

}  // namespace thiessen::testing

// SPDX-License-Identifier: Apache-2.0
//
// A CostSolver beside a plain model of its map and its sites: random updates of both, and fresh
// calls of cost_distance() for what the solver must have.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/context_state.hpp"
#include "support/draw.hpp"
#include "thiessen/solvers/cost_solver.hpp"

namespace thiessen::testing {

/// The outputs of one call.
struct CostOutputs {
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;
  std::vector<std::uint8_t> back_link;

  explicit CostOutputs(std::int64_t cells)
      : labels(static_cast<std::size_t>(cells), -77),
        site_index(static_cast<std::size_t>(cells), -77),
        distance(static_cast<std::size_t>(cells), -77),
        back_link(static_cast<std::size_t>(cells), 77) {}

  CostDistanceOutputs views(const Extents& extents, bool links) {
    CostDistanceOutputs out{.labels = View<std::int32_t>(labels.data(), extents),
                            .site_index = View<std::int64_t>(site_index.data(), extents),
                            .distance = View<double>(distance.data(), extents)};
    if (links) out.back_link = View<std::uint8_t>(back_link.data(), extents);
    return out;
  }
};

inline bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Draws a problem, then updates of it.
class CostSolverModel {
 public:
  static constexpr float kNodata = -9;

  explicit CostSolverModel(std::uint64_t seed, const std::string& device = "cpu")
      : draw_(seed), context_({.device = device, .threads = draw_.once_in(3) ? 4 : 1}) {
    const bool deep = draw_.once_in(3);
    const std::int64_t tiles = device != "cpu" && draw_.once_in(2) ? 3 : 1;  // along an axis
    std::vector<std::int64_t> sizes;
    for (int axis = 0; axis < (deep ? 3 : 2); ++axis)
      sizes.push_back(1 + draw_.below(tiles * (deep ? 9 : 26)));
    extents_ = Extents(sizes);
    cells_ = extents_.count();
    by_cell_ = draw_.once_in(2);
    links_ = draw_.once_in(2);
    kind_ = draw_.below(4);
    context_.state().limits.cells_per_changed_cell = draw_.once_in(3) ? 64 : 1;
    if (device != "cpu") context_.state().limits.few_repaired_tiles = draw_.below(16);
    draw_options(deep);
    if (device == "cpu" && draw_.once_in(3)) draw_fronts();
    for (std::int64_t i = 0; i < cells_; ++i) map_.push_back(value());
    has_faces_ = device == "cpu" && options_.method == CostMethod::exact && draw_.once_in(2);
    faces_.assign(static_cast<std::size_t>(cells_), 0);
    const bool blocked_at_first = has_faces_ && draw_.once_in(2);
    if (blocked_at_first)
      for (std::uint8_t& each : faces_) each = faces();
    if (blocked_at_first) options_.blocked_faces = {faces_.data(), extents_};
    labels_.assign(static_cast<std::size_t>(cells_), 0);
    initial_of_cell_.assign(static_cast<std::size_t>(cells_), 0);
    has_initial_ = draw_.once_in(2);
    const std::int64_t sites = draw_.below(6) * draw_.below(4);
    for (std::int64_t i = 0; i < sites; ++i) {
      if (by_cell_) {
        const auto cell = static_cast<std::size_t>(draw_.below(cells_));
        labels_[cell] = label();
        initial_of_cell_[cell] = initial();
      } else {
        append_point();
      }
    }
    outputs_ = std::make_unique<CostOutputs>(cells_);
    make_solver();
    // Fresh calls have what updates make of them.
    if (has_faces_) options_.blocked_faces = {faces_.data(), extents_};
    before_ = std::make_unique<CostOutputs>(*outputs_);
  }

  /// Whether the outputs are right now, as they must be once the solver is made.
  void check() { compare_with_fresh_call(); }

  /// Some updates, then solve() and a comparison with a fresh call.
  void step() {
    for (std::int64_t updates = draw_.below(4); updates >= 0; --updates) update();
    const Changes changes = solver_->solve();
    compare_with_fresh_call();
    compare_changes(changes);
    *before_ = *outputs_;
  }

  CostSolver& solver() { return *solver_; }
  std::string text() const {
    std::string sizes;
    for (int axis = 0; axis < extents_.rank(); ++axis)
      sizes += (axis > 0 ? "x" : "") + std::to_string(extents_[axis]);
    return sizes + (by_cell_ ? " raster" : " points") + ", connectivity " +
           std::string(name_of(options_.connectivity)) + ", map " + std::to_string(kind_) +
           (options_.method == CostMethod::eikonal ? ", fronts" : "") + (links_ ? ", links" : "") +
           (has_faces_ ? ", faces" : "") + (options_.tight_barriers ? ", tight" : "") + "; last " +
           last_;
  }

 private:
  struct Point {
    std::vector<double> at;
    double initial;
    std::int32_t label;
    bool is_there;
  };

  void draw_fronts() {
    options_.method = CostMethod::eikonal;
    options_.connectivity = Connectivity::corners;
    options_.exact_radius = static_cast<double>(draw_.below(7)) / 2;
  }

  void draw_options(bool deep) {
    weight_ = draw_.once_in(2) ? EdgeWeight::cost : EdgeWeight::stiffness;
    const std::int64_t connectivity = draw_.below(3);
    options_.connectivity = connectivity == 0   ? Connectivity::corners
                            : connectivity == 1 ? Connectivity::faces
                            : deep              ? Connectivity::edges
                                                : Connectivity::knights;
    options_.distance_type = draw_.once_in(3) ? FloatType::f64 : FloatType::f32;
    options_.tight_barriers = draw_.once_in(3);
    if (draw_.once_in(3)) options_.max_distance = 1 + static_cast<double>(draw_.below(12));
    if (draw_.once_in(4))
      options_.spacing = deep ? std::vector{1.5, 0.9, 1.2} : std::vector{1.5, 0.5};
    if (draw_.once_in(2)) options_.map_nodata = static_cast<double>(kNodata);
    options_.nodata_label = std::int64_t{-5};
    options_.unreached = std::int64_t{-6};
  }

  float value() {
    if (draw_.once_in(8)) return options_.map_nodata && draw_.once_in(2) ? kNodata : barrier();
    if (kind_ == 0) return 1;
    if (kind_ == 1) return static_cast<float>(1 + draw_.below(2));
    if (kind_ == 2)  // steps that cost nothing, or are lost in rounding
      return weight_ == EdgeWeight::cost ? (draw_.once_in(2) ? 0 : 1)
                                         : (draw_.once_in(2) ? 1e9F : 1);
    return static_cast<float>(0.1 + draw_.real());
  }
  /// The blocked faces of a cell: mostly none, in some scenes many.
  std::uint8_t faces() {
    if (!draw_.once_in(kind_ == 1 ? 2 : 6)) return 0;
    return static_cast<std::uint8_t>(draw_.below(1 << extents_.rank()));
  }
  float barrier() const {
    return weight_ == EdgeWeight::cost ? std::numeric_limits<float>::infinity() : 0;
  }
  std::int32_t label() { return static_cast<std::int32_t>(1 + draw_.below(3)); }
  double initial() { return has_initial_ ? static_cast<double>(draw_.below(4)) : 0; }

  std::vector<double> place() {
    std::vector<double> at;
    for (int axis = 0; axis < extents_.rank(); ++axis)
      at.push_back(draw_.real() * static_cast<double>(extents_[axis] + 1) - 1);
    return at;
  }
  void append_point() { points_.push_back({place(), initial(), label(), true}); }

  View<const double> list(const std::vector<double>& values) const {
    return {values.data(), {static_cast<std::int64_t>(values.size())}};
  }
  View<const std::int32_t> list(const std::vector<std::int32_t>& values) const {
    return {values.data(), {static_cast<std::int64_t>(values.size())}};
  }
  View<const double> coordinates(const std::vector<double>& values) const {
    const std::int64_t rank = extents_.rank();
    return {values.data(), {static_cast<std::int64_t>(values.size()) / rank, rank}};
  }

  void make_solver() {
    const View<const float> map(map_.data(), extents_);
    const CostDistanceOutputs out = outputs_->views(extents_, links_);
    if (by_cell_) {
      solver_.emplace(context_, CostMap(map, weight_),
                      View<const std::int32_t>(labels_.data(), extents_), options_, out,
                      initial_view());
      return;
    }
    const Listed listed = list_points();
    solver_.emplace(context_, CostMap(map, weight_),
                    PointList{coordinates(listed.at), list(listed.labels)}, options_, out,
                    list(listed.initial));
  }

  View<const void> initial_view() const {
    if (!has_initial_) return {};
    return View<const double>(initial_of_cell_.data(), extents_);
  }

  struct Listed {
    std::vector<double> at;
    std::vector<double> initial;
    std::vector<std::int32_t> labels;
  };
  Listed list_points() const {
    Listed listed;
    for (const Point& point : points_) {
      for (const double x : point.at) listed.at.push_back(point.is_there ? x : -99);
      listed.initial.push_back(point.initial);
      listed.labels.push_back(point.label);
    }
    return listed;
  }

  // --- updates

  void update() {
    switch (draw_.below(has_faces_ ? 11 : 8)) {
      case 0:
      case 1:
        return update_box();
      case 2:
        return update_cells();
      case 3:
        return add();
      case 4:
        return remove();
      case 5:
        return move();
      case 6:
        return set_initial();
      case 7:
        return;  // nothing, and solve() again
      default:
        return update_faces();
    }
  }

  /// A box of some cells, or of all.
  struct Box {
    std::vector<std::int64_t> first;
    Extents extents;
    std::vector<std::size_t> cells;  ///< of the raster, in C order
  };
  Box draw_box() {
    Box box;
    std::vector<std::int64_t> size;
    const bool large = draw_.once_in(8);
    for (int axis = 0; axis < extents_.rank(); ++axis) {
      box.first.push_back(large ? 0 : draw_.below(extents_[axis]));
      const std::int64_t most = extents_[axis] - box.first.back();
      size.push_back(large ? most : 1 + draw_.below(std::min<std::int64_t>(most, 4)));
    }
    box.extents = Extents{std::span<const std::int64_t>(size)};
    for (std::int64_t i = 0; i < box.extents.count(); ++i) {
      std::int64_t cell = 0;
      std::int64_t rest = i;
      std::vector<std::int64_t> at(size.size());
      for (std::size_t axis = size.size(); axis-- > 0; rest /= size[axis])
        at[axis] = box.first[axis] + rest % size[axis];
      for (std::size_t axis = 0; axis < size.size(); ++axis)
        cell = cell * extents_[static_cast<int>(axis)] + at[axis];
      box.cells.push_back(static_cast<std::size_t>(cell));
    }
    return box;
  }

  void update_box() {
    last_ = "box";
    const Box box = draw_box();
    const float same = value();
    const bool is_level = draw_.once_in(3);
    std::vector<float> values;
    for (const std::size_t cell : box.cells) {
      values.push_back(is_level ? same : value());
      map_[cell] = values.back();
    }
    solver_->update_box(box.first, View<const float>(values.data(), box.extents));
  }

  void update_faces() {
    last_ = "faces";
    const Box box = draw_box();
    const std::uint8_t same = faces();
    const bool is_level = draw_.once_in(3);
    std::vector<std::uint8_t> values;
    for (const std::size_t cell : box.cells) {
      values.push_back(is_level ? same : faces());
      faces_[cell] = values.back();
    }
    solver_->update_blocked_faces(box.first, View<const std::uint8_t>(values.data(), box.extents));
  }

  void update_cells() {
    last_ = "cells";
    std::vector<std::int64_t> cells;
    std::vector<float> values;
    for (std::int64_t i = draw_.below(6); i > 0; --i) {
      cells.push_back(draw_.below(cells_));
      values.push_back(draw_.once_in(4) ? map_[static_cast<std::size_t>(cells.back())] : value());
      map_[static_cast<std::size_t>(cells.back())] = values.back();
    }
    solver_->update_map(
        cells, View<const float>(values.data(), {static_cast<std::int64_t>(values.size())}));
  }

  void add() {
    last_ = "add";
    std::vector<std::int64_t> cells;
    Listed listed;
    for (std::int64_t i = draw_.below(3); i >= 0; --i) {
      if (by_cell_) {
        const std::int64_t cell = draw_.below(cells_);
        const auto at = static_cast<std::size_t>(cell);
        if (labels_[at] != 0) continue;
        labels_[at] = label();
        initial_of_cell_[at] = initial();
        cells.push_back(cell);
        listed.labels.push_back(labels_[at]);
        listed.initial.push_back(initial_of_cell_[at]);
      } else {
        append_point();
        for (const double x : points_.back().at) listed.at.push_back(x);
        listed.labels.push_back(points_.back().label);
        listed.initial.push_back(points_.back().initial);
      }
    }
    if (by_cell_)
      solver_->add_sites(cells, list(listed.labels), list(listed.initial));
    else
      EXPECT_EQ(
          solver_->add_sites({coordinates(listed.at), list(listed.labels)}, list(listed.initial)),
          static_cast<std::int64_t>(points_.size() - listed.labels.size()));
  }

  /// Some sites, each once; absent points too if wanted.
  std::vector<std::int64_t> some_sites(bool absent_too) {
    std::vector<std::int64_t> all;
    if (by_cell_) {
      for (std::int64_t cell = 0; cell < cells_; ++cell)
        if (labels_[static_cast<std::size_t>(cell)] != 0) all.push_back(cell);
    } else {
      for (std::size_t i = 0; i < points_.size(); ++i)
        if (points_[i].is_there || absent_too) all.push_back(static_cast<std::int64_t>(i));
    }
    std::vector<std::int64_t> some;
    const std::int64_t most = draw_.once_in(8) ? 1000 : 2;
    while (!all.empty() && static_cast<std::int64_t>(some.size()) < most) {
      const auto i =
          static_cast<std::ptrdiff_t>(draw_.below(static_cast<std::int64_t>(all.size())));
      some.push_back(all[static_cast<std::size_t>(i)]);
      all.erase(all.begin() + i);
    }
    return some;
  }

  void remove() {
    last_ = "remove";
    const std::vector<std::int64_t> sites = some_sites(false);
    for (const std::int64_t site : sites) {
      if (by_cell_)
        labels_[static_cast<std::size_t>(site)] = 0;
      else
        points_[static_cast<std::size_t>(site)].is_there = false;
    }
    solver_->remove_sites(sites);
  }

  void move() {
    last_ = "move";
    const std::vector<std::int64_t> sites = some_sites(true);
    if (!by_cell_) {
      std::vector<double> places;
      for (const std::int64_t site : sites) {
        Point& point = points_[static_cast<std::size_t>(site)];
        point.at = place();
        point.is_there = true;
        for (const double x : point.at) places.push_back(x);
      }
      return solver_->move_sites(sites, coordinates(places));
    }
    std::vector<std::int32_t> moved;
    std::vector<double> initial;
    for (const std::int64_t site : sites) {
      moved.push_back(labels_[static_cast<std::size_t>(site)]);
      initial.push_back(initial_of_cell_[static_cast<std::size_t>(site)]);
      labels_[static_cast<std::size_t>(site)] = 0;
    }
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      std::int64_t cell = draw_.below(cells_);
      while (labels_[static_cast<std::size_t>(cell)] != 0) cell = (cell + 1) % cells_;
      labels_[static_cast<std::size_t>(cell)] = moved[i];
      initial_of_cell_[static_cast<std::size_t>(cell)] = initial[i];
      places.push_back(cell);
    }
    solver_->move_sites(sites, places);
  }

  void set_initial() {
    last_ = "initial cost";
    if (!has_initial_) return;
    const std::vector<std::int64_t> sites = some_sites(false);
    std::vector<double> costs;
    for (const std::int64_t site : sites) {
      costs.push_back(initial());
      if (by_cell_)
        initial_of_cell_[static_cast<std::size_t>(site)] = costs.back();
      else
        points_[static_cast<std::size_t>(site)].initial = costs.back();
    }
    solver_->set_initial_cost(sites, list(costs));
  }

  // --- comparisons

  void compare_with_fresh_call() {
    CostOutputs fresh(cells_);
    const View<const float> map(map_.data(), extents_);
    const CostDistanceOutputs out = fresh.views(extents_, links_);
    if (by_cell_) {
      cost_distance(fresh_context_, CostMap(map, weight_),
                    View<const std::int32_t>(labels_.data(), extents_), options_, out,
                    initial_view());
    } else {
      const Listed listed = list_points();
      cost_distance(fresh_context_, CostMap(map, weight_),
                    PointList{coordinates(listed.at), list(listed.labels)}, options_, out,
                    list(listed.initial));
    }
    ASSERT_TRUE(std::equal(fresh.distance.begin(), fresh.distance.end(), outputs_->distance.begin(),
                           is_same))
        << text();
    ASSERT_EQ(fresh.site_index, outputs_->site_index) << text();
    ASSERT_EQ(fresh.labels, outputs_->labels) << text();
    ASSERT_EQ(fresh.back_link, outputs_->back_link) << text();
  }

  void compare_changes(const Changes& changes) {
    const ChangedCells changed = solver_->changed_cells();
    ASSERT_EQ(changes.cells, static_cast<std::int64_t>(changed.cell.size())) << text();
    std::vector<std::int64_t> sites;
    std::size_t next = 0;
    for (std::int64_t cell = 0; cell < cells_; ++cell) {
      const auto at = static_cast<std::size_t>(cell);
      const std::int64_t before = before_->site_index[at];
      const bool is_listed = next < changed.cell.size() && changed.cell[next] == cell;
      const bool is_changed = before != outputs_->site_index[at] ||
                              !is_same(before_->distance[at], outputs_->distance[at]);
      ASSERT_EQ(is_listed, is_changed) << "cell " << cell << ", " << text();
      if (!is_listed) continue;
      ASSERT_EQ(changed.site_before[next++], before) << text();
      if (before == outputs_->site_index[at]) continue;
      for (const std::int64_t site : {before, outputs_->site_index[at]})
        if (site >= 0) sites.push_back(site);
    }
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    ASSERT_EQ(changes.sites, sites) << text();
    ASSERT_EQ(changes.first.empty(), changed.cell.empty());
  }

  Draw draw_;
  Context context_;
  Context fresh_context_{{.device = "cpu", .threads = 1}};
  Extents extents_;
  std::int64_t cells_ = 0;
  bool by_cell_ = false;
  bool links_ = false;
  bool has_initial_ = false;
  std::int64_t kind_ = 0;
  CostDistanceOptions options_;
  EdgeWeight weight_ = EdgeWeight::stiffness;
  std::vector<float> map_;
  bool has_faces_ = false;
  std::vector<std::uint8_t> faces_;  ///< that are blocked
  std::vector<std::int32_t> labels_;
  std::vector<double> initial_of_cell_;
  std::vector<Point> points_;
  std::unique_ptr<CostOutputs> outputs_;
  std::unique_ptr<CostOutputs> before_;
  std::optional<CostSolver> solver_;
  std::string last_ = "nothing";
};

}  // namespace thiessen::testing

// SPDX-License-Identifier: Apache-2.0
//
// NearestSiteSolver: checks updates, and keeps the sites as they are now and as the last answer has
// them. An engine of the backend solves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/nearest_solver.hpp"
#include "core/base/context_state.hpp"
#include "core/base/label_bits.hpp"
#include "thiessen/solvers/nearest_site_solver.hpp"

namespace thiessen {

class NearestSiteSolver::State {
 public:
  /// Site indices have 32 bits in a map, where a few negative ones mean something else.
  static constexpr std::int64_t kMostSites = (std::int64_t{1} << 31) - 8;

  State(Context& context, const View<const void>& sites, const NearestSiteOptions& options,
        const NearestSiteOutputs& out, const View<const void>& domain);
  State(Context& context, const PointList& points, const Grid& grid,
        const NearestSiteOptions& options, const NearestSiteOutputs& out,
        const View<const void>& domain);
  State(const State&) = delete;  // the engine knows its address
  State& operator=(const State&) = delete;

  ContextState& context_state() const { return context_->state(); }

  std::int64_t add_points(const PointList& points);
  void move_points(std::span<const std::int64_t> sites, const View<const void>& coordinates);
  void remove_sites(std::span<const std::int64_t> sites);
  void add_cells(std::span<const std::int64_t> cells, const View<const void>& labels);
  void move_cells(std::span<const std::int64_t> from, std::span<const std::int64_t> to);
  void update_cells(std::span<const std::int64_t> cells, const View<const void>& values);
  void update_box(std::span<const std::int64_t> first, const View<const void>& values);
  void solve();
  /// Until solve() is done, nothing has changed.
  void forget_changes() { has_changed_ = false; }
  const Changes& changes() { return has_changed_ ? engine_->changes() : none_; }
  ChangedCells changed_cells() { return has_changed_ ? engine_->changed_cells() : ChangedCells{}; }
  bool has_site(std::int64_t site) const;
  std::int64_t positions() const { return data_.positions(); }
  std::size_t bytes() const { return data_.bytes() + engine_->bytes(); }

 private:
  /// A place in the list, as it was when the answer was made.
  struct FormerPoint {
    std::int64_t site;
    bool was_present;
    Axes place;
  };
  /// A cell and its value then.
  struct FormerCell {
    std::int64_t cell;
    std::size_t turn;  ///< of the change
    LabelBits value;
  };
  struct Frame {
    Problem problem;
    Axes low;
    Axes high;
  };

  View<const void> sites_view() const { return {data_.cells.data(), data_.type, data_.extents}; }

  void start();
  void require_list(const char* name) const;
  void require_raster(const char* name) const;

  void snap(const View<const void>& coordinates);
  std::optional<Frame> other_frame() const;
  Problem problem_of(const Axes& low, const Axes& high) const;
  void enter(std::optional<Frame> frame);
  void check_added_labels(const PointList& points) const;
  void append_number(std::int64_t number);
  void expect_points(std::int64_t more);
  void touch(std::int64_t site);

  std::uint8_t class_of(const std::byte* value) const;
  void check_values(const char* name, const View<const void>& values, std::size_t count) const;
  void check_zero_is_free(const char* name) const;
  void check_sites(const char* name, std::span<const std::int64_t> sites, bool are_sites) const;
  void set_cell(std::int64_t cell, const std::byte* value);
  void expect_cells(std::int64_t count);

  void collect_edits();
  void collect_point_edits();
  void collect_cell_edits();
  void collect_cell_edit(const FormerCell& former);
  void forget_updates();

  Context* context_;
  NearestSolverData data_;
  FreshCalls calls_;
  std::unique_ptr<NearestSolverEngine> engine_;
  bool is_stale_ = true;      ///< the next solve() computes all
  bool has_changed_ = false;  ///< the last one did not throw
  const Changes none_;

  std::vector<FormerCell> former_cells_;
  bool has_labels_ = false;               ///< points have labels of their own
  std::vector<std::uint8_t> is_touched_;  ///< is in former_points_
  std::vector<FormerPoint> former_points_;
  Axes low_{};  ///< the problem holds for points from here
  Axes high_{};
  SiteEdits edits_;

  // What an update needs: kept, so that the next one takes no memory.
  std::vector<Axes> snapped_;  ///< places of points in the units of S
  std::vector<std::int64_t> sorted_;
  std::vector<std::byte> labels_;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/solvers/nearest_site_solver.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "backend/backend.hpp"
#include "core/base/cell_access.hpp"
#include "core/base/element_width.hpp"
#include "core/base/make_room.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "solvers/nearest_solver_state.hpp"
#include "solvers/update_checks.hpp"
#include "threads/guarded.hpp"

namespace thiessen {

using solvers::check_on_host;
using solvers::check_range;
using solvers::check_unique;
using solvers::packed;
using solvers::refuse_unsupported;
using solvers::with_errors;

namespace {

void check_supported(const NearestSiteOptions& options, const NearestSiteOutputs& out,
                     const Extents& extents, std::int64_t most_sites) {
  if (options.method != Method::exact)
    refuse_unsupported("method = " + std::string(name_of(options.method)) + "; must be exact");
  if (options.metric_function)
    refuse_unsupported("metric_function is given; it has its own metrics only");
  if (options.earth) refuse_unsupported("earth is given; it has no metric on the Earth");
  if (options.signed_distance) refuse_unsupported("signed_distance = true; must be false");
  if (options.distance_to != DistanceTo::sites)
    refuse_unsupported("distance_to = " + std::string(name_of(options.distance_to)) +
                       "; must be sites");
  if (options.weighting != Weighting::none)
    refuse_unsupported("weighting = " + std::string(name_of(options.weighting)) +
                       "; its sites have no weights");
  if (options.strict) refuse_unsupported("strict = true; updates give no warnings");
  if (options.k != 0) refuse_unsupported("k is given; updates do not repair the k nearest");
  if (options.ties_unreached || out.ties)
    refuse_unsupported(std::string(out.ties ? "ties are wanted" : "ties_unreached is given") +
                       "; updates do not repair ties");
  if (wants_other_labels(out))
    refuse_unsupported("outputs of another label are wanted; updates do not repair them");
  if (extents.count() == 0) refuse_unsupported("the raster has no cells; must have some");
  if (extents.count() > most_sites)
    refuse_unsupported("the raster has " + std::to_string(extents.count()) +
                       " cells; must have at most 2^31 - 8");
}

/// 1 for each cell of a domain, 0 for the others.
std::vector<std::uint8_t> cells_inside(const View<const void>& domain) {
  const std::vector<std::byte> cells = packed(domain);
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(domain.extents().count()));
  visit_element_width(domain.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < inside.size(); ++i) {
      T value;
      std::memcpy(&value, cells.data() + i * sizeof(T), sizeof value);
      inside[i] = value != 0 ? 1 : 0;
    }
  });
  return inside;
}

}  // namespace

// ---- making it ----

NearestSiteSolver::State::State(Context& context, const View<const void>& sites,
                                const NearestSiteOptions& options, const NearestSiteOutputs& out,
                                const View<const void>& domain)
    : context_(&context) {
  data_.options = options;
  data_.out = out;
  data_.extents = sites.extents();
  check_cells("sites", sites, ReachableMemory(context_state()));
  check_on_host("sites", sites);
  check_on_host("the domain", domain);
  check_supported(options, out, data_.extents, kMostSites);
  data_.problem = make_problem(sites, options, out, ReachableMemory(context_state()), domain);
  data_.type = sites.element_type();
  if (out.labels && data_.type == ElementType::boolean)
    refuse_unsupported(
        "labels of boolean sites are wanted; every update would number them anew, so give sites "
        "labels of their own or ask for their index");
  data_.cells = packed(sites);
  if (domain) data_.domain = cells_inside(domain);
  data_.views = make_views(sites_view(), data_.out);
  start();
  solve();
}

NearestSiteSolver::State::State(Context& context, const PointList& points, const Grid& grid,
                                const NearestSiteOptions& options, const NearestSiteOutputs& out,
                                const View<const void>& domain)
    : context_(&context) {
  data_.options = options;
  data_.out = out;
  data_.extents = grid.extents;
  data_.grid = grid;
  const ReachableMemory reachable(context_state());
  check_extents("grid", grid.extents);
  check_supported(options, out, data_.extents, kMostSites);
  check_points(points, data_.rank(), reachable);
  if (points.metrics) refuse_unsupported("metrics are given; its sites have none");
  check_on_host("points", points.coordinates);
  check_on_host("labels", points.labels);
  check_on_host("the domain", domain);
  // Checks all that voronoi() does, with its words; then the problem is made for other points, too.
  std::vector<Axes> places(static_cast<std::size_t>(points.coordinates.extent(0)));
  const PointSites given = snap_points(points.coordinates, places.data());
  data_.problem = make_problem(points, given, grid, options, out, reachable, domain);
  if (domain) data_.domain = cells_inside(domain);
  has_labels_ = static_cast<bool>(points.labels);
  if (out.labels) data_.type = out.labels.element_type();
  data_.problem.fraction_bits = out.squared || out.offset ? 0 : kFractionBits;
  high_ = {-1, -1, -1};  // so far for no point
  snap(points.coordinates);
  enter(other_frame());
  data_.views.out = with_three_axes(data_.out);
  start();
  add_points(points);
  former_points_.clear();
  std::fill(is_touched_.begin(), is_touched_.end(), std::uint8_t{0});
  solve();
}

void NearestSiteSolver::State::start() {
  calls_ = {.of_raster =
                [this](const View<const void>& sites, const NearestSiteOptions& options,
                       const NearestSiteOutputs& out, const View<const void>& domain) {
                  nearest_site(*context_, sites, options, out, domain);
                },
            .of_points =
                [this](const PointList& points, const NearestSiteOptions& options,
                       const NearestSiteOutputs& out, const View<const void>& domain) {
                  voronoi(*context_, points, data_.grid, options, out, domain);
                }};
  const Backend& backend = *find_backend(context_state().device);
  engine_ = backend.make_nearest_solver(context_state(), data_, calls_);
  if (!engine_)
    refuse_unsupported("device = " + context_state().device +
                       "; must be cpu or cuda, others compute whole rasters");
}

void NearestSiteSolver::State::require_list(const char* name) const {
  if (!data_.is_list())
    refuse(std::string(name) + " of points; the sites of this solver are cells");
}

void NearestSiteSolver::State::require_raster(const char* name) const {
  if (data_.is_list()) refuse(std::string(name) + " of cells; the sites of this solver are points");
}

// ---- updates of both kinds of sites ----

void NearestSiteSolver::State::remove_sites(std::span<const std::int64_t> sites) {
  check_range("sites", sites, data_.positions());
  check_unique("sites", sites, sorted_);
  if (!data_.is_list()) check_zero_is_free("remove_sites()");
  check_sites("sites", sites, true);
  if (!data_.is_list()) {
    constexpr std::byte kZero[8] = {};
    expect_cells(std::ssize(sites));
    for (const std::int64_t site : sites) set_cell(site, kZero);
    return;
  }
  make_room(former_points_, std::ssize(sites));
  for (const std::int64_t site : sites) {
    touch(site);
    data_.is_present[static_cast<std::size_t>(site)] = 0;
    engine_->remove_site(site);
  }
}

bool NearestSiteSolver::State::has_site(std::int64_t site) const {
  if (data_.is_list()) return data_.is_present[static_cast<std::size_t>(site)] != 0;
  return class_of(data_.cells.data() + static_cast<std::size_t>(site) * data_.element()) ==
         kSiteCell;
}

// ---- solving ----

void NearestSiteSolver::State::collect_edits() {
  edits_.clear();
  if (data_.is_list())
    collect_point_edits();
  else
    collect_cell_edits();
}

void NearestSiteSolver::State::forget_updates() {
  for (const FormerPoint& each : former_points_)
    is_touched_[static_cast<std::size_t>(each.site)] = 0;
  former_points_.clear();
  former_cells_.clear();
}

void NearestSiteSolver::State::solve() {
  if (data_.is_list()) {
    data_.views.points.at = data_.places.data();
    data_.views.points.count = data_.points;
    data_.views.labels = {data_.labels.data(), data_.type, {data_.points}};
  }
  collect_edits();
  try {
    engine_->solve(edits_, is_stale_);
  } catch (...) {
    is_stale_ = true;
    throw;
  }
  is_stale_ = false;
  has_changed_ = true;
  forget_updates();
}

// ---- the public class ----

NearestSiteSolver::NearestSiteSolver(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain) {
  guarded(context.state(),
          [&] { state_ = std::make_unique<State>(context, sites, options, out, domain); });
}

NearestSiteSolver::NearestSiteSolver(Context& context, const PointList& points, const Grid& grid,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain) {
  guarded(context.state(),
          [&] { state_ = std::make_unique<State>(context, points, grid, options, out, domain); });
}

NearestSiteSolver::~NearestSiteSolver() = default;
NearestSiteSolver::NearestSiteSolver(NearestSiteSolver&&) noexcept = default;
NearestSiteSolver& NearestSiteSolver::operator=(NearestSiteSolver&&) noexcept = default;

std::int64_t NearestSiteSolver::add_sites(const PointList& points) {
  return guarded(state_->context_state(), [&] { return state_->add_points(points); });
}

void NearestSiteSolver::move_sites(std::span<const std::int64_t> sites,
                                   View<const void> coordinates) {
  guarded(state_->context_state(), [&] { state_->move_points(sites, coordinates); });
}

void NearestSiteSolver::remove_sites(std::span<const std::int64_t> sites) {
  guarded(state_->context_state(), [&] { state_->remove_sites(sites); });
}

void NearestSiteSolver::add_sites(std::span<const std::int64_t> cells, View<const void> labels) {
  guarded(state_->context_state(), [&] { state_->add_cells(cells, labels); });
}

void NearestSiteSolver::move_sites(std::span<const std::int64_t> from,
                                   std::span<const std::int64_t> to) {
  guarded(state_->context_state(), [&] { state_->move_cells(from, to); });
}

void NearestSiteSolver::update_sites(std::span<const std::int64_t> cells, View<const void> values) {
  guarded(state_->context_state(), [&] { state_->update_cells(cells, values); });
}

void NearestSiteSolver::update_box(std::span<const std::int64_t> first, View<const void> values) {
  guarded(state_->context_state(), [&] { state_->update_box(first, values); });
}

const Changes& NearestSiteSolver::solve() {
  const ContextUse use(state_->context_state());
  state_->forget_changes();
  const Changes* changes = nullptr;
  guarded(state_->context_state(), [&] {
    state_->solve();
    changes = &state_->changes();
  });
  return *changes;
}

void NearestSiteSolver::enqueue() {
  const ContextUse use(state_->context_state());
  state_->forget_changes();
  guarded(state_->context_state(), [&] { state_->solve(); });
}

const Changes& NearestSiteSolver::changes() {
  const ContextUse use(state_->context_state());
  return with_errors([&]() -> const Changes& { return state_->changes(); });
}

ChangedCells NearestSiteSolver::changed_cells() const {
  const ContextUse use(state_->context_state());
  return with_errors([&] { return state_->changed_cells(); });
}

bool NearestSiteSolver::has_site(std::int64_t site) const {
  const ContextUse use(state_->context_state());
  solvers::check_range("site", site, state_->positions());
  return state_->has_site(site);
}

std::int64_t NearestSiteSolver::positions() const noexcept { return state_->positions(); }
std::size_t NearestSiteSolver::bytes() const noexcept { return state_->bytes(); }

}  // namespace thiessen

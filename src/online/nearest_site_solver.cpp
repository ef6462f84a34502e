// SPDX-License-Identifier: Apache-2.0
//
// NearestSiteSolver: checks updates, keeps the sites as they are now and as the last answer has
// them, and decides between a repair and a fresh call.
#include "thiessen/nearest_site_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/call_checks.hpp"
#include "core/cell_access.hpp"
#include "core/cell_class.hpp"
#include "core/cell_value.hpp"
#include "core/element_width.hpp"
#include "core/points.hpp"
#include "core/problem.hpp"
#include "core/refuse.hpp"
#include "core/site_cells.hpp"
#include "online/change_list.hpp"
#include "online/nearest_repair.hpp"
#include "online/site_table.hpp"
#include "online/tile_tree.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen {
namespace {

using online::SiteEdits;

/// Site indices have 32 bits in the map, where a few negative ones mean something else.
constexpr std::int64_t kMostSites = (std::int64_t{1} << 31) - 8;
/// Chunks of cells that one piece of work takes.
constexpr std::int64_t kChunksAtOnce = 16;

[[noreturn]] void refuse_unsupported(const std::string& message) {
  throw Error(ErrorCode::unsupported, "NearestSiteSolver: " + message);
}

void check_supported(const ContextState& state, const NearestSiteOptions& options,
                     const Extents& extents) {
  if (state.device != "cpu")
    refuse_unsupported("device = " + state.device + "; must be cpu, others compute whole rasters");
  if (options.method != Method::exact)
    refuse_unsupported("method = " + std::string(name_of(options.method)) + "; must be exact");
  if (options.metric_function)
    refuse_unsupported("metric_function is given; it has its own metrics only");
  if (options.signed_distance) refuse_unsupported("signed_distance = true; must be false");
  if (options.distance_to != DistanceTo::site)
    refuse_unsupported("distance_to = boundary; must be site");
  if (options.strict) refuse_unsupported("strict = true; updates give no warnings");
  if (extents.count() == 0) refuse_unsupported("the raster has no cells; must have some");
  if (extents.count() > kMostSites)
    refuse_unsupported("the raster has " + std::to_string(extents.count()) +
                       " cells; must have at most 2^31 - 8");
}

/// A copy of a view, contiguous.
std::vector<std::byte> packed(const View<const void>& view) {
  const View<const void> cells = with_three_axes(view);
  const auto element = static_cast<std::int64_t>(size_of(view.element_type()));
  std::vector<std::byte> bytes(static_cast<std::size_t>(view.extents().count() * element));
  std::byte* to = bytes.data();
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t z = 0; z < cells.extent(0); ++z)
      for (std::int64_t y = 0; y < cells.extent(1); ++y) {
        const std::byte* from = address_of(cells, {z, y, 0});
        for (std::int64_t x = 0; x < cells.extent(2); ++x, to += sizeof(T), from += cells.stride(2))
          std::memcpy(to, from, sizeof(T));
      }
  });
  return bytes;
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

std::string at(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

/// Checks that all are indices below `count`.
void check_range(const char* name, std::span<const std::int64_t> indices, std::int64_t count) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= count)
      refuse(at(name, i) + " = " + std::to_string(indices[i]) + "; must be from 0 to " +
             std::to_string(count - 1));
}

/// Checks that a list of values, or a box of them, can be read.
void check_value_memory(const char* name, const View<const void>& values) {
  Reach().check(name, values, "lie");
  if (values.extents().count() > 0 && values.bytes() == nullptr)
    refuse(std::string(name) + " are a null pointer; must be memory for them");
  check_reach(name, values);
}

void check_unique(const char* name, std::span<const std::int64_t> indices) {
  std::vector<std::int64_t> sorted(indices.begin(), indices.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    refuse(std::string(name) + " has " + std::to_string(*twice) + " twice; must have it once");
}

/// Only Error leaves the solver.
template <class Call>
decltype(auto) with_errors(const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for the sites of a solver");
  }
}

}  // namespace

class NearestSiteSolver::State {
 public:
  State(Context& context, const View<const void>& sites, const NearestSiteOptions& options,
        const NearestSiteOutputs& out, const View<const void>& domain);
  State(Context& context, const PointList& points, const Grid& grid,
        const NearestSiteOptions& options, const NearestSiteOutputs& out,
        const View<const void>& domain);

  std::int64_t add_points(const PointList& points);
  void move_points(std::span<const std::int64_t> sites, const View<const void>& coordinates);
  void remove_sites(std::span<const std::int64_t> sites);
  void add_cells(std::span<const std::int64_t> cells, const View<const void>& labels);
  void move_cells(std::span<const std::int64_t> from, std::span<const std::int64_t> to);
  void update_cells(std::span<const std::int64_t> cells, const View<const void>& values);
  void update_box(std::span<const std::int64_t> first, const View<const void>& values);
  const Changes& solve();
  const ChangedCells& changed_cells() const { return changes_.cells(); }
  bool has_site(std::int64_t site) const;
  std::int64_t positions() const { return is_list() ? points_ : problem_.cells(); }

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
    LabelBits value;
  };
  struct Frame {
    Problem problem;
    Axes low;
    Axes high;
  };

  bool is_list() const { return problem_.point_sites; }
  bool is_inside(std::int64_t cell) const {
    return domain_.empty() || domain_[static_cast<std::size_t>(cell)] != 0;
  }
  int rank() const { return extents_.rank(); }
  ContextState& context_state() const { return context_->state(); }
  View<const void> sites_view() const { return {cells_.data(), type_, extents_}; }
  View<const void> domain_view() const {
    if (domain_.empty()) return {};
    return View<const std::uint8_t>(domain_.data(), extents_);
  }
  std::size_t element() const { return size_of(type_); }

  void start();
  void require_list(const char* name) const;
  void require_raster(const char* name) const;

  std::vector<Axes> snapped(const View<const void>& coordinates) const;
  Frame frame_for(const std::vector<Axes>& places) const;
  Problem problem_of(const Axes& low, const Axes& high) const;
  void enter(Frame frame);
  void check_added_labels(const PointList& points) const;
  void append_number(std::int64_t number);
  void make_room(std::int64_t points);
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
  bool are_few() const;
  bool repair();
  void solve_anew();
  void call_for_points(const NearestSiteOptions& options, const NearestSiteOutputs& out);
  void call_for_cells(NearestSiteOptions options, const NearestSiteOutputs& out);
  template <class T>
  void write_labels(std::int64_t z, std::int64_t y) const;
  void write_site_index(std::int64_t z, std::int64_t y) const;
  void write_sites() const;
  void forget_updates();

  Context* context_;
  NearestSiteOptions options_;
  NearestSiteOutputs out_;
  Extents extents_;
  std::vector<std::uint8_t> domain_;  ///< empty: all cells
  Problem problem_;
  ProblemViews views_;
  online::TileTree tree_;
  std::optional<online::SiteTable> table_;
  online::NearestMap map_;
  std::unique_ptr<online::NearestRepair> repair_;
  online::ChangeList changes_;
  bool is_stale_ = true;  ///< the next solve() computes all

  ElementType type_ = ElementType::i32;  ///< of the raster, or of the labels of points
  std::vector<std::byte> cells_;         ///< the raster
  std::vector<FormerCell> former_cells_;

  Grid grid_;
  bool has_labels_ = false;
  std::int64_t points_ = 0;  ///< length of the list
  std::vector<std::byte> labels_;
  std::vector<std::uint8_t> is_present_;
  std::vector<std::uint8_t> is_touched_;  ///< is in former_points_
  std::vector<FormerPoint> former_points_;
  Axes low_{};  ///< the problem holds for points from here
  Axes high_{};

  SiteEdits edits_;
  std::vector<SiteEdits::Place> moved_;
};

// ---- making it ----

NearestSiteSolver::State::State(Context& context, const View<const void>& sites,
                                const NearestSiteOptions& options, const NearestSiteOutputs& out,
                                const View<const void>& domain)
    : context_(&context), options_(options), out_(out), extents_(sites.extents()) {
  check_cells("sites", sites, Reach(context_state()));
  check_supported(context_state(), options, extents_);
  problem_ = make_problem(sites, options, out, Reach(context_state()), domain);
  type_ = sites.element_type();
  if (out.labels && type_ == ElementType::boolean)
    refuse_unsupported(
        "labels of boolean sites are wanted; every update would number them anew, so give sites "
        "labels of their own or ask for their index");
  cells_ = packed(sites);
  if (domain) domain_ = cells_inside(domain);
  start();
  const View<const void> cells = with_three_axes(sites_view());
  for_each_site(problem_, cells, context_state().progress,
                [&](const Axes& cell) { table_->add_uncounted(cell); });
  table_->count_all();
  views_ = make_views(sites_view(), out_);
  solve();
}

NearestSiteSolver::State::State(Context& context, const PointList& points, const Grid& grid,
                                const NearestSiteOptions& options, const NearestSiteOutputs& out,
                                const View<const void>& domain)
    : context_(&context), options_(options), out_(out), extents_(grid.extents), grid_(grid) {
  const Reach reach(context_state());
  check_extents("grid", grid.extents);
  check_supported(context_state(), options, extents_);
  check_points(points, rank(), reach);
  if (points.coordinates.space() != MemorySpace::host)
    refuse("points lie in memory of a device; must be on the host");
  // Checks all that voronoi() does, with its words; then the problem is made for other points, too.
  std::vector<Axes> places(static_cast<std::size_t>(points.coordinates.extent(0)));
  const PointSites given = snap_points(points.coordinates, places.data());
  problem_ = make_problem(points, given, grid, options, out, reach, domain);
  if (domain) domain_ = cells_inside(domain);
  has_labels_ = static_cast<bool>(points.labels);
  if (out.labels) type_ = out.labels.element_type();
  problem_.fraction_bits = out.squared || out.offset ? 0 : kFractionBits;
  high_ = {-1, -1, -1};  // so far for no point
  enter(frame_for(snapped(points.coordinates)));
  start();
  views_.out = with_three_axes(out_);
  add_points(points);
  former_points_.clear();
  std::fill(is_touched_.begin(), is_touched_.end(), std::uint8_t{0});
  solve();
}

void NearestSiteSolver::State::start() {
  tree_ = online::TileTree(problem_.extent, problem_.rank);
  table_.emplace(problem_, tree_);
  map_.assign(static_cast<std::size_t>(problem_.cells()), static_cast<std::int32_t>(kUnreached));
  repair_ = online::make_nearest_repair(problem_, tree_, *table_, map_);
}

void NearestSiteSolver::State::require_list(const char* name) const {
  if (!is_list()) refuse(std::string(name) + " of points; the sites of this solver are cells");
}

void NearestSiteSolver::State::require_raster(const char* name) const {
  if (is_list()) refuse(std::string(name) + " of cells; the sites of this solver are points");
}

// ---- points ----

/// The places of points in the units of S. Throws Error where voronoi() would.
std::vector<Axes> NearestSiteSolver::State::snapped(const View<const void>& coordinates) const {
  std::vector<Axes> places(static_cast<std::size_t>(coordinates.extent(0)));
  const PointSites points = snap_points(coordinates, places.data());
  if (problem_.fraction_bits == 0 && points.first_off_centre >= 0)
    refuse(std::string(out_.squared ? "squared" : "offset") +
           " is wanted; it exists only if all points lie on centres of cells, and points[" +
           std::to_string(points.first_off_centre) + "] does not");
  const int shift = problem_.fraction_bits - std::min(points.fraction_bits, problem_.fraction_bits);
  Axes period = problem_.period;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (period[axis] != kNoPeriod) period[axis] = problem_.extent[axis] << problem_.fraction_bits;
  for (Axes& place : places)
    for (std::int64_t& coordinate : place) coordinate <<= shift;
  wrap_points({.at = places.data(), .count = points.count}, period);
  return places;
}

/// The problem for points anywhere between two corners.
Problem NearestSiteSolver::State::problem_of(const Axes& low, const Axes& high) const {
  Axes corners[] = {low, high};
  constexpr std::int64_t kCorners = 2;
  constexpr double kNowhere[kCorners * kAxes] = {};
  const PointSites points{
      .at = corners, .count = kCorners, .fraction_bits = problem_.fraction_bits};
  PointList list{.coordinates = View<const double>(kNowhere, {kCorners, rank()})};
  constexpr std::byte kNoLabels[kCorners * 8] = {};
  if (has_labels_ && out_.labels) list.labels = {kNoLabels, type_, {kCorners}};
  Problem problem = make_problem(list, points, grid_, options_, out_, {}, domain_view());
  if (problem.weights.approximated)
    refuse_unsupported("the spacing and points so far away need approximated weights");
  return problem;
}

/// A problem for these points too; the same one where it holds for them. It is made for points that
/// are farther away than these, as long as S does not need 128 bits for it.
auto NearestSiteSolver::State::frame_for(const std::vector<Axes>& places) const -> Frame {
  const bool is_first = high_[0] < 0;
  Axes low{};
  Axes high = is_first ? Axes{} : high_;
  if (!is_first) low = low_;
  bool holds = !is_first;
  for (const Axes& place : places)
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      holds = holds && place[axis] >= low_[axis] && place[axis] <= high_[axis];
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  if (holds) return {problem_, low_, high_};
  Axes lower = low;
  Axes higher = high;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t margin = problem_.extent[axis] << problem_.fraction_bits;
    lower[axis] -= margin;
    higher[axis] += margin;
  }
  try {
    const Problem roomy = problem_of(lower, higher);
    if (!roomy.wide) return {roomy, lower, higher};
  } catch (const Error&) {  // the one without a margin tells the reason
  }
  return {problem_of(low, high), low, high};
}

/// Goes on with another problem, whose S has the same units.
void NearestSiteSolver::State::enter(Frame frame) {
  const bool has_other_integers = problem_.wide != frame.problem.wide;
  problem_ = std::move(frame.problem);
  low_ = frame.low;
  high_ = frame.high;
  if (!has_other_integers || !repair_) return;
  is_stale_ = true;
  repair_ = online::make_nearest_repair(problem_, tree_, *table_, map_);
}

void NearestSiteSolver::State::check_added_labels(const PointList& points) const {
  if (!out_.labels) return;
  if (static_cast<bool>(points.labels) != has_labels_)
    refuse(std::string("labels of the points are ") + (has_labels_ ? "missing" : "given") +
           "; must be as for the first points");
  if (has_labels_ && points.labels.element_type() != type_)
    refuse("labels of the points are " + std::string(name_of(points.labels.element_type())) +
           "; must be " + std::string(name_of(type_)));
}

void NearestSiteSolver::State::make_room(std::int64_t points) {
  const auto count = static_cast<std::size_t>(points);
  // Twice as much at least, so that many additions take linear time.
  const auto reserve = [&](auto& list, std::size_t size) {
    if (size > list.capacity()) list.reserve(std::max(size, 2 * list.capacity()));
  };
  reserve(is_present_, count);
  reserve(is_touched_, count);
  if (out_.labels) reserve(labels_, count * element());
  table_->reserve(points);
}

void NearestSiteSolver::State::touch(std::int64_t site) {
  const auto index = static_cast<std::size_t>(site);
  if (is_touched_[index] != 0) return;
  former_points_.push_back({site, is_present_[index] != 0, table_->place(site)});
  is_touched_[index] = 1;
}

std::int64_t NearestSiteSolver::State::add_points(const PointList& points) {
  require_list("add_sites()");
  check_points(points, rank(), {});
  check_added_labels(points);
  const std::int64_t first = points_;
  const std::int64_t count = points.coordinates.extent(0);
  if (count > kMostSites - first)
    refuse_unsupported("the list would have " + std::to_string(first + count) +
                       " points; must have at most 2^31 - 8");
  const std::vector<Axes> places = snapped(points.coordinates);
  Frame frame = frame_for(places);
  const std::vector<std::byte> labels =
      out_.labels && has_labels_ ? packed(points.labels) : std::vector<std::byte>{};
  make_room(first + count);
  former_points_.reserve(former_points_.size() + places.size());
  enter(std::move(frame));
  points_ += count;
  table_->resize(points_);
  is_present_.resize(static_cast<std::size_t>(points_), 0);
  is_touched_.resize(static_cast<std::size_t>(points_), 0);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t site = first + i;
    if (out_.labels && !has_labels_) append_number(site + 1);
    touch(site);
    is_present_[static_cast<std::size_t>(site)] = 1;
    table_->add(site, places[static_cast<std::size_t>(i)]);
  }
  return first;
}

/// The label of a point without one.
void NearestSiteSolver::State::append_number(std::int64_t number) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
  const auto narrow = static_cast<std::int32_t>(number);
  const auto* const few = reinterpret_cast<const std::byte*>(&narrow);
  if (type_ == ElementType::i32)
    labels_.insert(labels_.end(), few, few + sizeof narrow);
  else
    labels_.insert(labels_.end(), bytes, bytes + sizeof number);
}

void NearestSiteSolver::State::move_points(std::span<const std::int64_t> sites,
                                           const View<const void>& coordinates) {
  require_list("move_sites()");
  check_range("sites", sites, points_);
  check_unique("sites", sites);
  check_points({.coordinates = coordinates}, rank(), {});
  if (coordinates.extent(0) != std::ssize(sites))
    refuse("coordinates are of " + std::to_string(coordinates.extent(0)) +
           " points; must be of as many as sites, " + std::to_string(sites.size()));
  const std::vector<Axes> places = snapped(coordinates);
  Frame frame = frame_for(places);
  former_points_.reserve(former_points_.size() + sites.size());
  enter(std::move(frame));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    touch(sites[i]);
    std::uint8_t& present = is_present_[static_cast<std::size_t>(sites[i])];
    if (present != 0) table_->remove(sites[i], table_->place(sites[i]));
    present = 1;
    table_->add(sites[i], places[i]);
  }
}

// ---- cells ----

std::uint8_t NearestSiteSolver::State::class_of(const std::byte* value) const {
  alignas(8) std::byte aligned[8];
  std::memcpy(aligned, value, element());
  std::uint8_t own = kFreeCell;
  classify(problem_.rule, aligned, 1, &own);
  return own;
}

void NearestSiteSolver::State::check_values(const char* name, const View<const void>& values,
                                            std::size_t count) const {
  if (values.element_type() != type_)
    refuse(std::string(name) + " are " + std::string(name_of(values.element_type())) +
           "; must be of the sites' type " + std::string(name_of(type_)));
  if (values.rank() != 1 || values.extent(0) != static_cast<std::int64_t>(count))
    refuse(std::string(name) + " must be a list of " + std::to_string(count) +
           ", one for each cell");
  check_value_memory(name, values);
}

/// Cells that sites leave become 0.
void NearestSiteSolver::State::check_zero_is_free(const char* name) const {
  constexpr std::byte kZero[8] = {};
  if (class_of(kZero) != kFreeCell)
    refuse(std::string(name) +
           " would leave 0 in cells; by the options that is a site or nodata, and update_sites() "
           "can put something else there");
}

/// Checks that all are sites, or that none is.
void NearestSiteSolver::State::check_sites(const char* name, std::span<const std::int64_t> sites,
                                           bool are_sites) const {
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (has_site(sites[i]) != are_sites)
      refuse(at(name, i) + " = " + std::to_string(sites[i]) +
             (are_sites ? " is no site; must be one" : " is a site already; must be none"));
}

/// Puts a value into a cell, and keeps the one of the answer. Room for that is reserved.
void NearestSiteSolver::State::set_cell(std::int64_t cell, const std::byte* value) {
  std::byte* const own = cells_.data() + static_cast<std::size_t>(cell) * element();
  if (std::memcmp(own, value, element()) == 0) return;
  const bool was_site = class_of(own) == kSiteCell;
  const bool is_site = class_of(value) == kSiteCell;
  if (!is_stale_) {
    FormerCell former{.cell = cell, .value = {}};
    std::memcpy(former.value.bytes.data(), own, element());
    former_cells_.push_back(former);
  }
  std::memcpy(own, value, element());
  if (was_site == is_site) return;
  const Axes place = to_cell(problem_.extent, cell);
  if (is_site)
    table_->add(cell, place);
  else
    table_->remove(cell, place);
}

/// Makes room for the former values of so many cells. Where there are very many, a fresh call is
/// faster than a repair, and needs none of them.
void NearestSiteSolver::State::expect_cells(std::int64_t count) {
  constexpr std::int64_t kCellsOfAnEdit = 8;
  constexpr std::int64_t kFew = 64;
  if (is_stale_) return;
  const std::int64_t edits = std::ssize(former_cells_) + count;
  if (edits > kFew + problem_.cells() / kCellsOfAnEdit) {
    is_stale_ = true;
    former_cells_.clear();
    return;
  }
  const auto size = static_cast<std::size_t>(edits);
  if (size > former_cells_.capacity())
    former_cells_.reserve(std::max(size, 2 * former_cells_.capacity()));
}

void NearestSiteSolver::State::remove_sites(std::span<const std::int64_t> sites) {
  check_range("sites", sites, positions());
  check_unique("sites", sites);
  if (!is_list()) check_zero_is_free("remove_sites()");
  check_sites("sites", sites, true);
  if (!is_list()) {
    constexpr std::byte kZero[8] = {};
    expect_cells(std::ssize(sites));
    for (const std::int64_t site : sites) set_cell(site, kZero);
    return;
  }
  former_points_.reserve(former_points_.size() + sites.size());
  for (const std::int64_t site : sites) {
    touch(site);
    is_present_[static_cast<std::size_t>(site)] = 0;
    table_->remove(site, table_->place(site));
  }
}

void NearestSiteSolver::State::add_cells(std::span<const std::int64_t> cells,
                                         const View<const void>& labels) {
  require_raster("add_sites()");
  check_range("cells", cells, problem_.cells());
  check_unique("cells", cells);
  check_values("labels", labels, cells.size());
  check_sites("cells", cells, false);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (class_of(labels.bytes() + static_cast<std::int64_t>(i) * labels.stride(0)) != kSiteCell)
      refuse(at("labels", i) + " is no site by the options; must be one");
  update_cells(cells, labels);
}

void NearestSiteSolver::State::move_cells(std::span<const std::int64_t> from,
                                          std::span<const std::int64_t> to) {
  require_raster("move_sites()");
  if (from.size() != to.size())
    refuse("to has " + std::to_string(to.size()) + " cells; must have as many as from, " +
           std::to_string(from.size()));
  check_range("from", from, problem_.cells());
  check_range("to", to, problem_.cells());
  check_unique("from", from);
  check_unique("to", to);
  check_zero_is_free("move_sites()");
  check_sites("from", from, true);
  std::vector<std::int64_t> leaving(from.begin(), from.end());
  std::sort(leaving.begin(), leaving.end());
  for (std::size_t i = 0; i < to.size(); ++i)
    if (has_site(to[i]) && !std::binary_search(leaving.begin(), leaving.end(), to[i]))
      refuse(at("to", i) + " = " + std::to_string(to[i]) + " is a site already; must be none");
  std::vector<std::byte> labels(from.size() * element());
  for (std::size_t i = 0; i < from.size(); ++i)
    std::memcpy(labels.data() + i * element(),
                cells_.data() + static_cast<std::size_t>(from[i]) * element(), element());
  constexpr std::byte kZero[8] = {};
  expect_cells(2 * std::ssize(from));
  for (const std::int64_t cell : from) set_cell(cell, kZero);
  for (std::size_t i = 0; i < to.size(); ++i) set_cell(to[i], labels.data() + i * element());
}

void NearestSiteSolver::State::update_cells(std::span<const std::int64_t> cells,
                                            const View<const void>& values) {
  require_raster("update_sites()");
  check_range("cells", cells, problem_.cells());
  check_values("values", values, cells.size());
  expect_cells(std::ssize(cells));
  for (std::size_t i = 0; i < cells.size(); ++i)
    set_cell(cells[i], values.bytes() + static_cast<std::int64_t>(i) * values.stride(0));
}

void NearestSiteSolver::State::update_box(std::span<const std::int64_t> first,
                                          const View<const void>& values) {
  require_raster("update_box()");
  if (values.element_type() != type_)
    refuse("values are " + std::string(name_of(values.element_type())) +
           "; must be of the sites' type " + std::string(name_of(type_)));
  if (values.rank() != rank() || std::ssize(first) != rank())
    refuse("values and first must have " + std::to_string(rank()) + " axes, as the raster has");
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    const std::int64_t size = values.extent(static_cast<int>(axis));
    const std::int64_t extent = extents_[static_cast<int>(axis)];
    if (first[axis] < 0 || first[axis] > extent - size)
      refuse(at("first", axis) + " = " + std::to_string(first[axis]) + " of a box of " +
             std::to_string(size) + " cells; must lie in the raster of " + std::to_string(extent));
  }
  check_value_memory("values", values);
  const View<const void> box = with_three_axes(values);
  Axes corner{};
  std::copy(first.begin(), first.end(), corner.end() - rank());
  expect_cells(values.extents().count());
  for (std::int64_t z = 0; z < box.extent(0); ++z)
    for (std::int64_t y = 0; y < box.extent(1); ++y)
      for (std::int64_t x = 0; x < box.extent(2); ++x)
        set_cell(to_index(problem_.extent, {corner[0] + z, corner[1] + y, corner[2] + x}),
                 address_of(box, {z, y, x}));
}

bool NearestSiteSolver::State::has_site(std::int64_t site) const {
  if (is_list()) return is_present_[static_cast<std::size_t>(site)] != 0;
  return class_of(cells_.data() + static_cast<std::size_t>(site) * element()) == kSiteCell;
}

// ---- solving ----

void NearestSiteSolver::State::collect_point_edits() {
  std::sort(former_points_.begin(), former_points_.end(),
            [](const FormerPoint& a, const FormerPoint& b) { return a.site < b.site; });
  for (const auto& [site, was_present, place] : former_points_) {
    const bool is_present = has_site(site);
    if (was_present && is_present && table_->place(site) == place) continue;
    if (was_present) edits_.went.push_back({site, place});
    if (is_present) edits_.came.push_back(site);
    if (was_present && is_present) moved_.push_back({site, place});
  }
}

void NearestSiteSolver::State::collect_cell_edit(const FormerCell& former) {
  const std::byte* const value = cells_.data() + static_cast<std::size_t>(former.cell) * element();
  if (std::memcmp(value, former.value.bytes.data(), element()) == 0) return;
  const std::uint8_t was = class_of(former.value.bytes.data());
  const std::uint8_t is = class_of(value);
  if (was == kSiteCell && is == kSiteCell) return edits_.relabelled.push_back(former.cell);
  if (was == kSiteCell) edits_.went.push_back({former.cell, to_cell(problem_.extent, former.cell)});
  if (is == kSiteCell) edits_.came.push_back(former.cell);
  if (!is_inside(former.cell) || (was == kNodataCell) == (is == kNodataCell)) return;
  (is == kNodataCell ? edits_.to_nodata : edits_.from_nodata).push_back(former.cell);
}

/// The first of the former values of a cell is that of the answer.
void NearestSiteSolver::State::collect_cell_edits() {
  std::stable_sort(former_cells_.begin(), former_cells_.end(),
                   [](const FormerCell& a, const FormerCell& b) { return a.cell < b.cell; });
  for (std::size_t i = 0; i < former_cells_.size(); ++i)
    if (i == 0 || former_cells_[i].cell != former_cells_[i - 1].cell)
      collect_cell_edit(former_cells_[i]);
}

void NearestSiteSolver::State::collect_edits() {
  edits_.clear();
  moved_.clear();
  if (is_list())
    collect_point_edits();
  else
    collect_cell_edits();
}

/// Whether a repair may be faster than a fresh call: not if a good share of the sites goes.
bool NearestSiteSolver::State::are_few() const {
  constexpr std::int64_t kSitesOfAnEdit = 16;
  const std::int64_t edits =
      std::max(std::ssize(edits_.went), std::ssize(edits_.came)) + std::ssize(edits_.relabelled);
  return edits <= 1 || edits * kSitesOfAnEdit <= table_->sites();
}

bool NearestSiteSolver::State::repair() {
  ContextState& state = context_state();
  state.phases.clear();
  state.warnings.clear();
  state.progress.check();
  const PhaseTimer phase(state, "repair");
  const std::int64_t work =
      state.limits.repair_steps + problem_.cells() / state.limits.cells_of_a_repair_step;
  if (!repair_->repair(state, edits_, moved_, work)) return false;
  changes_.begin(rank(), positions());
  repair_->write(views_, changes_);
  return true;
}

/// Solves the points that are there as a list of their own, labelled with their positions.
void NearestSiteSolver::State::call_for_points(const NearestSiteOptions& options,
                                               const NearestSiteOutputs& out) {
  std::vector<std::int32_t> present;
  for (std::int64_t site = 0; site < points_; ++site)
    if (has_site(site)) present.push_back(static_cast<std::int32_t>(site));
  const std::int64_t count = std::ssize(present);
  std::vector<double> coordinates;
  coordinates.reserve(static_cast<std::size_t>(count * rank()));
  for (const std::int32_t site : present) {
    const Axes place = table_->place(site);
    for (auto axis = static_cast<std::size_t>(kAxes - rank()); axis < kAxes; ++axis)
      coordinates.push_back(std::ldexp(static_cast<double>(place[axis]), -problem_.fraction_bits));
  }
  voronoi(*context_,
          {.coordinates = View<const double>(coordinates.data(), {count, rank()}),
           .labels = View<const std::int32_t>(present.data(), {count})},
          grid_, options, out, domain_view());
}

/// Solves a raster in which sites are labelled with their index and one.
void NearestSiteSolver::State::call_for_cells(NearestSiteOptions options,
                                              const NearestSiteOutputs& out) {
  ContextState& state = context_state();
  Scratch::Frame scratch(state.scratch);
  const std::int64_t cells = problem_.cells();
  auto* const numbers = scratch.array<std::int32_t>(cells);
  const bool has_nodata = problem_.rule.nodata.has_value();
  const bool has_domain = has_nodata || !domain_.empty();
  auto* const inside = scratch.array<std::uint8_t>(has_domain ? cells : 0);
  parallel_for(
      state, (cells + kChunk - 1) / kChunk, kChunksAtOnce, 0,
      [&](std::int64_t begin, std::int64_t end, int) {
        std::array<std::uint8_t, kChunk> classes;
        for (std::int64_t first = begin * kChunk; first < std::min(end * kChunk, cells);
             first += kChunk) {
          const std::int64_t count = std::min(kChunk, cells - first);
          classify(problem_.rule, cells_.data() + static_cast<std::size_t>(first) * element(),
                   count, classes.data());
          for (std::int64_t i = 0; i < count; ++i) {
            const std::uint8_t own = classes[static_cast<std::size_t>(i)];
            numbers[first + i] = own == kSiteCell ? static_cast<std::int32_t>(first + i + 1) : 0;
            if (has_domain) inside[first + i] = own != kNodataCell && is_inside(first + i) ? 1 : 0;
          }
        }
      });
  options.nodata.reset();
  options.values.clear();
  options.zero_is_site = false;
  View<const void> domain;
  if (has_domain) {
    domain = View<const std::uint8_t>(inside, extents_);
    options.nodata_label = kNodata;
  }
  nearest_site(*context_, View<const std::int32_t>(numbers, extents_), options, out, domain);
}

/// Writes the outputs that tell of sites from the map, for a row.
template <class T>
void NearestSiteSolver::State::write_labels(std::int64_t z, std::int64_t y) const {
  const std::int64_t first = to_index(problem_.extent, {z, y, 0});
  const std::byte* const labels = is_list() ? labels_.data() : cells_.data();
  std::byte* cell = address_of(views_.out.labels, {z, y, 0});
  std::int32_t last = static_cast<std::int32_t>(kUnreached);
  T label = value_of<T>(problem_.unreached);
  for (std::int64_t index = first; index < first + problem_.extent[2];
       ++index, cell += views_.out.labels.stride(2)) {
    const std::int32_t site = map_[static_cast<std::size_t>(index)];
    if (site == kNodata)
      label = value_of<T>(is_inside(index) ? *problem_.rule.nodata : problem_.nodata_label);
    else if (site == kUnreached)
      label = value_of<T>(problem_.unreached);
    else if (site != last)
      std::memcpy(&label, labels + static_cast<std::size_t>(site) * sizeof(T), sizeof label);
    last = site;
    std::memcpy(cell, &label, sizeof label);
  }
}

void NearestSiteSolver::State::write_site_index(std::int64_t z, std::int64_t y) const {
  const std::int32_t* site = map_.data() + to_index(problem_.extent, {z, y, 0});
  std::byte* cell = address_of(views_.out.site_index, {z, y, 0});
  for (std::int64_t x = 0; x < problem_.extent[2];
       ++x, ++site, cell += views_.out.site_index.stride(2)) {
    const std::int64_t index = *site;
    std::memcpy(cell, &index, sizeof index);
  }
}

void NearestSiteSolver::State::write_sites() const {
  if (!views_.out.labels && !views_.out.site_index) return;
  const std::int64_t height = problem_.extent[1];
  parallel_for(context_state(), problem_.extent[0] * height, rows_at_once(problem_.extent[2]), 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row) {
                   if (views_.out.site_index) write_site_index(row / height, row % height);
                   if (!views_.out.labels) continue;
                   visit_element_width(type_, [&]<class T>(std::type_identity<T>) {
                     write_labels<T>(row / height, row % height);
                   });
                 }
               });
}

/// By a fresh call whose labels are the map.
void NearestSiteSolver::State::solve_anew() {
  ContextState& state = context_state();
  is_stale_ = true;
  Scratch::Frame scratch(state.scratch);
  auto* const map = scratch.array<std::int32_t>(problem_.cells());
  NearestSiteOutputs out = out_;
  out.labels = View<std::int32_t>(map, extents_);
  out.site_index = {};
  NearestSiteOptions options = options_;
  options.unreached = kUnreached;
  if (!domain_.empty()) options.nodata_label = kNodata;
  if (is_list())
    call_for_points(options, out);
  else
    call_for_cells(options, out);
  state.warnings.clear();
  const PhaseTimer phase(state, "compare");
  changes_.begin(rank(), positions());
  repair_->replace(map, is_list() ? 0 : 1, moved_, changes_);
  write_sites();
  is_stale_ = false;
}

void NearestSiteSolver::State::forget_updates() {
  for (const FormerPoint& each : former_points_)
    is_touched_[static_cast<std::size_t>(each.site)] = 0;
  former_points_.clear();
  former_cells_.clear();
}

const Changes& NearestSiteSolver::State::solve() {
  const RunningCall running(context_state().progress);
  if (is_list()) {
    views_.points.at = table_->places().data();
    views_.points.count = points_;
    views_.labels = {labels_.data(), type_, {points_}};
  }
  collect_edits();
  bool repaired = false;
  try {
    repaired = !is_stale_ && are_few() && repair();
    if (!repaired) solve_anew();
  } catch (...) {
    repair_->put_back();
    is_stale_ = true;
    throw;
  }
  forget_updates();
  if (!repaired) running.end();
  return changes_.finish();
}

// ---- the public class ----

NearestSiteSolver::NearestSiteSolver(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain)
    : state_(with_errors(
          [&] { return std::make_unique<State>(context, sites, options, out, domain); })) {}

NearestSiteSolver::NearestSiteSolver(Context& context, const PointList& points, const Grid& grid,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain)
    : state_(with_errors(
          [&] { return std::make_unique<State>(context, points, grid, options, out, domain); })) {}

NearestSiteSolver::~NearestSiteSolver() = default;
NearestSiteSolver::NearestSiteSolver(NearestSiteSolver&&) noexcept = default;
NearestSiteSolver& NearestSiteSolver::operator=(NearestSiteSolver&&) noexcept = default;

std::int64_t NearestSiteSolver::add_sites(const PointList& points) {
  return with_errors([&] { return state_->add_points(points); });
}

void NearestSiteSolver::move_sites(std::span<const std::int64_t> sites,
                                   View<const void> coordinates) {
  with_errors([&] { state_->move_points(sites, coordinates); });
}

void NearestSiteSolver::remove_sites(std::span<const std::int64_t> sites) {
  with_errors([&] { state_->remove_sites(sites); });
}

void NearestSiteSolver::add_sites(std::span<const std::int64_t> cells, View<const void> labels) {
  with_errors([&] { state_->add_cells(cells, labels); });
}

void NearestSiteSolver::move_sites(std::span<const std::int64_t> from,
                                   std::span<const std::int64_t> to) {
  with_errors([&] { state_->move_cells(from, to); });
}

void NearestSiteSolver::update_sites(std::span<const std::int64_t> cells, View<const void> values) {
  with_errors([&] { state_->update_cells(cells, values); });
}

void NearestSiteSolver::update_box(std::span<const std::int64_t> first, View<const void> values) {
  with_errors([&] { state_->update_box(first, values); });
}

const Changes& NearestSiteSolver::solve() {
  return with_errors([&]() -> const Changes& { return state_->solve(); });
}

const ChangedCells& NearestSiteSolver::changed_cells() const noexcept {
  return state_->changed_cells();
}
bool NearestSiteSolver::has_site(std::int64_t site) const {
  if (site < 0 || site >= state_->positions())
    refuse("site = " + std::to_string(site) + "; must be from 0 to " +
           std::to_string(state_->positions() - 1));
  return state_->has_site(site);
}

std::int64_t NearestSiteSolver::positions() const noexcept { return state_->positions(); }

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The public CostSolver: checks updates whole, then applies them to the sites here and to the map
// of the backend's engine.
#include "thiessen/solvers/cost_solver.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "backend/backend.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/blocked_faces.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/problem.hpp"
#include "core/cost/site_table.hpp"
#include "core/problem/call_checks.hpp"
#include "operations/rows/numbers.hpp"
#include "solvers/update_checks.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

using Indices = std::span<const std::int64_t>;

void check_options(const CostDistanceOptions& options, const View<const void>& sites,
                   const CostDistanceOutputs& out) {
  refuse_single_call_options(without_blocked_faces(options), "a CostSolver");
  if (options.method != CostMethod::exact && options.method != CostMethod::eikonal)
    refuse("method", std::string(name_of(options.method)),
           "of a solver it must be exact or eikonal");
  if (options.strict) refuse("strict", "is given; a solver ignores sites on barriers");
  if (wants_other_labels(out))
    refuse("outputs of another label are wanted; updates of a solver do not repair them");
  if (out.direction) refuse("direction", "is wanted; a solver has back_link");
  if (sites && sites.element_type() == ElementType::boolean && out.labels)
    refuse("sites", "is bool, and labels are wanted; numbers would change with every site");
}

std::int64_t count_of(const Indices& list) { return static_cast<std::int64_t>(list.size()); }

/// Checks that there is one value for each index.
void check_values(const char* name, const View<const void>& values, std::int64_t count) {
  if (values.rank() != 1 || values.extent(0) != count)
    refuse(name, "must have the extents (" + std::to_string(count) + ")");
  if (values.space() != MemorySpace::host) refuse(name, "must lie on the host");
  if (count > 0 && values.bytes() == nullptr)
    refuse(name, "is a null pointer; must be memory for its values");
}

std::string element_text(const char* name, std::size_t i, std::int64_t value) {
  return std::string(name) + "[" + std::to_string(i) + "] = " + std::to_string(value);
}

}  // namespace

class CostSolver::State {
 public:
  State(Context& context, const CostMap& map, const View<const void>& sites,
        const CostDistanceOptions& options, const CostDistanceOutputs& out,
        const View<const void>& initial_cost)
      : context_(context.state()),
        map_(map.cells()),
        problem_(
            make_cost_problem(map, sites, options, out, ReachableMemory(context_), initial_cost)) {
    check_options(options, sites, out);
    check_cells_of_map();
    site_type_ = sites.element_type();
    const bool labelled = out.labels && site_type_ != ElementType::boolean;
    table_.emplace(problem_.cells(), true, labelled ? size_of(site_type_) : 0, false);
    views_.sites = with_three_axes(sites);
    views_.initial_cost = with_three_axes(initial_cost);
    if (labelled) views_.labels = views_.sites;
    make(out, options.blocked_faces);
  }

  State(Context& context, const CostMap& map, const PointList& points,
        const CostDistanceOptions& options, const CostDistanceOutputs& out,
        const View<const void>& initial_cost)
      : context_(context.state()),
        map_(map.cells()),
        problem_(
            make_cost_problem(map, points, options, out, ReachableMemory(context_), initial_cost)) {
    check_options(options, {}, out);
    check_cells_of_map();
    if (points.labels) label_type_ = points.labels.element_type();
    const bool labelled = out.labels && label_type_;
    table_.emplace(problem_.cells(), false, labelled ? size_of(*label_type_) : 0,
                   problem_.has_fronts);
    views_.points = points.coordinates;
    views_.labels = points.labels;
    views_.initial_cost = initial_cost;
    make(out, options.blocked_faces);
  }

  ContextState& context() { return context_; }

  void update_box(const Indices& first, const View<const void>& values) {
    check_map_values(values);
    engine_->update_box(checked_corner(first, "values", values), with_three_axes(values));
  }

  void update_blocked_faces(const Indices& first, const View<const std::uint8_t>& faces) {
    engine_->update_blocked_faces(checked_corner(first, "blocked_faces", faces),
                                  with_three_axes(faces));
    problem_.has_blocked_faces = true;
  }

  /// The first cell of a box in which these values lie.
  Axes checked_corner(const Indices& first, const char* name,
                      const View<const void>& values) const {
    if (values.rank() != problem_.rank)
      refuse(name, "has " + std::to_string(values.rank()) + " axes; must have as many as the map");
    check_cells(name, values, ReachableMemory(context_));
    if (first.size() != static_cast<std::size_t>(problem_.rank))
      refuse("first", "has " + std::to_string(first.size()) +
                          " values; must have one for each of the " +
                          std::to_string(problem_.rank) + " axes");
    Axes at{};
    for (int axis = 0; axis < problem_.rank; ++axis) {
      const std::int64_t place = first[static_cast<std::size_t>(axis)];
      const std::size_t own = static_cast<std::size_t>(kAxes - problem_.rank + axis);
      if (place < 0 || values.extent(axis) > problem_.extent[own] - place)
        refuse(element_text("first", static_cast<std::size_t>(axis), place) + " with " +
               std::to_string(values.extent(axis)) +
               " values along that axis; must lie in the map, which has " +
               std::to_string(problem_.extent[own]) + " cells");
      at[own] = place;
    }
    return at;
  }

  void update_cells(const Indices& cells, const View<const void>& values) {
    check_map_values(values);
    check_values("values", values, count_of(cells));
    check_cell_indices("cells", cells);
    engine_->update_cells(cells, values);
  }

  std::int64_t add_points(const PointList& points, const View<const void>& initial_cost) {
    if (table_->by_cell())
      refuse("points", "are given; the solver has sites of a raster, which are added by cell");
    check_points(points, problem_.rank, {});
    const std::int64_t count = points.coordinates.extent(0);
    check_point_labels(points);
    read_initial_costs(initial_cost, count, table_->count());
    find_cells(points.coordinates);
    check_count(table_->count() + count);
    table_->reserve(count);
    engine_->reserve_site_cells(count);
    const std::int64_t first = table_->count();
    for (std::int64_t i = 0; i < count; ++i)
      add(cells_[static_cast<std::size_t>(i)], initial_[static_cast<std::size_t>(i)],
          label_type_ ? points.labels.bytes() + i * points.labels.stride(0) : nullptr);
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      table_->set_offset(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i),
                         offsets_[i]);
    return first;
  }

  void add_cells(const Indices& cells, const View<const void>& labels,
                 const View<const void>& initial_cost) {
    if (!table_->by_cell())
      refuse("cells", "are given; the solver has a list of points, to which points are added");
    check_cell_indices("cells", cells);
    const std::int64_t count = count_of(cells);
    check_cell_labels(labels, count);
    read_initial_costs(initial_cost, count, 0);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (table_->has_site(cells[i]))
        refuse(element_text("cells", i, cells[i]) + "; must be no site yet");
    solvers::check_unique("cells", cells, sorted_);
    table_->reserve(count);
    engine_->reserve_site_cells(count);
    for (std::size_t i = 0; i < cells.size(); ++i)
      add(cells[i], initial_[i],
          labels ? labels.bytes() + static_cast<std::int64_t>(i) * labels.stride(0) : nullptr);
  }

  void remove(const Indices& sites) {
    find_records(sites, false);
    engine_->reserve_site_cells(count_of(sites));
    keep_labels();
    for (const std::uint32_t record : records_) take_away(record);
  }

  void move_points(const Indices& sites, const View<const void>& coordinates) {
    if (table_->by_cell())
      refuse("coordinates", "are given; the solver has sites of a raster, which move by cell");
    find_records(sites, true);
    check_points({.coordinates = coordinates, .labels = {}}, problem_.rank, {});
    if (coordinates.extent(0) != count_of(sites))
      refuse("coordinates", "are " + std::to_string(coordinates.extent(0)) +
                                "; must be one place for each of the " +
                                std::to_string(sites.size()) + " sites");
    find_cells(coordinates);
    engine_->reserve_site_cells(2 * count_of(sites));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      engine_->touch_sites_of(table_->cell_of(records_[i]), records_[i]);
      table_->move(records_[i], cells_[i]);
      if (!offsets_.empty()) table_->set_offset(records_[i], offsets_[i]);
      engine_->touch_sites_of(cells_[i], records_[i]);
    }
  }

  void move_cells(const Indices& from, const Indices& to) {
    if (!table_->by_cell())
      refuse("cells", "are given; the solver has a list of points, which move to coordinates");
    find_records(from, false, "from");
    check_destinations(from, to);
    moved_.resize(records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
      moved_[i].initial = table_->initial_of(records_[i]);
      const std::byte* const label = table_->label_of(records_[i]);
      if (label != nullptr) std::memcpy(moved_[i].label.bytes.data(), label, size_of(site_type_));
    }
    engine_->reserve_site_cells(2 * count_of(from));
    keep_labels();
    for (const std::uint32_t record : records_) take_away(record);
    for (std::size_t i = 0; i < records_.size(); ++i)
      add(to[i], moved_[i].initial, moved_[i].label.bytes.data());
  }

  void set_initial_cost(const Indices& sites, const View<const void>& costs) {
    find_records(sites, false);
    if (!costs) refuse("costs", "is empty; must have one value for each site");
    read_costs(costs, sites);
    engine_->reserve_site_cells(count_of(sites));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      table_->set_initial(records_[i], initial_[i]);
      engine_->touch_sites_of(table_->cell_of(records_[i]), records_[i]);
    }
  }

  /// Until enqueue() is done, nothing has changed.
  void forget_changes() { has_changed_ = false; }

  void enqueue() {
    engine_->enqueue(relabelled_sites());
    has_changed_ = true;
    labels_before_.clear();
    present_ = table_->present();
    outside_.ignored_sites = table_->outside();
    if (outside_.ignored_sites > 0) outside_.first_ignored_site = table_->first_outside();
  }

  /// Tells of the last answer, and warns of its sites as cost_distance() does; absent ones are
  /// none.
  const Changes& changes() {
    const Changes& changes = engine_->changes();
    if (!has_changed_) return none_;
    CostDistanceReport report = engine_->on_barriers();
    if (outside_.ignored_sites > 0) {
      if (report.ignored_sites == 0 || outside_.first_ignored_site < report.first_ignored_site)
        report.first_ignored_site = outside_.first_ignored_site;
      report.ignored_sites += outside_.ignored_sites;
    }
    if (report.ignored_sites == 0) return changes;
    context_.warnings.push_back(ignored_sites(report));
    if (report.ignored_sites == present_) context_.warnings.push_back(no_site_left(report));
    return changes;
  }

  ChangedCells changed_cells() const {
    return has_changed_ ? engine_->changed_cells() : ChangedCells{};
  }

  bool has_site(std::int64_t site) const { return is_site(site, false); }
  std::int64_t positions() const {
    return table_->by_cell() ? problem_.cells() : std::int64_t{table_->count()};
  }

  std::size_t bytes() const { return table_->bytes() + engine_->bytes(); }

 private:
  // --- making the solver

  void check_cells_of_map() const {
    constexpr std::int64_t kMostCells = (std::int64_t{1} << 32) - 3;
    if (problem_.cells() < 1 || problem_.cells() > kMostCells)
      refuse("map", "has " + std::to_string(problem_.cells()) +
                        " cells; of a solver it must have 1 to 2^32 - 3");
  }

  void check_count(std::int64_t count) const {
    if (count >= std::int64_t{kNoRank} - 1)
      throw Error(
          ErrorCode::unsupported,
          {"sites", {}, "are " + std::to_string(count) + "; a solver takes fewer than 2^32 - 2"});
  }

  void make(const CostDistanceOutputs& out, const View<const std::uint8_t>& blocked_faces) {
    const Backend& backend = *find_backend(context_.device);
    if (problem_.has_fronts) check_fronts();
    views_.map = with_three_axes(map_);
    views_.blocked_faces = with_three_axes(blocked_faces);
    views_.out = with_three_axes(out);
    engine_ = backend.make_cost_solver(context_, problem_, views_, *table_);
    if (!engine_)
      throw Error(ErrorCode::unsupported, "a CostSolver on " + context_.device +
                                              ": this backend has none; on cpu there is one");
    list_first_sites_on_host();
    map_type_ = map_.element_type();
    map_ = {};
    views_ = {};
    enqueue();
    changes();
  }

  void check_fronts() const {
    const std::string text = "method = eikonal of a CostSolver on " + context_.device + ": ";
    if (context_.device != "cpu") throw Error(ErrorCode::unsupported, text + "only the cpu has it");
    if (const Support support = supports_fronts(problem_); !support)
      throw Error(ErrorCode::unsupported, text + support.reason);
  }

  void list_first_sites_on_host() {
    const bool is_same = views_.labels && views_.labels.bytes() == views_.sites.bytes();
    std::array<std::vector<std::byte>, 4> copies;
    views_.sites = engine_->on_host(views_.sites, copies[0]);
    views_.points = engine_->on_host(views_.points, copies[1]);
    views_.initial_cost = engine_->on_host(views_.initial_cost, copies[2]);
    views_.labels = is_same ? views_.sites : engine_->on_host(views_.labels, copies[3]);
    list_first_sites();
  }

  void list_first_sites() {
    Scratch::Frame scratch(context_.scratch);
    const Loop in_order = [](std::int64_t count, const auto& piece) { piece(0, count); };
    if (problem_.computes_in_double())
      list_first_sites(thiessen::list_sites<double>(problem_, views_, in_order, scratch));
    else
      list_first_sites(thiessen::list_sites<float>(problem_, views_, in_order, scratch));
  }

  template <class T>
  void list_first_sites(const CostSites<T>& sites) {
    check_count(sites.count);
    const std::int64_t label_bytes =
        sites.label == nullptr ? 0
                               : static_cast<std::int64_t>(size_of(views_.labels.element_type()));
    table_->reserve(sites.count);
    for (std::int64_t rank = 0; rank < sites.count; ++rank)
      table_->add(sites.cell[rank], static_cast<double>(sites.initial_of(rank)),
                  sites.label + rank * label_bytes);
    if (!views_.points) return;
    find_cells(views_.points);
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      table_->set_offset(static_cast<std::uint32_t>(i), offsets_[i]);
  }

  // --- checks of updates

  void check_map_values(const View<const void>& values) const {
    if (values.element_type() != map_type_)
      refuse("values", "is " + std::string(name_of(values.element_type())) +
                           "; must be of the type of the map, " + std::string(name_of(map_type_)));
  }

  void check_cell_indices(const char* name, const Indices& cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] < 0 || cells[i] >= problem_.cells())
        refuse(element_text(name, i, cells[i]) + "; must be 0 to " +
               std::to_string(problem_.cells() - 1));
  }

  void check_point_labels(const PointList& points) const {
    if (static_cast<bool>(points.labels) != label_type_.has_value())
      refuse(std::string("points have ") + (label_type_ ? "no " : "") +
             "labels; must be as the list of the solver");
    if (label_type_ && points.labels.element_type() != *label_type_)
      refuse("labels", "is " + std::string(name_of(points.labels.element_type())) + "; must be " +
                           std::string(name_of(*label_type_)) + " like those of the solver");
  }

  void check_cell_labels(const View<const void>& labels, std::int64_t count) const {
    if (site_type_ == ElementType::boolean) {
      if (labels) refuse("labels", "are given; the sites of the solver are bool and have none");
      return;
    }
    if (!labels || labels.element_type() != site_type_)
      refuse("labels", "must be " + std::string(name_of(site_type_)) + " like the raster of sites");
    check_values("labels", labels, count);
    for (std::int64_t i = 0; i < count; ++i) {
      LabelBits label;
      std::memcpy(label.bytes.data(), labels.bytes() + i * labels.stride(0), size_of(site_type_));
      std::uint8_t own = kFreeCell;
      classify(problem_.rule, label.bytes.data(), 1, &own);
      if (own != kSiteCell)
        refuse("labels[" + std::to_string(i) + "]",
               "is no site by the options of the solver; must be one");
    }
  }

  double checked_cost(const View<const void>& costs, std::int64_t i, std::int64_t site) const {
    const double value = load_float(costs.bytes() + i * costs.stride(0), costs.element_type());
    return problem_.computes_in_double() ? checked_initial<double>(value, std::to_string(site))
                                         : checked_initial<float>(value, std::to_string(site));
  }

  void check_cost_type(const char* name, const View<const void>& costs) const {
    if (costs.element_type() != ElementType::f32 && costs.element_type() != ElementType::f64)
      refuse(name, "is " + std::string(name_of(costs.element_type())) + "; must be f32 or f64");
  }

  /// Reads initial costs of sites that are added, of which the first will have the index `first`.
  void read_initial_costs(const View<const void>& costs, std::int64_t count, std::int64_t first) {
    initial_.assign(static_cast<std::size_t>(count), 0.0);
    if (!costs) return;
    check_values("initial_cost", costs, count);
    check_cost_type("initial_cost", costs);
    for (std::int64_t i = 0; i < count; ++i)
      initial_[static_cast<std::size_t>(i)] = checked_cost(costs, i, first + i);
  }

  void read_costs(const View<const void>& costs, const Indices& sites) {
    check_values("costs", costs, count_of(sites));
    check_cost_type("costs", costs);
    initial_.clear();
    for (std::size_t i = 0; i < sites.size(); ++i)
      initial_.push_back(checked_cost(costs, static_cast<std::int64_t>(i), sites[i]));
  }

  /// Finds the records of sites given by their indices, which must be there, each once; absent ones
  /// too if they are allowed.
  void find_records(const Indices& sites, bool absent_too, const char* name = "sites") {
    records_.clear();
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (!is_site(sites[i], absent_too))
        refuse(element_text(name, i, sites[i]) + "; must be a site of the solver");
      records_.push_back(table_->record_of(static_cast<Rank>(sites[i])));
    }
    solvers::check_unique(name, sites, sorted_);
  }

  bool is_site(std::int64_t index, bool absent_too) const {
    if (index < 0) return false;
    if (table_->by_cell()) return index < problem_.cells() && table_->has_site(index);
    if (index >= table_->count()) return false;
    return absent_too ||
           table_->cell_of(static_cast<std::uint32_t>(index)) != CostSiteTable::kAbsent;
  }

  /// Finds the cells in which points lie; kNoCell outside of the raster. Fronts need to know where
  /// in them.
  void find_cells(const View<const void>& coordinates) {
    const std::int64_t count = coordinates.extent(0);
    places_.resize(static_cast<std::size_t>(count));
    const PointSites points = snap_points(coordinates, places_.data());
    cells_.clear();
    for (std::int64_t i = 0; i < count; ++i)
      cells_.push_back(cell_of_point(problem_.extent, points, i));
    offsets_.clear();
    for (std::int64_t i = 0; problem_.has_fronts && i < count; ++i)
      offsets_.push_back(offset_in_cell(problem_, points, i, cells_[static_cast<std::size_t>(i)]));
  }

  /// Checks the cells to which sites of a raster move.
  void check_destinations(const Indices& from, const Indices& to) {
    if (to.size() != from.size())
      refuse("to", "has " + std::to_string(to.size()) + " values; must have as many as from, " +
                       std::to_string(from.size()));
    check_cell_indices("to", to);
    // The sites that leave have been sorted by find_records().
    for (std::size_t i = 0; i < to.size(); ++i)
      if (table_->has_site(to[i]) && !std::binary_search(sorted_.begin(), sorted_.end(), to[i]))
        refuse(element_text("to", i, to[i]) + "; must be no site that stays");
    solvers::check_unique("to", to, sorted_);
  }

  // --- sites come and go, without errors

  void add(std::int64_t cell, double initial, const std::byte* label) {
    const std::uint32_t record = table_->add(cell, initial, label);
    engine_->touch_sites_of(cell, record);
  }

  void take_away(std::uint32_t record) {
    engine_->touch_sites_of(table_->cell_of(record), record);
    table_->remove(record);
  }

  /// Remembers the labels that sites of a raster had in the last answer: a cell may become a site
  /// of another label.
  void keep_labels() {
    if (!table_->by_cell()) return;
    for (const std::uint32_t record : records_) {
      const std::byte* const label = table_->label_of(record);
      if (label == nullptr) return;
      LabelBits bits;
      std::memcpy(bits.bytes.data(), label, size_of(site_type_));
      labels_before_.push_back({table_->cell_of(record), labels_before_.size(), bits});
    }
  }

  /// Cells of a raster that were sites in the last answer and are sites of another label now.
  std::vector<Rank> relabelled_sites() {
    std::sort(labels_before_.begin(), labels_before_.end(),
              [](const FormerLabel& a, const FormerLabel& b) {
                return a.cell == b.cell ? a.turn < b.turn : a.cell < b.cell;
              });
    std::vector<Rank> sites;
    std::int64_t last = kNoCell;
    for (const auto& [cell, turn, before] : labels_before_) {
      if (cell == last) continue;
      last = cell;
      const auto site = static_cast<Rank>(cell);
      if (table_->has_site(cell) && std::memcmp(table_->label_of(table_->record_of(site)),
                                                before.bytes.data(), size_of(site_type_)) != 0)
        sites.push_back(site);
    }
    return sites;
  }

  /// The label of a cell that was a site, and which of the changes since the answer took it.
  struct FormerLabel {
    std::int64_t cell;
    std::size_t turn;
    LabelBits label;
  };
  /// A site of a raster while it moves.
  struct Moved {
    double initial = 0;
    LabelBits label;
  };

  ContextState& context_;
  View<const void> map_;  ///< only while the solver is made
  CostProblem problem_;
  CostViews views_;  ///< only while the solver is made
  ElementType map_type_ = ElementType::f32;
  ElementType site_type_ = ElementType::boolean;  ///< of a raster of sites
  std::optional<ElementType> label_type_;         ///< of a list of points
  std::optional<CostSiteTable> table_;
  std::unique_ptr<CostSolverEngine> engine_;
  std::vector<FormerLabel> labels_before_;
  bool has_changed_ = false;  ///< the last enqueue() did not throw
  const Changes none_;
  std::int64_t present_ = 0;    ///< sites in the last answer
  CostDistanceReport outside_;  ///< those of them that lie outside of the raster

  // What an update needs: kept, so that the next one takes no memory.
  std::vector<std::uint32_t> records_;  ///< of sites
  std::vector<double> initial_;
  std::vector<Axes> places_;
  std::vector<std::int64_t> cells_;
  std::vector<std::array<double, kAxes>> offsets_;  ///< empty: not wanted
  std::vector<std::int64_t> sorted_;
  std::vector<Moved> moved_;
};

CostSolver::CostSolver(Context& context, const CostMap& map, View<const void> sites,
                       const CostDistanceOptions& options, const CostDistanceOutputs& out,
                       View<const void> initial_cost) {
  guarded(context.state(), [&] {
    state_ = std::make_unique<State>(context, map, sites, options, out, initial_cost);
  });
}
CostSolver::CostSolver(Context& context, const CostMap& map, const PointList& sites,
                       const CostDistanceOptions& options, const CostDistanceOutputs& out,
                       View<const void> initial_cost) {
  guarded(context.state(), [&] {
    state_ = std::make_unique<State>(context, map, sites, options, out, initial_cost);
  });
}
CostSolver::~CostSolver() = default;
CostSolver::CostSolver(CostSolver&&) noexcept = default;
CostSolver& CostSolver::operator=(CostSolver&&) noexcept = default;

void CostSolver::update_map(std::span<const std::int64_t> cells, View<const void> values) {
  guarded(state_->context(), [&] { state_->update_cells(cells, values); });
}
void CostSolver::update_box(std::span<const std::int64_t> first, View<const void> values) {
  guarded(state_->context(), [&] { state_->update_box(first, values); });
}
void CostSolver::update_blocked_faces(std::span<const std::int64_t> first,
                                      View<const std::uint8_t> faces) {
  guarded(state_->context(), [&] { state_->update_blocked_faces(first, faces); });
}
std::int64_t CostSolver::add_sites(const PointList& points, View<const void> initial_cost) {
  return guarded(state_->context(), [&] { return state_->add_points(points, initial_cost); });
}
void CostSolver::move_sites(std::span<const std::int64_t> sites, View<const void> coordinates) {
  guarded(state_->context(), [&] { state_->move_points(sites, coordinates); });
}
void CostSolver::remove_sites(std::span<const std::int64_t> sites) {
  guarded(state_->context(), [&] { state_->remove(sites); });
}
void CostSolver::add_sites(std::span<const std::int64_t> cells, View<const void> labels,
                           View<const void> initial_cost) {
  guarded(state_->context(), [&] { state_->add_cells(cells, labels, initial_cost); });
}
void CostSolver::move_sites(std::span<const std::int64_t> from, std::span<const std::int64_t> to) {
  guarded(state_->context(), [&] { state_->move_cells(from, to); });
}
void CostSolver::set_initial_cost(std::span<const std::int64_t> sites, View<const void> costs) {
  guarded(state_->context(), [&] { state_->set_initial_cost(sites, costs); });
}
const Changes& CostSolver::solve() {
  const ContextUse use(state_->context());
  state_->forget_changes();
  const Changes* changes = nullptr;
  guarded(state_->context(), [&] {
    state_->enqueue();
    changes = &state_->changes();
  });
  return *changes;
}
void CostSolver::enqueue() {
  const ContextUse use(state_->context());
  state_->forget_changes();
  guarded(state_->context(), [&] { state_->enqueue(); });
}
const Changes& CostSolver::changes() {
  const Changes* changes = nullptr;
  guarded(state_->context(), [&] { changes = &state_->changes(); });
  return *changes;
}
ChangedCells CostSolver::changed_cells() const {
  const ContextUse use(state_->context());
  return solvers::with_errors([&] { return state_->changed_cells(); });
}
bool CostSolver::has_site(std::int64_t site) const {
  const ContextUse use(state_->context());
  solvers::check_range("site", site, state_->positions());
  return state_->has_site(site);
}
std::int64_t CostSolver::positions() const noexcept { return state_->positions(); }
std::size_t CostSolver::bytes() const noexcept { return state_->bytes(); }

}  // namespace thiessen

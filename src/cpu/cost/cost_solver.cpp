// SPDX-License-Identifier: Apache-2.0
//
// Keeps map and answer of a CostSolver. Few changes are repaired (repair.hpp, and kept_fronts.hpp
// for fronts), many make the answer anew by the method and compare it with the old one.
#include "cpu/cost/cost_solver.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "backend/changed_list.hpp"
#include "core/base/cell_access.hpp"
#include "core/base/make_room.hpp"
#include "core/cost/blocked_faces.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/eikonal/kept_fronts.hpp"
#include "cpu/cost/repair.hpp"
#include "cpu/cost/solver_outputs.hpp"
#include "cpu/cost/tiles/ranks.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

using cost::kIsOutside;
using cost::kOutside;

/// Cells that changed: how many, and the least box that holds them.
struct ChangedBox {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  std::int64_t cells = 0;
  Axes first{kNone, kNone, kNone};
  Axes last{-1, -1, -1};

  void add(const ChangedBox& other) {
    cells += other.cells;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      first[axis] = std::min(first[axis], other.first[axis]);
      last[axis] = std::max(last[axis], other.last[axis]);
    }
  }
  void tell(int rank, Changes& changes) const {
    changes.cells = cells;
    if (cells == 0) return;
    changes.first.assign(first.end() - rank, first.end());
    changes.last.assign(last.end() - rank, last.end());
  }
};

/// Answers by steps: anew by method "exact", or repaired.
template <class T>
class KeptSteps : public cost::Repair<T> {
 public:
  using Value = T;
  static constexpr bool kHasHops = true;
  static constexpr std::int64_t kRepairsMore = 1;

  KeptSteps(ContextState& state, const CostProblem& problem, const cost::SolverArrays<T>& now,
            const CostSiteTable& sites, bool /*has_links*/, Scratch::Frame& /*memory*/)
      : cost::Repair<T>(now, sites), state_(state), problem_(problem) {}

  bool run(const cost::Edits<T>& edits, std::int64_t most) {
    return cost::Repair<T>::run(edits, most, state_);
  }

  void find(const CostSites<T>& sites, const PlacedSteps<T>* placed,
            const cost::SolverArrays<T>& to) const {
    find_answer(state_,
                CostJob<T>{.problem = problem_,
                           .edges = to.edges,
                           .limit = to.limit,
                           .resistance = to.resistance,
                           .placed = placed,
                           .sites = sites,
                           .cost = to.cost},
                to.site, to.hops);
  }

 private:
  ContextState& state_;
  const CostProblem& problem_;
};

/// `Kept` knows more of each cell than its cost and site: KeptSteps, or eikonal::KeptFronts.
template <class Kept>
class CpuCostSolver : public CostSolverEngine {
  using T = typename Kept::Value;

 public:
  CpuCostSolver(ContextState& state, const CostProblem& problem, const CostViews& views,
                const CostSiteTable& sites)
      : state_(state),
        problem_(problem),
        sites_(sites),
        memory_(arrays_memory_),
        out_(views.out),
        outputs_(problem_, out_, sites),
        nodata_{.type = views.map.element_type(), .nodata = problem.nodata},
        now_{.extent = problem.extent,
             .edges = make_edges<T>(problem),
             .limit = greatest_cost<T>(problem),
             .resistance = memory_.array<T>(problem.cells()),
             .cost = memory_.array<T>(problem.cells()),
             .site = memory_.array<Rank>(problem.cells()),
             .hops = Kept::kHasHops && views.out.back_link
                         ? memory_.array<std::int64_t>(problem.cells())
                         : nullptr,
             .marks = memory_.array<std::uint8_t>(problem.cells())},
        kept_(state, problem_, now_, sites, outputs_.has_links(), memory_) {
    const std::int64_t cells = problem.cells();
    std::fill_n(now_.cost, cells, std::numeric_limits<T>::infinity());
    std::fill_n(now_.site, cells, kNoRank);
    if (now_.hops != nullptr) std::fill_n(now_.hops, cells, std::int64_t{-1});
    std::fill_n(now_.marks, cells, std::uint8_t{0});
    replace(views.map, "map", true, [](std::int64_t z, std::int64_t y, std::int64_t x) {
      return Axes{z, y, x};
    });
    if (views.blocked_faces) update_blocked_faces(Axes{}, views.blocked_faces);
  }

  void update_blocked_faces(const Axes& first, const View<const std::uint8_t>& faces) override {
    Scratch::Frame scratch(state_.scratch);
    const Axes box = to_axes(faces.extents());
    const RowLoop rows = loop_over_rows(state_, box[2], 0);
    const std::uint8_t* const given =
        load_blocked_faces(problem_, faces, first, std::cref(rows), scratch);
    allocate_faces();
    const std::int64_t cells = faces.extents().count();
    if (cells > most_changes()) start_afresh();
    if (!is_afresh_) make_room(stale_steps_, cells);
    for (std::int64_t i = 0; i < cells; ++i) {
      const Axes at = to_cell(box, i);
      const std::int64_t cell =
          to_index(problem_.extent, {first[0] + at[0], first[1] + at[1], first[2] + at[2]});
      if (faces_[cell] == given[i]) continue;
      faces_[cell] = given[i];
      note_stale_steps(cell);
    }
  }

  void update_box(const Axes& first, const View<const void>& values) override {
    replace(values, "values", true, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      return Axes{first[0] + z, first[1] + y, first[2] + x};
    });
  }

  void update_cells(std::span<const std::int64_t> cells, const View<const void>& values) override {
    const auto cell_of = [&](std::int64_t, std::int64_t, std::int64_t x) {
      return to_cell(problem_.extent, cells[static_cast<std::size_t>(x)]);
    };
    replace(with_three_axes(values), "values", false, cell_of);
  }

  void reserve_site_cells(std::int64_t more) override {
    make_room(site_cells_, more);
    make_room(site_records_, more);
  }

  void touch_sites_of(std::int64_t cell, std::uint32_t record) noexcept override {
    if (cell < 0 || is_afresh_) return;
    if (static_cast<std::int64_t>(site_cells_.size()) >= most_changes()) return start_afresh();
    site_cells_.push_back(cell);
    site_records_.push_back(record);
  }

  void enqueue(std::vector<Rank> relabelled) override {
    forget_changes();
    relabelled_ = std::move(relabelled);
    update_open_steps();
    mark_sites_on_barriers();
    if (is_afresh_ || !solve_by_repair(changes_)) solve_afresh(changes_);
    clear_edits();
    note_sites_on_barriers();
  }

  const Changes& changes() override { return changes_; }

  CostDistanceReport on_barriers() const override { return on_barriers_; }

  ChangedCells changed_cells() override {
    if (!is_listed_) list_changed_cells();
    return changed_cells_.view();
  }

  std::size_t bytes() const override {
    return arrays_memory_.bytes() + edits_.capacity() * sizeof(cost::MapEdit<T>) +
           stale_steps_.capacity() * sizeof stale_steps_[0] +
           step_edits_.capacity() * sizeof step_edits_[0] +
           site_cells_.capacity() * sizeof site_cells_[0] +
           site_records_.capacity() * sizeof site_records_[0] + is_on_barrier_.capacity() +
           changed_.capacity() * sizeof changed_[0] + changed_cells_.bytes() + kept_.bytes();
  }

 private:
  enum class Last { nothing, repair, afresh };

  /// More changes are not repaired.
  std::int64_t most_changes() const {
    constexpr std::int64_t kFew = 64;
    const std::int64_t cells_per_changed_cell =
        state_.limits.cells_per_changed_cell * state_.threads;
    return std::max(Kept::kRepairsMore * problem_.cells() / cells_per_changed_cell, kFew);
  }

  void start_afresh() noexcept {
    is_afresh_ = true;
    clear_edits();
  }

  void clear_edits() noexcept {
    edits_.clear();
    stale_steps_.clear();
    step_edits_.clear();
    site_cells_.clear();
    site_records_.clear();
  }

  void forget_changes() {
    last_ = Last::nothing;
    is_listed_ = false;
    changes_.cells = 0;
    changes_.first.clear();
    changes_.last.clear();
    changes_.sites.clear();
  }

  // --- sites on barriers

  /// Marks them, as map and sites are now: where these have changed since the last time, or all.
  void mark_sites_on_barriers() {
    is_on_barrier_.resize(static_cast<std::size_t>(sites_.count()));
    const auto mark = [&](std::uint32_t record) {
      const std::int64_t cell = sites_.cell_of(record);
      const std::uint8_t now = cell >= 0 && !is_passable(now_.resistance[cell]) ? 1 : 0;
      marked_ += now - is_on_barrier_[record];
      is_on_barrier_[record] = now;
    };
    if (is_afresh_)
      for (std::uint32_t record = 0; record < is_on_barrier_.size(); ++record) mark(record);
    for (const std::uint32_t record : site_records_) mark(record);
    for (const cost::MapEdit<T>& edit : edits_) sites_.for_each_in(edit.cell, mark);
  }

  void note_sites_on_barriers() {
    on_barriers_.ignored_sites = marked_;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; marked_ > 0 && i < is_on_barrier_.size(); ++i)
      if (is_on_barrier_[i] != 0)
        first = std::min<std::int64_t>(first, sites_.id_of(static_cast<std::uint32_t>(i)));
    on_barriers_.first_ignored_site = first;
  }

  // --- blocked faces

  /// Takes the memory for them, of which none is blocked, unless it is there.
  void allocate_faces() {
    if (faces_ != nullptr) return;
    const std::int64_t cells = problem_.cells();
    auto* const faces = memory_.array<std::uint8_t>(cells);
    auto* const steps = memory_.array<std::uint32_t>(cells);
    placed_ = make_placed_steps<T>(problem_);
    std::fill_n(faces, cells, std::uint8_t{0});
    std::fill_n(steps, cells, ~std::uint32_t{0});
    faces_ = faces;
    placed_.open_steps = now_.open_steps = steps;
  }

  /// Notes that other steps near to a cell may be open.
  void note_stale_steps(std::int64_t cell) noexcept {
    if (is_afresh_) return;
    stale_steps_.push_back(cell);
    if (std::ssize(stale_steps_) > most_changes()) start_afresh();
  }

  /// Finds the open steps for map and faces as they are now.
  void update_open_steps() {
    if (faces_ == nullptr || (!is_afresh_ && stale_steps_.empty())) return;
    const OpenSteps<T> open(problem_.extent, now_.edges, now_.resistance, faces_);
    const std::int64_t width = problem_.extent[2];
    if (is_afresh_) {
      const std::int64_t rows = problem_.extent[0] * problem_.extent[1];
      return loop_over_rows(state_, width, 0)(rows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
          open.find_row(row, now_.open_steps + row * width);
      });
    }
    for (const std::int64_t stale : stale_steps_)
      cost::for_each_near(problem_.extent, stale, kLongestStep, [&](std::int64_t cell) {
        const std::uint32_t steps = open.find(to_cell(problem_.extent, cell));
        if (steps == now_.open_steps[cell]) return;
        make_room(step_edits_);
        step_edits_.push_back({cell, now_.open_steps[cell]});
        now_.open_steps[cell] = steps;
      });
    stale_steps_.clear();
  }

  // --- the map

  /// Whether barriers decide which ways lead around blocked faces.
  bool is_step_way_of_cells() const { return faces_ != nullptr && now_.edges.tight_barriers; }

  /// Replaces values of the map by those of a view; place(z, y, x) is the cell of an element. In a
  /// box the cells of a row follow each other.
  template <class Place>
  void replace(const View<const void>& values, const char* name, bool is_box, const Place& place) {
    Scratch::Frame scratch(state_.scratch);
    CostProblem part = problem_;
    part.extent = to_axes(values.extents());
    if (part.cells() == 0) return;
    const RowLoop rows_of_part = loop_over_rows(state_, part.extent[2], 0);
    const Loop loop = std::cref(rows_of_part);
    const T* const resistance = load_map<T>(part, values, loop, scratch, name);
    if (part.cells() > most_changes()) start_afresh();
    if (!is_afresh_) make_room(edits_, part.cells());
    if (!is_afresh_ && is_step_way_of_cells()) make_room(stale_steps_, part.cells());
    const CellReader reader(values);
    const auto replace_row = [&](std::int64_t row) {
      for (std::int64_t x = 0; x < part.extent[2]; x += kChunk) {
        const std::int64_t count = std::min(kChunk, part.extent[2] - x);
        const Axes cell{row / part.extent[1], row % part.extent[1], x};
        std::array<std::uint8_t, kChunk> classes{};
        if (problem_.nodata) {
          ChunkBuffer buffer;
          classify(nodata_, reader.read(cell[0], cell[1], x, count, buffer), count, classes.data());
        }
        const T* const from = resistance + row * part.extent[2] + x;
        if (is_afresh_ && is_box && !problem_.nodata) {
          std::copy_n(from, count,
                      now_.resistance + to_index(problem_.extent, place(cell[0], cell[1], x)));
          continue;
        }
        for (std::int64_t i = 0; i < count; ++i)
          replace(to_index(problem_.extent, place(cell[0], cell[1], x + i)), from[i],
                  classes[static_cast<std::size_t>(i)] == kNodataCell);
      }
    };
    const auto replace_rows = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) replace_row(row);
    };
    const std::int64_t rows = part.extent[0] * part.extent[1];
    if (is_afresh_)
      loop(rows, replace_rows);
    else
      replace_rows(0, rows);
  }

  void replace(std::int64_t cell, T value, bool is_outside) {
    T& own = now_.resistance[cell];
    std::uint8_t& marks = now_.marks[cell];
    if (!is_afresh_) {
      const bool was_outside = (marks & kIsOutside) != 0;
      const bool is_same = own == value || (!is_passable(own) && !is_passable(value));
      if (is_same && was_outside == is_outside) return;
      edits_.push_back({cell, own});
      if (is_step_way_of_cells() && is_passable(own) != is_passable(value)) note_stale_steps(cell);
    }
    own = value;
    marks = static_cast<std::uint8_t>((marks & ~kIsOutside) | (is_outside ? kIsOutside : 0));
    if (static_cast<std::int64_t>(edits_.size()) > most_changes()) start_afresh();
  }

  // --- few changes

  void list_changed_cells() {
    changed_cells_.clear();
    const auto add = [&](std::int64_t cell, Rank before) {
      changed_cells_.add(cell, cost::SolverOutputs<T>::site_index_of(before));
    };
    if (last_ == Last::repair)
      for (const cost::Touched<T>& each : changed_) add(each.cell, each.site);
    if (last_ == Last::afresh)
      for (std::int64_t cell = 0; cell < problem_.cells(); ++cell)
        if (is_changed(cell)) add(cell, before_.site[cell]);
    is_listed_ = true;
  }

  bool solve_by_repair(Changes& changes) {
    if (!kept_.run({edits_, step_edits_, site_cells_, relabelled_}, most_changes())) return false;
    try {
      list_changed();
      tell(changes);
      state_.progress.commit();
    } catch (...) {
      kept_.roll_back();
      throw;
    }
    for (std::size_t i = 0, next = 0; i < changed_.size(); i = next) {
      for (next = i + 1; next < changed_.size() && are_neighbours(next); ++next) {
      }
      outputs_.write(now_, changed_[i].cell, static_cast<std::int64_t>(next - i));
    }
    for (const cost::Touched<T>& each : kept_.touched())
      if (is_relabelled(each.site)) outputs_.write(now_, each.cell, 1);
    for (const std::int64_t cell : kept_.relinked()) outputs_.write_link(cell, link_of(cell));
    last_ = Last::repair;
    return true;
  }

  /// Whether a changed cell follows on the one before it in the same row.
  bool are_neighbours(std::size_t i) const {
    return changed_[i].cell == changed_[i - 1].cell + 1 &&
           changed_[i].cell % problem_.extent[2] != 0;
  }

  /// Lists the cells that have changed with their old answer, in ascending order.
  void list_changed() {
    changed_.clear();
    for (const cost::Touched<T>& each : kept_.touched())
      if (each.cost != now_.cost[each.cell] || each.site != now_.site[each.cell])
        changed_.push_back(each);
    std::sort(changed_.begin(), changed_.end(),
              [](const auto& a, const auto& b) { return a.cell < b.cell; });
  }

  void tell(Changes& changes) const {
    ChangedBox box;
    for (const cost::Touched<T>& each : changed_) {
      const Axes cell = to_cell(problem_.extent, each.cell);
      box.add({1, cell, cell});
      if (each.site == now_.site[each.cell]) continue;
      for (const Rank site : {each.site, now_.site[each.cell]})
        if (site < kOutside) changes.sites.push_back(site);
    }
    std::sort(changes.sites.begin(), changes.sites.end());
    changes.sites.erase(std::unique(changes.sites.begin(), changes.sites.end()),
                        changes.sites.end());
    box.tell(problem_.rank, changes);
  }

  std::uint8_t link_of(std::int64_t cell) const {
    const Rank site = now_.site[cell];
    return site == kOutside  ? kBackLinkNodata
           : site == kNoRank ? kBackLinkUnreached
                             : kept_.back_link(cell);
  }

  // --- many changes

  void solve_afresh(Changes& changes) {
    start_afresh();
    const std::int64_t cells = problem_.cells();
    allocate_second_arrays();
    constexpr std::int64_t kUnits = 1 + kUnitsOfCost + cost::kUnitsOfRank + 2 + 1;
    state_.progress.begin(kUnits * cells);
    Scratch::Frame scratch(state_.scratch);
    const CostSites<T> sites = list_sites(scratch);
    kept_.find(sites, faces_ == nullptr ? nullptr : &placed_, before_);
    std::swap(now_, before_);
    try {
      compare(sites, changes, scratch);
      state_.progress.commit();
      write_all();
    } catch (...) {
      std::swap(now_, before_);
      throw;
    }
    is_afresh_ = false;
    last_ = Last::afresh;
  }

  void allocate_second_arrays() {
    const std::int64_t cells = problem_.cells();
    if (before_.cost == nullptr) {
      T* const cost = memory_.array<T>(cells);
      Rank* const site = memory_.array<Rank>(cells);
      auto* const hops = now_.hops == nullptr ? nullptr : memory_.array<std::int64_t>(cells);
      before_.cost = cost;
      before_.site = site;
      before_.hops = hops;
    }
    before_.extent = now_.extent;
    before_.edges = now_.edges;
    before_.limit = now_.limit;
    before_.resistance = now_.resistance;
    before_.marks = now_.marks;
    before_.open_steps = now_.open_steps;
  }

  /// All sites in the order of their ids, those on barriers and absent ones without a cell.
  CostSites<T> list_sites(Scratch::Frame& scratch) const {
    const std::int64_t count = sites_.count();
    auto* const cells = scratch.array<std::int64_t>(count);
    auto* const initial = scratch.array<T>(count);
    std::int64_t used = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t cell = sites_.cell_of(static_cast<std::uint32_t>(i));
      const bool is_there = cell >= 0 && is_passable(now_.resistance[cell]);
      if (is_there || !sites_.by_cell()) cells[used++] = is_there ? cell : kNoCell;
    }
    if (sites_.by_cell()) std::sort(cells, cells + used);
    for (std::int64_t i = 0; i < used; ++i) {
      const std::uint32_t record = sites_.by_cell() ? sites_.record_of(static_cast<Rank>(cells[i]))
                                                    : static_cast<std::uint32_t>(i);
      initial[i] = static_cast<T>(sites_.initial_of(record));
    }
    return {.count = used, .cell = cells, .initial = initial, .by_cell = sites_.by_cell()};
  }

  /// Turns ranks into ids, and compares the answer with the one before.
  void compare(const CostSites<T>& sites, Changes& changes, Scratch::Frame& scratch) {
    const std::int64_t width = problem_.extent[2];
    const std::int64_t ids = sites_.by_cell() ? problem_.cells() : sites_.count();
    auto* const has_changed = scratch.array<std::uint8_t>(ids);
    std::fill_n(has_changed, ids, std::uint8_t{0});
    ChangedBox all;
    std::mutex adding;
    const std::int64_t rows = problem_.extent[0] * problem_.extent[1];
    loop_over_rows(state_, width, width)(rows, [&](std::int64_t begin, std::int64_t end) {
      ChangedBox own;
      for (std::int64_t row = begin; row < end; ++row) {
        name_sites(sites, row * width);
        compare_row(row * width, own, has_changed);
      }
      const std::lock_guard lock(adding);
      all.add(own);
    });
    all.tell(problem_.rank, changes);
    for (std::int64_t id = 0; id < ids; ++id)
      if (has_changed[id] != 0) changes.sites.push_back(id);
  }

  void write_all() {
    const std::int64_t width = problem_.extent[2];
    const std::int64_t rows = problem_.extent[0] * problem_.extent[1];
    loop_over_rows(state_, width, 0)(rows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        outputs_.write(now_, row * width, width);
        for (std::int64_t x = 0; outputs_.has_links() && x < width; ++x)
          outputs_.write_link(row * width + x, link_of(row * width + x));
      }
    });
  }

  void name_sites(const CostSites<T>& sites, std::int64_t first) const {
    for (std::int64_t cell = first; cell < first + problem_.extent[2]; ++cell) {
      Rank& site = now_.site[cell];
      if ((now_.marks[cell] & kIsOutside) != 0)
        site = kOutside;
      else if (site != kNoRank)
        site = static_cast<Rank>(sites.index_of(site));
    }
  }

  bool is_relabelled(Rank site) const {
    return !relabelled_.empty() && std::binary_search(relabelled_.begin(), relabelled_.end(), site);
  }

  bool is_changed(std::int64_t cell) const {
    return now_.cost[cell] != before_.cost[cell] || now_.site[cell] != before_.site[cell];
  }

  void compare_row(std::int64_t first, ChangedBox& box, std::uint8_t* has_changed) const {
    std::int64_t changed = 0;
    std::int64_t first_changed = 0;
    std::int64_t last_changed = 0;
    Rank last_now = kNoRank;  // neighbours mostly have the same sites
    Rank last_before = kNoRank;
    for (std::int64_t cell = first; cell < first + problem_.extent[2]; ++cell) {
      if (!is_changed(cell)) continue;
      if (changed++ == 0) first_changed = cell;
      last_changed = cell;
      const Rank now = now_.site[cell];
      const Rank before = before_.site[cell];
      if (now == before || (now == last_now && before == last_before)) continue;
      last_now = now;
      last_before = before;
      for (const Rank site : {now, before})
        if (site < kOutside) std::atomic_ref(has_changed[site]).store(1, std::memory_order_relaxed);
    }
    if (changed == 0) return;
    box.add(
        {changed, to_cell(problem_.extent, first_changed), to_cell(problem_.extent, last_changed)});
  }

  ContextState& state_;
  const CostProblem& problem_;
  const CostSiteTable& sites_;
  Scratch arrays_memory_;
  Scratch::Frame memory_;
  CostDistanceOutputs out_;
  cost::SolverOutputs<T> outputs_;
  SiteRule nodata_;

  cost::SolverArrays<T> now_;
  cost::SolverArrays<T> before_;  ///< after an answer was made anew, the one before it
  Kept kept_;
  std::uint8_t* faces_ = nullptr;  ///< that are blocked; null: none has been since the start
  PlacedSteps<T> placed_;          ///< with them
  std::vector<cost::MapEdit<T>> edits_;
  std::vector<std::int64_t> stale_steps_;  ///< cells near to which other steps may be open
  std::vector<cost::StepEdit> step_edits_;
  std::vector<std::int64_t> site_cells_;
  std::vector<std::uint32_t> site_records_;  ///< of the same
  std::vector<std::uint8_t> is_on_barrier_;  ///< of each record
  std::int64_t marked_ = 0;
  CostDistanceReport on_barriers_;         ///< of the last answer
  std::vector<Rank> relabelled_;           ///< of the last call of enqueue()
  std::vector<cost::Touched<T>> changed_;  ///< by the last repair
  Changes changes_;
  ChangedList changed_cells_;
  bool is_listed_ = false;  ///< it has the changed cells
  bool is_afresh_ = true;
  Last last_ = Last::nothing;
};

}  // namespace

std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state, const CostProblem& problem,
                                                   const CostViews& views,
                                                   const CostSiteTable& sites) {
  if (problem.has_fronts)
    return std::make_unique<CpuCostSolver<eikonal::KeptFronts>>(state, problem, views, sites);
  if (problem.wide)
    return std::make_unique<CpuCostSolver<KeptSteps<double>>>(state, problem, views, sites);
  return std::make_unique<CpuCostSolver<KeptSteps<float>>>(state, problem, views, sites);
}

}  // namespace thiessen::cpu

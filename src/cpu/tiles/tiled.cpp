// SPDX-License-Identifier: Apache-2.0
//
// The tile engine: one read of the raster makes a bitmap of the sites and lists of them; then the
// first search that can do so finds the winners of each leaf (256 cells).
//
//   dense  dots that are many: outward from 64 cells at once, by the bits     (dense.cpp)
//   near   dots that are not rare: all sites of a small window                (near/lists.cpp)
//          masks, areas, lines: the rows around 64 cells                      (near/windows.cpp)
//   far    elsewhere: lists of sites that tiles hand down to smaller tiles    (far.cpp)
//   lines  what is left: all rows around 64 cells, by halving               (lines.cpp)
//
// exact.cpp has a linear method do what these leave. docs/methods.md argues what that bounds.
//
// Points on centres of cells become a raster of their numbers. Their number decides ties, not the
// cell, so only the far search works: its lists hold all sites that are equally near. The same
// holds on periodic axes, where the order of places differs from that of cells on either side of
// the seam.
#include "cpu/tiles/tiled.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "cpu/tiles/dense/tables.hpp"
#include "cpu/tiles/far/far.hpp"
#include "cpu/tiles/far/pyramid.hpp"
#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/job/kernels.hpp"
#include "cpu/tiles/job/numbered_cells.hpp"
#include "cpu/tiles/lines/lines.hpp"
#include "cpu/tiles/near/strips.hpp"
#include "cpu/tiles/near/tables.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu::tiles {
namespace {

std::uint64_t bits_of(const LabelBits& label, std::int64_t element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, label.bytes.data(), static_cast<std::size_t>(element));
  return bits;
}

void write_general(const void* writer, const Chunk& chunk, Winners<std::int64_t>& winners) {
  static_cast<const ResultWriter<std::int64_t>*>(writer)->write(chunk, winners);
}

template <class Byte, class View>
Cells<Byte> cells_of(const View& view) {
  return {.bytes = view.bytes(),
          .stride = {view.stride(0), view.stride(1), view.stride(2)},
          .element = static_cast<std::int64_t>(size_of(view.element_type()))};
}

bool is_aligned(const Cells<std::byte>& cells) {
  const auto address = reinterpret_cast<std::uintptr_t>(cells.bytes);
  const auto element = static_cast<std::uintptr_t>(cells.element);
  return cells.contiguous() && address % element == 0 && cells.stride[0] % cells.element == 0 &&
         cells.stride[1] % cells.element == 0;
}

/// Whether the rows of leaves are whole cache lines.
bool has_whole_lines(const Cells<std::byte>& cells, const Axes& extent) {
  constexpr std::int64_t kLine = 64;
  return cells.element * kLeafWidth == kLine &&
         reinterpret_cast<std::uintptr_t>(cells.bytes) % kLine == 0 &&
         cells.stride[0] % kLine == 0 && cells.stride[1] % kLine == 0 &&
         extent[2] % kLeafWidth == 0;
}

/// The cells of points hold their numbers, with a rule of their own.
const SiteRule kNumberRule{.type = ElementType::i32};

Bitmap allocate_bitmap(const Problem& problem, Scratch::Frame& scratch) {
  Bitmap bits;
  bits.depth = problem.extent[0];
  bits.height = problem.extent[1];
  bits.row_words = parts(problem.extent[2], kUnitWidth) + 2;
  bits.words = scratch.array<std::uint64_t>(bits.row_words * bits.depth * bits.height);
  auto* zeros = scratch.array<std::uint64_t>(bits.row_words);
  std::fill_n(zeros, bits.row_words, std::uint64_t{0});
  bits.zeros = zeros;
  return bits;
}

template <int kRank>
class TileEngine {
 public:
  TileEngine(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
             SiteBits& bits, Scratch::Frame& scratch)
      : state_(state),
        problem_(problem),
        views_(views),
        write_(write),
        reader_(views.sites),
        rest_(without_fast_outputs(views, write)),
        writer_(problem, whole_, rest_, write),
        general_outputs_of_windows_(without_window_outputs(problem, rest_, write)),
        general_writer_of_windows_(problem, whole_, general_outputs_of_windows_, write),
        scratch_(scratch) {
    describe_raster();
    describe_outputs();
    allocate_scratch();
    job_.end = job_.extent;
    if (write != Write::distances) set_bits(bits);
  }

  /// Takes the rows that are written. Leaves that have other rows are left out by the searches.
  void choose_rows(const RowRange& rows) {
    if (rows.count < 0) return;
    rows_ = rows;
    const auto axis = static_cast<std::size_t>(problem_.first_axis());
    const std::int64_t leaf = rows_of_leaf(kRank);
    const std::int64_t end = rows.first + rows.count;
    job_.begin[axis] = rows.first;
    job_.end[axis] = end == job_.extent[axis] ? end : end / leaf * leaf;
    set_leaf_rows(0, rows.first / leaf, SolvedBy::outside_rows);
    set_leaf_rows(parts(job_.end[axis], leaf), job_.leaves[axis], SolvedBy::outside_rows);
  }

  Solved run() {
    if (write_ == Write::distances)
      run_boundary();
    else
      run_sites();
    open_cut_leaves();
    return {reinterpret_cast<const std::uint8_t*>(job_.solved),
            {B::kLeafZ, B::kLeafY, kLeafWidth},
            job_.leaves};
  }

 private:
  using B = Blocks<kRank>;

  void run_sites() {
    if (!searches_dots_) mark_all();
    if (searches_dots_ || (windows_ && has_sites())) run_near();
    if (!has_sites()) return;
    const WindowResult result = finds_sites() ? WindowResult::place : WindowResult::distance;
    const bool are_lines_first = suits_lines();
    if (are_lines_first && is_open()) run_lines(result);
    if (is_open() && far_ != nullptr && !too_many_for_far()) run_far();
    if (!are_lines_first && is_open()) run_lines(result);
  }

  /// The cells whose boundary is near.
  void run_boundary() {
    {
      const PhaseTimer phase(state_, "boundary: marks");
      const Kernel mark = edge_kernel(state_.instruction_sets, kRank);
      for_each_unit_row(1, [&](std::int64_t z, std::int64_t y) { mark(job_, z, y); });
    }
    {
      PhaseTimer phase(state_, "boundary: near search");
      search_strips<kRank>(state_, *windows_, WindowResult::boundary, job_, units_of_windows());
      note_methods(phase, {SolvedBy::near});
    }
    if (is_open()) run_lines(WindowResult::boundary);
  }

  /// The number of marked unit rows that each step needs on either side of its own, in 2-D.
  static constexpr std::int64_t kListReach = 1, kDenseReach = 2, kNearReach = 3;

  std::int64_t leaves() const { return job_.leaves[0] * job_.leaves[1] * job_.leaves[2]; }

  std::int64_t units() const { return job_.units[0] * job_.units[1] * job_.units[2]; }
  std::int64_t unit_rows() const { return job_.units[0] * job_.units[1]; }

  /// Whether nodata cells must appear in the outputs. In the complement they are sites.
  bool has_nodata() const { return problem_.rule.nodata && !problem_.rule.complement; }

  bool has_sites() const {
    return std::any_of(job_.unit_sites, job_.unit_sites + units(),
                       [](std::uint16_t sites) { return sites > 0; });
  }

  /// Whether a linear method is faster than the far search alone; that for points never is.
  bool too_many_for_far() const {
    if (!only_far_ || problem_.point_sites || (windows_ && !finds_sites())) return false;
    return sum_of(job_.unit_sites) > problem_.cells() / 3;
  }

  /// Whether some leaf is left.
  bool is_open() const {
    return std::find(job_.solved, job_.solved + leaves(), SolvedBy::none) != job_.solved + leaves();
  }

  /// Whether the line search is faster than the far search for what is left.
  bool suits_lines() const {
    return kRank == 3 && !are_dots() &&
           count(SolvedBy::none) * limits_.line_leaves_per_open_leaf <= leaves();
  }

  /// Whether hardly any sites lie side by side, as far as that is known.
  bool are_dots() const {
    constexpr std::int64_t kSitesPerPatch = 4;
    return job_.unit_patches != nullptr &&
           sum_of(job_.unit_patches) * kSitesPerPatch > sum_of(job_.unit_sites);
  }

  std::int64_t sum_of(const std::uint16_t* of_units) const {
    return std::accumulate(of_units, of_units + units(), std::int64_t{0});
  }

  /// Searches the leaves whose sites are not near.
  void run_far() {
    PhaseTimer phase(state_, "far search");
    Scratch::Frame scratch(state_.scratch);
    Pyramid pyramid;
    plan_pyramid(problem_, limits_, scratch, pyramid);
    for_each(pyramid.rows(), 1, 0, [&](std::int64_t row, int) { build_nodes(job_, pyramid, row); });
    build_upper_levels(pyramid);
    std::vector<FarMemory> memory;
    memory.reserve(static_cast<std::size_t>(state_.threads));
    for (int worker = 0; worker < state_.threads; ++worker)
      memory.push_back(allocate_far_memory(scratch, job_, kRank, pyramid));
    const std::int64_t pieces = far_pieces(pyramid);
    // As many pieces as lie side by side, if enough are left for each thread.
    const std::int64_t grain =
        std::min(pyramid.level[kMacroLevel].count[2], pieces / (std::int64_t{8} * state_.threads));
    parallel_for(state_, pieces, grain, problem_.cells() / pieces,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   far_(job_, pyramid, begin, end, memory[static_cast<std::size_t>(worker)]);
                   hwy::FlushStream();
                 });
    note_methods(phase, {SolvedBy::far});
  }

  /// Searches the strips that have leaves left.
  void run_lines(WindowResult result) {
    const auto plan = plan_lines(problem_, limits_, tells_sites(result));
    if (!plan) return;
    PhaseTimer phase(state_, "line search");
    search_lines<kRank>(state_, *plan, result, job_);
    note_methods(phase, {SolvedBy::lines});
  }

  /// Calls step(i, worker) for i = 0 .. count - 1, on all threads.
  template <class Step>
  void for_each(std::int64_t count, std::int64_t grain, std::int64_t units, const Step& step) {
    parallel_for(state_, count, grain, units,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i) step(i, worker);
                 });
  }

  std::int64_t count(SolvedBy method) const {
    return std::count(job_.solved, job_.solved + leaves(), method);
  }

  /// Reports the share of leaves that each method wrote.
  void note_methods(PhaseTimer& phase, std::initializer_list<SolvedBy> methods) const {
    constexpr const char* kNames[] = {"", "dense", "near", "far", "lines"};
    std::string detail;
    for (const SolvedBy method : methods) {
      char share[32];
      std::snprintf(share, sizeof share, "%s%s %.1f %%", detail.empty() ? "" : ", ",
                    kNames[static_cast<int>(method)],
                    100.0 * static_cast<double>(count(method)) / static_cast<double>(leaves()));
      detail += share;
    }
    phase.note(std::move(detail));
  }

  /// The outputs that the kernels do not write themselves.
  static ProblemViews without_fast_outputs(const ProblemViews& views, Write write) {
    ProblemViews rest = views;
    if (write == Write::distances)
      rest.out = {.distance = views.out.distance, .squared = views.out.squared};
    else if (write == Write::all_but_distances)
      rest.out.distance = rest.out.squared = {};
    if ((write == Write::all || write == Write::all_but_distances) && views.out.labels &&
        is_aligned(cells_of<std::byte>(views.out.labels)))
      rest.out.labels = {};
    const View<void>& distance = views.out.distance;
    if ((write == Write::all || write == Write::distances) && distance &&
        distance.element_type() == ElementType::f32 && is_aligned(cells_of<std::byte>(distance)))
      rest.out.distance = {};
    return rest;
  }

  /// … and of these, the outputs that windows do not write themselves either.
  static ProblemViews without_window_outputs(const Problem& problem, const ProblemViews& views,
                                             Write write) {
    ProblemViews rest = views;
    if (write == Write::inside) rest.out = {.distance = views.out.distance};
    const auto leave_out = [](auto& view) {
      if (view && is_aligned(cells_of<std::byte>(view))) view = {};
    };
    leave_out(rest.out.distance);
    leave_out(rest.out.squared);
    if (problem.first_site == 0) leave_out(rest.out.site_index);
    return rest;
  }

  void describe_raster() {
    const Axes& extent = problem_.extent;
    const SiteRule& rule = problem_.point_sites ? kNumberRule : problem_.rule;
    job_.extent = extent;
    job_.leaves = {parts(extent[0], B::kLeafZ), parts(extent[1], B::kLeafY),
                   parts(extent[2], kLeafWidth)};
    job_.units = {parts(extent[0], B::kUnitZ), parts(extent[1], B::kUnitY),
                  parts(extent[2], kUnitWidth)};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      job_.periodic[axis] = problem_.period[axis] != kNoPeriod;
    job_.metric = problem_.metric;
    job_.limits = &limits_;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      job_.factor[axis] = static_cast<std::int64_t>(problem_.weights.factor[axis]);
    job_.rule = &rule;
    job_.sites = &reader_;
    job_.labels = cells_of<const std::byte>(views_.labels);
    job_.plain = rule.selection == SiteSelection::nonzero && !rule.complement && !rule.nodata;
    job_.fused = job_.plain && job_.labels.element == 4 &&
                 job_.labels.bytes == views_.sites.bytes() && job_.labels.contiguous();
    if (problem_.point_sites)
      job_.numbers = reinterpret_cast<const std::int32_t*>(views_.sites.bytes());
  }

  /// Those that have some rows in the range are open at the end.
  void open_cut_leaves() {
    const auto axis = static_cast<std::size_t>(problem_.first_axis());
    const std::int64_t leaf = rows_of_leaf(kRank);
    if (rows_.count < 0) return;
    set_leaf_rows(parts(job_.end[axis], leaf), parts(rows_.first + rows_.count, leaf),
                  SolvedBy::none);
  }

  void set_leaf_rows(std::int64_t begin, std::int64_t end, SolvedBy value) {
    const auto axis = static_cast<std::size_t>(problem_.first_axis());
    const std::int64_t of_row = leaves() / job_.leaves[axis];
    if (begin < end) std::fill_n(job_.solved + begin * of_row, (end - begin) * of_row, value);
  }

  void describe_outputs() {
    const NearestSiteOutputs& out = views_.out;
    if (out.labels && !rest_.out.labels && write_ != Write::distances)
      job_.out_labels = cells_of<std::byte>(out.labels);
    const bool writes_distance = write_ == Write::all || write_ == Write::distances;
    if (out.distance && !rest_.out.distance && writes_distance)
      job_.out_distance = cells_of<std::byte>(out.distance);
    if (wants_besides(rest_.out, {})) {
      job_.write_general = write_general;
      job_.general_writer = &writer_;
    }
    describe_window_outputs();
    if (problem_.limited) job_.limit = static_cast<std::int64_t>(problem_.limit);
    job_.special = problem_.limited || has_nodata();
    job_.unreached_label = bits_of(problem_.unreached, job_.labels.element);
    if (has_nodata()) job_.nodata_label = bits_of(*problem_.rule.nodata, job_.labels.element);
    const auto is_large = [&](const Cells<std::byte>& cells) {
      return cells && problem_.cells() * cells.element > state_.limits.cache_bytes;
    };
    job_.large_labels = is_large(job_.out_labels);
    job_.large_distance = is_large(job_.out_distance);
    job_.stream_labels = job_.large_labels && has_whole_lines(job_.out_labels, problem_.extent);
    job_.stream_distance =
        job_.large_distance && has_whole_lines(job_.out_distance, problem_.extent);
    job_.weights = &problem_.weights;
  }

  void describe_window_outputs() {
    WindowOutputs& out = job_.window_out;
    const NearestSiteOutputs& all = rest_.out;
    const NearestSiteOutputs& rest = general_outputs_of_windows_.out;
    out.is_inside = write_ == Write::inside;
    if (all.distance && !rest.distance) out.distance = cells_of<std::byte>(all.distance);
    if (!out.is_inside) {
      if (all.squared && !rest.squared) out.squared = cells_of<std::byte>(all.squared);
      if (all.site_index && !rest.site_index) out.site_index = cells_of<std::byte>(all.site_index);
    }
    out.are_large = problem_.cells() * std::int64_t{sizeof(double)} > state_.limits.cache_bytes;
    if (wants_besides(rest, {})) out.general_writer = &general_writer_of_windows_;
  }

  void set_bits(SiteBits& bits) {
    job_.bits = bits.bitmap;
    // Lists are made as the raster is read.
    job_.inverts_bits = bits.are_marked && write_ == Write::inside && !searches_dots_;
    bits.are_marked = true;
  }

  void allocate_scratch() {
    const auto bitmap = [&] { return allocate_bitmap(problem_, scratch_); };
    if (write_ == Write::distances)
      for (std::size_t axis = 3 - kRank; axis < kAxes; ++axis) job_.edges[axis] = bitmap();
    if (has_nodata()) job_.nodata = bitmap();
    job_.unit_sites = scratch_.array<std::uint16_t>(units());
    job_.solved = scratch_.array<SolvedBy>(leaves());
    std::fill_n(job_.solved, leaves(), SolvedBy::none);
    allocate_lists();
    if (!searches_dots_) return;
    if (windows_) job_.unit_patches = scratch_.array<std::uint16_t>(units());
    auto* near = scratch_.array<NearTables>(1);
    make_near_tables(problem_, *near);
    job_.near = near;
    auto* dense = scratch_.array<DenseTables>(1);
    make_dense_tables(problem_, job_.labels.stride, *dense);
    job_.dense = dense;
  }

  void allocate_lists() {
    // Kernels copy whole vectors, also beyond the end of a list.
    constexpr std::int64_t kSlack = 64;
    SiteLists& lists = job_.lists;
    const std::int64_t rows = job_.extent[0] * job_.extent[1];
    const std::int64_t room =
        B::kUnitZ * B::kUnitY * job_.extent[2] / limits_.cells_per_listed_site;
    lists.capacity = (searches_dots_ && limits_.near_sites_per_tile > 0 ? room : 0) + kSlack;
    lists.x = scratch_.array<std::uint16_t>(unit_rows() * lists.capacity + kSlack);
    lists.label = scratch_.array<std::uint32_t>(unit_rows() * lists.capacity + kSlack);
    lists.state = scratch_.array<ListState>(unit_rows());
    lists.row = scratch_.array<std::uint32_t>(rows);
    lists.begin = scratch_.array<std::uint32_t>(rows * job_.units[2]);
    lists.end = scratch_.array<std::uint32_t>(rows * job_.units[2]);
  }

  /// Cells close to sites: first among dots, then by windows.
  void run_near() {
    PhaseTimer phase(state_, "near search");
    if (searches_dots_ && kRank == 2) run_strips();
    if (searches_dots_ && kRank == 3) run_passes();
    if (windows_ && is_open())
      search_strips<kRank>(state_, *windows_, window_result(), job_, units_of_windows());
    note_methods(phase, {SolvedBy::dense, SolvedBy::near});
  }

  /// The shares of the progress of all searches but the far one; each cell counts once.
  std::int64_t units_of_windows() const { return windows_ ? problem_.cells() / 2 : 0; }
  std::int64_t units_of_others() const { return problem_.cells() - units_of_windows(); }

  void mark_all() {
    const PhaseTimer phase(state_, "marks");
    for_each_unit_row(1, [&](std::int64_t z, std::int64_t y) { marking_.mark(job_, z, y); });
  }

  bool finds_sites() const {
    return write_ != Write::inside && write_ != Write::distances && wants_sites(views_.out);
  }

  WindowResult window_result() const {
    constexpr std::int64_t kMostLabel = 4;
    if (!finds_sites()) return WindowResult::distance;
    const WindowOutputs& out = job_.window_out;
    const bool is_label = job_.out_labels && job_.out_labels.element <= kMostLabel &&
                          !out.site_index && out.general_writer == nullptr;
    return is_label ? WindowResult::label : WindowResult::place;
  }

  /// 2-D: marks, lists and searches in turn, unit row by unit row, so that each step finds the
  /// results of the step before in the cache. Where two threads meet, the later steps wait for
  /// both.
  void run_strips() {
    const std::int64_t rows = job_.units[1];
    const std::int64_t strips = strip_count();
    const auto begin = [&](std::int64_t strip) { return rows * strip / strips; };
    for_each(strips, 1, units_of_others() / strips,
             [&](std::int64_t strip, int) { run_strip(begin(strip), begin(strip + 1)); });
    // Does the rows on either side of a seam, which no strip could do alone.
    const auto at_seams = [&](std::int64_t reach, auto&& step) {
      for_each(strips - 1, 1, 0, [&](std::int64_t seam, int) {
        for (std::int64_t y = begin(seam + 1) - reach; y < begin(seam + 1) + reach; ++y) step(y);
      });
    };
    at_seams(kListReach, [&](std::int64_t y) { marking_.list(job_, 0, y); });
    at_seams(kDenseReach, [&](std::int64_t y) { search_dense(0, y); });
    at_seams(kNearReach, [&](std::int64_t y) { near_(job_, 0, y); });
  }

  std::int64_t strip_count() const {
    constexpr std::int64_t kFewestRows = 8;
    constexpr std::int64_t kMostCells = std::int64_t{1} << 24;  // between two checks of cancel()
    const std::int64_t wanted = std::max<std::int64_t>(state_.threads == 1 ? 1 : 4 * state_.threads,
                                                       problem_.cells() / kMostCells);
    return std::clamp<std::int64_t>(wanted, 1,
                                    std::max<std::int64_t>(1, job_.units[1] / kFewestRows));
  }

  void run_strip(std::int64_t begin, std::int64_t end) {
    const auto is_inside = [&](std::int64_t y, std::int64_t reach) {
      return (begin == 0 ? y >= 0 : y >= begin + reach) &&
             (end == job_.units[1] ? y < end : y < end - reach);
    };
    for (std::int64_t y = begin; y < end + kNearReach; ++y) {
      if (y < end) marking_.mark(job_, 0, y);
      if (is_inside(y - kListReach, kListReach)) marking_.list(job_, 0, y - kListReach);
      if (is_inside(y - kDenseReach, kDenseReach)) search_dense(0, y - kDenseReach);
      if (is_inside(y - kNearReach, kNearReach)) near_(job_, 0, y - kNearReach);
    }
    hwy::FlushStream();
  }

  /// 3-D: one step after the other.
  void run_passes() {
    for_each_unit_row(3, [&](std::int64_t z, std::int64_t y) { marking_.mark(job_, z, y); });
    for_each_unit_row(3, [&](std::int64_t z, std::int64_t y) { marking_.list(job_, z, y); });
    for_each_unit_row(3, [&](std::int64_t z, std::int64_t y) {
      search_dense(z, y);
      near_(job_, z, y);
      hwy::FlushStream();
    });
  }

  /// The dense search in a unit row, if any of it is written.
  void search_dense(std::int64_t z, std::int64_t y) {
    constexpr std::int64_t kAll = 100;
    if (EngineLimits::of_rank(limits_.dense_percent, kRank) > kAll) return;
    const bool is_written = (z + 1) * B::kUnitZ > job_.begin[0] && z * B::kUnitZ < job_.end[0] &&
                            (y + 1) * B::kUnitY > job_.begin[1] && y * B::kUnitY < job_.end[1];
    if (is_written) dense_(job_, z, y);
  }

  /// Calls step(z, y) for all unit rows, as one of several passes.
  template <class Step>
  void for_each_unit_row(std::int64_t passes, const Step& step) {
    for_each(unit_rows(), 1, units_of_others() / (passes * unit_rows()),
             [&](std::int64_t i, int) { step(i / job_.units[1], i % job_.units[1]); });
  }

  ContextState& state_;
  const Problem& problem_;
  const ProblemViews& views_;
  Write write_;
  const EngineLimits& limits_ = state_.limits;
  /// Other searches do not know an order of sites that differs from that of their places.
  const bool only_far_ = problem_.point_sites || problem_.has_period();
  const std::optional<WindowPlan> windows_ = plan_windows(problem_, limits_, finds_sites());
  /// Whether the dense search and that by lists come first. Distances alone take no longer by
  /// windows, and other metrics than sums over the axes have no windows for sites.
  const bool searches_dots_ =
      !only_far_ && (!windows_ || (finds_sites() && problem_.cells() >= limits_.cells_for_tables));
  RowRange rows_;
  Slab whole_ = whole_raster(problem_);
  CellReader reader_;
  ProblemViews rest_;
  ResultWriter<std::int64_t> writer_;
  ProblemViews general_outputs_of_windows_;
  ResultWriter<std::int64_t> general_writer_of_windows_;
  Scratch::Frame& scratch_;
  Job job_;
  MarkKernels marking_ = mark_kernels(state_.instruction_sets, kRank);
  Kernel dense_ = dense_kernel(state_.instruction_sets, kRank);
  FarKernel far_ = far_supports(problem_, limits_)
                       ? far_kernel(state_.instruction_sets, kRank, problem_.metric)
                       : nullptr;
  Kernel near_ = near_kernel(state_.instruction_sets, kRank);
};

}  // namespace

bool supports_tiles(const ContextState& state, const Problem& problem) {
  // Lists count sites in 32 bits, and have room for an eighth of all cells.
  constexpr std::int64_t kMostCells = std::int64_t{1} << 34;
  return state.instruction_sets != 0 &&
         mark_kernels(state.instruction_sets, problem.rank).mark != nullptr && !problem.wide &&
         (!problem.has_period() || far_supports(problem, state.limits)) &&
         problem.cells() <= kMostCells;
}

bool supports_boundary(const ContextState& state, const Problem& problem) {
  return supports_tiles(state, problem) && !problem.rule.nodata &&
         plan_windows(problem, state.limits, false);
}

bool supports_points(const ContextState& state, const Problem& problem, const PointSites& points) {
  return problem.fraction_bits == 0 && supports_tiles(state, problem) &&
         far_supports(problem, state.limits) && !problem.has_period() &&
         points.count < std::numeric_limits<std::int32_t>::max() && lie_within(problem, points);
}

SiteBits allocate_site_bits(const Problem& problem, Scratch::Frame& scratch) {
  return {.bitmap = allocate_bitmap(problem, scratch)};
}

std::int64_t tile_units(const Problem& problem) {
  return (problem.point_sites ? 3 : 2) * problem.cells();
}

// NOLINTNEXTLINE(readability-function-size): a search has so much to know
Solved run_tiles(ContextState& state, const Problem& problem, const ProblemViews& views,
                 Write write, SiteBits& bits, Scratch::Frame& scratch, const RowRange& rows) {
  ProblemViews raster = views;
  NumberedCells numbered;
  if (problem.point_sites) {
    numbered = number_cells(state, problem, views.points, scratch);
    raster.sites = numbered.first;
  }
  const auto run = [&](auto&& engine) {
    engine.choose_rows(rows);
    return engine.run();
  };
  if (problem.rank == 2) return run(TileEngine<2>(state, problem, raster, write, bits, scratch));
  return run(TileEngine<3>(state, problem, raster, write, bits, scratch));
}

}  // namespace thiessen::cpu::tiles

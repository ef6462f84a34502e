// SPDX-License-Identifier: Apache-2.0
//
// Keeps map and answer of a CostSolver on the device. Updates and solves put kernels on the stream
// and wait for nothing; only changes() waits. What the kernels decide among themselves, such as
// whether an answer is repaired or made anew, the host is not asked, so a graph that was captured
// does the same.
//
// Sites are kept on the host (core/cost/site_table.hpp). Those that changed go to the device with
// the next solve.
#include "cuda/cost/solver/solver.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "backend/changed_list.hpp"
#include "core/base/make_room.hpp"
#include "core/base/refuse.hpp"
#include "cuda/cost/cost.hpp"
#include "cuda/cost/solver/job.hpp"
#include "cuda/transfer/copy_cells.hpp"
#include "cuda/transfer/host_copies.hpp"
#include "threads/rows.hpp"

namespace thiessen::cuda::cost {
namespace {

/// Arrays that go to the device in one copy.
class UploadBatch {
 public:
  /// Room for elements; returns where they will be.
  template <class Element>
  std::size_t add(std::size_t count) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t at = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes_.resize(at + count * sizeof(Element));
    return at;
  }
  template <class Element>
  Element* at(std::size_t place) {
    return reinterpret_cast<Element*>(bytes_.data() + place);
  }
  View<const void> view() const {
    return {bytes_.data(), ElementType::u8, {static_cast<std::int64_t>(bytes_.size())}};
  }
  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }

 private:
  std::vector<std::byte> bytes_;
};

template <class Element>
Element* at_place(std::byte* bytes, std::size_t place) {
  return reinterpret_cast<Element*>(bytes + place);
}

std::int64_t bytes_of(const View<const void>& view) {
  return view.extents().count() * static_cast<std::int64_t>(size_of(view.element_type()));
}

bool is_on_host(const View<const void>& view) { return view && view.space() == MemorySpace::host; }

template <class T>
class CudaCostSolver : public CostSolverEngine {
 public:
  CudaCostSolver(ContextState& state, const CostProblem& problem, const CostViews& views,
                 const CostSiteTable& sites)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        sites_(sites),
        device_(Memory{[this](std::size_t count, const char* purpose) {
                         refuse_capture("memory for a solver");
                         return allocate_device_bytes(count, purpose);
                       },
                       free_device_bytes}),
        memory_(device_),
        has_labels_(views.out.labels && views.labels) {
    const CudaSession::DeviceGuard guard(session_);
    refuse_capture("the making of a solver");
    make_rule(views.map);
    allocate_arrays(views.out);
    start_solver(session_, job_);
    replace_box(Axes{}, views.map, "map");
  }

  ~CudaCostSolver() override {
    try {
      const CudaSession::DeviceGuard guard(session_);
      cudaStreamSynchronize(session_.stream());
    } catch (const Error&) {  // the device has failed, and nothing runs on it
    }
  }
  CudaCostSolver(const CudaCostSolver&) = delete;
  CudaCostSolver& operator=(const CudaCostSolver&) = delete;

  View<const void> on_host(const View<const void>& view, std::vector<std::byte>& bytes) override {
    if (!view || is_on_host(view)) return view;
    const CudaSession::DeviceGuard guard(session_);
    Scratch::Frame frame(session_.scratch);
    const Cells<const std::byte> cells = input(view, frame);
    bytes.resize(static_cast<std::size_t>(bytes_of(view)));
    check(cudaMemcpyAsync(bytes.data(), cells.bytes, bytes.size(), cudaMemcpyDeviceToHost,
                          session_.stream()),
          "sites to the host");
    session_.wait();
    return {bytes.data(), view.element_type(), view.extents()};
  }

  void update_box(const Axes& first, const View<const void>& values) override {
    const CudaSession::DeviceGuard guard(session_);
    replace_box(first, values, "values");
  }

  void update_cells(std::span<const std::int64_t> cells, const View<const void>& values) override {
    if (cells.empty()) return;
    const CudaSession::DeviceGuard guard(session_);
    refuse_capture("a list of cells on the host");
    const View<const void> box = with_three_axes(values);
    UploadBatch parcel;
    const std::size_t cell = parcel.add<std::uint32_t>(cells.size());
    const std::size_t value = parcel.add<std::uint32_t>(cells.size());
    const std::int64_t count =
        list_last_values(cells, parcel.at<std::uint32_t>(cell), parcel.at<std::uint32_t>(value));
    Scratch::Frame frame(session_.scratch);
    check_on_host(box, "values");
    MapUpdate update = make_update(box, frame);
    std::byte* const bytes = send(parcel, frame);
    update.cell = at_place<std::uint32_t>(bytes, cell);
    update.value = at_place<std::uint32_t>(bytes, value);
    update.count = count;
    replace_values(session_, job_, update);
  }

  void reserve_site_cells(std::int64_t more) override {
    make_room(touched_cells_, more);
    make_room(touched_records_, more);
  }

  void touch_sites_of(std::int64_t cell, std::uint32_t record) noexcept override {
    if (cell >= 0) touched_cells_.push_back(cell);
    touched_records_.push_back(record);
  }

  void enqueue(std::vector<Rank> relabelled) override {
    const CudaSession::DeviceGuard guard(session_);
    state_.progress.begin(1);
    state_.progress.check();
    if (is_host_written_) {
      refuse_capture("an output on the host");
      if (is_under_way_) bring_outputs();
    }
    Scratch::Frame frame(session_.scratch);
    if (!are_sites_sent_ || !touched_records_.empty()) send_sites(frame);
    std::uint32_t* const labels = relabelled.empty() ? nullptr : send_list(relabelled, frame);
    state_.progress.commit();
    repair_costs(session_, job_);
    {
      Scratch::Frame own(device_);
      CostStart from;
      from.notes = notes_;
      solve_afresh(session_, job_, from, own);
    }
    if (labels != nullptr)
      relabel_cells(session_, job_, labels, static_cast<std::int64_t>(relabelled.size()));
    touched_cells_.clear();
    touched_records_.clear();
    is_relabelled_ = is_relabelled_ || labels != nullptr;
    is_under_way_ = true;
  }

  const Changes& changes() override {
    const CudaSession::DeviceGuard guard(session_);
    const SolverWork work = bring_outputs();
    if (work.is_stale != 0) {
      forget(&job_.work->is_stale);
      throw Error(ErrorCode::invalid_argument,
                  "a graph solved for fewer sites than the solver has room for by now; must be "
                  "captured anew after sites were added");
    }
    tell(work);
    if (work.fault.index != SolverFault::kNone) refuse_value(work.fault);
    return changes_;
  }

  CostDistanceReport on_barriers() const override { return on_barriers_; }

  ChangedCells changed_cells() override {
    const CudaSession::DeviceGuard guard(session_);
    refuse_capture("a list of cells on the host");
    const auto count = static_cast<std::int64_t>(fetch_work().changed);
    Scratch::Frame frame(session_.scratch);
    auto* const list = frame.template array<SolverChange>(std::max<std::int64_t>(count, 1));
    auto* const listed = frame.template array<std::uint32_t>(1);
    check(cudaMemsetAsync(listed, 0, sizeof *listed, session_.stream()), "cells that changed");
    list_changed(session_, job_, list, listed);
    std::vector<SolverChange> all = fetch(list, static_cast<std::size_t>(count));
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
    changed_cells_.clear();
    for (const SolverChange& each : all)
      changed_cells_.add(each.cell, each.site_before == kOutsideSite ? kNodata
                                    : each.site_before == kNoRank    ? kUnreached
                                                                     : each.site_before);
    return changed_cells_.view();
  }

  std::size_t bytes() const override {
    return device_.bytes() + (site_memory_ ? site_memory_->bytes() : 0) +
           touched_cells_.capacity() * sizeof touched_cells_[0] +
           touched_records_.capacity() * sizeof touched_records_[0];
  }

 private:
  void refuse_capture(const char* what) const {
    if (session_.is_capturing())
      throw Error(ErrorCode::unsupported, {"stream",
                                           {},
                                           "is being captured, and there is " + std::string(what) +
                                               ", which a graph cannot have"});
  }

  // --- memory

  template <class Element>
  Element* allocate(std::int64_t count) {
    return memory_.template array<Element>(std::max<std::int64_t>(count, 1));
  }

  void make_rule(const View<const void>& map) {
    rule_.type = map.element_type();
    rule_.has_nodata = problem_.nodata.has_value();
    if (problem_.nodata) rule_.nodata = *problem_.nodata;
  }

  /// The tiles that a repair looks at; where it needs more, the answer is made anew.
  std::uint32_t most_tiles() const {
    return static_cast<std::uint32_t>(
        std::max(job_.now.tiling.count() / state_.limits.tiles_per_repaired_tile,
                 state_.limits.few_repaired_tiles));
  }

  void allocate_arrays(const CostDistanceOutputs& out) {
    const std::int64_t cells = problem_.cells();
    CostJob<T>& now = job_.now;
    now.edges = make_edges<T>(problem_);
    now.tiling = make_tiling(problem_.extent, now.edges);
    now.limit = greatest_cost<T>(problem_);
    now.ranks_are_cells = sites_.by_cell();
    now.resistance = allocate<T>(cells);
    now.cost = allocate<T>(cells);
    now.rank = allocate<std::uint32_t>(cells);
    now.steps.wide = StepBits::are_wide(now.edges.count);
    now.steps.bytes = allocate<std::byte>(cells * (now.steps.wide ? 4 : 1));
    if (out.back_link) now.hops = allocate<std::uint32_t>(cells);
    job_.cost_before = allocate<T>(cells);
    job_.site_before = allocate<std::uint32_t>(cells);
    now.link = allocate<std::uint32_t>(cells);
    job_.first = allocate<std::uint32_t>(cells);
    job_.most_tiles = most_tiles();
    for (std::uint32_t** const of_tiles :
         {&job_.list[0], &job_.list[1], &job_.round[0], &job_.round[1], &job_.tile_mark})
      *of_tiles = allocate<std::uint32_t>(now.tiling.count());
    job_.work = allocate<SolverWork>(1);
    notes_ = allocate<CostNotes>(1);
    site_count_ = allocate<std::int64_t>(1);
    now.wanted = &job_.work->wanted;
    now.site_count = site_count_;
    if (now.ranks_are_cells) job_.site_mark = allocate<std::uint32_t>(cells);
    set_outputs(out);
  }

  void set_outputs(const CostDistanceOutputs& out) {
    job_.out.unreached = problem_.unreached;
    job_.out.nodata = problem_.nodata_label;
    job_.out.labels = cells_of(out.labels);
    job_.out.site_index = cells_of(out.site_index);
    job_.out.distance = cells_of(out.distance);
    job_.out.back_link = cells_of(out.back_link);
  }

  /// The cells of an output; a copy of them if it lies on the host.
  SolverCells cells_of(const View<void>& view) {
    SolverCells cells;
    if (!view) return cells;
    cells.element = static_cast<std::int32_t>(size_of(view.element_type()));
    if (view.space() == MemorySpace::host) {
      is_host_written_ = true;
      cells.bytes = allocate<std::byte>(bytes_of(view));
      cells.is_packed = cells.is_aligned = true;
      host_outputs_.push_back({view, cells.bytes});
      return cells;
    }
    cells.bytes = view.bytes();
    for (int axis = 0; axis < kAxes; ++axis) cells.stride[axis] = view.stride(axis);
    cells.is_packed = is_packed(view);
    cells.is_aligned = is_aligned(view);
    return cells;
  }

  /// Makes room for the records of sites. What graphs know of former arrays becomes stale.
  void allocate_site_arrays() {
    const std::int64_t room = std::max<std::int64_t>(2 * sites_.count(), 1024);
    auto memory = std::make_unique<Scratch>(Memory{allocate_device_bytes, free_device_bytes});
    Scratch::Frame frame(*memory);
    SolverJob<T> job = job_;
    job.now.listed_cell = frame.template array<std::int64_t>(room);
    job.now.site_cell = frame.template array<std::int64_t>(room);
    job.now.initial = frame.template array<T>(room);
    if (has_labels_)
      job.out.site_labels = frame.template array<std::byte>(room * job.out.labels.element);
    if (!job.now.ranks_are_cells) {
      job.site_mark = frame.template array<std::uint32_t>(room);
      check(cudaMemsetAsync(job.site_mark, 0,
                            static_cast<std::size_t>(room) * sizeof job.site_mark[0],
                            session_.stream()),
            "marks of sites");
    }
    job.changed_sites = frame.template array<std::uint32_t>(2 * room);
    if (site_room_ > 0)  // the next solve clears the marks of these sites
      check(cudaMemcpyAsync(job.changed_sites, job_.changed_sites,
                            static_cast<std::size_t>(2 * site_room_) * sizeof(std::uint32_t),
                            cudaMemcpyDeviceToDevice, session_.stream()),
            "sites that changed");
    session_.wait();  // for what uses the former arrays
    job.now.most_sites = room;
    ++job.generation;
    job_ = job;
    site_room_ = room;
    site_memory_.swap(memory);
    are_sites_sent_ = false;
  }

  // --- arrays of the host

  /// The cells of a view on the device, in the order of the stream.
  Cells<const std::byte> input(const View<const void>& view, Scratch::Frame& frame) const {
    const auto element = static_cast<std::int32_t>(size_of(view.element_type()));
    const bool on_device = !is_on_host(view);
    if (on_device && is_packed(view) && is_aligned(view)) return {view.bytes(), element};
    auto* const copy = frame.template array<std::byte>(std::max<std::int64_t>(bytes_of(view), 1));
    if (on_device) {
      copy_cells(session_, view,
                 View<void>(copy, view.element_type(), view.extents(), MemorySpace::cuda));
    } else {
      refuse_capture("an array on the host");
      state_.progress.begin(std::max<std::int64_t>(bytes_of(view), 1));
      HostCopies(state_, session_).upload(view, copy);
    }
    return {copy, element};
  }

  std::byte* send(const UploadBatch& parcel, Scratch::Frame& frame) const {
    auto* const copy = frame.template array<std::byte>(std::max<std::int64_t>(parcel.size(), 1));
    if (parcel.size() > 0) {
      state_.progress.begin(parcel.size());
      HostCopies(state_, session_).upload(parcel.view(), copy);
    }
    return copy;
  }

  std::uint32_t* send_list(const std::vector<Rank>& list, Scratch::Frame& frame) const {
    refuse_capture("a list of sites on the host");
    UploadBatch parcel;
    const std::size_t place = parcel.add<Rank>(list.size());
    std::copy(list.begin(), list.end(), parcel.at<Rank>(place));
    return at_place<std::uint32_t>(send(parcel, frame), place);
  }

  // --- the map

  void replace_box(const Axes& first, const View<const void>& values, const char* name) {
    if (values.extents().count() == 0) return;
    check_on_host(values, name);
    Scratch::Frame frame(session_.scratch);
    MapUpdate update = make_update(values, frame);
    update.first = first;
    update.is_map = name == std::string("map");
    replace_values(session_, job_, update);
  }

  MapUpdate make_update(const View<const void>& values, Scratch::Frame& frame) const {
    MapUpdate update;
    update.values = {.cells = input(values, frame), .rule = rule_};
    update.extent = to_axes(values.extents());
    update.count = values.extents().count();
    update.is_checked = is_on_host(values);
    return update;
  }

  /// Throws for an illegal value, if values lie on the host.
  void check_on_host(const View<const void>& values, const char* name) const {
    if (!is_on_host(values)) return;
    Scratch::Frame scratch(state_.scratch);
    CostProblem part = problem_;
    part.extent = to_axes(values.extents());
    load_map<T>(part, values, loop_over_rows(state_, part.extent[2], 0), scratch, name);
  }

  /// Lists each cell once, with the place of the last of its values.
  static std::int64_t list_last_values(std::span<const std::int64_t> cells, std::uint32_t* cell,
                                       std::uint32_t* value) {
    std::vector<std::uint32_t> order(cells.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return cells[a] < cells[b]; });
    std::int64_t count = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + 1 < order.size() && cells[order[i]] == cells[order[i + 1]]) continue;
      cell[count] = static_cast<std::uint32_t>(cells[order[i]]);
      value[count++] = order[i];
    }
    return count;
  }

  // --- sites

  /// Sends what changed of the sites, at first all of them.
  void send_sites(Scratch::Frame& frame) {
    refuse_capture("a list of sites on the host");
    if (sites_.count() > site_room_ || site_room_ == 0) allocate_site_arrays();
    std::vector<std::uint32_t> records = touched_records_;
    std::vector<std::int64_t> cells = touched_cells_;
    if (!are_sites_sent_) {
      records.resize(static_cast<std::size_t>(sites_.count()));
      for (std::size_t i = 0; i < records.size(); ++i) records[i] = static_cast<std::uint32_t>(i);
      for (const std::uint32_t record : records)
        if (sites_.cell_of(record) >= 0) cells.push_back(sites_.cell_of(record));
    }
    make_unique(cells);
    make_unique(records);
    UploadBatch parcel;
    const SiteUpdate<T> update = pack_sites(records, cells, parcel, frame);
    replace_sites(session_, job_, update, site_count_);
    are_sites_sent_ = true;
  }

  template <class Element>
  static void make_unique(std::vector<Element>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  SiteUpdate<T> pack_sites(const std::vector<std::uint32_t>& records,
                           const std::vector<std::int64_t>& cells, UploadBatch& parcel,
                           Scratch::Frame& frame) const {
    const std::size_t label_bytes =
        has_labels_ ? static_cast<std::size_t>(job_.out.labels.element) : 0;
    const std::size_t record = parcel.add<std::uint32_t>(records.size());
    const std::size_t cell = parcel.add<std::int64_t>(records.size());
    const std::size_t initial = parcel.add<T>(records.size());
    const std::size_t label = parcel.add<std::byte>(records.size() * label_bytes);
    const std::size_t changed = parcel.add<std::uint32_t>(cells.size());
    const std::size_t first = parcel.add<std::uint32_t>(cells.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::int64_t at = sites_.cell_of(records[i]);
      parcel.at<std::uint32_t>(record)[i] = records[i];
      parcel.at<std::int64_t>(cell)[i] = at >= 0 ? at : kNoCell;
      parcel.at<T>(initial)[i] = static_cast<T>(sites_.initial_of(records[i]));
      if (label_bytes > 0)
        std::memcpy(parcel.at<std::byte>(label) + i * label_bytes, sites_.label_of(records[i]),
                    label_bytes);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      parcel.at<std::uint32_t>(changed)[i] = static_cast<std::uint32_t>(cells[i]);
      parcel.at<std::uint32_t>(first)[i] =
          sites_.has_site(cells[i])
              ? sites_.record_of(sites_.first_with(cells[i], sites_.least_initial(cells[i])))
              : kNoRecord;
    }
    std::byte* const bytes = send(parcel, frame);
    return {.records = static_cast<std::int64_t>(records.size()),
            .cells = static_cast<std::int64_t>(cells.size()),
            .all_records = sites_.count(),
            .record = at_place<std::uint32_t>(bytes, record),
            .cell = at_place<std::int64_t>(bytes, cell),
            .initial = at_place<T>(bytes, initial),
            .label = label_bytes > 0 ? bytes + label : nullptr,
            .changed = at_place<std::uint32_t>(bytes, changed),
            .first = at_place<std::uint32_t>(bytes, first)};
  }

  // --- what the device tells

  template <class Element>
  std::vector<Element> fetch(const Element* from, std::size_t count) const {
    std::vector<Element> copy(count);
    if (count > 0)
      check(cudaMemcpyAsync(copy.data(), from, count * sizeof(Element), cudaMemcpyDeviceToHost,
                            session_.stream()),
            "what a solver has found");
    session_.wait();
    return copy;
  }

  SolverWork fetch_work() const {
    static_assert(sizeof(SolverWork) <= Staging::kWords * sizeof(float));
    float* const pinned = session_.staging().words();
    check(cudaMemcpyAsync(pinned, job_.work, sizeof(SolverWork), cudaMemcpyDeviceToHost,
                          session_.stream()),
          "what a solver has found");
    session_.wait();
    SolverWork work;
    std::memcpy(&work, pinned, sizeof work);
    return work;
  }

  /// Waits, and brings outputs on the host up to date: the rows in which something changed.
  SolverWork bring_outputs() {
    refuse_capture("a list of changes on the host");
    const SolverWork work = fetch_work();
    if (!host_outputs_.empty()) download(work);
    is_under_way_ = is_relabelled_ = false;
    return work;
  }

  void download(const SolverWork& work) {
    const bool is_all = is_relabelled_ || work.afresh != 0;
    const std::size_t axis = problem_.extent[0] > 1 ? 0 : 1;
    const bool has_changed = work.changed > 0;
    const bool has_links = work.first_link <= work.last_link;
    if (!is_all && !has_changed && !has_links) return;
    std::int64_t first = problem_.extent[axis];
    std::int64_t end = 0;
    const auto add = [&](std::int64_t from, std::int64_t to) {
      first = std::min(first, from);
      end = std::max(end, to + 1);
    };
    if (is_all) add(0, problem_.extent[axis] - 1);
    if (has_changed) add(work.first[axis], work.last[axis]);
    if (has_links) add(work.first_link, work.last_link);
    std::int64_t bytes = 1;
    HostCopies copies(state_, session_);
    for (const HostOutput& output : host_outputs_) {
      const View<void>& view = output.view;
      std::array<std::int64_t, kAxes> sizes{};
      View<void>::Strides strides{};
      std::int64_t before = first * static_cast<std::int64_t>(size_of(view.element_type()));
      for (int i = 0; i < kAxes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        sizes[at] = at == axis ? end - first : view.extent(i);
        strides[at] = view.stride(i);
        if (at > axis) before *= view.extent(i);
      }
      const View<void> rows(view.bytes() + first * view.stride(static_cast<int>(axis)),
                            view.element_type(), Extents(std::span<const std::int64_t>(sizes)),
                            strides);
      bytes += bytes_of(rows);
      copies.add_download(output.copy + before, rows);
    }
    state_.progress.commit();
    state_.progress.begin(bytes);
    copies.download_all();
    session_.wait();
  }

  void tell(const SolverWork& work) {
    changes_.cells = static_cast<std::int64_t>(work.changed);
    changes_.first.clear();
    changes_.last.clear();
    for (int axis = kAxes - problem_.rank; axis < kAxes && work.changed > 0; ++axis) {
      changes_.first.push_back(work.first[axis]);
      changes_.last.push_back(work.last[axis]);
    }
    const std::vector<std::uint32_t> sites = fetch(job_.changed_sites, work.changed_sites);
    changes_.sites.assign(sites.begin(), sites.end());
    std::sort(changes_.sites.begin(), changes_.sites.end());
    on_barriers_.ignored_sites = work.ignored[work.list];
    on_barriers_.first_ignored_site = work.first_ignored[work.list];
  }

  /// Sets a word of the device to zero.
  void forget(std::uint32_t* word) const {
    check(cudaMemsetAsync(word, 0, sizeof *word, session_.stream()), "state of a solver");
  }

  void refuse_value(const SolverFault& fault) const {
    check(cudaMemsetAsync(&job_.work->fault.index, 0xff, sizeof fault.index, session_.stream()),
          "state of a solver");
    CostProblem part = problem_;
    part.extent = fault.extent;
    refuse_map(part, static_cast<std::int64_t>(fault.index),
               reinterpret_cast<const std::byte*>(&fault.value), rule_.type,
               fault.is_map != 0 ? "map" : "values");
  }

  struct HostOutput {
    View<void> view;
    std::byte* copy;  ///< on the device, without gaps
  };

  ContextState& state_;
  CudaSession& session_;
  const CostProblem& problem_;
  const CostSiteTable& sites_;
  Scratch device_;
  Scratch::Frame memory_;
  std::unique_ptr<Scratch> site_memory_;  ///< on the device
  bool has_labels_;

  SolverJob<T> job_;
  Rule rule_;
  CostNotes* notes_ = nullptr;  ///< nobody reads them
  std::int64_t* site_count_ = nullptr;
  std::int64_t site_room_ = 0;
  bool are_sites_sent_ = false;
  std::vector<std::int64_t> touched_cells_;
  std::vector<std::uint32_t> touched_records_;

  std::vector<HostOutput> host_outputs_;
  bool is_host_written_ = false;
  bool is_relabelled_ = false;  ///< since outputs on the host were written
  bool is_under_way_ = false;   ///< changes() has not been called since enqueue()
  Changes changes_;
  ChangedList changed_cells_;
  CostDistanceReport on_barriers_;
};

}  // namespace

std::unique_ptr<CostSolverEngine> make_cost_solver(ContextState& state, const CostProblem& problem,
                                                   const CostViews& views,
                                                   const CostSiteTable& sites) {
  if (const Support support = supports_cost(state, problem); !support)
    throw Error(ErrorCode::unsupported, support.reason);
  if (problem.wide) return std::make_unique<CudaCostSolver<double>>(state, problem, views, sites);
  return std::make_unique<CudaCostSolver<float>>(state, problem, views, sites);
}

}  // namespace thiessen::cuda::cost

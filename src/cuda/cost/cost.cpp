// SPDX-License-Identifier: Apache-2.0
//
// Calls of cost distance. The map is on the device or is copied there, and becomes resistances
// there. Sites are listed on the host, except for a raster on the device with few sites: then only
// their number goes to the host, if the raster is large, to see whether they are few. The host
// waits for that, and at the end for the data of the report.
#include "cuda/cost/cost.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/cost/inputs.hpp"
#include "core/cost/outputs.hpp"
#include "cuda/cost/eikonal/stages.hpp"
#include "cuda/cost/kernels.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/sites/site_list.hpp"
#include "cuda/transfer/make_job.hpp"
#include "cuda/transfer/transfer.hpp"
#include "threads/rows.hpp"

namespace thiessen::cuda::cost {
namespace {

/// The bytes of those views that are on the host.
std::int64_t host_bytes(const CostViews& views) {
  std::int64_t sum = 0;
  for (const View<const void>& view :
       {views.map, View<const void>(views.out.labels), View<const void>(views.out.site_index),
        View<const void>(views.out.distance), View<const void>(views.out.back_link)})
    if (view && view.space() == MemorySpace::host)
      sum += view.extents().count() * static_cast<std::int64_t>(size_of(view.element_type()));
  return sum;
}

template <class T>
class CostRun {
 public:
  CostRun(ContextState& state, const CostProblem& problem, const CostViews& views,
          CostDistanceReport& report)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        views_(views),
        report_(report),
        host_(state.scratch),
        transfer_(state, {}) {
    state.progress.begin(std::max<std::int64_t>(host_bytes(views), 1));
  }

  void solve_by_tiles() {
    load();
    find_costs(session_, job_, start_, transfer_.device());
    label();
    write();
  }

  void solve_by_iterations() {
    load();
    const CostIteration<T> iteration{job_, allocate<T>(job_.cells()),
                                     allocate<std::uint32_t>(job_.cells()),
                                     allocate<ActiveCells>(1)};
    start_iterations(session_, iteration, start_);
    for (bool is_first = true, goes_on = true; goes_on; is_first = false) {
      const int most = iterate_costs(session_, iteration, is_first);
      goes_on = report_iterations(fetch(iteration.active), most);
      state_.progress.check();
    }
    label();
    write();
  }

  void solve_by_fronts() {
    load();
    EikonalJob job = eikonal_job();
    find_fronts(session_, job, start_, transfer_.device());
    results_.links = job.side;
    write();
  }

 private:
  void refuse_capture() const {
    if (session_.is_capturing())
      throw Error(ErrorCode::unsupported,
                  {"stream",
                   {},
                   "is being captured; cost distance waits for its report, which a graph cannot"});
  }

  template <class Element>
  Element* allocate(std::int64_t count) {
    return transfer_.device().template array<Element>(count);
  }

  /// A copy of the cells on the host.
  View<const void> on_host(const View<const void>& view) {
    if (!view || view.space() == MemorySpace::host) return view;
    const Cells<const std::byte> cells = transfer_.input(view);
    const std::int64_t bytes = view.extents().count() * cells.element;
    auto* const copy = host_.array<std::byte>(bytes);
    check(cudaMemcpyAsync(copy, cells.bytes, static_cast<std::size_t>(bytes),
                          cudaMemcpyDeviceToHost, session_.stream()),
          "sites to the host");
    session_.wait();
    return {copy, view.element_type(), view.extents()};
  }

  void load() {
    refuse_capture();
    start_.notes = allocate<CostNotes>(1);
    CostNotes none{};
    none.illegal = none.first_ignored = ~decltype(none.illegal){0};
    check(cudaMemcpyAsync(start_.notes, &none, sizeof none, cudaMemcpyHostToDevice,
                          session_.stream()),
          "notes of the call");
    job_.edges = make_edges<T>(problem_);
    job_.tiling = make_tiling(problem_.extent, job_.edges);
    job_.limit = greatest_cost<T>(problem_);
    load_map();
    if (!list_on_device()) load_site_list();
    job_.most_sites = std::max<std::int64_t>(job_.most_sites, 1);
    set_results();
  }

  void load_map() {
    CostMap& map = start_.map;
    map.cells = transfer_.input(views_.map);
    map.rule.type = views_.map.element_type();
    map.rule.has_nodata = problem_.nodata.has_value();
    if (problem_.nodata) map.rule.nodata = *problem_.nodata;
    job_.resistance = allocate<T>(problem_.cells());
    results_.map = map;
  }

  /// Returns false if the raster of sites is not on the device, if sites have initial costs, or if
  /// there are more sites than a list is kept for.
  bool list_on_device() {
    if (problem_.point_sites || views_.initial_cost || views_.sites.space() == MemorySpace::host)
      return false;
    Job raster;
    raster.rank = problem_.rank;
    raster.extent = problem_.extent;
    raster.sites = transfer_.input(views_.sites);
    raster.rule = make_rule(session_, problem_.rule, transfer_);
    const Bits bits = sites::allocate_bits(raster, transfer_.device());
    sites::mark_sites(session_, raster, bits);
    constexpr std::int64_t kAlways = 1 << 20;
    constexpr std::int64_t kCellsPerSite = 16;
    const std::int64_t most = std::max(kAlways, raster.cells() / kCellsPerSite);
    const sites::SiteList list =
        sites::list_sites(session_, raster, bits, transfer_.device(), most);
    job_.most_sites = raster.cells() <= most ? raster.cells() : fetch(list.count);
    if (job_.most_sites > most) return false;
    job_.site_count = list.count;
    job_.listed_cell = results_.site_index = list.cell;
    job_.site_cell = allocate<std::int64_t>(job_.most_sites);
    if (!views_.labels || !views_.out.labels) return true;
    start_.sites = raster.sites;
    start_.site_labels = allocate<std::byte>(job_.most_sites * raster.sites.element);
    results_.site_labels = start_.site_labels;
    return true;
  }

  void load_site_list() {
    CostViews views = views_;
    views.sites = on_host(views_.sites);
    views.points = on_host(views_.points);
    views.initial_cost = on_host(views_.initial_cost);
    const bool same = views_.labels && views_.labels.bytes() == views_.sites.bytes();
    views.labels = same ? views.sites : on_host(views_.labels);
    sites_ = list_sites<T>(problem_, views, loop_over_rows(state_, problem_.extent[2], 0), host_);
    job_.most_sites = sites_.count;
    job_.site_count = transfer_.upload(&sites_.count, 1);
    job_.listed_cell = transfer_.upload(sites_.cell, sites_.count);
    job_.site_cell = allocate<std::int64_t>(sites_.count);
    if (sites_.initial != nullptr) job_.initial = transfer_.upload(sites_.initial, sites_.count);
    if (sites_.label != nullptr) {
      const auto element = static_cast<std::int64_t>(size_of(views_.out.labels.element_type()));
      results_.site_labels = transfer_.upload(sites_.label, sites_.count * element);
    }
    if (sites_.by_cell) results_.site_index = job_.listed_cell;
  }

  void set_results() {
    const CostDistanceOutputs& out = views_.out;
    const auto cells_of = [&](const View<void>& view) -> Cells<std::byte> {
      return {transfer_.output(view),
              view ? static_cast<std::int32_t>(size_of(view.element_type())) : 0};
    };
    results_.unreached = problem_.unreached;
    results_.nodata = problem_.nodata_label;
    results_.labels = cells_of(out.labels);
    results_.distance = cells_of(out.distance);
    results_.index = reinterpret_cast<std::int64_t*>(transfer_.output(out.site_index));
    results_.back_link = reinterpret_cast<std::uint8_t*>(transfer_.output(out.back_link));
    const bool in_place =
        out.distance && out.distance.element_type() == detail::element_type_of<T>();
    job_.cost =
        in_place ? reinterpret_cast<T*>(results_.distance.bytes) : allocate<T>(problem_.cells());
    if (wants_ranks(out)) job_.rank = allocate<std::uint32_t>(problem_.cells());
  }

  /// Finds ranks and hops along tight steps.
  void label() {
    const CostDistanceOutputs& out = views_.out;
    if (!wants_ranks(out)) return;
    job_.steps.wide = StepBits::are_wide(job_.edges.count);
    job_.steps.bytes = allocate<std::byte>(problem_.cells() * (job_.steps.wide ? 4 : 1));
    job_.link = allocate<std::uint32_t>(problem_.cells());
    if (out.back_link) job_.hops = allocate<std::uint32_t>(problem_.cells());
    find_labels(session_, job_, transfer_.device());
  }

  void write() {
    write_cost_results(session_, job_, results_);
    read_notes();
    transfer_.finish();
  }

  EikonalJob eikonal_job() {
    EikonalJob job{job_};
    job.dimensions = problem_.rank;
    job.spacing = problem_.spacing;
    const eikonal::StraightLines lines =
        eikonal::straight_lines(problem_.extent, problem_.spacing, problem_.exact_radius);
    job.line_count = std::ssize(lines.lines);
    job.lines = transfer_.upload(lines.lines.data(), job.line_count);
    job.parts = transfer_.upload(lines.parts.data(), std::ssize(lines.parts));
    if (problem_.point_sites) {
      const eikonal::AlongAxes* const offset =
          site_offsets(problem_, on_host(views_.points), sites_.cell, sites_.count, host_);
      if (offset != nullptr) job.offset = transfer_.upload(offset, sites_.count);
    }
    job.limit = eikonal::greatest_cost(problem_);
    const std::int64_t cells = problem_.cells();
    job.order = allocate<double>(cells);
    job.traits = allocate<Traits>(cells);
    if (wants_ranks(views_.out)) job.direction = allocate<float>(cells * problem_.rank);
    if (views_.out.back_link) job.side = allocate<std::uint8_t>(cells);
    job.link_of_side = eikonal::links_of_sides(job.edges);
    return job;
  }

  /// Copies a value from the device; waits.
  template <class Value>
  Value fetch(const Value* from) const {
    static_assert(sizeof(Value) <= Staging::kWords * sizeof(float));
    float* const pinned = session_.staging().words();
    check(cudaMemcpyAsync(pinned, from, sizeof(Value), cudaMemcpyDeviceToHost, session_.stream()),
          "what the device has found");
    session_.wait();
    Value value;
    std::memcpy(&value, pinned, sizeof value);
    return value;
  }

  /// Copies the notes that kernels have made so far; waits.
  CostNotes notes() const { return fetch(start_.notes); }

  /// Reports the iterations of a launch, the first one in any case; returns whether cells are
  /// active after the last.
  bool report_iterations(const ActiveCells& active, int most) {
    int done = 0;
    do report_.active_cells.push_back(active.cells[done++]);
    while (done < most && active.cells[done] > 0);
    return active.cells[most] > 0;
  }

  void read_notes() {
    constexpr auto kNone = ~decltype(CostNotes::illegal){0};
    const CostNotes found = notes();
    if (found.illegal != kNone) refuse_cell(static_cast<std::int64_t>(found.illegal));
    if (found.first_ignored == kNone) return;
    const auto rank = static_cast<std::int64_t>(found.first_ignored);
    const std::int64_t cell =
        sites_.cell != nullptr ? sites_.cell[rank] : fetch(job_.listed_cell + rank);
    ignore_site(problem_, cell, rank, report_);
    report_.ignored_sites = static_cast<std::int64_t>(found.ignored);
  }

  void refuse_cell(std::int64_t cell) const {
    const Cells<const std::byte>& map = results_.map.cells;
    std::byte value[8];
    check(cudaMemcpyAsync(value, map.bytes + cell * map.element,
                          static_cast<std::size_t>(map.element), cudaMemcpyDeviceToHost,
                          session_.stream()),
          "cell of the map");
    session_.wait();
    refuse_map(problem_, cell, value, views_.map.element_type());
  }

  ContextState& state_;
  CudaSession& session_;
  const CostProblem& problem_;
  const CostViews& views_;
  CostDistanceReport& report_;
  Scratch::Frame host_;
  Transfer transfer_;
  CostSites<T> sites_;
  CostJob<T> job_;
  CostStart start_;
  CostResults results_{};
};

}  // namespace

Support supports_eikonal(const ContextState& state, const CostProblem& problem) {
  if (Support fronts = supports_fronts(problem); !fronts) return fronts;
  return supports_cost(state, problem);
}

Support supports_cost(const ContextState&, const CostProblem& problem) {
  if (Support labels = supports_settled_labels(problem); !labels) return labels;
  if (Support level = supports_even_steps(problem); !level) return level;
  if (problem.cells() >= std::int64_t{kNoHops})
    return {"cost distance on cuda takes fewer than 2^32 - 1 cells"};
  return {};
}

void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report) {
  const CudaSession::DeviceGuard guard(session_of(state));
  if (problem.wide)
    CostRun<double>(state, problem, views, report).solve_by_tiles();
  else
    CostRun<float>(state, problem, views, report).solve_by_tiles();
}

void run_cost_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                         CostDistanceReport& report) {
  const CudaSession::DeviceGuard guard(session_of(state));
  if (problem.wide)
    CostRun<double>(state, problem, views, report).solve_by_iterations();
  else
    CostRun<float>(state, problem, views, report).solve_by_iterations();
}

void run_eikonal(ContextState& state, const CostProblem& problem, const CostViews& views,
                 CostDistanceReport& report) {
  const CudaSession::DeviceGuard guard(session_of(state));
  CostRun<double>(state, problem, views, report).solve_by_fronts();
}

}  // namespace thiessen::cuda::cost

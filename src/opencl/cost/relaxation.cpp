// SPDX-License-Identifier: Apache-2.0
//
// Drives relaxation.cl: the host makes map and sites and sends them to the device, which finds
// costs, ranks, tight steps and hops. They come back, and the CostWriter writes the outputs that
// the caller wants.
//
// After each iteration the host reads how many cells have changed, as the document's host reads a
// flag; counts it in the report; and checks whether the call is cancelled.
#include "opencl/cost/relaxation.hpp"

#include <cstring>
#include <limits>
#include <string>

#include "core/cost/labels.hpp"
#include "core/cost/outputs.hpp"
#include "opencl/device/integers.hpp"
#include "opencl/device/session.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::size_t kGroup = 256;  ///< work items of a group, at most

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, cl_ulong, cl_uint>;

void run_at_once(std::int64_t count,
                 FunctionRef<void(std::int64_t begin, std::int64_t end)> piece) {
  piece(0, count);
}

/// The struct Edges of relaxation.cl, byte by byte; its arrays are as long as there are
/// neighbours.
template <class T>
std::vector<std::byte> constants_of(const CostProblem& problem, const CostEdges<T>& edges) {
  std::vector<std::byte> bytes;
  const auto add = [&](auto value) {
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof value);
    std::memcpy(bytes.data() + end, &value, sizeof value);
  };
  const auto count = static_cast<std::size_t>(edges.count);
  const auto deltas = neighbour_deltas(edges, problem.extent);
  for (const std::int64_t extent : problem.extent) add(cl_long{extent});
  for (std::size_t k = 0; k < count; ++k) add(cl_long{deltas[k]});
  for (std::size_t k = 0; k < count; ++k) {
    const CostOffset o = edges.offset[k];
    for (const int part : {int{o.z}, int{o.y}, int{o.x}, static_cast<int>(o.step)})
      add(cl_int{part});
  }
  for (std::size_t k = 0; k < count; ++k) add(edges.factor[k]);
  add(greatest_cost<T>(problem));
  return bytes;
}

template <class T>
class CostRelaxation {
 public:
  CostRelaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                 CostDistanceReport& report)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        views_(views),
        report_(report),
        edges_(make_edges<T>(problem)),
        cells_(problem.cells()),
        scratch_(state.scratch),
        memory_(session_.memory) {}

  void run() {
    state_.progress.begin(cells_);
    build();
    load();
    const QueueGuard guard(session_);
    checked("cost distance", [&] {
      upload();
      relax();
      if (wants_ranks(views_.out)) find_ranks();
      if (views_.out.back_link) count_hops();
    });
    finish();
  }

 private:
  template <class Element>
  cl::Buffer allocate(std::int64_t count, const char* purpose) {
    return memory_.allocate(static_cast<std::size_t>(count) * sizeof(Element), purpose);
  }

  void build() {
    constexpr bool kWide = sizeof(T) == 8;
    const auto flag = [](bool value) { return std::string(value ? "1" : "0"); };
    const Definitions definitions{
        {"FLOAT", kWide ? "double" : "float"},
        {"BITS", kWide ? "ulong" : "uint"},
        {"COUNT", std::to_string(edges_.count)},
        {"STIFFNESS", flag(edges_.stiffness)},
        {"TIGHT_BARRIERS", flag(edges_.tight_barriers)},
        {"WIDE", flag(kWide)},
        {"HAS_FP64", flag(session_.device().capabilities().fp64)},
    };
    const auto find = [&](const char* name) {
      return find_kernel(state_, "relaxation", definitions, name);
    };
    start_costs_ = find("start_costs");
    relax_ = find("relax");
    update_ = find("update");
    find_steps_ = find("find_steps");
    start_ranks_ = find("start_ranks");
    spread_ranks_ = find("spread_ranks");
    start_hops_ = find("start_hops");
    spread_hops_ = find("spread_hops");
  }

  void load() {
    const PhaseTimer phase(state_, "inputs");
    resistance_ = load_map<T>(problem_, views_.map, run_at_once, scratch_);
    sites_ = load_sites<T>(problem_, views_, resistance_, run_at_once, scratch_, report_);
    if (sites_.initial == nullptr) {
      auto* const initial = scratch_.array<T>(sites_.count);
      std::fill_n(initial, sites_.count, T{0});
      sites_.initial = initial;
    }
  }

  void put(const cl::Buffer& buffer, const void* from, std::int64_t bytes) const {
    if (bytes > 0)
      session_.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, static_cast<std::size_t>(bytes),
                                          from);
  }

  template <class Element>
  void get(const cl::Buffer& buffer, Element* to) const {
    session_.queue().enqueueReadBuffer(buffer, CL_TRUE, 0,
                                       static_cast<std::size_t>(cells_) * sizeof(Element), to);
  }

  template <class Element>
  void fill(const cl::Buffer& buffer, Element value) const {
    session_.queue().enqueueFillBuffer(buffer, value, 0,
                                       static_cast<std::size_t>(cells_) * sizeof(Element));
  }

  void launch(const cl::Kernel& kernel, std::int64_t items) const {
    if (items == 0) return;
    const std::size_t group = group_size(session_, kernel, kGroup);
    const std::size_t groups = (static_cast<std::size_t>(items) + group - 1) / group;
    session_.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * group),
                                          cl::NDRange(group));
  }

  /// Runs the launches on the queue, and returns how many cells they have changed, or whether any.
  template <class Launches>
  std::int64_t changed_by(const Launches& launches) {
    state_.progress.check();
    session_.queue().enqueueFillBuffer(changed_, cl_uint{0}, 0, sizeof(cl_uint));
    launches();
    cl_uint changed = 0;
    session_.queue().enqueueReadBuffer(changed_, CL_TRUE, 0, sizeof changed, &changed);
    return changed;
  }

  void upload() {
    const PhaseTimer phase(state_, "copy to device");
    const std::vector<std::byte> constants = constants_of(problem_, edges_);
    const auto element = static_cast<std::int64_t>(sizeof(T));
    constants_ = memory_.allocate(constants.size(), "constants");
    map_ = allocate<T>(cells_, "the map");
    cost_ = allocate<T>(cells_, "costs");
    lowered_ = allocate<T>(cells_, "costs of an iteration");
    mask_ = allocate<cl_uchar>(cells_, "the mask");
    site_cells_ = allocate<cl_long>(sites_.count, "cells of sites");
    initial_ = allocate<T>(sites_.count, "costs of sites");
    changed_ = allocate<cl_uint>(1, "the flag");
    put(constants_, constants.data(), static_cast<std::int64_t>(constants.size()));
    put(map_, resistance_, cells_ * element);
    put(site_cells_, sites_.cell, sites_.count * std::int64_t{sizeof(cl_long)});
    put(initial_, sites_.initial, sites_.count * element);
  }

  void relax() {
    const PhaseTimer phase(state_, "costs");
    fill(cost_, std::numeric_limits<T>::infinity());
    fill(lowered_, std::numeric_limits<T>::infinity());
    fill(mask_, cl_uchar{0});
    const auto cells = static_cast<cl_ulong>(cells_);
    set_arguments(start_costs_, site_cells_, initial_, count_of_sites(), greatest_cost<T>(problem_),
                  lowered_);
    set_arguments(relax_, constants_, cells, map_, cost_, lowered_, mask_);
    set_arguments(update_, cells, cost_, lowered_, mask_, changed_);
    std::int64_t active = changed_by([&] {
      launch(start_costs_, sites_.count);
      launch(update_, cells_);
    });
    do {
      report_.active_cells.push_back(active);
      active = changed_by([&] {
        launch(relax_, cells_);
        launch(update_, cells_);
      });
    } while (active > 0);
  }

  cl_uint count_of_sites() const { return static_cast<cl_uint>(sites_.count); }

  void find_ranks() {
    const PhaseTimer phase(state_, "labels");
    steps_ = allocate<cl_uint>(cells_, "tight steps");
    rank_ = allocate<cl_uint>(cells_, "ranks");
    cl::Buffer next = allocate<cl_uchar>(cells_, "the next mask");
    const auto cells = static_cast<cl_ulong>(cells_);
    fill(rank_, cl_uint{kNoRank});
    fill(mask_, cl_uchar{0});
    fill(next, cl_uchar{0});
    set_arguments(find_steps_, constants_, cells, map_, cost_, steps_);
    launch(find_steps_, cells_);
    set_arguments(start_ranks_, site_cells_, initial_, count_of_sites(), cost_, rank_, mask_);
    launch(start_ranks_, sites_.count);
    for (bool any = true; any;) {
      any = changed_by([&] {
              set_arguments(spread_ranks_, constants_, cells, steps_, rank_, mask_, next, changed_);
              launch(spread_ranks_, cells_);
            }) > 0;
      std::swap(mask_, next);
    }
  }

  void count_hops() {
    const PhaseTimer phase(state_, "hops");
    hops_ = allocate<cl_long>(cells_, "hops");
    fill(hops_, cl_long{-1});
    set_arguments(start_hops_, site_cells_, count_of_sites(), rank_, hops_);
    launch(start_hops_, sites_.count);
    bool any = true;
    for (cl_long level = 0; any; ++level)
      any = changed_by([&] {
              set_arguments(spread_hops_, constants_, static_cast<cl_ulong>(cells_), steps_, rank_,
                            hops_, level, changed_);
              launch(spread_hops_, cells_);
            }) > 0;
  }

  void finish() {
    TightGraph<T, ManySteps> graph{
        .extent = problem_.extent, .edges = edges_, .resistance = resistance_};
    {
      const PhaseTimer phase(state_, "copy to host");
      T* cost = costs_in_place<T>(views_);
      if (cost == nullptr) cost = scratch_.array<T>(cells_);
      checked("results of cost distance", [&] {
        get(cost_, cost);
        graph.cost = cost;
        if (wants_ranks(views_.out)) get(rank_, graph.rank = scratch_.array<Rank>(cells_));
        if (!views_.out.back_link) return;
        get(steps_, graph.steps = scratch_.array<ManySteps>(cells_));
        get(hops_, graph.hops = scratch_.array<std::int64_t>(cells_));
      });
    }
    const PhaseTimer phase(state_, "output");
    const CostWriter<T, ManySteps> writer(problem_, views_, sites_, graph);
    for (std::int64_t row = 0; row < problem_.extent[0] * problem_.extent[1]; ++row) {
      writer.write_row(row);
      state_.progress.advance(problem_.extent[2]);
    }
  }

  ContextState& state_;
  OpenclSession& session_;
  const CostProblem& problem_;
  const CostViews& views_;
  CostDistanceReport& report_;
  const CostEdges<T> edges_;
  const std::int64_t cells_;
  Scratch::Frame scratch_;
  DeviceMemory::Frame memory_;
  const T* resistance_ = nullptr;
  CostSites<T> sites_;
  cl::Kernel start_costs_, relax_, update_, find_steps_;
  cl::Kernel start_ranks_, spread_ranks_, start_hops_, spread_hops_;
  cl::Buffer constants_, map_, cost_, lowered_, mask_;
  cl::Buffer site_cells_, initial_, changed_;
  cl::Buffer steps_, rank_, hops_;
};

}  // namespace

Support supports_cost_relaxation(const Capabilities& capabilities, const CostProblem& problem) {
  if (Support labels = supports_settled_labels(problem); !labels) return labels;
  if (Support level = supports_even_steps(problem); !level) return level;
  if (problem.cells() >= std::int64_t{std::numeric_limits<cl_uint>::max()})
    return {"cost distance on opencl takes fewer than 2^32 - 1 cells"};
  if (!capabilities.int64) return {"cost distance needs 64-bit integers"};
  if (problem.wide && !(capabilities.fp64 && capabilities.atomics64))
    return {"cost distance in f64 needs doubles and atomic minima of 64 bits"};
  if (!problem.wide && !capabilities.subnormal_fp32)
    return {"cost distance in f32 needs subnormal floats"};
  if (problem.edge_weight == EdgeWeight::stiffness && !capabilities.fp64)
    return {"cost distance on stiffness needs doubles, for correctly rounded quotients"};
  return {};
}

Support supports_cost_relaxation(const ContextState& state, const CostProblem& problem) {
  return supports_cost_relaxation(session_of(state).device().capabilities(), problem);
}

void run_cost_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                         CostDistanceReport& report) {
  if (problem.wide)
    CostRelaxation<double>(state, problem, views, report).run();
  else
    CostRelaxation<float>(state, problem, views, report).run();
}

}  // namespace thiessen::opencl

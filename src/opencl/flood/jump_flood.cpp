// SPDX-License-Identifier: Apache-2.0
//
// Drives jump_flood.cl: sends the sites to the device, which makes the states at the start and a
// new one in each pass, in two buffers in turn. At the end states and S come back, piece by piece,
// and the ResultWriter writes the outputs that the caller wants, as in brute_force.cpp.
//
// The host waits for every pass: then it counts progress, checks whether the call is cancelled, and
// takes the time. A pass is one launch.
#include "opencl/flood/jump_flood.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "core/problem/flooding_passes.hpp"
#include "core/search/result_writer.hpp"
#include "core/search/site_cells.hpp"
#include "opencl/device/cell_codes.hpp"
#include "opencl/device/integers.hpp"
#include "opencl/device/pieces.hpp"
#include "opencl/device/session.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::size_t kGroup = 256;  ///< work items of a group, at most
/// The struct Flood of jump_flood.cl.
template <class Scalar>
struct Constants {
  cl_ulong rows;
  cl_ulong sites;
  cl_ulong seed;
  std::array<Scalar, kAxes> factor;
  std::array<Scalar, kAxes> period;
  std::array<cl_uint, kAxes> extent;
  std::array<cl_uint, kAxes> periodic;
  cl_uint y_bits;
  cl_uint x_bits;
  cl_uint fraction_bits;
  cl_uint items;
};
/// Whether its members lie where the kernels look for them.
template <class Scalar>
constexpr bool matches_kernel() {
  constexpr std::size_t kAxesEnd = 24 + 6 * sizeof(Scalar);
  using Own = Constants<Scalar>;
  return offsetof(Own, rows) == 0 && offsetof(Own, sites) == 8 && offsetof(Own, seed) == 16 &&
         offsetof(Own, factor) == 24 && offsetof(Own, period) == 24 + 3 * sizeof(Scalar) &&
         offsetof(Own, extent) == kAxesEnd && offsetof(Own, periodic) == kAxesEnd + 12 &&
         offsetof(Own, y_bits) == kAxesEnd + 24 && offsetof(Own, x_bits) == kAxesEnd + 28 &&
         offsetof(Own, fraction_bits) == kAxesEnd + 32 && offsetof(Own, items) == kAxesEnd + 36 &&
         sizeof(Own) == kAxesEnd + 40;
}
static_assert(matches_kernel<std::int32_t>() && matches_kernel<std::int64_t>());

/// The site data that go to the device.
struct SiteList {
  std::int64_t count = 0;
  const void* sites = nullptr;  ///< places (z, y, x) of points, or codes of cells
  std::size_t bytes = 0;
  const cl_ulong* starts = nullptr;  ///< for points: the cells where they start
};

template <class Scalar, class State>
class JumpFlood {
 public:
  JumpFlood(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        flooding_(*problem.flooding),
        views_(views),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        watcher_(problem, problem.rule.complement),
        codes_(problem.extent),
        scratch_(state.scratch),
        memory_(session_.memory) {
    for (cl::Buffer& buffer : states_) buffer = allocate<State>(problem.cells(), "the states");
  }

  void run() {
    list_sites();
    build();
    const QueueGuard guard(session_);
    upload();
    start();
    const std::vector<std::int64_t> steps =
        flooding_steps(flooding_, problem_.extent, sites_.count);
    state_.phases.reserve(state_.phases.size() + steps.size() + 2);
    for_each_pass(
        steps, [this](std::int64_t number, std::int64_t step) { run_pass(number, step); },
        [this](const FloodingPass& pass) { show(pass); });
    finish();
  }

 private:
  /// A piece of the results on its way.
  struct Slot {
    std::int64_t first = 0;
    std::int64_t count = 0;
    cl::Buffer exact;
    State* host_states = nullptr;
    Scalar* host_exact = nullptr;
    cl::Event done;  ///< when all is on the host
  };

  bool is_random() const { return flooding_.pattern == FloodingPattern::random_circle; }
  bool periodic(std::size_t axis) const { return problem_.period[axis] != kNoPeriod; }
  /// Whether empty cells show noise.
  cl_int shows_noise() const {
    return flooding_.noise == FloodingNoise::in_place && sites_.count > 0 ? 1 : 0;
  }

  template <class T>
  cl::Buffer allocate(std::int64_t count, const char* purpose) {
    return memory_.allocate(static_cast<std::size_t>(count) * sizeof(T), purpose);
  }

  void list_sites() {
    const PhaseTimer phase(state_, "list of sites");
    if (problem_.point_sites)
      list_points();
    else
      list_cells();
  }

  void list_points() {
    const PointSites& points = views_.points;
    auto* const places = scratch_.array<Scalar>(kAxes * points.count);
    auto* const starts = scratch_.array<cl_ulong>(points.count);
    Scalar* next = places;
    for (std::int64_t i = 0; i < points.count; ++i) {
      Axes cell;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        cell[axis] = start_of(points.at[i][axis], problem_.fraction_bits, problem_.extent[axis],
                              periodic(axis));
        *next++ = static_cast<Scalar>(points.at[i][axis]);
      }
      starts[i] = static_cast<cl_ulong>(to_index(problem_.extent, cell));
    }
    sites_ = {points.count, places, static_cast<std::size_t>(kAxes * points.count) * sizeof(Scalar),
              starts};
  }

  void list_cells() {
    std::int64_t count = 0;
    for_each_site(problem_, views_.sites, state_.progress, [&](const Axes&) { ++count; });
    auto* const codes = scratch_.array<State>(count);
    State* next = codes;
    for_each_site(problem_, views_.sites, state_.progress,
                  [&](const Axes& cell) { *next++ = static_cast<State>(codes_.code(cell)); });
    sites_ = {count, codes, static_cast<std::size_t>(count) * sizeof(State), nullptr};
  }

  void build() {
    lanes_ = lanes_of<Scalar>(session_.device().capabilities());
    // Work items, in whole groups, are counted in this type.
    constexpr std::int64_t kMostIndices = (std::int64_t{1} << 32) - (std::int64_t{1} << 20);
    constexpr bool kWide = sizeof(State) == 8;
    Definitions definitions = measure_definitions<Scalar>(problem_, lanes_);
    definitions.emplace_back("STATE", kWide ? "ulong" : "uint");
    definitions.emplace_back("MASK", kWide ? "long" : "int");
    definitions.emplace_back("INDEX", problem_.cells() < kMostIndices ? "uint" : "ulong");
    const auto define = [&](const char* name, bool value) {
      definitions.emplace_back(name, value ? "1" : "0");
    };
    define("POINTS", problem_.point_sites);
    define("FIRST_SEEN", flooding_.paper == FloodingPaper::coeurjolly);
    define("LAST_SEEN", flooding_.paper == FloodingPaper::czyzewski);
    define("LITERAL", flooding_.literal);
    const auto find = [&](const char* name) {
      return find_kernel(state_, "jump_flood", definitions, name);
    };
    start_ = find("start");
    put_noise_ = find("put_noise");
    flood_ = find(is_random() ? "flood_random" : "flood_fixed");
    measure_ = find("measure");
  }

  Constants<Scalar> constants() const {
    Constants<Scalar> all{};
    all.rows = static_cast<cl_ulong>(problem_.extent[0] * problem_.extent[1]);
    all.sites = static_cast<cl_ulong>(sites_.count);
    all.seed = flooding_.seed;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      all.factor[axis] = static_cast<Scalar>(problem_.weights.factor[axis]);
      all.period[axis] = period_of<Scalar>(problem_, axis);
      all.extent[axis] = static_cast<cl_uint>(problem_.extent[axis]);
      all.periodic[axis] = periodic(axis) ? 1 : 0;
    }
    all.y_bits = static_cast<cl_uint>(codes_.y_bits);
    all.x_bits = static_cast<cl_uint>(codes_.x_bits);
    all.fraction_bits = static_cast<cl_uint>(problem_.fraction_bits);
    all.items = static_cast<cl_uint>(parts(problem_.extent[2], lanes_));
    return all;
  }

  void put(const cl::Buffer& buffer, const void* from, std::size_t bytes) const {
    if (bytes > 0) session_.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, from);
  }

  void upload() {
    const PhaseTimer phase(state_, "copy to device");
    const Constants<Scalar> all = constants();
    const std::array<UnitVector, kDirections> directions = flooding_directions();
    constants_ = memory_.allocate(sizeof(all), "constants");
    list_ = memory_.allocate(sites_.bytes, "the sites");
    const std::size_t start_bytes =
        sites_.starts != nullptr ? static_cast<std::size_t>(sites_.count) * sizeof(cl_ulong) : 0;
    starts_ = memory_.allocate(start_bytes, "cells of points");
    offsets_ = memory_.allocate(sizeof(directions), "offsets of a pass");
    checked("sites to the device", [&] {
      put(constants_, &all, sizeof(all));
      put(list_, sites_.sites, sites_.bytes);
      put(starts_, sites_.starts, start_bytes);
      if (is_random()) put(offsets_, directions.data(), sizeof(directions));
    });
  }

  /// Puts a kernel with so many work items on the queue.
  void launch(const cl::Kernel& kernel, std::int64_t items) const {
    const std::size_t group = group_size(session_, kernel, kGroup);
    const std::size_t groups = (static_cast<std::size_t>(items) + group - 1) / group;
    session_.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * group),
                                          cl::NDRange(group));
  }

  void start() {
    const PhaseTimer phase(state_, "start");
    const std::int64_t cells = problem_.cells();
    checked("start of jump flooding", [&] {
      session_.queue().enqueueFillBuffer(states_[0], kNone<State>, 0,
                                         static_cast<std::size_t>(cells) * sizeof(State));
      if (sites_.count > 0) {
        if (problem_.point_sites)
          set_arguments(start_, starts_, static_cast<cl_ulong>(sites_.count), states_[0]);
        else
          set_arguments(start_, constants_, list_, states_[0]);
        launch(start_, sites_.count);
        if (flooding_.noise == FloodingNoise::mask) {
          set_arguments(put_noise_, constants_, list_, states_[0], static_cast<cl_ulong>(cells));
          launch(put_noise_, cells);
        }
      }
      session_.queue().finish();
    });
    state_.progress.advance(cells);
  }

  /// The offsets of a pass, in the form for neighbour() of the kernel. Offsets that lead out of the
  /// raster from every cell are left out.
  std::vector<cl_uint> fixed_offsets(std::int64_t step) const {
    std::vector<cl_uint> all;
    for (Axes offset : flooding_offsets(flooding_, problem_.rank, step)) {
      bool is_inside = true;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::int64_t extent = problem_.extent[axis];
        if (periodic(axis)) offset[axis] = neighbour_along(0, offset[axis], extent, true);
        is_inside = is_inside && offset[axis] > -extent && offset[axis] < extent;
      }
      if (!is_inside) continue;
      for (const std::int64_t each : offset) all.push_back(static_cast<cl_uint>(each));
    }
    return all;
  }

  void run_pass(std::int64_t number, std::int64_t step) {
    state_.progress.check();
    PhaseTimer phase(state_, "pass");
    phase.note("step " + std::to_string(step));
    checked("pass of jump flooding", [&] {
      const auto& from = states_[0];
      const auto& to = states_[1];
      if (is_random()) {
        set_arguments(flood_, constants_, list_, from, to, shows_noise(), offsets_,
                      cl_int{flooding_.points}, static_cast<cl_int>(step),
                      cl_ulong{circle_seed(flooding_.seed, number)});
      } else {
        const std::vector<cl_uint> offsets = fixed_offsets(step);
        put(offsets_, offsets.data(), offsets.size() * sizeof(cl_uint));
        set_arguments(flood_, constants_, list_, from, to, shows_noise(), offsets_,
                      static_cast<cl_int>(offsets.size() / kAxes));
      }
      launch(flood_, problem_.extent[0] * problem_.extent[1] * parts(problem_.extent[2], lanes_));
      session_.queue().finish();
    });
    std::swap(states_[0], states_[1]);
    state_.progress.advance(problem_.cells());
  }

  std::int64_t index_of(State code) const {
    if (code == kNone<State>) return kUnreached;
    if (problem_.point_sites) return static_cast<std::int64_t>(code);
    return to_index(problem_.extent, codes_.place(code));
  }

  void show(const FloodingPass& pass) {
    watcher_.show(pass, [this](std::int64_t* site_index) {
      const std::int64_t cells = problem_.cells();
      if (shown_ == nullptr) shown_ = scratch_.array<State>(cells);
      checked("states of a pass to the host", [&] {
        session_.queue().enqueueReadBuffer(states_[0], CL_TRUE, 0,
                                           static_cast<std::size_t>(cells) * sizeof(State), shown_);
      });
      std::transform(shown_, shown_ + cells, site_index,
                     [this](State code) { return index_of(code); });
    });
  }

  /// Writes the results. While the host writes a piece, the next one is on its way.
  void finish() {
    const PhaseTimer phase(state_, "copy to host");
    const std::int64_t cells = problem_.cells();
    const std::int64_t count = parts(cells, kPieceCells);
    const std::int64_t room = std::min(cells, kPieceCells);
    std::array<Slot, 2> slots;
    for (Slot& slot : slots) {
      slot.exact = allocate<Scalar>(room, "distances of a piece");
      slot.host_states = scratch_.array<State>(room);
      slot.host_exact = scratch_.array<Scalar>(room);
    }
    for (std::int64_t i = 0; i <= count; ++i) {
      if (i < count) {
        Slot& slot = slots[static_cast<std::size_t>(i % 2)];
        slot.first = i * kPieceCells;
        slot.count = std::min(kPieceCells, cells - slot.first);
        checked("results of jump flooding", [&] { read(slot); });
      }
      if (i > 0) write(slots[static_cast<std::size_t>((i - 1) % 2)]);
    }
  }

  void read(Slot& slot) {
    const cl::CommandQueue& queue = session_.queue();
    const auto first = static_cast<std::size_t>(slot.first);
    const auto count = static_cast<std::size_t>(slot.count);
    set_arguments(measure_, constants_, list_, states_[0], cl_ulong{first},
                  static_cast<cl_uint>(count), slot.exact);
    launch(measure_, slot.count);
    queue.enqueueReadBuffer(states_[0], CL_FALSE, first * sizeof(State), count * sizeof(State),
                            slot.host_states);
    queue.enqueueReadBuffer(slot.exact, CL_FALSE, 0, count * sizeof(Scalar), slot.host_exact,
                            nullptr, &slot.done);
    queue.flush();
  }

  void write(const Slot& slot) {
    checked("results of jump flooding", [&] { slot.done.wait(); });
    const std::int64_t height = problem_.extent[1];
    const std::int64_t width = problem_.extent[2];
    const std::int64_t end = slot.first + slot.count;
    Winners<std::int64_t> winners;
    for (std::int64_t cell = slot.first; cell < end;) {
      const std::int64_t row = cell / width;
      const std::int64_t x = cell % width;
      const std::int64_t row_end = std::min(width, x + end - cell);
      for_each_chunk(row / height, row % height, x, row_end, [&](const Chunk& chunk) {
        convert(slot, cell - slot.first + chunk.x - x, chunk.count, winners);
        writer_.write(chunk, winners);
      });
      cell += row_end - x;
    }
    state_.progress.advance(slot.count);
  }

  /// Reads the winners of `count` cells of a piece from position `first` on.
  void convert(const Slot& slot, std::int64_t first, std::int64_t count,
               Winners<std::int64_t>& winners) const {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      winners.site[at] = index_of(slot.host_states[first + i]);
      winners.exact[at] = slot.host_exact[first + i];
    }
  }

  ContextState& state_;
  OpenclSession& session_;
  const Problem& problem_;
  const Flooding& flooding_;
  const ProblemViews& views_;
  const Slab slab_;
  ResultWriter<std::int64_t> writer_;
  PassWatcher watcher_;
  const CellCodes codes_;
  Scratch::Frame scratch_;
  DeviceMemory::Frame memory_;
  SiteList sites_;
  std::int64_t lanes_ = 1;  ///< cells of a work item
  cl::Kernel start_;
  cl::Kernel put_noise_;
  cl::Kernel flood_;
  cl::Kernel measure_;
  std::array<cl::Buffer, 2> states_;  ///< the current states, and room for those of the next pass
  cl::Buffer constants_;
  cl::Buffer list_;
  cl::Buffer starts_;
  cl::Buffer offsets_;      ///< of the pass, or the random directions
  State* shown_ = nullptr;  ///< states of a pass on the host
};

void flood_map(ContextState& state, const Problem& problem, const ProblemViews& views,
               Write write) {
  const Axes& extent = problem.extent;
  const std::uint64_t last = CellCodes(extent).code({extent[0] - 1, extent[1] - 1, extent[2] - 1});
  if (!problem.point_sites && last >= kNone<cl_uint>)
    JumpFlood<std::int64_t, cl_ulong>(state, problem, views, write).run();
  else if (is_narrow(problem))
    JumpFlood<std::int32_t, cl_uint>(state, problem, views, write).run();
  else
    JumpFlood<std::int64_t, cl_uint>(state, problem, views, write).run();
}

/// Units of progress of one run with as many sites as possible.
std::int64_t flood_units(const Problem& problem) {
  const auto passes = flooding_steps(*problem.flooding, problem.extent, problem.cells()).size();
  return problem.cells() * (static_cast<std::int64_t>(passes) + 2);
}

}  // namespace

Support supports_jump_flood(const Capabilities& capabilities, const Problem& problem) {
  if (Support flooding = supports_flooding(problem); !flooding) return flooding;
  if (!capabilities.int64)
    return {"jump flooding needs 64-bit integers, which the device does not have"};
  constexpr std::int64_t kLongest = std::numeric_limits<std::int32_t>::max();
  const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
  if (longest > kLongest)
    return {"jump flooding takes at most " + std::to_string(kLongest) + " cells an axis, not " +
            std::to_string(longest)};
  return supports_exact_distances(capabilities, problem);
}

Support supports_jump_flood(const ContextState& state, const Problem& problem) {
  return supports_jump_flood(session_of(state).device().capabilities(), problem);
}

void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (views.points.count >= std::int64_t{kNone<cl_uint>})
    throw Error(ErrorCode::unsupported, "opencl: " + std::to_string(views.points.count) +
                                            " points; jump flooding takes less than " +
                                            std::to_string(kNone<cl_uint>));
  make_maps(state, problem, views, flood_units(problem), flood_map);
}

}  // namespace thiessen::opencl

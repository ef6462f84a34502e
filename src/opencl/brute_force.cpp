// SPDX-License-Identifier: Apache-2.0
//
// Drives brute_force.cl: which sites, which cells at a time, and what becomes of the winners.
//
// The device finds for each cell the winner and its S, in integers. Everything after that (limit,
// nodata, labels, distances, strides) is the host's, by the ResultWriter that the CPU backend has,
// too: the caller's arrays are on the host, and so distances have the same bits even if a device
// has no doubles, or rounds as it likes. While the host writes a piece, the device has the next.
//
// A launch is kept short, about kLaunchNanoseconds: a display's driver ends those that take
// seconds, and between two of them a call can be cancelled. Cells go in pieces of kPieceCells, and
// of the sites a launch takes as many as recent launches say.
#include "opencl/brute_force.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/result_writer.hpp"
#include "core/site_cells.hpp"
#include "opencl/integers.hpp"
#include "opencl/session.hpp"

namespace thiessen::opencl {
namespace {

constexpr std::int64_t kPieceCells = std::int64_t{1} << 20;
constexpr std::int64_t kTile = 256;  ///< sites in local memory
constexpr std::size_t kLocalBytes = 3 * sizeof(std::int64_t) * kTile;
constexpr std::size_t kGroup = 256;  ///< work items of a group, at most
constexpr double kLaunchNanoseconds = 5e7;

/// Cells (z, y, x) … of so many rows; of all of a row, or of a single row.
struct Piece {
  std::int64_t row = 0;  ///< z times the rows of a plane, and y
  std::int64_t rows = 0;
  std::int64_t x = 0;
  std::int64_t width = 0;

  std::int64_t cells() const { return rows * width; }
};

/// The raster, cut into pieces.
class Pieces {
 public:
  explicit Pieces(const Axes& extent)
      : rows_(extent[0] * extent[1]),
        width_(extent[2]),
        rows_at_once_(std::max<std::int64_t>(kPieceCells / whole_items(width_), 1)),
        in_row_(parts(width_, kPieceCells)) {}

  std::int64_t count() const { return parts(rows_, rows_at_once_) * in_row_; }

  Piece operator[](std::int64_t i) const {
    const std::int64_t row = i / in_row_ * rows_at_once_;
    const std::int64_t x = i % in_row_ * kPieceCells;
    return {row, std::min(rows_at_once_, rows_ - row), x, std::min(kPieceCells, width_ - x)};
  }

 private:
  /// Cells of a row when it is filled up to whole work items, of any device.
  static std::int64_t whole_items(std::int64_t width) {
    return parts(width, kMostLanes) * kMostLanes;
  }

  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t rows_at_once_;
  std::int64_t in_row_;
};

/// Sites in the order of their index.
template <class Scalar>
struct SiteList {
  std::int64_t count = 0;
  const Scalar* places = nullptr;       ///< z, y, x of each
  const std::int64_t* index = nullptr;  ///< null: their places in this list
};

template <class Scalar>
Scalar* put(Scalar* next, const Axes& place) {
  for (const std::int64_t coordinate : place) *next++ = static_cast<Scalar>(coordinate);
  return next;
}

template <class Scalar>
SiteList<Scalar> list_sites(const ContextState& state, Scratch::Frame& scratch,
                            const Problem& problem, const ProblemViews& views) {
  if (problem.point_sites) {
    const PointSites& points = views.points;
    auto* const places = scratch.array<Scalar>(kAxes * points.count);
    Scalar* next = places;
    for (std::int64_t i = 0; i < points.count; ++i) next = put(next, points.at[i]);
    return {points.count, places, nullptr};
  }
  std::int64_t count = 0;
  for_each_site(problem, views.sites, state.progress, [&](const Axes&) { ++count; });
  auto* const places = scratch.array<Scalar>(kAxes * count);
  auto* const index = scratch.array<std::int64_t>(count);
  Scalar* next = places;
  std::int64_t* next_index = index;
  for_each_site(problem, views.sites, state.progress, [&](const Axes& cell) {
    next = put(next, cell);
    *next_index++ = to_index(problem.extent, cell);
  });
  return {count, places, index};
}

/// How many sites the next launch takes.
class Pace {
 public:
  std::int64_t sites(std::int64_t cells) const {
    // Few cells leave most of a device idle.
    constexpr std::int64_t kFewCells = std::int64_t{1} << 16;
    return std::max(comparisons_ / std::max(cells, kFewCells), kTile);
  }

  /// Learns from a launch that is done.
  void learn(const cl::Event& launch) {
    const auto begin = launch.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = launch.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    const auto nanoseconds = static_cast<double>(end - begin);
    if (nanoseconds < kLaunchNanoseconds / 2 && comparisons_ < kMost) comparisons_ *= 2;
    if (nanoseconds > kLaunchNanoseconds * 2 && comparisons_ > 1) comparisons_ /= 2;
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{1} << 48;

  std::int64_t comparisons_ = std::int64_t{1} << 28;
};

template <class Scalar>
class BruteForce {
 public:
  BruteForce(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        session_(session_of(state)),
        problem_(problem),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        pieces_(problem.extent),
        scratch_(state.scratch),
        memory_(session_.memory),
        sites_(list(state, scratch_, problem, views)) {}

  void run() {
    if (sites_.count > 0) start();
    const PhaseTimer phase(state_, "brute force");
    const Drain drain(session_);
    const std::int64_t count = pieces_.count();
    for (std::int64_t i = 0; i <= count; ++i) {
      if (i < count) search(slot_of(i), pieces_[i]);
      if (i > 0) write(slot_of(i - 1));
    }
  }

 private:
  /// A piece on its way: its winners on the device, and on the host.
  struct Slot {
    Piece piece;
    cl::Buffer least;
    cl::Buffer nearest;
    Scalar* host_least = nullptr;
    Scalar* host_nearest = nullptr;
    cl::Event launch;           ///< the last one
    cl::Event done;             ///< that the winners are on the host
    std::int64_t reported = 0;  ///< units of progress
  };

  Slot& slot_of(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece % 2)]; }

  static SiteList<Scalar> list(ContextState& state, Scratch::Frame& scratch, const Problem& problem,
                               const ProblemViews& views) {
    const PhaseTimer phase(state, "list of sites");
    return list_sites<Scalar>(state, scratch, problem, views);
  }

  /// Builds the kernel, takes the memory, and brings the sites to the device.
  void start() {
    lanes_ = lanes_of<Scalar>(session_.device().capabilities());
    Definitions definitions = measure_definitions<Scalar>(problem_, lanes_);
    definitions.emplace_back("TILE", std::to_string(kTile));
    kernel_ = find_kernel(state_, "brute_force", definitions, "search");
    group_ = group_size(session_, kernel_, kGroup);
    const std::size_t site_bytes = static_cast<std::size_t>(kAxes * sites_.count) * sizeof(Scalar);
    list_ = memory_.take(site_bytes, "the sites");
    const std::int64_t count = pieces_.count();
    const Piece first = pieces_[0];
    const std::int64_t room = first.rows * items(first) * lanes_;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 2); ++i) {
      Slot& slot = slot_of(i);
      const std::size_t bytes = static_cast<std::size_t>(room) * sizeof(Scalar);
      slot.least = memory_.take(bytes, "distances of a piece");
      slot.nearest = memory_.take(bytes, "sites of a piece");
      slot.host_least = scratch_.array<Scalar>(room);
      slot.host_nearest = scratch_.array<Scalar>(room);
    }
    checked("sites to the device", [&] {
      session_.queue().enqueueWriteBuffer(list_, CL_TRUE, 0, site_bytes, sites_.places);
    });
  }

  /// Work items of a row.
  std::int64_t items(const Piece& piece) const { return parts(piece.width, lanes_); }

  /// Puts the search of a piece on the queue, with the way of its winners to the host.
  void search(Slot& slot, const Piece& piece) {
    slot.piece = piece;
    slot.reported = 0;
    for (std::int64_t begin = 0; begin < sites_.count;) {
      state_.progress.check();
      const std::int64_t end = std::min(begin + pace_.sites(piece.cells()), sites_.count);
      checked("brute force", [&] {
        launch(slot, begin, end);
        if (end == sites_.count) return read(slot);
        slot.launch.wait();
        pace_.learn(slot.launch);
      });
      if (end < sites_.count) report(slot, piece.cells() * end / sites_.count);
      begin = end;
    }
  }

  void launch(Slot& slot, std::int64_t begin, std::int64_t end) {
    const Piece& piece = slot.piece;
    const auto scalar = [](auto value) { return static_cast<Scalar>(value); };
    const auto integer = [](std::int64_t value) { return static_cast<cl_int>(value); };
    const auto& factor = problem_.weights.factor;
    set_arguments(kernel_, list_, scalar(begin), scalar(end), slot.least, slot.nearest,
                  integer(piece.row / problem_.extent[1]), integer(piece.row % problem_.extent[1]),
                  integer(piece.x), integer(piece.rows), integer(items(piece)),
                  integer(problem_.extent[1]), integer(problem_.extent[2] - 1),
                  cl_int{problem_.fraction_bits}, scalar(factor[0]), scalar(factor[1]),
                  scalar(factor[2]), period_of<Scalar>(problem_, 0), period_of<Scalar>(problem_, 1),
                  period_of<Scalar>(problem_, 2));
    const auto needed = static_cast<std::size_t>(piece.rows * items(piece));
    session_.queue().enqueueNDRangeKernel(kernel_, cl::NullRange,
                                          cl::NDRange((needed + group_ - 1) / group_ * group_),
                                          cl::NDRange(group_), nullptr, &slot.launch);
  }

  void read(Slot& slot) {
    const cl::CommandQueue& queue = session_.queue();
    const auto cells = static_cast<std::size_t>(slot.piece.rows * items(slot.piece) * lanes_);
    const std::size_t bytes = cells * sizeof(Scalar);
    queue.enqueueReadBuffer(slot.least, CL_FALSE, 0, bytes, slot.host_least);
    queue.enqueueReadBuffer(slot.nearest, CL_FALSE, 0, bytes, slot.host_nearest, nullptr,
                            &slot.done);
    queue.flush();
  }

  void report(Slot& slot, std::int64_t units) {
    state_.progress.advance(units - slot.reported);
    slot.reported = units;
  }

  /// Waits for the winners of a piece, and writes what the caller wants of them.
  void write(Slot& slot) {
    if (sites_.count > 0)
      checked("brute force", [&] {
        slot.done.wait();
        pace_.learn(slot.launch);
      });
    const Piece& piece = slot.piece;
    const std::int64_t pitch = items(piece) * lanes_;
    Winners<std::int64_t> winners;
    for (std::int64_t i = 0; i < piece.rows; ++i) {
      const std::int64_t row = piece.row + i;
      for_each_chunk(row / problem_.extent[1], row % problem_.extent[1], piece.x,
                     piece.x + piece.width, [&](const Chunk& chunk) {
                       take(slot, i * pitch + chunk.x - piece.x, chunk.count, winners);
                       writer_.write(chunk, winners);
                     });
      state_.progress.check();
    }
    report(slot, piece.cells());
  }

  /// Copies the winners of `count` cells from position `first` on.
  void take(const Slot& slot, std::int64_t first, std::int64_t count,
            Winners<std::int64_t>& winners) const {
    winners.site.fill(kUnreached);
    winners.exact.fill(0);
    if (sites_.count == 0) return;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t place = slot.host_nearest[first + i];
      winners.site[at] = sites_.index == nullptr ? place : sites_.index[place];
      winners.exact[at] = slot.host_least[first + i];
    }
  }

  ContextState& state_;
  OpenclSession& session_;
  const Problem& problem_;
  const Slab slab_;
  ResultWriter<std::int64_t> writer_;
  const Pieces pieces_;
  Scratch::Frame scratch_;
  DeviceMemory::Frame memory_;
  const SiteList<Scalar> sites_;
  std::int64_t lanes_ = 1;  ///< cells of a work item
  std::size_t group_ = 1;
  cl::Kernel kernel_;
  cl::Buffer list_;
  std::array<Slot, 2> slots_;
  Pace pace_;
};

void search_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  const std::int64_t most = problem.point_sites ? views.points.count : problem.cells();
  if (is_narrow(problem) && most <= std::numeric_limits<std::int32_t>::max())
    BruteForce<std::int32_t>(state, problem, views, write).run();
  else
    BruteForce<std::int64_t>(state, problem, views, write).run();
}

}  // namespace

Support supports_brute_force(const Capabilities& capabilities, const Problem& problem) {
  if (Support metric = supports_axes_metric(problem); !metric) return metric;
  if (Support distance = supports_distance_to(problem); !distance) return distance;
  if (Support integers = supports_exact_distances(capabilities, problem); !integers)
    return integers;
  if (capabilities.local_memory < kLocalBytes)
    return {"work groups of the device share " + std::to_string(capabilities.local_memory) +
            " bytes; " + std::to_string(kLocalBytes) + " are needed"};
  return {};
}

Support supports_brute_force(const ContextState& state, const Problem& problem) {
  return supports_brute_force(session_of(state).device().capabilities(), problem);
}

void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, problem.cells(), search_map);
}

}  // namespace thiessen::opencl

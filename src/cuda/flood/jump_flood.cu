// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding, in two ways with the same bits:
//
// By tiles (run_tiles, tile.cuh), for rasters without periodic axes whose S and packed sites have
// 32 bits, with the square pattern. Several passes are done together in shared memory (plan.hpp).
// Memory moved, in states of 4 bytes a cell: the sites are read once into a bit each, from which
// the first passes start; every group of passes reads a state with its halo (a tenth to a half
// more, mostly from the cache) and writes one; the last group writes results instead. For 16384²
// and 14 passes that is about a third of the 28 states that single passes move at least, so most of
// the time goes into arithmetic (chain.cuh).
//
// Cell by cell (run_passes, pass.hpp), for everything else: a pass reads a state, with its
// neighbours, and writes one, of 4 or 8 bytes a cell.
//
// Nothing waits for the device, so that calls can be captured: if the number of sites decides which
// passes there are (jfa-star and its kin), the device leaves passes out.
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/problem/flooding_passes.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/flood/jump_flood.hpp"
#include "cuda/flood/pass.hpp"
#include "cuda/flood/run_tiles.hpp"
#include "cuda/job/limits.hpp"
#include "cuda/job/results.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/sites/site_list.hpp"
#include "cuda/transfer/inputs.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda::flood {
namespace {

constexpr int kThreads = 256;

unsigned blocks_of(std::int64_t cells) { return blocks_for(cells, kThreads); }

__device__ std::int64_t own_index() { return std::int64_t{blockIdx.x} * kThreads + threadIdx.x; }

// ---- by tiles

/// Writes the site of every cell at the start, with a mask of noise.
__global__ void __launch_bounds__(kThreads)
    mask_packed(const __grid_constant__ Packing packing, const Bits bits,
                const sites::SiteList list, std::uint64_t seed, PackedCell* to) {
  const std::int64_t row = blockIdx.x;
  const auto middles = static_cast<std::int32_t>(packing.extent[1]);
  const std::int64_t sites = *list.count;
  for (std::int32_t x = static_cast<std::int32_t>(threadIdx.x); x < packing.extent[2];
       x += kThreads) {
    const std::int64_t cell = row * packing.extent[2] + x;
    const auto at = static_cast<std::int32_t>(row);
    PackedCell site = packing.none;
    if (bits.has(row, x)) {
      site = packing.pack(at / middles, at % middles, x);
    } else if (sites > 0) {
      const std::int64_t noise = list.cell[noise_rank(seed, cell, sites)];
      const auto noise_row = static_cast<std::int32_t>(noise / packing.extent[2]);
      site = packing.pack(noise_row / middles, noise_row % middles,
                          static_cast<std::int32_t>(noise % packing.extent[2]));
    }
    to[cell] = site;
  }
}

/// The room in the shared memory of a block, in cells of both buffers.
std::int64_t room_of_block() {
  int device = 0;
  int of_block = 0;
  int of_processor = 0;
  check(cudaGetDevice(&device), "current device");
  check(cudaDeviceGetAttribute(&of_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "size of the shared memory");
  check(cudaDeviceGetAttribute(&of_processor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
        "size of the shared memory");
  constexpr int kReserved = 1024;  // in each block
  const int bytes = std::min(of_block, of_processor / kFloodBlocks - kReserved);
  return std::min(bytes / static_cast<std::int64_t>(2 * sizeof(PackedCell)),
                  std::int64_t{FloodLimits::kCellsPerTile});
}

/// plan_flooding(), with the last plan kept: planning takes about as long as half of the passes
/// over a small raster, and most calls are like the one before.
const std::vector<FloodGroup>& plan_of(const std::vector<std::int64_t>& steps,
                                       const std::array<std::int32_t, 3>& extents,
                                       const FloodCapacity& capacity) {
  struct Plan {
    std::vector<std::int64_t> steps;
    std::array<std::int32_t, 3> extents{};
    FloodCapacity capacity{};
    std::vector<FloodGroup> groups;
  };
  thread_local Plan last;
  if (last.groups.empty() || last.steps != steps || last.extents != extents ||
      last.capacity != capacity)
    last = {steps, extents, capacity, plan_flooding(steps, extents, capacity)};
  return last.groups;
}

void run_tiles(const CudaSession& session, const Problem& problem, const Job& job,
               const Packing& packing, Scratch::Frame& device) {
  const Flooding& flooding = *problem.flooding;
  // Methods whose steps depend on the number of sites are not done here.
  const std::vector<std::int64_t> steps = flooding_steps(flooding, problem.extent, 0);
  FloodBuffers buffers{.bits = sites::allocate_bits(job, device)};
  sites::mark_sites(session, job, buffers.bits);  // first, since it does not need the plan
  const std::vector<FloodGroup>& groups =
      plan_of(steps, packing.extents(),
              {room_of_block(), session.processors() * kFloodBlocks, kFloodThreads / 32});
  PackedCell* state[2] = {};
  const auto state_of = [&](std::size_t i) {
    if (state[i % 2] == nullptr) state[i % 2] = device.array<PackedCell>(job.cells());
    return state[i % 2];
  };
  // The first pass sees the same noise in place as in a mask.
  if (flooding.noise != FloodingNoise::none) {
    const sites::SiteList list = sites::list_sites(session, job, buffers.bits, device);
    PackedCell* const masked = state_of(0);
    launch(session, "mask of noise", {blocks_for(job.extent[0] * job.extent[1], 1), kThreads},
           mask_packed, packing, buffers.bits, list, flooding.seed, masked);
    buffers.from = masked;
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    buffers.to = i + 1 < groups.size() ? state_of(i + 1) : nullptr;
    if (job.rank == 2)
      run_flat_tiles(session, job, packing, groups[i], buffers);
    else
      run_deep_tiles(session, job, packing, groups[i], buffers);
    buffers.from = buffers.to;
  }
}

/// The packing, if passes can be done in tiles.
std::optional<Packing> packing_for_tiles(const Problem& problem) {
  const Flooding& flooding = *problem.flooding;
  if (flooding.pattern != FloodingPattern::square || flooding.paper != FloodingPaper::none ||
      flooding.on_pass || is_counted(flooding))
    return std::nullopt;
  return make_packing(problem);
}

// ---- cell by cell

template <class Code>
__global__ void __launch_bounds__(kThreads) fill(Code* to, std::int64_t cells, Code code) {
  if (own_index() < cells) to[own_index()] = code;
}

/// If several points start in a cell, the first one keeps it.
__global__ void __launch_bounds__(kThreads)
    start_points(const __grid_constant__ Job job, std::uint32_t* to) {
  const std::int64_t i = own_index();
  if (i >= job.point_count) return;
  Axes cell;
  for (int axis = 0; axis < kAxes; ++axis)
    cell[axis] = start_of(job.points[i][axis], job.fraction_bits, job.extent[axis],
                          job.period[axis] != kNoPeriod);
  atomicMin(to + to_index(job.extent, cell), static_cast<std::uint32_t>(i));
}

template <class Codes>
__global__ void __launch_bounds__(kThreads)
    start_cells(const __grid_constant__ Job job, const Codes codes, typename Codes::Code* to) {
  const std::int64_t cell = own_index();
  if (cell >= job.cells()) return;
  to[cell] =
      class_of(job, cell) == kSiteCell ? codes.code(to_cell(job.extent, cell)) : Codes::kNone;
}

/// Writes the codes of cells at the start.
template <class Codes>
__global__ void __launch_bounds__(kThreads)
    encode(const Codes codes, const sites::SiteList list, typename Codes::Code* to) {
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t count = *list.count;
  for (std::int64_t i = own_index(); i < count; i += threads)
    to[i] = codes.code(to_cell(codes.extent, list.cell[i]));
}

template <class Codes, class Scalar>
__global__ void __launch_bounds__(kThreads)
    mask(const __grid_constant__ Flood<Codes, Scalar> flood, std::int64_t cells) {
  const std::int64_t cell = own_index();
  if (cell >= cells) return;
  const typename Codes::Code own = flood.state[0][cell];
  if (own != Codes::kNone && !flood.is_hidden(own)) return;
  const std::int64_t sites = flood.sites();
  if (sites > 0) flood.state[0][cell] = flood.noise_of(cell, sites);
}

/// A block does pieces of rows, so that no thread divides by the width.
template <class Codes, class Scalar>
__global__ void __launch_bounds__(kThreads)
    flood_pass(const __grid_constant__ Flood<Codes, Scalar> flood,
               const __grid_constant__ FloodPass pass, unsigned pieces) {
  const std::int64_t sites = flood.sites();
  if (!pass.schedule.is_done(sites)) return;
  const unsigned row = blockIdx.x / pieces;
  const auto height = static_cast<unsigned>(flood.extent[1]);
  const Axes cell{row / height, row % height,
                  std::int64_t{blockIdx.x % pieces} * kThreads + threadIdx.x};
  if (cell[2] >= flood.extent[2]) return;
  const auto from = static_cast<std::size_t>(pass.schedule.number(sites) % 2);
  flood.state[1 - from][to_index(flood.extent, cell)] =
      flood_cell(flood, pass, flood.state[from], cell, sites);
}

/// Writes the result of the passes before `end` to the outputs or, if `indices` are given, to them.
template <class Codes, class Scalar>
__global__ void __launch_bounds__(kThreads)
    write_states(const __grid_constant__ Job job,
                 const __grid_constant__ Flood<Codes, Scalar> flood, const FloodSchedule end,
                 std::int64_t* indices) {
  const std::int64_t cell = own_index();
  if (cell >= job.cells()) return;
  const auto site = flood.state[end.number(flood.sites()) % 2][cell];
  const std::int64_t index = site == Codes::kNone ? kUnreached : flood.codes.index(site);
  if (indices != nullptr) {
    indices[cell] = index;
    return;
  }
  Scalar exact = 0;
  if (site != Codes::kNone)
    exact = flood.measure(to_cell(job.extent, cell), flood.codes.place(site));
  write_result(job, cell, index, exact);
}

template <class Codes, class Scalar>
class Passes {
 public:
  Passes(const CudaSession& session, const Problem& problem, const Job& job, const Codes& codes,
         Scratch::Frame& device)
      : session_(session),
        problem_(problem),
        flooding_(*problem.flooding),
        watcher_(problem, job.inside),
        job_(job),
        device_(device) {
    flood_.codes = codes;
    flood_.extent = job.extent;
    flood_.noise = flooding_.noise;
    flood_.paper = flooding_.paper;
    flood_.literal = flooding_.literal;
    flood_.seed = flooding_.seed;
    flood_.measure.metric = job.metric;
    flood_.measure.fraction_bits = job.fraction_bits;
    using Coordinate = typename FloodMeasure<Scalar>::Coordinate;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      flood_.periodic[axis] = job.period[axis] != kNoPeriod;
      flood_.measure.factor[axis] = static_cast<Scalar>(job.factor[axis]);
      flood_.measure.period[axis] = flood_.periodic[axis]
                                        ? static_cast<Coordinate>(job.period[axis])
                                        : std::numeric_limits<Coordinate>::max();
    }
    for (Code*& state : flood_.state) state = device.array<Code>(job.cells());
  }

  void run() {
    start();
    if (flooding_.pattern == FloodingPattern::random_circle) upload_directions();
    const bool counted = is_counted(flooding_) && !kPoints;
    // The steps for more sites begin with those for fewer.
    std::vector<std::int64_t> steps =
        flooding_steps(flooding_, job_.extent, kPoints ? job_.point_count : job_.cells());
    schedule_ = {.last = static_cast<std::int64_t>(steps.size()) - 1,
                 .counted = counted,
                 .passes = flooding_.passes};
    if (watcher_ && counted) count_on_host(steps);
    for_each_pass(
        steps,
        [this](std::int64_t, std::int64_t step) {
          run_pass(step);
          ++schedule_.place;
        },
        [this](const FloodingPass& pass) { show(pass); });
    launch(session_, "results", {blocks_of(job_.cells()), kThreads}, write_states<Codes, Scalar>,
           job_, flood_, schedule_, nullptr);
  }

 private:
  using Code = typename Codes::Code;
  static constexpr bool kPoints = std::is_same_v<Codes, PointCodes>;

  cudaStream_t stream() const { return session_.stream(); }

  void start() {
    if constexpr (kPoints) {
      flood_.known = job_.point_count;
      launch(session_, "start of jump flooding", {blocks_of(job_.cells()), kThreads}, fill<Code>,
             flood_.state[0], job_.cells(), Codes::kNone);
      if (job_.point_count > 0)
        launch(session_, "start of jump flooding", {blocks_of(job_.point_count), kThreads},
               start_points, job_, flood_.state[0]);
    } else {
      launch(session_, "start of jump flooding", {blocks_of(job_.cells()), kThreads},
             start_cells<Codes>, job_, flood_.codes, flood_.state[0]);
      if (flooding_.noise != FloodingNoise::none || is_counted(flooding_)) list();
    }
    if (flooding_.noise != FloodingNoise::mask) return;
    launch(session_, "mask of noise", {blocks_of(job_.cells()), kThreads}, mask<Codes, Scalar>,
           flood_, job_.cells());
  }

  /// Lists the codes of the sites by rank, and counts them.
  void list() {
    const sites::SiteList list = sites::list_all_sites(session_, job_, device_);
    auto* const by_rank = device_.array<Code>(job_.cells());
    constexpr int kBlocksPerProcessor = 8;
    launch(session_, "pass of jump flooding",
           {static_cast<unsigned>(session_.processors() * kBlocksPerProcessor), kThreads},
           encode<Codes>, flood_.codes, list, by_rank);
    flood_.by_rank = by_rank;
    flood_.counted = list.count;
  }

  void upload_directions() {
    const auto directions = flooding_directions();
    std::vector<LabelBits> bits;
    for (const UnitVector& direction : directions)
      bits.push_back(std::bit_cast<LabelBits>(direction));
    auto* const copy = device_.array<LabelBits>(static_cast<std::int64_t>(bits.size()));
    put_values(session_, bits.data(), static_cast<std::int64_t>(bits.size()), copy);
    directions_ = reinterpret_cast<const UnitVector*>(copy);
  }

  void run_pass(std::int64_t step) {
    FloodPass pass{.schedule = schedule_, .step = step, .directions = directions_};
    if (flooding_.pattern == FloodingPattern::random_circle) {
      pass.points = flooding_.points;
    } else {
      for (const Axes& offset : flooding_offsets(flooding_, problem_.rank, step)) {
        for (std::size_t axis = 0; axis < kAxes; ++axis)
          pass.offset[pass.offsets][axis] = static_cast<std::int32_t>(offset[axis]);
        ++pass.offsets;
      }
    }
    const std::int64_t pieces = parts(job_.extent[2], kThreads);
    const unsigned blocks = blocks_for(job_.extent[0] * job_.extent[1] * pieces, 1);
    launch(session_, "pass of jump flooding", {blocks, kThreads}, flood_pass<Codes, Scalar>, flood_,
           pass, static_cast<unsigned>(pieces));
  }

  /// Counts sites on the host, for an observer of passes, which waits anyway.
  void count_on_host(std::vector<std::int64_t>& steps) {
    std::int64_t sites = 0;
    copy_to_host(&sites, flood_.counted, sizeof(sites));
    steps = flooding_steps(flooding_, job_.extent, sites);
    schedule_ = {.last = static_cast<std::int64_t>(steps.size()) - 1};
  }

  void copy_to_host(void* to, const void* from, std::size_t bytes) const {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream()),
          "copy of a pass to the host");
    session_.wait();
  }

  void show(const FloodingPass& pass) {
    watcher_.show(pass, [this](std::int64_t* site_index) {
      if (session_.is_capturing())
        throw Error(
            ErrorCode::unsupported,
            {"stream", {}, "is being captured, and on_pass is given; a graph calls nobody"});
      if (indices_ == nullptr) indices_ = device_.array<std::int64_t>(job_.cells());
      launch(session_, "sites of a pass", {blocks_of(job_.cells()), kThreads},
             write_states<Codes, Scalar>, job_, flood_, schedule_, indices_);
      copy_to_host(site_index, indices_,
                   static_cast<std::size_t>(job_.cells()) * sizeof(std::int64_t));
    });
  }

  const CudaSession& session_;
  const Problem& problem_;
  const Flooding& flooding_;
  PassWatcher watcher_;
  const Job& job_;
  Scratch::Frame& device_;
  Flood<Codes, Scalar> flood_;
  FloodSchedule schedule_;
  const UnitVector* directions_ = nullptr;
  std::int64_t* indices_ = nullptr;
};

/// Runs with integers that are wide enough: no coordinate and no difference of two is greater than
/// the greatest S (or its root, if S is a square).
template <class Codes>
void run_passes(const CudaSession& session, const Problem& problem, const Job& job,
                const Codes& codes, Scratch::Frame& device) {
  if (problem.wide) return Passes<Codes, Int128>(session, problem, job, codes, device).run();
  if constexpr (sizeof(typename Codes::Code) == 4)
    if (problem.weights.greatest < Int128{1} << 30)
      return Passes<Codes, std::int32_t>(session, problem, job, codes, device).run();
  Passes<Codes, std::int64_t>(session, problem, job, codes, device).run();
}

template <class Word>
CellCodes<Word> cell_codes(const Job& job) {
  const auto bits = [](std::int64_t extent) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
  };
  return {job.extent, bits(job.extent[2]), bits(job.extent[1])};
}

void run_passes(const CudaSession& session, const Problem& problem, const Job& job,
                Scratch::Frame& device) {
  if (job.points != nullptr)
    return run_passes(session, problem, job, PointCodes{job.points}, device);
  const CellCodes<std::uint64_t> codes = cell_codes<std::uint64_t>(job);
  const std::uint64_t last = codes.code({job.extent[0] - 1, job.extent[1] - 1, job.extent[2] - 1});
  if (last < CellCodes<std::uint32_t>::kNone && !problem.wide)
    run_passes(session, problem, job, cell_codes<std::uint32_t>(job), device);
  else
    run_passes(session, problem, job, codes, device);
}

}  // namespace

Support supports_jump_flood(const ContextState& /*state*/, const Problem& problem) {
  return supports_flooding(problem);
}

void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views) {
  constexpr std::int64_t kMostPoints = std::int64_t{1} << 31;
  if (views.points.count > kMostPoints)
    throw Error(ErrorCode::unsupported, "cuda: " + std::to_string(views.points.count) +
                                            " points; jump flooding takes at most 2^31");
  const auto packing = packing_for_tiles(problem);
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             if (packing)
               run_tiles(session, problem, job, *packing, device);
             else
               run_passes(session, problem, job, device);
           });
}

}  // namespace thiessen::cuda::flood

// SPDX-License-Identifier: Apache-2.0
//
// A warp goes along a part of a row, 32 cells at a time. A lane whose label differs from the one
// before closes the run of that one, and adds closed forms of its length and place to its label by
// atomic additions: they are integers, so their order does not matter.
#include <algorithm>

#include "core/statistics_tables.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/statistics/label_call.cuh"
#include "cuda/statistics/statistics.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kThreads = 256;

__device__ void add(std::int64_t& sum, std::int64_t value) {
  atomicAdd(reinterpret_cast<Word*>(&sum), static_cast<Word>(value));
}
__device__ void add(std::uint64_t& sum, std::uint64_t value) {
  atomicAdd(reinterpret_cast<Word*>(&sum), static_cast<Word>(value));
}
/// The carry follows: what is read when all is done is the sum.
__device__ void add(UInt128& sum, UInt128 value) {
  auto* const words = reinterpret_cast<Word*>(&sum);
  const Word low = static_cast<Word>(value);
  const Word former = atomicAdd(words, low);
  const Word high = static_cast<Word>(value >> 64) + (former + low < former ? 1 : 0);
  if (high != 0) atomicAdd(words + 1, high);
}

template <int kRank, class Sum>
__device__ void add_run(LabelPlace<kRank, Sum>& place, const std::array<std::int64_t, kRank>& cell,
                        std::int64_t length) {
  CellMoments<kRank, Sum> run;
  run.add_run(cell, length);
  add(place.moments.cells, run.cells);
  for (int i = 0; i < kRank; ++i) {
    add(place.moments.sum[i], run.sum[i]);
    const auto from = static_cast<std::int32_t>(cell[static_cast<std::size_t>(i)]);
    const auto to = i == kRank - 1 ? from + static_cast<std::int32_t>(length) - 1 : from;
    // Most runs are inside of the box.
    if (__ldcg(place.box.first + i) > from) atomicMin(place.box.first + i, from);
    if (__ldcg(place.box.last + i) < to) atomicMax(place.box.last + i, to);
  }
  for (int i = 0; i < CellMoments<kRank, Sum>::kProducts; ++i)
    add(place.moments.product[i], run.product[i]);
}

template <int kRank, class Sum>
__global__ void __launch_bounds__(kThreads)
    clear(LabelPlace<kRank, Sum>* places, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  places[i].moments = {};
  for (int axis = 0; axis < kRank; ++axis) {
    places[i].box.first[axis] = INT32_MAX;
    places[i].box.last[axis] = INT32_MIN;
  }
}

template <class T, int kRank, class Sum>
__global__ void __launch_bounds__(kThreads)
    add_cells(const __grid_constant__ LabelCells raster, const LabelTable table,
              LabelPlace<kRank, Sum>* places) {
  Segment segment;
  const std::int64_t warp = std::int64_t{blockIdx.x} * (kThreads / kLanes) + threadIdx.x / kLanes;
  if (!find_segment(raster, warp, segment)) return;
  const int lane = lane_of_thread();
  const auto close = [&](LabelWord<T> label, std::int64_t begin, std::int64_t end) {
    const std::uint32_t slot = table.slot_of(raster, from_word<T>(label));
    if (slot == table.none()) return;
    if constexpr (kRank == 2)
      add_run<kRank, Sum>(places[slot], {segment.y, begin}, end - begin);
    else
      add_run<kRank, Sum>(places[slot], {segment.z, segment.y, begin}, end - begin);
  };
  std::int64_t open = segment.begin;  // where the run of the last label begins
  LabelWord<T> last = 0;
  for (std::int64_t x = segment.begin; x < segment.end; x += kLanes) {
    const bool inside = x + lane < segment.end;
    const LabelWord<T> own =
        inside ? to_word(raster.template at<T>(segment.z, segment.y, x + lane)) : 0;
    LabelWord<T> before = __shfl_up_sync(~0u, own, 1);
    if (lane == 0) before = last;
    const bool begins = inside && own != before && x + lane > segment.begin;
    const std::uint32_t beginning = __ballot_sync(~0u, begins);
    if (begins) {
      const std::uint32_t lower = beginning & ((1u << lane) - 1);
      close(before, lower != 0 ? x + highest_bit(lower) : open, x + lane);
    }
    if (beginning != 0) open = x + highest_bit(beginning);
    const std::int64_t left = segment.end - x;
    last = __shfl_sync(~0u, own, left < kLanes ? static_cast<int>(left) - 1 : kLanes - 1);
  }
  if (lane == 0) close(last, open, segment.end);
}

/// The labels that have cells, in any order.
template <int kRank, class Sum>
struct Rows {
  std::uint32_t* count;
  Word* keys;
  LabelPlace<kRank, Sum>* places;
};

template <int kRank, class Sum>
__global__ void __launch_bounds__(kThreads)
    gather(const LabelTable table, const LabelPlace<kRank, Sum>* places,
           const Rows<kRank, Sum> rows) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (slot >= table.slots() || places[slot].moments.cells == 0) return;
  const std::uint32_t row = atomicAdd(rows.count, 1u);
  rows.keys[row] = table.key(static_cast<std::uint32_t>(slot));
  rows.places[row] = places[slot];
}

/// False if the table was too small.
template <int kRank, class Sum>
bool find_rows(CudaSession& session, const LabelRaster& raster, std::uint32_t capacity,
               std::vector<LabelKey>& keys, std::vector<LabelPlace<kRank, Sum>>& found) {
  using Place = LabelPlace<kRank, Sum>;
  Scratch::Frame device(session.scratch);
  const LabelCells cells = make_label_cells(raster);
  const LabelTable table = take_table(session, capacity, device);
  const std::int64_t slots = table.slots();
  auto* const places = device.array<Place>(slots);
  const Rows<kRank, Sum> rows{.count = device.array<std::uint32_t>(1),
                              .keys = device.array<Word>(slots),
                              .places = device.array<Place>(slots)};
  check(cudaMemsetAsync(rows.count, 0, sizeof *rows.count, session.stream()), "count of labels");
  launch(session, "clear sums", {blocks_for(slots, kThreads), kThreads}, clear<kRank, Sum>, places,
         slots);
  const GridShape shape{blocks_for(segments_of(cells), kThreads / kLanes), kThreads};
  visit_element_type(raster.labels.element_type(), [&]<class T>(std::type_identity<T>) {
    launch(session, "sums of labels", shape, add_cells<T, kRank, Sum>, cells, table, places);
  });
  launch(session, "rows of labels", {blocks_for(slots, kThreads), kThreads}, gather<kRank, Sum>,
         table, places, rows);
  const std::uint32_t full = fetch(session, table.full, 1)[0];
  const std::uint32_t count = fetch(session, rows.count, 1)[0];
  if (full != 0 || count > capacity / 2) return false;
  const std::vector<Word> words = fetch(session, rows.keys, count);
  keys.assign(1, 0);
  keys.insert(keys.end(), words.begin(), words.end());
  found = fetch(session, rows.places, count);
  return true;
}

template <int kRank, class Sum>
SiteStatistics make_table(ContextState& state, const LabelRaster& raster) {
  CudaSession& session = session_of(state);
  const CudaSession::Current current(session);
  SiteStatistics table{.rank = kRank};
  std::vector<LabelKey> keys(1);
  std::vector<LabelPlace<kRank, Sum>> places;
  const std::int64_t cells = raster.extent[0] * raster.extent[1] * raster.extent[2];
  if (cells > 0)
    with_capacity(cells, [&](std::uint32_t capacity) {
      return find_rows(session, raster, capacity, keys, places);
    });
  const ElementType type = raster.labels.element_type();
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 1; slot < keys.size(); ++slot) slots.push_back(slot);
  sort_slots(keys, type, slots);
  reserve_rows(slots.size(), table);
  std::vector<LabelKey> sorted;
  for (const std::uint32_t slot : slots) {
    sorted.push_back(keys[slot]);
    append_place(places[slot - 1], raster, table);
  }
  table.labels = to_labels(sorted, type);
  return table;
}

}  // namespace

SiteStatistics run_site_statistics(ContextState& state, const StatisticsProblem& problem) {
  if (problem.field || problem.distance)
    throw Error(ErrorCode::unsupported,
                std::string(problem.field ? "field" : "distance") +
                    " is given; labels in memory of a CUDA device are counted without");
  const Axes& extent = problem.raster.extent;
  const bool is_short = has_short_sums(extent[0] * extent[1] * extent[2],
                                       *std::max_element(extent.begin(), extent.end()));
  if (problem.raster.rank == 2)
    return is_short ? make_table<2, std::uint64_t>(state, problem.raster)
                    : make_table<2, UInt128>(state, problem.raster);
  return is_short ? make_table<3, std::uint64_t>(state, problem.raster)
                  : make_table<3, UInt128>(state, problem.raster);
}

}  // namespace thiessen::cuda

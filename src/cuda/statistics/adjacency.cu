// SPDX-License-Identifier: Apache-2.0
//
// A warp goes along a part of a row and compares its cells with their neighbours that come before
// them, one kind of neighbour after the other. Side by side, cells often have the same two labels;
// the first lane of such a stretch adds its length to the pair, by an atomic addition of integers.
#include <algorithm>

#include "core/statistics_tables.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/statistics/label_call.cuh"
#include "cuda/statistics/statistics.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kThreads = 256;

struct Neighbour {
  int dz;
  int dy;
  int dx;
  int kind;
};

/// The neighbours that come before a cell.
struct Neighbours {
  static constexpr int kMost = 13;

  Neighbour each[kMost];
  int count = 0;
};

Neighbours neighbours_before(Connectivity connectivity) {
  Neighbours all;
  for (int i = 0; i < Neighbours::kMost; ++i) {
    const int dz = i / 9 - 1;
    const int dy = i / 3 % 3 - 1;
    const int dx = i % 3 - 1;
    const int steps = (dz != 0 ? 1 : 0) + (dy != 0 ? 1 : 0) + (dx != 0 ? 1 : 0);
    if (steps > 1 && connectivity == Connectivity::faces) continue;
    if (steps > 2 && connectivity == Connectivity::edges) continue;
    const int kind = steps > 1 ? kDiagonal : dz != 0 ? 0 : dy != 0 ? kAcrossRows : kAlongRows;
    all.each[all.count++] = {dz, dy, dx, kind};
  }
  return all;
}

/// Pairs of slots with their contacts: open addressing with linear probing.
struct PairTable {
  Word* pairs = nullptr;   ///< 0: free; else one slot + 1 << 32 | the other + 1
  Word* counts = nullptr;  ///< kContactKinds for each place
  std::uint32_t capacity = 0;
  std::uint32_t* full = nullptr;

  __device__ void add(std::uint32_t a, std::uint32_t b, int kind, int length) const {
    const Word low = (a < b ? a : b) + Word{1};
    const Word high = (a < b ? b : a) + Word{1};
    const Word pair = low << 32 | high;
    std::uint32_t place = first_place(pair, capacity);
    for (int probe = 0; probe < LabelTable::kMostProbes; ++probe) {
      Word found = __ldcg(pairs + place);
      if (found == 0) found = atomicCAS(pairs + place, Word{0}, pair);
      if (found == pair || found == 0) {
        atomicAdd(counts + std::size_t{place} * kContactKinds + kind, static_cast<Word>(length));
        return;
      }
      place = (place + 1) & (capacity - 1);
    }
    atomicExch(full, 1u);
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads)
    add_contacts(const __grid_constant__ LabelCells raster, const LabelTable labels,
                 const PairTable pairs, const __grid_constant__ Neighbours neighbours) {
  Segment segment;
  const std::int64_t warp = std::int64_t{blockIdx.x} * (kThreads / kLanes) + threadIdx.x / kLanes;
  if (!find_segment(raster, warp, segment)) return;
  const int lane = lane_of_thread();
  for (std::int64_t begin = segment.begin; begin < segment.end; begin += kLanes) {
    const std::int64_t x = begin + lane;
    const bool inside = x < segment.end;
    const LabelWord<T> own = inside ? to_word(raster.template at<T>(segment.z, segment.y, x)) : 0;
    for (int i = 0; i < neighbours.count; ++i) {
      const auto [dz, dy, dx, kind] = neighbours.each[i];
      const bool has_other = inside && segment.z + dz >= 0 && segment.y + dy >= 0 &&
                             segment.y + dy < raster.extent[1] && x + dx >= 0 &&
                             x + dx < raster.extent[2];
      const LabelWord<T> other =
          has_other ? to_word(raster.template at<T>(segment.z + dz, segment.y + dy, x + dx)) : own;
      const bool touch = own != other;
      const LabelWord<T> own_before = __shfl_up_sync(~0u, own, 1);
      const LabelWord<T> other_before = __shfl_up_sync(~0u, other, 1);
      const bool goes_on = touch && lane > 0 && own == own_before && other == other_before;
      const std::uint32_t going_on = __ballot_sync(~0u, goes_on);
      if (!touch || goes_on) continue;
      const std::uint32_t behind = lane == kLanes - 1 ? 0 : ~going_on >> (lane + 1);
      const int length = behind == 0 ? kLanes - lane : 1 + lowest_bit(behind);
      const std::uint32_t a = labels.slot_of(raster, from_word<T>(own));
      const std::uint32_t b = labels.slot_of(raster, from_word<T>(other));
      if (a != b && a != labels.none() && b != labels.none()) pairs.add(a, b, kind, length);
    }
    __syncwarp();
  }
}

/// Labels and pairs without free places between them, in any order.
struct Rows {
  std::uint32_t* counts;   ///< of labels, of pairs
  std::uint32_t* numbers;  ///< of each slot, from 1 on
  Word* keys;
  Word* pairs;
  ContactCounts* contacts;
};

__global__ void __launch_bounds__(kThreads) gather_labels(const LabelTable table, const Rows rows) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (slot >= table.slots()) return;
  const LabelKey key = table.key(static_cast<std::uint32_t>(slot));
  // The slot of the key that stands for a free place is listed whether it is used or not.
  if (slot < table.capacity && key == LabelTable::kFree) return;
  const std::uint32_t number = atomicAdd(rows.counts, 1u);
  rows.numbers[slot] = number + 1;
  rows.keys[number] = key;
}

__global__ void __launch_bounds__(kThreads) gather_pairs(const PairTable table, const Rows rows) {
  const std::int64_t place = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (place >= table.capacity || table.pairs[place] == 0) return;
  const Word pair = table.pairs[place];
  const std::uint32_t row = atomicAdd(rows.counts + 1, 1u);
  const Word low = rows.numbers[(pair >> 32) - 1];
  const Word high = rows.numbers[(pair & 0xFFFFFFFFu) - 1];
  rows.pairs[row] = low << 32 | high;
  for (int kind = 0; kind < kContactKinds; ++kind)
    rows.contacts[row][static_cast<std::size_t>(kind)] =
        static_cast<std::int64_t>(table.counts[place * kContactKinds + kind]);
}

/// What was found, on the host.
struct Found {
  std::vector<LabelKey> keys = {0};
  std::vector<std::uint64_t> pairs;
  std::vector<ContactCounts> counts;
};

/// False if a table was too small.
bool find_pairs(CudaSession& session, const AdjacencyProblem& problem, std::uint32_t capacity,
                Found& found) {
  Scratch::Frame device(session.scratch);
  const LabelCells cells = make_label_cells(problem.raster);
  const LabelTable labels = take_table(session, capacity, device);
  const std::int64_t slots = labels.slots();
  const PairTable pairs{.pairs = device.array<Word>(capacity),
                        .counts = device.array<Word>(std::int64_t{capacity} * kContactKinds),
                        .capacity = capacity,
                        .full = labels.full};
  const Rows rows{.counts = device.array<std::uint32_t>(2),
                  .numbers = device.array<std::uint32_t>(slots),
                  .keys = device.array<Word>(slots),
                  .pairs = device.array<Word>(capacity),
                  .contacts = device.array<ContactCounts>(capacity)};
  const auto clear = [&](void* memory, std::size_t bytes) {
    check(cudaMemsetAsync(memory, 0, bytes, session.stream()), "table of pairs");
  };
  clear(pairs.pairs, capacity * sizeof(Word));
  clear(pairs.counts, std::size_t{capacity} * kContactKinds * sizeof(Word));
  clear(rows.counts, 2 * sizeof(std::uint32_t));
  const GridShape shape{blocks_for(segments_of(cells), kThreads / kLanes), kThreads};
  const Neighbours neighbours = neighbours_before(problem.connectivity);
  visit_element_type(problem.raster.labels.element_type(), [&]<class T>(std::type_identity<T>) {
    launch(session, "contacts of labels", shape, add_contacts<T>, cells, labels, pairs, neighbours);
  });
  launch(session, "labels", {blocks_for(slots, kThreads), kThreads}, gather_labels, labels, rows);
  launch(session, "pairs of labels", {blocks_for(capacity, kThreads), kThreads}, gather_pairs,
         pairs, rows);
  const std::uint32_t full = fetch(session, labels.full, 1)[0];
  const std::vector<std::uint32_t> counts = fetch(session, rows.counts, 2);
  if (full != 0 || counts[0] > capacity / 2 || counts[1] > capacity / 2) return false;
  const std::vector<Word> keys = fetch(session, rows.keys, counts[0]);
  found.keys.insert(found.keys.end(), keys.begin(), keys.end());
  const std::vector<Word> words = fetch(session, rows.pairs, counts[1]);
  found.pairs.assign(words.begin(), words.end());
  found.counts = fetch(session, rows.contacts, counts[1]);
  return true;
}

}  // namespace

Adjacency run_adjacency(ContextState& state, const AdjacencyProblem& problem) {
  CudaSession& session = session_of(state);
  const CudaSession::Current current(session);
  const Axes& extent = problem.raster.extent;
  Found found;
  if (const std::int64_t cells = extent[0] * extent[1] * extent[2]; cells > 0)
    with_capacity(Neighbours::kMost * cells, [&](std::uint32_t capacity) {
      return find_pairs(session, problem, capacity, found);
    });
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 1; slot < found.keys.size(); ++slot) slots.push_back(slot);
  sort_slots(found.keys, problem.raster.labels.element_type(), slots);
  return make_adjacency(
      problem.raster,
      {.keys = found.keys, .in_order = slots, .pairs = found.pairs, .counts = found.counts});
}

}  // namespace thiessen::cuda

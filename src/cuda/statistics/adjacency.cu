// SPDX-License-Identifier: Apache-2.0
//
// A warp compares the cells of a part of a row with their neighbours that come before them, one
// kind of neighbour after the other. Side by side, cells often have the same two labels: the warp
// lists such stretches, then its lanes take one each, and add its length to the pair by an atomic
// addition of integers. The device sorts the pairs, and makes the rows of the table.
#include <algorithm>
#include <array>

#include "core/statistics/tables.hpp"
#include "cuda/statistics/label_call.cuh"
#include "cuda/statistics/statistics.hpp"

namespace thiessen::cuda::statistics {
namespace {

struct Neighbour {
  int dz;
  int dy;
  int dx;
  int kind;
};

/// The neighbours in other rows that come before a cell.
struct Neighbours {
  static constexpr int kMost = 12;

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
    all.each[all.count++] = {dz, dy, dx, steps > 1 ? kDiagonal : dz != 0 ? 0 : kAcrossRows};
  }
  return all;
}

/// Pairs of places with their contacts: a hash table.
struct PairTable {
  static constexpr std::int64_t kPlaceBytes = sizeof(Word) + sizeof(ContactCounts);

  ContactCounts* counts;  ///< of each pair
  std::uint32_t capacity;
  Word* pairs;  ///< 0: free; else the lower place << 32 | the higher one

  /// A table of so many places, all free, in memory whose bytes are 0.
  PairTable(std::byte* zeros, std::uint32_t places)
      : counts(reinterpret_cast<ContactCounts*>(zeros)),
        capacity(places),
        pairs(reinterpret_cast<Word*>(counts + places)) {}

  /// More pairs would make it slow.
  THIESSEN_HD std::uint32_t most() const { return capacity / 2; }

  __device__ void add(const LabelTable& labels, std::uint32_t a, std::uint32_t b, int kind,
                      int length) const {
    const Word pair = a < b ? Word{a} << 32 | b : Word{b} << 32 | a;
    std::uint32_t place;
    if (find_place(
            pairs, capacity, pair, [](std::uint32_t) {}, place))
      atomicAdd(reinterpret_cast<Word*>(&counts[place][static_cast<std::size_t>(kind)]),
                static_cast<Word>(length));
    else
      labels.set_full();
  }
};

/// Cells side by side that have the same two labels as their neighbours: up to 32 of a segment.
struct Stretch {
  static constexpr int kLengthBits = 5;
  static_assert(Patch::kCells << kLengthBits <= 1 << 16);

  int begin;
  int length;

  __device__ int packed() const { return begin << kLengthBits | (length - 1); }
  __device__ static Stretch unpacked(int packed) {
    return {packed >> kLengthBits, (packed & ((1 << kLengthBits) - 1)) + 1};
  }
};

/// Lists where a segment touches the neighbours in another row that lie so; returns how many
/// stretches there are.
template <class T>
__device__ int list_stretches(const LabelCells& raster, const Segment& segment,
                              const Neighbour& neighbour, const LabelWord<T> (&own)[kLanes],
                              std::uint32_t own_runs, SegmentList& stretches) {
  const int lane = lane_of_thread();
  // The cells that have such neighbours.
  const int begin = segment.begin + neighbour.dx < 0 ? 1 : 0;
  const int end =
      segment.length - (segment.begin + segment.length + neighbour.dx > raster.extent[2] ? 1 : 0);
  const std::byte* cell = raster.address(segment.z + neighbour.dz, segment.y + neighbour.dy,
                                         segment.begin + neighbour.dx + lane);
  // Which cells from 32·lane on touch, and where the runs of the other row begin.
  std::uint32_t touching = 0;
  std::uint32_t other_runs = 0;
  THIESSEN_UNROLL
  for (int word = 0; word < kLanes; word += kReads) {
    if (word * kLanes >= end) break;
    LabelWord<T> other[kReads];
    THIESSEN_UNROLL
    for (int i = 0; i < kReads; ++i, cell += kLanes * raster.stride[2]) {
      const int x = (word + i) * kLanes + lane;
      other[i] = x >= begin && x < end ? to_word(raster.template read<T>(cell)) : 0;
    }
    THIESSEN_UNROLL
    for (int i = 0; i < kReads; ++i) {
      const std::uint32_t touches = __ballot_sync(~0u, own[word + i] != other[i]);
      const std::uint32_t begins = __ballot_sync(~0u, other[i] != __shfl_up_sync(~0u, other[i], 1));
      if (lane != word + i) continue;
      touching = touches;
      other_runs = begins;
    }
  }
  touching &= bits_below(end - lane * kLanes) & ~bits_below(begin - lane * kLanes);
  const std::uint32_t beginning = touching & (own_runs | other_runs | ~(touching << 1));
  const std::uint32_t ending = beginning | ~touching;
  const auto stretch_from = [&](int bit) {
    const std::uint32_t behind = bit == kLanes - 1 ? 0 : ending >> (bit + 1);
    const int length = behind == 0 ? kLanes - bit : 1 + lowest_bit(behind);
    return Stretch{lane * kLanes + bit, length}.packed();
  };
  return list_cells(beginning, stretch_from, stretches);
}

/// Adds the contacts of the stretches with their neighbours.
template <class T>
__device__ void add_stretches(const LabelCells& raster, const Segment& segment,
                              const Neighbour& neighbour, const LabelTable& labels,
                              const PairTable& pairs, const SegmentList& stretches, int count) {
  const std::byte* const own = raster.address(segment.z, segment.y, segment.begin);
  const std::byte* const other = raster.address(segment.z + neighbour.dz, segment.y + neighbour.dy,
                                                segment.begin + neighbour.dx);
  __syncwarp();
  for (int n = lane_of_thread(); n < count; n += kLanes) {
    const Stretch stretch = Stretch::unpacked(stretches[n]);
    const std::int64_t offset = stretch.begin * raster.stride[2];
    const std::uint32_t a = labels.place_of(raster, raster.template read<T>(own + offset));
    const std::uint32_t b = labels.place_of(raster, raster.template read<T>(other + offset));
    if (a != b && a != LabelTable::kNone && b != LabelTable::kNone)
      pairs.add(labels, a, b, neighbour.kind, stretch.length);
  }
  __syncwarp();
}

template <class T>
__global__ void __launch_bounds__(kPatchThreads)
    add_contacts(const __grid_constant__ LabelCells raster, const LabelTable labels,
                 const PairTable pairs, const __grid_constant__ Neighbours neighbours) {
  __shared__ SegmentList lists[kPatchWarps];
  SegmentList& stretches = lists[threadIdx.x / kLanes];
  visit_segments(find_patch(raster), [&](const Segment& segment) {
    if (labels.is_full()) return;
    LabelWord<T> own[kLanes];
    const std::uint32_t runs = read_runs<T>(raster, segment, own);
    const auto one_cell = [](int bit) {
      return Stretch{lane_of_thread() * kLanes + bit, 1}.packed();
    };
    const int along = list_cells(runs, one_cell, stretches);
    add_stretches<T>(raster, segment, {0, 0, -1, kAlongRows}, labels, pairs, stretches, along);
    for (int i = 0; i < neighbours.count; ++i) {
      const Neighbour& neighbour = neighbours.each[i];
      const std::int64_t y = segment.y + neighbour.dy;
      if (segment.z + neighbour.dz < 0 || y < 0 || y >= raster.extent[1]) continue;
      const int count = list_stretches<T>(raster, segment, neighbour, own, runs, stretches);
      add_stretches<T>(raster, segment, neighbour, labels, pairs, stretches, count);
    }
  });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    find_ranks(const std::uint32_t* in_order, std::int64_t count, std::uint32_t* ranks) {
  grid_stride_loop(count,
                   [&](std::int64_t n) { ranks[in_order[n]] = static_cast<std::uint32_t>(n); });
}

/// Lists the places of pairs in the hash table, in any order, each with a key that is ordered as
/// rows are: the ranks of both labels, of so many bits each. A place is its rank where `ranks` is
/// null.
__global__ void __launch_bounds__(kGridStrideThreads)
    list_pairs(const LabelTable labels, const PairTable pairs, const std::uint32_t* ranks, int bits,
               std::uint64_t* keys, std::uint32_t* places) {
  grid_stride_loop(pairs.capacity, [&](std::int64_t place) {
    const Word pair = pairs.pairs[place];
    const std::uint32_t row = claim_place(labels.state->rows, pair != 0);
    if (pair == 0) return;
    if (row >= pairs.most()) return labels.set_full();
    const std::uint32_t a = nth_place(ranks, static_cast<std::int64_t>(pair >> 32));
    const std::uint32_t b = nth_place(ranks, static_cast<std::int64_t>(pair & 0xFFFFFFFFu));
    keys[row] = std::uint64_t{a < b ? a : b} << bits | (a < b ? b : a);
    places[row] = static_cast<std::uint32_t>(place);
  });
}

/// Columns of a table of so many rows, one behind the other.
struct PairColumns {
  /// Bytes of a row without its labels.
  static constexpr std::int64_t kRowBytes = 8 + 8;

  THIESSEN_HD PairColumns(std::byte* bytes, std::int64_t rows, ElementType type, int width)
      : contacts(reinterpret_cast<std::int64_t*>(bytes)),
        boundary(reinterpret_cast<double*>(contacts + rows)),
        a{reinterpret_cast<std::byte*>(boundary + rows), type, width},
        b{a.bytes + rows * width, type, width} {}

  std::int64_t* contacts;
  double* boundary;
  LabelColumn a;
  LabelColumn b;
};

/// What the device must know of the raster to make rows.
struct RasterForm {
  std::array<double, kAxes> faces;
  ElementType type;
  int width;  ///< bytes of a label
};

__global__ void __launch_bounds__(kGridStrideThreads)
    make_pairs(const LabelTable labels, const PairTable pairs, const std::uint32_t* in_order,
               int bits, const std::uint64_t* keys, const std::uint32_t* places,
               const RasterForm form, std::byte* bytes) {
  const std::int64_t rows = labels.state->rows < pairs.most() ? labels.state->rows : pairs.most();
  const PairColumns columns(bytes, rows, form.type, form.width);
  grid_stride_loop(rows, [&](std::int64_t row) {
    const auto key = [&](std::uint64_t rank) {
      return labels.key(nth_place(in_order, static_cast<std::int64_t>(rank)));
    };
    const Boundary boundary = boundary_of(pairs.counts[places[row]], form.faces);
    columns.contacts[row] = boundary.contacts;
    columns.boundary[row] = boundary.size;
    columns.a.put(row, key(keys[row] >> bits));
    columns.b.put(row, key(keys[row] & ((std::uint64_t{1} << bits) - 1)));
  });
}

/// Pairs on the device with what it takes to make rows of them.
class PairMaker {
 public:
  PairMaker(CudaSession& session, const LabelRaster& raster, std::uint32_t capacity)
      : session_(session),
        device_(session.scratch),
        form_{faces_of_cell(raster), raster.labels.element_type(),
              static_cast<int>(size_of(raster.labels.element_type()))},
        empty_(allocate_table(session, capacity, PairTable::kPlaceBytes * 2 * capacity, device_)),
        labels_(empty_.labels),
        pairs_(empty_.zeros, labels_.places()),
        keys_(device_.array<std::uint64_t>(pairs_.most())),
        sorted_keys_(device_.array<std::uint64_t>(pairs_.most())),
        places_(device_.array<std::uint32_t>(pairs_.most())),
        bytes_(allocate_rows(pairs_.most(), row_bytes(), device_)) {}

  /// False if a table was too small.
  bool find(const AdjacencyProblem& problem, Adjacency& table) {
    const LabelCells cells = make_label_cells(problem.raster);
    const Neighbours neighbours = neighbours_before(problem.connectivity);
    visit_element_type(form_.type, [&]<class T>(std::type_identity<T>) {
      launch(session_, "contacts of labels", grid_of_patches(cells), add_contacts<T>, cells,
             labels_, pairs_, neighbours);
    });
    // Most rasters have small labels alone, whose order is known.
    const HostRows found = rows_of(nullptr, nullptr, labels_.capacity);
    if (found.state().full != 0) return false;
    if (found.state().hashed == 0) {
      fill(found, table);
      return true;
    }
    const std::uint32_t* const in_order = sort_places(session_, labels_, form_.type, device_);
    auto* const ranks = device_.array<std::uint32_t>(labels_.places());
    launch(session_, "order of labels", grid_stride_shape(session_, labels_.places()), find_ranks,
           in_order, std::int64_t{labels_.places()}, ranks);
    fill_bytes(session_, &labels_.state->rows, 1, 0);  // they are counted again
    fill(rows_of(in_order, ranks, labels_.places()), table);
    return true;
  }

 private:
  std::int64_t row_bytes() const { return PairColumns::kRowBytes + 2 * form_.width; }

  /// With labels in an order, or, if that is null, for `places` places that are in order.
  HostRows rows_of(const std::uint32_t* in_order, const std::uint32_t* ranks,
                   std::uint32_t places) {
    const int bits = highest_bit(places);
    const std::int64_t most = pairs_.most();
    // Behind the pairs come keys that no pair has.
    fill_bytes(session_, keys_, most, 0xFF);
    launch(session_, "list of pairs", grid_stride_shape(session_, pairs_.capacity), list_pairs,
           labels_, pairs_, ranks, bits, keys_, places_);
    const std::uint32_t* const sorted =
        sort_numbers(session_, keys_, places_, most, 2 * bits, sorted_keys_, device_);
    launch(session_, "pairs of labels", grid_stride_shape(session_, most), make_pairs, labels_,
           pairs_, in_order, bits, sorted_keys_, sorted, form_, bytes_);
    return {session_, labels_.state, bytes_, row_bytes()};
  }

  void fill(const HostRows& found, Adjacency& table) const {
    const std::int64_t rows = found.count();
    const PairColumns columns(bytes_, rows, form_.type, form_.width);
    table.a = found.labels(columns.a.bytes, form_.type);
    table.b = found.labels(columns.b.bytes, form_.type);
    found.copy_column(columns.contacts, rows, table.contacts);
    found.copy_column(columns.boundary, rows, table.boundary);
  }

  CudaSession& session_;
  Scratch::Frame device_;
  RasterForm form_;
  EmptyTable empty_;
  LabelTable labels_;
  PairTable pairs_;
  std::uint64_t* keys_;
  std::uint64_t* sorted_keys_;
  std::uint32_t* places_;
  std::byte* bytes_;  ///< of the rows
};

}  // namespace

Adjacency run_adjacency(ContextState& state, const AdjacencyProblem& problem) {
  const LabelRaster& raster = problem.raster;
  const ElementType type = raster.labels.element_type();
  Adjacency table;
  const std::int64_t cells = raster.extent[0] * raster.extent[1] * raster.extent[2];
  if (cells == 0) {
    table.a = Raster(type, Extents{0});
    table.b = Raster(type, Extents{0});
    return table;
  }
  with_capacity(state, (1 + Neighbours::kMost) * cells,
                [&](CudaSession& session, std::uint32_t capacity) {
                  return PairMaker(session, raster, capacity).find(problem, table);
                });
  return table;
}

}  // namespace thiessen::cuda::statistics

// SPDX-License-Identifier: Apache-2.0
//
// What both calls have in common on the host. For sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/statistics/label_table.cuh"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda::statistics {

inline LabelCells make_label_cells(const LabelRaster& raster) {
  LabelCells cells{.cells = raster.labels.bytes()};
  for (int axis = 0; axis < kAxes; ++axis) {
    cells.stride[axis] = raster.labels.stride(axis);
    cells.extent[axis] = raster.labels.extent(axis);
  }
  cells.boolean = raster.labels.element_type() == ElementType::boolean;
  for (const LabelKey key : raster.left_out) cells.left_out[cells.left_out_count++] = key;
  return cells;
}

inline GridShape grid_of_patches(const LabelCells& cells) {
  const std::int64_t in_plane =
      parts(cells.extent[2], Patch::kCells) * parts(cells.extent[1], Patch::kRows);
  return {blocks_for(cells.extent[0] * in_plane, 1), kPatchThreads};
}

/// Gives all bytes of elements the same value.
template <class T>
void fill_bytes(const CudaSession& session, T* elements, std::int64_t count, int byte) {
  check(cudaMemsetAsync(elements, byte, static_cast<std::size_t>(count) * sizeof(T),
                        session.stream()),
        "empty table");
}

template <class T>
T* allocate_filled(const CudaSession& session, std::int64_t count, int byte,
                   Scratch::Frame& device) {
  T* const elements = device.array<T>(count);
  fill_bytes(session, elements, count, byte);
  return elements;
}

/// An empty table, and so many bytes of zeros for what belongs to it, aligned to 16 bytes: one call
/// clears all.
struct EmptyTable {
  LabelTable labels;
  std::byte* zeros;
};

inline EmptyTable allocate_table(const CudaSession& session, std::uint32_t capacity,
                                 std::int64_t bytes, Scratch::Frame& device) {
  const std::int64_t own = sizeof(TableState) + capacity * std::int64_t{sizeof(Word)};
  auto* const memory = allocate_filled<std::byte>(session, own + bytes, 0, device);
  return {.labels = {.keys = reinterpret_cast<Word*>(memory + sizeof(TableState)),
                     .capacity = capacity,
                     .state = reinterpret_cast<TableState*>(memory)},
          .zeros = memory + own};
}

/// Calls a function of CUB that asks for memory before it works.
template <class Call>
void call_with_memory(const CudaSession& session, const char* what, const Call& call,
                      Scratch::Frame& device) {
  if (session.stage_times() != nullptr) session.stage_times()->enter(what, session.stream());
  std::size_t bytes = 0;
  check(call(nullptr, bytes), what);
  void* const memory = device.array<std::byte>(static_cast<std::int64_t>(bytes));
  check(call(memory, bytes), what);
}

/// Sorts keys by some of their bits, with a number beside each; returns the sorted numbers.
const std::uint32_t* sort_numbers(const CudaSession& session, const std::uint64_t* keys,
                                  const std::uint32_t* numbers, std::int64_t count, int bits,
                                  std::uint64_t* sorted_keys, Scratch::Frame& device);

/// The places of a table in the order of their labels; free ones may lie anywhere.
const std::uint32_t* sort_places(const CudaSession& session, const LabelTable& table,
                                 ElementType type, Scratch::Frame& device);

/// The order of places: null stands for that of their numbers.
THIESSEN_HD inline std::uint32_t nth_place(const std::uint32_t* in_order, std::int64_t n) {
  return in_order == nullptr ? static_cast<std::uint32_t>(n) : in_order[n];
}

/// Room for so many rows that fetch_rows() can bring to the host.
inline std::byte* allocate_rows(std::int64_t rows, std::int64_t row_bytes, Scratch::Frame& device) {
  constexpr std::int64_t kWord = sizeof(uint4);
  return reinterpret_cast<std::byte*>(device.array<uint4>(parts(rows * row_bytes, kWord)));
}

/// The rows of a result for the host.
class HostRows {
 public:
  /// Waits until all is done. Few rows are on the host then: the device need not be asked first how
  /// many they are.
  HostRows(CudaSession& session, const TableState* state, const std::byte* rows,
           std::int64_t row_bytes);

  const TableState& state() const { return state_; }
  std::int64_t count() const { return state_.rows; }

  /// Calls visit(piece, n) for pieces of so many elements of a column, which lies on the device.
  template <class T, class Visit>
  void visit_column(const T* column, std::int64_t count, const Visit& visit) const {
    const auto* const bytes = reinterpret_cast<const std::byte*>(column);
    const T* const piece = reinterpret_cast<const T*>(on_host_ + (is_here_ ? bytes - rows_ : 0));
    if (is_here_) return visit(piece, count);
    constexpr std::int64_t kMost = kRoom / sizeof(T);
    for (std::int64_t first = 0; first < count; first += kMost) {
      const std::int64_t n = std::min(kMost, count - first);
      fetch(bytes + first * std::int64_t{sizeof(T)}, n * std::int64_t{sizeof(T)});
      visit(piece, n);
    }
  }

  template <class From, class To>
  void copy_column(const From* column, std::int64_t count, std::vector<To>& to) const {
    to.clear();
    to.reserve(static_cast<std::size_t>(count));
    visit_column(column, count,
                 [&](const From* piece, std::int64_t n) { to.insert(to.end(), piece, piece + n); });
  }

  /// A column of labels as users get it.
  Raster labels(const std::byte* column, ElementType type) const {
    Raster labels(type, Extents{count()});
    std::byte* to = labels.bytes();
    visit_column(column, static_cast<std::int64_t>(labels.size_bytes()),
                 [&](const std::byte* piece, std::int64_t n) { to = std::copy_n(piece, n, to); });
    return labels;
  }

 private:
  static constexpr std::int64_t kRoom = Staging::kBytes - sizeof(TableState);

  /// Copies to on_host_.
  void fetch(const std::byte* bytes, std::int64_t count) const;

  CudaSession& session_;
  const std::byte* rows_;
  std::byte* on_host_;
  TableState state_;
  bool is_here_;  ///< all rows are on the host
};

/// How labels lie in a column of a result.
struct LabelColumn {
  std::byte* bytes;
  ElementType type;
  int width;  ///< bytes of a label

  __device__ void put(std::int64_t row, LabelKey key) const {
    if (type == ElementType::f32) {
      reinterpret_cast<float*>(bytes)[row] = label_of<float>(key);
      return;
    }
    switch (width) {
      case 1:
        reinterpret_cast<std::uint8_t*>(bytes)[row] = label_of<std::uint8_t>(key);
        return;
      case 2:
        reinterpret_cast<std::uint16_t*>(bytes)[row] = label_of<std::uint16_t>(key);
        return;
      case 4:
        reinterpret_cast<std::uint32_t*>(bytes)[row] = label_of<std::uint32_t>(key);
        return;
      default:
        reinterpret_cast<std::uint64_t*>(bytes)[row] = key;
    }
  }
};

/// Calls attempt(session, capacity) with larger and larger tables, for at most so many entries,
/// until it returns true.
template <class Attempt>
void with_capacity(ContextState& state, std::int64_t entries, const Attempt& attempt) {
  CudaSession& session = session_of(state);
  const CudaSession::DeviceGuard guard(session);
  state.phases.clear();
  if (session.stage_times() != nullptr) session.stage_times()->begin();
  constexpr std::uint32_t kFirst = 1 << 16;
  constexpr std::uint32_t kMost = 1u << 30;
  for (std::uint32_t capacity = kFirst; !attempt(session, capacity);) {
    if (capacity == kMost || capacity / 4 > entries)
      throw Error(ErrorCode::unsupported, "cuda: more than 2^29 labels or pairs of them");
    capacity = capacity > kMost / 8 ? kMost : capacity * 8;
  }
  if (session.stage_times() != nullptr)
    session.stage_times()->report(state.phases, session.stream());
}

}  // namespace thiessen::cuda::statistics

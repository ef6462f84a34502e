// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_radix_sort.cuh>

#include "cuda/statistics/label_call.cuh"

namespace thiessen::cuda::statistics {

const std::uint32_t* sort_numbers(const CudaSession& session, const std::uint64_t* keys,
                                  const std::uint32_t* numbers, std::int64_t count, int bits,
                                  std::uint64_t* sorted_keys, Scratch::Frame& device) {
  auto* const sorted = device.array<std::uint32_t>(count);
  call_with_memory(
      session, "sort",
      [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, numbers, sorted,
                                               count, 0, bits, session.stream());
      },
      device);
  return sorted;
}

namespace {

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    find_orders(const LabelTable table, std::uint64_t* orders, std::uint32_t* places) {
  grid_stride_loop(table.places(), [&](std::int64_t i) {
    const auto place = static_cast<std::uint32_t>(i);
    orders[i] = table.is_free(place) ? ~std::uint64_t{0} : order_of<T>(table.key(place));
    places[i] = place;
  });
}

/// Copies the rows of a result to memory of the host, if they are worth it and fit into it, and
/// what is known of the table in front of them.
__global__ void __launch_bounds__(kGridStrideThreads)
    copy_rows(const TableState* state, const uint4* rows, std::int64_t row_bytes,
              TableState* host_state, uint4* host_rows, std::int64_t room) {
  const std::int64_t words = (state->rows * row_bytes + 15) / 16;
  if (state->full == 0 && words <= room)
    grid_stride_loop(words, [&](std::int64_t i) { host_rows[i] = rows[i]; });
  if (blockIdx.x == 0 && threadIdx.x == 0) *host_state = *state;
}

}  // namespace

const std::uint32_t* sort_places(const CudaSession& session, const LabelTable& table,
                                 ElementType type, Scratch::Frame& device) {
  const std::int64_t count = table.places();
  auto* const orders = device.array<std::uint64_t>(count);
  auto* const sorted_orders = device.array<std::uint64_t>(count);
  auto* const places = device.array<std::uint32_t>(count);
  visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    launch(session, "order of labels", grid_stride_shape(session, count), find_orders<T>, table,
           orders, places);
  });
  return sort_numbers(session, orders, places, count, 64, sorted_orders, device);
}

HostRows::HostRows(CudaSession& session, const TableState* state, const std::byte* rows,
                   std::int64_t row_bytes)
    : session_(session), rows_(rows) {
  static_assert(sizeof(TableState) == sizeof(uint4));
  session.staging().open_lanes(1);
  std::byte* const memory = session.staging().lane(0).buffer[0].bytes;
  auto* const host_state = reinterpret_cast<TableState*>(memory);
  on_host_ = memory + sizeof(TableState);
  constexpr std::int64_t kWords = kRoom / std::int64_t{sizeof(uint4)};
  launch(session, "copy of a table", grid_stride_shape(session, kWords / 4), copy_rows, state,
         reinterpret_cast<const uint4*>(rows), row_bytes, host_state,
         reinterpret_cast<uint4*>(on_host_), kWords);
  session.wait();
  if (session.stage_times() != nullptr)
    session.stage_times()->enter("columns on the host", session.stream());
  state_ = *host_state;
  is_here_ = parts(state_.rows * row_bytes, sizeof(uint4)) <= kWords;
}

void HostRows::fetch(const std::byte* bytes, std::int64_t count) const {
  check(cudaMemcpyAsync(on_host_, bytes, static_cast<std::size_t>(count), cudaMemcpyDeviceToHost,
                        session_.stream()),
        "copy of a table");
  session_.wait();
}

}  // namespace thiessen::cuda::statistics

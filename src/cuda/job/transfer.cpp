// SPDX-License-Identifier: Apache-2.0
//
// Copies through pinned buffers in pieces: while the device reads or writes one, threads of the
// host pack or unpack the other. Memory that is pinned already is copied directly.
#include "cuda/job/transfer.hpp"

#include <algorithm>
#include <cstring>

#include "core/cells.hpp"
#include "core/element_width.hpp"
#include "cuda/job/copy_cells.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cuda {
namespace {

/// The cells that a thread of the host copies at once.
constexpr std::int64_t kGrain = std::int64_t{1} << 17;

std::int64_t element_bytes(const View<const void>& view) {
  return static_cast<std::int64_t>(size_of(view.element_type()));
}

std::int64_t bytes_of(const View<const void>& view) {
  return view.extents().count() * element_bytes(view);
}

/// The bytes of those views that are on the host.
std::int64_t host_bytes(const ProblemViews& views) {
  std::int64_t sum = 0;
  const auto add = [&](const View<const void>& view) {
    if (view && view.space() == MemorySpace::host) sum += bytes_of(view);
  };
  for (const View<const void>& view :
       {views.sites, views.domain, View<const void>(views.out.labels),
        View<const void>(views.out.site_index), View<const void>(views.out.distance),
        View<const void>(views.out.squared), View<const void>(views.out.offset),
        View<const void>(views.out.direction)})
    add(view);
  if (views.out.labels && views.labels.bytes() != views.sites.bytes()) add(views.labels);
  if (views.points.at != nullptr)
    sum += views.points.count * static_cast<std::int64_t>(sizeof(Axes));
  return sum;
}

/// Calls visit(address of the first cell, cells, stride) for the rows, or parts of them, that hold
/// the cells first .. first + count - 1 in C order.
template <class AnyView, class Visit>
void for_each_run(const AnyView& view, std::int64_t first, std::int64_t count, const Visit& visit) {
  const int last = view.rank() - 1;
  const std::int64_t length = view.extent(last);
  while (count > 0) {
    const std::int64_t x = first % length;
    const std::int64_t cells = std::min(length - x, count);
    auto* address = view.bytes() + x * view.stride(last);
    std::int64_t rest = first / length;
    for (int axis = last - 1; axis >= 0; --axis) {
      address += rest % view.extent(axis) * view.stride(axis);
      rest /= view.extent(axis);
    }
    visit(address, cells, view.stride(last));
    first += cells;
    count -= cells;
  }
}

void pack(const View<const void>& view, std::int64_t first, std::int64_t count, std::byte* to) {
  if (is_packed(view)) {
    const std::int64_t element = element_bytes(view);
    std::memcpy(to, view.bytes() + first * element, static_cast<std::size_t>(count * element));
    return;
  }
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for_each_run(view, first, count,
                 [&](const std::byte* cell, std::int64_t cells, std::int64_t stride) {
                   for (std::int64_t i = 0; i < cells; ++i, cell += stride, to += sizeof(T))
                     std::memcpy(to, cell, sizeof(T));
                 });
  });
}

void unpack(const std::byte* from, const View<void>& view, std::int64_t first, std::int64_t count) {
  if (is_packed(view)) {
    const std::int64_t element = element_bytes(view);
    std::memcpy(view.bytes() + first * element, from, static_cast<std::size_t>(count * element));
    return;
  }
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for_each_run(view, first, count, [&](std::byte* cell, std::int64_t cells, std::int64_t stride) {
      for (std::int64_t i = 0; i < cells; ++i, cell += stride, from += sizeof(T))
        std::memcpy(cell, from, sizeof(T));
    });
  });
}

/// Whether the device itself can copy from and to the view.
bool is_pinned(const View<const void>& view) {
  if (!is_packed(view)) return false;
  const auto pinned = [](const std::byte* address) {
    cudaPointerAttributes found{};
    check(cudaPointerGetAttributes(&found, address), "kind of an address");
    return found.type == cudaMemoryTypeHost;
  };
  return pinned(view.bytes()) && pinned(view.bytes() + bytes_of(view) - 1);
}

/// A view of packed cells on the device with the shape of `view`.
View<void> packed_like(std::byte* bytes, const View<const void>& view) {
  return {bytes, view.element_type(), view.extents(), MemorySpace::cuda};
}

}  // namespace

Transfer::Transfer(ContextState& state, const ProblemViews& views)
    : state_(state), session_(session_of(state)), device_(session_.scratch) {
  state.progress.begin(std::max<std::int64_t>(host_bytes(views), 1));
}

Transfer::~Transfer() {
  if (on_host_ && !finished_) cudaStreamSynchronize(session_.stream());
}

void Transfer::refuse_in_capture() {
  if (!on_host_ && session_.is_capturing())
    throw Error(ErrorCode::unsupported,
                "stream is being captured, and an array of the call is on the host; all must be in "
                "memory of the device");
  on_host_ = true;
}

void Transfer::copy_async(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, session_.stream()),
        "copy between host and device");
}

void Transfer::upload_bytes(const View<const void>& view, std::byte* to) {
  const std::int64_t count = view.extents().count();
  if (count == 0) return;
  const std::int64_t element = element_bytes(view);
  const std::int64_t piece = static_cast<std::int64_t>(Staging::kBytes) / element;
  const bool pinned = is_pinned(view);
  for (std::int64_t first = 0; first < count; first += piece) {
    const std::int64_t cells = std::min(piece, count - first);
    const std::byte* source = view.bytes() + first * element;
    Staging::Buffer* buffer = nullptr;
    if (!pinned) {
      buffer = &session_.staging().next();
      parallel_for(state_, cells, kGrain, 0, [&](std::int64_t begin, std::int64_t end, int) {
        pack(view, first + begin, end - begin, buffer->bytes + begin * element);
      });
      source = buffer->bytes;
    }
    copy_async(to + first * element, source, cells * element, cudaMemcpyHostToDevice);
    if (buffer != nullptr) check(cudaEventRecord(buffer->done, session_.stream()), "event");
    state_.progress.advance(cells * element);
  }
}

void Transfer::download_bytes(const std::byte* from, const View<void>& view) {
  const std::int64_t count = view.extents().count();
  const std::int64_t element = element_bytes(view);
  if (is_pinned(view)) {
    copy_async(view.bytes(), from, count * element, cudaMemcpyDeviceToHost);
    return state_.progress.advance(count * element);
  }
  const std::int64_t piece = static_cast<std::int64_t>(Staging::kBytes) / element;
  Staging::Buffer* former = nullptr;  // holds the cells before `first`, which are on their way
  for (std::int64_t first = 0; first < count + piece; first += piece) {
    Staging::Buffer* buffer = nullptr;
    if (first < count) {
      buffer = &session_.staging().next();
      copy_async(buffer->bytes, from + first * element, std::min(piece, count - first) * element,
                 cudaMemcpyDeviceToHost);
      check(cudaEventRecord(buffer->done, session_.stream()), "event");
    }
    if (former != nullptr) {
      const std::int64_t cells = std::min(piece, count - (first - piece));
      check(cudaEventSynchronize(former->done), "wait for a copy");
      parallel_for(state_, cells, kGrain, 0, [&](std::int64_t begin, std::int64_t end, int) {
        unpack(former->bytes + begin * element, view, first - piece + begin, end - begin);
      });
      state_.progress.advance(cells * element);
    }
    former = buffer;
  }
}

Cells<const std::byte> Transfer::input(const View<const void>& view) {
  if (!view) return {};
  const auto element = static_cast<std::int32_t>(element_bytes(view));
  const bool on_device = view.space() == MemorySpace::cuda;
  if (on_device && is_packed(view) && is_aligned(view)) return {view.bytes(), element};
  if (!on_device) refuse_in_capture();
  auto* const copy = device_.array<std::byte>(bytes_of(view));
  if (on_device)
    copy_cells(session_, view, packed_like(copy, view));
  else
    upload_bytes(view, copy);
  return {copy, element};
}

std::byte* Transfer::output(const View<void>& view) {
  if (!view) return nullptr;
  const bool on_device = view.space() == MemorySpace::cuda;
  if (on_device && is_packed(view) && is_aligned(view)) return view.bytes();
  if (!on_device) refuse_in_capture();
  std::byte* const copy = device_.array<std::byte>(bytes_of(view));
  outputs_.push_back({view, copy});
  return copy;
}

void Transfer::finish() {
  for (const Output& output : outputs_) {
    if (output.view.space() == MemorySpace::cuda)
      copy_cells(session_, packed_like(output.copy, output.view), output.view);
    else
      download_bytes(output.copy, output.view);
  }
  if (on_host_) session_.synchronize();
  finished_ = true;
}

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/transfer.hpp"

#include <cstring>

#include "core/cells.hpp"
#include "core/element_width.hpp"

namespace thiessen::cuda {
namespace {

std::int64_t bytes_of(const View<const void>& view) {
  return view.extents().count() * static_cast<std::int64_t>(size_of(view.element_type()));
}

/// Calls visit(address of the first cell, cells, stride) for the rows of a view in C order.
template <class AnyView, class Visit>
void for_each_row(const AnyView& view, const Visit& visit) {
  const int last = view.rank() - 1;
  std::int64_t rows = 1;
  for (int axis = 0; axis < last; ++axis) rows *= view.extent(axis);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto* address = view.bytes();
    std::int64_t rest = row;
    for (int axis = last - 1; axis >= 0; --axis) {
      address += rest % view.extent(axis) * view.stride(axis);
      rest /= view.extent(axis);
    }
    visit(address, view.extent(last), view.stride(last));
  }
}

void pack(const View<const void>& view, std::byte* to) {
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for_each_row(view, [&](const std::byte* cell, std::int64_t cells, std::int64_t stride) {
      for (std::int64_t i = 0; i < cells; ++i, cell += stride, to += sizeof(T))
        std::memcpy(to, cell, sizeof(T));
    });
  });
}

void unpack(const std::byte* from, const View<void>& view) {
  visit_element_width(view.element_type(), [&]<class T>(std::type_identity<T>) {
    for_each_row(view, [&](std::byte* cell, std::int64_t cells, std::int64_t stride) {
      for (std::int64_t i = 0; i < cells; ++i, cell += stride, from += sizeof(T))
        std::memcpy(cell, from, sizeof(T));
    });
  });
}

}  // namespace

void Transfer::copy_to_device(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, session_.stream()),
        "copy to the device");
}

void Transfer::copy_to_host(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, session_.stream()),
        "copy from the device");
}

Cells<const std::byte> Transfer::upload(const View<const void>& view) {
  const std::int64_t bytes = bytes_of(view);
  const std::byte* source = view.bytes();
  if (!is_packed(view)) {
    auto* const packed = host_.array<std::byte>(bytes);
    pack(view, packed);
    source = packed;
  }
  return {upload(source, bytes), static_cast<std::int32_t>(size_of(view.element_type()))};
}

std::byte* Transfer::output(const View<void>& view) {
  if (!view) return nullptr;
  std::byte* const copy = device_.array<std::byte>(bytes_of(view));
  outputs_.push_back({view, copy});
  return copy;
}

void Transfer::finish() {
  for (const Output& output : outputs_) {
    const auto bytes = static_cast<std::size_t>(bytes_of(output.view));
    if (is_packed(output.view)) {
      copy_to_host(output.view.bytes(), output.copy, bytes);
      continue;
    }
    auto* const packed = host_.array<std::byte>(static_cast<std::int64_t>(bytes));
    copy_to_host(packed, output.copy, bytes);
    session_.synchronize();
    unpack(packed, output.view);
  }
  session_.synchronize();
}

}  // namespace thiessen::cuda

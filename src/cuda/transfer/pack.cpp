// SPDX-License-Identifier: Apache-2.0
#include "cuda/transfer/pack.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/cells.hpp"
#include "core/base/element_width.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

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

/// The lowest bits of eight bytes, the first one's lowest.
std::uint32_t lowest_bits(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return static_cast<std::uint32_t>((word & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

}  // namespace

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

void pack_sites(const SiteRule& rule, const View<const void>& view, std::int64_t first,
                std::int64_t count, std::uint32_t* to) {
  constexpr std::int64_t kAtOnce = 1024;  // cells: their classes stay in the cache
  constexpr std::int64_t kWord = 32;
  const bool packed =
      is_packed(view) &&
      reinterpret_cast<std::uintptr_t>(view.bytes()) % size_of(view.element_type()) == 0;
  alignas(8) std::array<std::byte, kAtOnce * 8> copy;
  std::array<std::uint8_t, kAtOnce> classes;
  for (; count > 0; first += kAtOnce, count -= kAtOnce) {
    const std::int64_t cells = std::min(kAtOnce, count);
    const std::byte* from = view.bytes() + first * element_bytes(view);
    if (!packed) {
      pack(view, first, cells, copy.data());
      from = copy.data();
    }
    classify(rule, from, cells, classes.data());
    std::fill(classes.begin() + cells, classes.end(), kFreeCell);
    for (std::int64_t word = 0; word * kWord < cells; ++word) {
      const std::uint8_t* const own = classes.data() + word * kWord;
      *to++ = lowest_bits(own) | lowest_bits(own + 8) << 8 | lowest_bits(own + 16) << 16 |
              lowest_bits(own + 24) << 24;
    }
  }
}

}  // namespace transfer
}  // namespace thiessen::cuda

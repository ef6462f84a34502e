// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/cells.hpp"
#include "core/base/element_width.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Cells that the passes take in one go: their buffers stay in the first-level cache.
inline constexpr std::int64_t kChunk = 1024;

/// Room for one chunk of elements of any type.
struct ChunkBuffer {
  alignas(64) std::byte bytes[kChunk * 8];
};

/// Reads pieces of rows as contiguous, aligned elements, whatever the strides.
class CellReader {
 public:
  explicit CellReader(const View<const void>& cells)
      : cells_(cells), element_(static_cast<std::int64_t>(size_of(cells.element_type()))) {}

  ElementType element_type() const { return cells_.element_type(); }

  /// Returns `count` (<= kChunk) cells from (z, y, x) on; in place if possible, else in `buffer`.
  const std::byte* read(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                        ChunkBuffer& buffer) const {
    const std::byte* source = address_of(cells_, {z, y, x});
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(source) % static_cast<std::uintptr_t>(element_) == 0;
    if (cells_.stride(2) == element_ && aligned) return source;
    visit_element_width(element_type(), [&]<class T>(std::type_identity<T>) {
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(buffer.bytes + i * element_, source + i * cells_.stride(2), sizeof(T));
    });
    return buffer.bytes;
  }

 private:
  View<const void> cells_;
  std::int64_t element_;
};

/// A piece of a row of an output: write to begin() as if it were contiguous, then call flush().
template <class T>
class CellWriter {
 public:
  /// `address` of the first cell; `buffer` is used where cells are not contiguous.
  CellWriter(std::byte* address, std::int64_t stride, ChunkBuffer& buffer)
      : address_(address), stride_(stride), buffer_(buffer) {}

  T* begin() const { return reinterpret_cast<T*>(in_place() ? address_ : buffer_.bytes); }

  void flush(std::int64_t count) const {
    if (in_place()) return;
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(address_ + i * stride_, buffer_.bytes + i * std::int64_t{sizeof(T)}, sizeof(T));
  }

 private:
  bool in_place() const {
    // A view from elsewhere may also be misaligned; then the buffer is the safe place.
    return stride_ == std::int64_t{sizeof(T)} &&
           reinterpret_cast<std::uintptr_t>(address_) % alignof(T) == 0;
  }

  std::byte* address_;
  std::int64_t stride_;
  ChunkBuffer& buffer_;
};

}  // namespace thiessen

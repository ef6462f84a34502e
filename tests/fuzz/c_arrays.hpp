// SPDX-License-Identifier: Apache-2.0
//
// Makes arrays from bytes, as C callers pass them: sensible ones in every layout, in memory of
// their own, so that the sanitizers see an access outside of it; and nonsense.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "core/base/int128.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::fuzz {

constexpr int kMostAxes = THIESSEN_MAX_AXES;

/// Takes choices from the input; zeros when it is used up.
class Draw {
 public:
  Draw(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof value, size_);
    std::memcpy(&value, data_, count);
    data_ += count;
    size_ -= count;
    return value;
  }

  /// 0 to range - 1.
  int below(int range) { return take<std::uint8_t>() % range; }

  /// True in about one of so many cases; false when the input is used up.
  bool rarely(int times) { return below(times) == times - 1; }

  template <class T, std::size_t Count>
  T among(const std::array<T, Count>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(Count)))];
  }

  std::int64_t odd_number() {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    constexpr std::array<std::int64_t, 8> kOdd = {
        -1, 0, kLargest, -kLargest - 1, kLargest / 2, std::int64_t{1} << 40, -7, 5};
    return rarely(3) ? take<std::int64_t>() : among(kOdd);
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

inline std::int64_t element_bytes(thiessen_type type) {
  constexpr std::array<std::int64_t, 11> kBytes = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return type >= 0 && type < 11 ? kBytes[static_cast<std::size_t>(type)] : 1;
}

/// An array and its memory, which is exactly as large as the array needs.
class Cells {
 public:
  explicit Cells(const thiessen_array& array) : array_(array) { allocate(); }
  Cells() = default;

  const thiessen_array& array() const { return array_; }
  const std::vector<std::uint8_t>& memory() const { return memory_; }
  bool has_memory() const { return has_memory_; }
  /// The bytes from the first to the last, even if memory does not have so many.
  Int128 reach() const { return reach_; }

  /// Bytes that make few different values, so that there are ties and areas, or any bytes.
  void fill(Draw& draw) {
    std::uint64_t state = draw.take<std::uint16_t>();
    const bool any = draw.rarely(4);
    const int sparsity = 1 + draw.below(12);
    for_each_cell([&](std::uint8_t* cell, std::int64_t bytes) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const auto drawn = static_cast<std::uint8_t>(state >> 56);
      if (any) {
        const std::uint64_t mixed = state ^ state >> 29;
        std::memcpy(cell, &mixed, static_cast<std::size_t>(bytes));
      } else if (drawn % sparsity == 0) {
        store(cell, static_cast<float>(drawn % 4));
      } else {
        store(cell, 0);
      }
    });
  }

  /// Numbers from `draw()`, as elements of this type.
  template <class DrawNumber>
  void fill_with(const DrawNumber& draw) {
    for_each_cell([&](std::uint8_t* cell, std::int64_t) { store(cell, draw()); });
  }

  /// Elements in C order.
  std::vector<std::uint8_t> elements() const {
    std::vector<std::uint8_t> all;
    for_each_cell(
        [&](std::uint8_t* cell, std::int64_t bytes) { all.insert(all.end(), cell, cell + bytes); });
    return all;
  }

  /// The memory with zeros in place of the elements: no function may write there.
  std::vector<std::uint8_t> gaps() const {
    Cells copy(*this);
    copy.for_each_cell([](std::uint8_t* cell, std::int64_t bytes) {
      std::memset(cell, 0, static_cast<std::size_t>(bytes));
    });
    return copy.memory_;
  }

  Cells(const Cells& other) : Cells(other.array_) {
    memory_ = other.memory_;
    rebase();
  }
  Cells& operator=(const Cells&) = delete;

 private:
  static constexpr std::int64_t kMostBytes = 1 << 14;

  void allocate() {
    Int128 low = 0;
    Int128 high = element_bytes(array_.type);
    bool empty = array_.rank < 1 || array_.rank > kMostAxes;
    for (int axis = 0; axis < std::clamp(array_.rank, 0, kMostAxes); ++axis) {
      empty = empty || array_.extents[axis] < 1;
      const Int128 reach = Int128{array_.strides[axis]} * (Int128{array_.extents[axis]} - 1);
      (reach < 0 ? low : high) += reach;
    }
    reach_ = high - low;
    has_memory_ = !empty && reach_ <= kMostBytes;
    first_ = has_memory_ ? static_cast<std::int64_t>(-low) : 0;
    memory_.assign(has_memory_ ? static_cast<std::size_t>(reach_) : 8, 0xa5);
    rebase();
  }

  void rebase() { array_.data = memory_.data() + first_; }

  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    if (!has_memory_) return;
    const auto bytes = element_bytes(array_.type);
    const std::int64_t count = std::accumulate(array_.extents, array_.extents + array_.rank,
                                               std::int64_t{1}, std::multiplies<>());
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i;
      auto* cell = static_cast<std::uint8_t*>(array_.data);
      for (int axis = array_.rank - 1; axis >= 0; --axis) {
        cell += rest % array_.extents[axis] * array_.strides[axis];
        rest /= array_.extents[axis];
      }
      visit(cell, bytes);
    }
  }

  void store(std::uint8_t* cell, float real) const {
    const auto large = static_cast<double>(real);
    std::memset(cell, 0, static_cast<std::size_t>(element_bytes(array_.type)));
    if (array_.type == THIESSEN_F32)
      std::memcpy(cell, &real, sizeof real);
    else if (array_.type == THIESSEN_F64)
      std::memcpy(cell, &large, sizeof large);
    else
      *cell = real >= 0 && real < 256 ? static_cast<std::uint8_t>(real) : 0;
  }

  thiessen_array array_{};
  std::vector<std::uint8_t> memory_;
  Int128 reach_ = 0;
  std::int64_t first_ = 0;
  bool has_memory_ = false;
};

/// Contiguous, padded, turned round, or with axes in another order; always apart.
inline void draw_layout(Draw& draw, thiessen_array& array) {
  std::array<int, kMostAxes> order{};
  std::iota(order.begin(), order.end(), 0);
  if (draw.rarely(3) && array.rank > 1) std::swap(order[0], order[1]);
  std::int64_t bytes = element_bytes(array.type);
  for (int i = array.rank - 1; i >= 0; --i) {
    const int axis = order[static_cast<std::size_t>(i)];
    if (draw.rarely(4)) bytes += draw.below(3) * element_bytes(array.type);
    array.strides[axis] = draw.rarely(4) ? -bytes : bytes;
    bytes *= std::max<std::int64_t>(1, array.extents[axis]);
  }
}

/// Makes one thing wrong.
inline void spoil(Draw& draw, thiessen_array& array) {
  const int axis = draw.below(kMostAxes);
  switch (draw.below(5)) {
    case 0:
      array.rank = static_cast<std::int32_t>(draw.odd_number());
      break;
    case 1:
      array.type = static_cast<thiessen_type>(draw.odd_number());
      break;
    case 2:
      array.memory = static_cast<thiessen_memory>(draw.odd_number());
      break;
    case 3:
      array.extents[axis] = draw.odd_number();
      break;
    default:
      array.strides[axis] = draw.rarely(2) ? draw.odd_number() : draw.below(9) - 4;
  }
}

/// Small extents of a raster: at most 64 cells.
inline std::vector<std::int64_t> draw_extents(Draw& draw) {
  std::vector<std::int64_t> extents;
  const bool flat = !draw.rarely(3);
  for (int axis = 0; axis < (flat ? 2 : 3); ++axis) extents.push_back(1 + draw.below(flat ? 8 : 4));
  if (draw.rarely(16)) extents[0] = 0;
  return extents;
}

inline Cells draw_array(Draw& draw, thiessen_type type, const std::vector<std::int64_t>& extents) {
  thiessen_array array =
      thiessen_contiguous(nullptr, type, static_cast<std::int32_t>(extents.size()), extents.data());
  if (draw.rarely(2)) draw_layout(draw, array);
  if (draw.rarely(12)) spoil(draw, array);
  return Cells(array);
}

}  // namespace thiessen::fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "thiessen/view.hpp"

namespace thiessen::testing {

/// How an array lies in memory.
enum class Layout {
  contiguous,
  padded,    ///< every second element of longer rows
  reversed,  ///< rows from right to left, the first axis from the end
};

/// An array with guard bytes before, after and in every gap between its elements.
class GuardedArray {
 public:
  GuardedArray(ElementType type, const Extents& extents, Layout layout);

  View<void> view() const { return view_; }
  template <class T>
  View<T> view() const {
    return {reinterpret_cast<T*>(view_.bytes()), view_.extents(), view_.strides()};
  }

  /// All bytes: elements, gaps and guards.
  std::vector<std::byte>& memory() { return bytes_; }

  /// Copies a contiguous array of the same type and extents in.
  void assign(const std::byte* source);
  /// The elements in C order.
  std::vector<std::byte> elements() const;
  /// True if no byte outside of the elements was written.
  bool intact() const;

 private:
  template <class Visit>
  void for_each_element(Visit&& visit) const;

  mutable std::vector<std::byte> bytes_;
  View<void> view_;
};

}  // namespace thiessen::testing

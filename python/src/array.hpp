// SPDX-License-Identifier: Apache-2.0
//
// Python arrays as views, without a copy: whatever has the buffer protocol, and memory of a CUDA
// device, which the package describes by a tuple.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string_view>

#include "thiessen/view.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// Types as in __array_interface__, in the order of ElementType.
inline constexpr std::string_view kTypeStrings[] = {"|b1", "|u1", "|i1", "<u2", "<i2", "<u4",
                                                    "<i4", "<u8", "<i8", "<f4", "<f8"};

/// Holds the buffer of a Python object for as long as it lives; to be made and destroyed with the
/// GIL. None gives the empty view. A tuple (address, extents, strides in bytes, type as in
/// __array_interface__) is memory of a CUDA device, which the caller must keep alive.
class Array {
 public:
  /// Throws what Python raises for an object without a buffer (or without a writable one), and
  /// TypeError for elements that the library has no type for.
  static Array readable(const char* name, nb::handle object) { return {name, object, false}; }
  static Array writable(const char* name, nb::handle object) { return {name, object, true}; }

  Array(Array&& other) noexcept : buffer_(other.buffer_), view_(other.view_) {
    other.buffer_.reset();
  }
  ~Array() {
    if (buffer_) PyBuffer_Release(&*buffer_);
  }
  Array& operator=(Array&&) = delete;

  const View<void>& view() const noexcept { return view_; }
  View<const void> const_view() const noexcept { return view_; }

 private:
  Array(const char* name, nb::handle object, bool writable);
  void take_buffer(const char* name, nb::handle object, bool writable);

  std::optional<Py_buffer> buffer_;
  View<void> view_;
};

}  // namespace thiessen::python

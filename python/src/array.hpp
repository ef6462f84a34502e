// SPDX-License-Identifier: Apache-2.0
//
// Python arrays as views, without a copy: whatever has the buffer protocol, and memory of a CUDA
// device, which the package describes by a tuple.
#pragma once

#include <nanobind/nanobind.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thiessen/view.hpp"

namespace thiessen::python {

namespace nb = nanobind;

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

  /// Throws TypeError if the elements are of another type.
  template <class T>
  View<T> view_of(const char* name) const {
    if (!view_) return {};
    require_type(name, detail::element_type_of<T>());
    return {reinterpret_cast<T*>(view_.bytes()), view_.extents(), view_.strides(), view_.space()};
  }

 private:
  Array(const char* name, nb::handle object, bool writable);
  void take_buffer(const char* name, nb::handle object, bool writable);
  void require_type(const char* name, ElementType type) const;

  std::optional<Py_buffer> buffer_;
  View<void> view_;
};

/// The arrays of a dict, by their names, held as one Array is.
class NamedArrays {
 public:
  /// Throws as Array does, and ValueError for a name that is none of `known`. Messages call an
  /// array `prefix` and its name.
  static NamedArrays readable(const nb::dict& arrays, std::initializer_list<std::string_view> known,
                              std::string_view prefix = "") {
    return {arrays, known, prefix, false};
  }
  static NamedArrays writable(const nb::dict& arrays, std::initializer_list<std::string_view> known,
                              std::string_view prefix = "") {
    return {arrays, known, prefix, true};
  }

  /// The empty view where there is no array of this name.
  View<void> view(std::string_view name) const;

  template <class T>
  View<T> view_of(std::string_view name) const {
    for (const auto& [own, array] : arrays_)
      if (own == name) return array.template view_of<T>((prefix_ + own).c_str());
    return {};
  }

 private:
  NamedArrays(const nb::dict& arrays, std::initializer_list<std::string_view> known,
              std::string_view prefix, bool writable);

  std::string prefix_;
  std::vector<std::pair<std::string, Array>> arrays_;
};

}  // namespace thiessen::python

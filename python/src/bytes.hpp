// SPDX-License-Identifier: Apache-2.0
//
// Results whose length is known only when they are there.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "thiessen/raster.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// Elements as a bytearray, which the package makes an array of.
inline nb::object to_bytes(const void* elements, std::size_t bytes) {
  nb::object object =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!object.is_valid()) throw nb::python_error();
  if (bytes > 0) std::memcpy(PyByteArray_AsString(object.ptr()), elements, bytes);
  return object;
}

inline nb::object to_bytes(const Raster& labels) {
  return to_bytes(labels.bytes(), labels.size_bytes());
}

template <class T>
nb::object to_bytes(const std::vector<T>& values) {
  return to_bytes(values.data(), values.size() * sizeof(T));
}

}  // namespace thiessen::python

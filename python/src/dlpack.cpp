// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "module.hpp"

namespace thiessen::python {
namespace {

namespace nb = nanobind;

/// Type as in __array_interface__; "" for types that it has not.
std::string type_string(const nb::dlpack::dtype& type) {
  if (type.lanes != 1 || type.bits % 8 != 0) return "";
  const std::string bytes = std::to_string(type.bits / 8);
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Bool:
      return "|b" + bytes;
    case nb::dlpack::dtype_code::Int:
      return "<i" + bytes;
    case nb::dlpack::dtype_code::UInt:
      return "<u" + bytes;
    case nb::dlpack::dtype_code::Float:
      return "<f" + bytes;
    default:
      return "";
  }
}

/// (address, extents, strides in bytes, type) of an object that has nothing but __dlpack__. The
/// object itself keeps the memory.
nb::tuple describe(const nb::ndarray<nb::ro>& array) {
  nb::list extents;
  nb::list strides;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
    extents.append(array.shape(axis));
    strides.append(array.stride(axis) * static_cast<std::int64_t>(array.itemsize()));
  }
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), nb::tuple(extents),
                        nb::tuple(strides), type_string(array.dtype()));
}

}  // namespace

void bind_dlpack(nb::module_& module) {
  module.def("describe_dlpack", &describe, nb::arg("array"),
             "Address, extents, strides in bytes and type of an array.");
}

}  // namespace thiessen::python

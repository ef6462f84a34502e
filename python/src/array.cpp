// SPDX-License-Identifier: Apache-2.0
#include "array.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace thiessen::python {
namespace {

/// Element type of a format of Python's struct module, in the byte order of this machine.
std::optional<ElementType> element_type(const char* format, Py_ssize_t bytes) {
  static_assert(std::endian::native == std::endian::little, "'<' is taken for the native order");
  if (format == nullptr) return ElementType::u8;
  if (std::strchr("@=<", *format) != nullptr && *format != '\0') ++format;
  if (std::strlen(format) != 1) return std::nullopt;
  const auto of_width = [&](ElementType b1, ElementType b2, ElementType b4, ElementType b8) {
    return bytes == 1 ? b1 : bytes == 2 ? b2 : bytes == 4 ? b4 : b8;
  };
  switch (*format) {
    case '?':
      return ElementType::boolean;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return of_width(ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return of_width(ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64);
    case 'f':
      return ElementType::f32;
    case 'd':
      return ElementType::f64;
    default:
      return std::nullopt;
  }
}

/// Element type of a type string of __array_interface__.
std::optional<ElementType> element_type(const std::string& type) {
  if (type.size() != 3 || (type[0] != '<' && type[0] != '|')) return std::nullopt;
  const auto* const found =
      std::find_if(std::begin(kTypeStrings), std::end(kTypeStrings),
                   [&](std::string_view known) { return known.substr(1) == type.substr(1); });
  if (found == std::end(kTypeStrings)) return std::nullopt;
  return static_cast<ElementType>(found - std::begin(kTypeStrings));
}

View<void> device_view(const char* name, const nb::tuple& memory) {
  const auto address = nb::cast<std::uintptr_t>(memory[0]);
  const auto sizes = nb::cast<std::vector<std::int64_t>>(memory[1]);
  const auto steps = nb::cast<std::vector<std::int64_t>>(memory[2]);
  const auto type = element_type(nb::cast<std::string>(memory[3]));
  if (!type || steps.size() != sizes.size())
    throw nb::type_error((std::string(name) + " is no description of device memory").c_str());
  const Extents extents(sizes);  // checks the rank
  View<void>::Strides strides{};
  std::copy(steps.begin(), steps.end(), strides.begin());
  return {reinterpret_cast<void*>(address), *type, extents, strides, MemorySpace::cuda};
}

}  // namespace

Array::Array(const char* name, nb::handle object, bool writable) {
  if (object.is_none()) return;
  if (nb::isinstance<nb::tuple>(object))
    view_ = device_view(name, nb::borrow<nb::tuple>(object));
  else
    take_buffer(name, object, writable);
}

void Array::take_buffer(const char* name, nb::handle object, bool writable) {
  Py_buffer buffer;
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object.ptr(), &buffer, flags) != 0) throw nb::python_error();
  buffer_ = buffer;
  try {
    const std::optional<ElementType> type = element_type(buffer.format, buffer.itemsize);
    if (!type)
      throw nb::type_error(
          (std::string(name) + " has elements of the format " + buffer.format +
           "; must be integers, floats or booleans of 1 to 8 bytes in native order")
              .c_str());
    const auto rank = static_cast<std::size_t>(buffer.ndim);
    const Extents extents(std::span<const std::int64_t>(buffer.shape, rank));  // checks the rank
    View<void>::Strides strides{};
    for (std::size_t axis = 0; axis < rank; ++axis) strides[axis] = buffer.strides[axis];
    view_ = {buffer.buf, *type, extents, strides};
  } catch (...) {
    PyBuffer_Release(&*buffer_);
    throw;
  }
}

}  // namespace thiessen::python

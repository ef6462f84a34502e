// SPDX-License-Identifier: Apache-2.0
#include "array.hpp"

#include <bit>
#include <cstring>
#include <string>

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

}  // namespace

Array::Array(const char* name, nb::handle object, bool writable) {
  if (object.is_none()) return;
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

void Array::require_type(const char* name, ElementType type) const {
  if (view_.element_type() == type) return;
  throw nb::type_error((std::string(name) + " is of the type " +
                        std::string(name_of(view_.element_type())) + "; must be " +
                        std::string(name_of(type)))
                           .c_str());
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

namespace thiessen::python {

LabelValue to_label(const char* name, nb::handle value) {
  if (PyFloat_Check(value.ptr())) return PyFloat_AsDouble(value.ptr());
  if (!PyLong_Check(value.ptr()))
    throw nb::type_error(
        (std::string(name) + " = " + nb::repr(value).c_str() + "; must be a number").c_str());
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{number};
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(value.ptr()) : 0;
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::value_error((std::string(name) + " = " + nb::repr(value).c_str() +
                           "; must be at least -2^63 and less than 2^64")
                              .c_str());
  }
  return std::uint64_t{large};
}

std::vector<LabelValue> to_labels(const char* name, const std::vector<nb::object>& values) {
  std::vector<LabelValue> labels;
  for (const nb::object& value : values) labels.push_back(to_label(name, value));
  return labels;
}

}  // namespace thiessen::python

// SPDX-License-Identifier: Apache-2.0
#include "value.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/error.hpp"

namespace thiessen::python {
namespace {

[[noreturn]] void refuse_type(const std::string& name, nb::handle value) {
  throw nb::type_error((name + " = " + nb::repr(value).c_str() + "; must be a number").c_str());
}

/// An int of up to 64 bits, signed or not, a float or a bool.
LabelValue to_number(const std::string& name, nb::handle value) {
  if (PyFloat_Check(value.ptr())) return PyFloat_AsDouble(value.ptr());
  if (!PyLong_Check(value.ptr())) refuse_type(name, value);
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{number};
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(value.ptr()) : 0;
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::value_error(
        (name + " = " + nb::repr(value).c_str() + "; must be at least -2^63 and less than 2^64")
            .c_str());
  }
  return std::uint64_t{large};
}

Value to_value(const std::string& name, nb::handle value) {
  if (value.is_none()) return {};
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (PyUnicode_Check(value.ptr())) return nb::cast<std::string>(value);
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    std::vector<LabelValue> list;
    for (const nb::handle each : value) list.push_back(to_number(name, each));
    return list;
  }
  return std::visit([](auto number) { return Value(number); }, to_number(name, value));
}

/// Refuses a word that is no choice, with words in quotation marks, as Python shows them.
void check_choice(const Field& field, const Value& value) {
  const auto* const word = std::get_if<std::string>(&value);
  if (field.kind != Kind::choice || word == nullptr ||
      std::find(field.choices.begin(), field.choices.end(), *word) != field.choices.end())
    return;
  std::string rule = "must be one of ";
  for (const std::string_view choice : field.choices)
    rule += (choice == field.choices.front() ? "'" : ", '") + std::string(choice) + "'";
  const std::string_view likely = likely_name(*word, field.choices);
  if (!likely.empty()) rule += "; did you mean '" + std::string(likely) + "'?";
  throw Error(ErrorCode::invalid_argument,
              {.argument = std::string(field.name), .value = "'" + *word + "'", .rule = rule});
}

}  // namespace

void set_options(Call& call, const nb::dict& options) {
  for (const auto& [key, given] : options) {
    const auto name = nb::cast<std::string>(key);
    const Value value = to_value(name, given);
    check_choice(find_field(call.operation(), name), value);
    try {
      call.set_option(name, value);
    } catch (const Error& error) {
      const auto* const word = std::get_if<std::string>(&value);
      const BrokenRule& broken = error.broken_rule();
      if (word == nullptr || broken.value != *word) throw;
      throw Error(error.code(), {broken.argument, "'" + broken.value + "'", broken.rule});
    }
  }
}

}  // namespace thiessen::python

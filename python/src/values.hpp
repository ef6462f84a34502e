// SPDX-License-Identifier: Apache-2.0
//
// Python values as the library's: labels, metrics, choices by name.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/choice.hpp"
#include "thiessen/error.hpp"
#include "thiessen/labels.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// An int of up to 64 bits, signed or not, or a float. `name` is the argument's for the message.
LabelValue to_label(const char* name, nb::handle value);

std::vector<LabelValue> to_labels(const char* name, const std::vector<nb::object>& values);

/// The choice of this name; `names` are in the order of the enum. Throws Error{invalid_argument}
/// for another name.
template <class Choice, std::size_t count>
Choice to_choice(const char* argument, std::string_view name,
                 const std::string_view (&names)[count]) {
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == name) return static_cast<Choice>(i);
    known += (i == 0 ? "'" : ", '") + std::string(names[i]) + "'";
  }
  const std::string_view likely = likely_name(name, names);
  if (!likely.empty()) known += "; did you mean '" + std::string(likely) + "'?";
  throw Error(ErrorCode::invalid_argument,
              std::string(argument) + " = '" + std::string(name) + "'; must be one of " + known);
}

}  // namespace thiessen::python

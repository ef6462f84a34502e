// SPDX-License-Identifier: Apache-2.0
//
// What a compiler checks of the tables of an operation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "operations/checks/rows.hpp"
#include "operations/rows/field.hpp"

namespace thiessen::detail {

template <class Row>
constexpr std::size_t place_of(std::span<const Row> rows, std::string_view name) {
  std::size_t place = 0;
  while (place < rows.size() && rows[place].name != name) ++place;
  return place;
}

/// Whether the condition names an option and, if it has values, choices of it; or an input.
constexpr bool is_sound(const Condition& condition, std::span<const Field> fields,
                        std::span<const Input> inputs) {
  const std::size_t place = place_of(fields, condition.name);
  if (place == fields.size())
    return condition.values.empty() && place_of(inputs, condition.name) < inputs.size();
  if (condition.values.size() > 1 && condition.words.empty()) return false;
  for (const std::string_view value : condition.values)
    if (std::ranges::find(fields[place].choices, value) == fields[place].choices.end())
      return false;
  return true;
}

/// Whether the rows of an operation fit together: no two of any kind have one name, and what
/// options say of others exists.
constexpr bool are_sound(std::span<const Input> inputs, std::span<const Field> fields,
                         std::span<const Output> outputs) {
  for (const Field& field : fields) {
    if (!field.only_if.name.empty() && !is_sound(field.only_if, fields, inputs)) return false;
    for (const std::string_view other : field.not_with)
      if (place_of(fields, other) == fields.size()) return false;
    if (place_of(outputs, field.name) < outputs.size()) return false;
    if (place_of(inputs, field.name) < inputs.size()) return false;
  }
  for (const Output& output : outputs)
    if (place_of(inputs, output.name) < inputs.size()) return false;
  return are_named(inputs) && are_named(fields) && are_outputs(outputs);
}

}  // namespace thiessen::detail

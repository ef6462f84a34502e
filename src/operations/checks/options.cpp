// SPDX-License-Identifier: Apache-2.0
#include "operations/checks/options.hpp"

#include <algorithm>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

[[noreturn]] void refuse(const Field& field, const std::string& rule) {
  throw Error(ErrorCode::invalid_argument, {.argument = std::string(field.name), .rule = rule});
}

void check_axes(const Field& field, const void* options, int rank) {
  if (!field.is_per_axis || rank == 0) return;
  const Value value = field.get(options);
  const auto* const list = std::get_if<std::vector<LabelValue>>(&value);
  if (list == nullptr || list->empty() || list->size() == static_cast<std::size_t>(rank)) return;
  refuse(field, "has " + std::to_string(list->size()) + " values; must have one for each of the " +
                    std::to_string(rank) + " axes");
}

/// The choice that an option has, or what holds without one.
std::string choice_of(const Field& field, const void* options) {
  const Value value = field.get(options);
  return std::holds_alternative<std::monostate>(value) ? std::string(field.if_missing)
                                                       : to_text(value);
}

const Field* find(std::span<const Field> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

void check_options(std::span<const Field> fields, const void* options, int rank,
                   const std::function<bool(std::string_view input)>& has_input) {
  for (const Field& field : fields) {
    if (field.check != nullptr) field.check(field, options);
    check_axes(field, options, rank);
    if (!field.is_given(options)) continue;
    const Condition& need = field.only_if;
    const Field* const other = find(fields, need.name);
    const bool is_met =
        need.name.empty() || !need.values.empty() ||
        (other == nullptr ? (has_input && has_input(need.name)) : other->is_given(options));
    if (!is_met) refuse(field, "is given; needs " + std::string(need.name));
    if (!need.values.empty()) {
      const std::string now = choice_of(*other, options);
      if (std::ranges::find(need.values, now) == need.values.end())
        refuse(field, "is given; it is for " + text_of(need, need.name) + ", not for " + now);
    }
    for (const std::string_view name : field.not_with)
      if (find(fields, name)->is_given(options))
        refuse(field, "is given; must not be with " + std::string(name));
  }
}

void refuse_others(const Operation& whole, const Operation& part, const void* options,
                   const std::string& why) {
  for (const Field& field : whole.fields)
    if (field.is_given(options) && find(part.fields, field.name) == nullptr)
      refuse(field, "is given; it " + why);
}

}  // namespace thiessen

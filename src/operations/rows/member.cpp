// SPDX-License-Identifier: Apache-2.0
//
// How the value of an option that a front end gives becomes the member of a struct.
#include "operations/rows/member.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "thiessen/error.hpp"

namespace thiessen::detail {
namespace {

[[noreturn]] void refuse(const Field& field, const std::string& value, const std::string& rule) {
  throw Error(ErrorCode::invalid_argument, {std::string(field.name), value, rule});
}

[[noreturn]] void refuse(const Field& field, const Value& value, const std::string& rule) {
  refuse(field, to_text(value), rule);
}

bool is_whole(double number) {
  return number == std::trunc(number) && number >= -0x1p63 && number < 0x1p63;
}

/// A number of a list, or a number alone, which stands for a list of one.
std::vector<LabelValue> to_list(const Field& field, const Value& value) {
  if (const auto* list = std::get_if<std::vector<LabelValue>>(&value)) return *list;
  return std::visit(
      [&](const auto& each) -> std::vector<LabelValue> {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, bool>) {
          if (field.kind == Kind::flags) return {std::int64_t{each}};
        } else if constexpr (std::is_constructible_v<LabelValue, T>) {
          return {each};
        }
        refuse(field, value, "must be a list of numbers");
      },
      value);
}

double to_double(const LabelValue& value) {
  return std::visit([](auto number) { return static_cast<double>(number); }, value);
}

std::int64_t to_count(const Field& field, const Value& shown, const LabelValue& value) {
  return std::visit(
      [&](auto number) -> std::int64_t {
        using T = decltype(number);
        if constexpr (std::is_same_v<T, double>) {
          if (is_whole(number)) return static_cast<std::int64_t>(number);
        } else if (std::in_range<std::int64_t>(number)) {
          return static_cast<std::int64_t>(number);
        }
        refuse(field, shown, "must be a whole number");
      },
      value);
}

/// "must be one of faces, edges, corners".
std::string rule_of_choices(const Field& field) {
  std::string rule = "must be one of ";
  for (const std::string_view choice : field.choices)
    rule += (choice == field.choices.front() ? "" : ", ") + std::string(choice);
  return rule;
}

/// The number of a value that is one; booleans are none.
LabelValue to_number(const Field& field, const Value& value) {
  return std::visit(
      [&](const auto& each) -> LabelValue {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_constructible_v<LabelValue, T> && !std::is_same_v<T, bool>)
          return each;
        else
          refuse(field, value, "must be a number");
      },
      value);
}

}  // namespace

void read(const Field& field, const Value& value, bool& member) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    member = *flag;
    return;
  }
  const auto* number = std::get_if<std::int64_t>(&value);  // C has no type for it
  if (number == nullptr || (*number != 0 && *number != 1)) refuse(field, value, "must be 0 or 1");
  member = *number == 1;
}

void read(const Field& field, const Value& value, double& member) {
  member = to_double(to_number(field, value));
}

void read(const Field& field, const Value& value, std::int64_t& member) {
  member = to_count(field, value, to_number(field, value));
}

void read(const Field& field, const Value& value, std::uint64_t& member) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) {
    member = *number;
    return;
  }
  const std::int64_t count = to_count(field, value, to_number(field, value));
  if (count < 0) refuse(field, value, "must be >= 0");
  member = static_cast<std::uint64_t>(count);
}

/// A whole number is an integer, however it was written, so that equal labels are equal values. The
/// double -0.0 is none.
void read(const Field& field, const Value& value, LabelValue& member) {
  member = to_number(field, value);
  const auto* const number = std::get_if<double>(&member);
  if (number != nullptr && is_whole(*number) && !(*number == 0 && std::signbit(*number)))
    member = static_cast<std::int64_t>(*number);
}

void read(const Field& field, const Value& value, Pattern& member) {
  const auto* name = std::get_if<std::string>(&value);
  const std::optional<Pattern> pattern = name == nullptr ? std::nullopt : find_pattern(*name);
  if (!pattern) refuse(field, value, "must be " + std::string(field.form));
  member = *pattern;
}

void read(const Field& field, const Value& value, Colour& member) {
  constexpr std::size_t kDigits = 6;
  constexpr int kHexadecimal = 16;
  std::string digits = to_text(value);
  if (digits.starts_with('#')) digits.erase(0, 1);
  std::uint32_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number, kHexadecimal);
  if (!std::holds_alternative<std::string>(value) || digits.size() != kDigits ||
      read.ec != std::errc() || read.ptr != end)
    refuse(field, value, "must be " + std::string(field.form));
  const auto part = [number](int shift) { return static_cast<std::uint8_t>(number >> shift); };
  member = {.red = part(16), .green = part(8), .blue = part(0)};
}

std::string name_of_colour(const Colour& colour) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
    name += kDigits[part >> 4];
    name += kDigits[part & 15];
  }
  return name;
}

void read(const Field& field, const Value& value, std::vector<double>& member) {
  for (const LabelValue& each : to_list(field, value)) member.push_back(to_double(each));
}

void read_numbers(const Field& field, const Value& value, std::span<double> member) {
  const std::vector<LabelValue> list = to_list(field, value);
  if (list.size() != member.size())
    refuse(field, value, "must be " + std::to_string(member.size()) + " numbers");
  std::transform(list.begin(), list.end(), member.begin(), to_double);
}

void read(const Field& field, const Value& value, std::vector<std::int64_t>& member) {
  for (const LabelValue& each : to_list(field, value))
    member.push_back(to_count(field, value, each));
}

void read(const Field& field, const Value& value, std::vector<bool>& member) {
  for (const LabelValue& each : to_list(field, value)) {
    const double number = to_double(each);
    if (number != 0 && number != 1) refuse(field, value, "must be a list of 0 and 1");
    member.push_back(number == 1);
  }
}

void read(const Field& field, const Value& value, std::vector<LabelValue>& member) {
  member = to_list(field, value);
}

std::size_t read_choice(const Field& field, const Value& value, Names names) {
  const std::string word = to_text(value);
  const bool is_choice =
      std::find(field.choices.begin(), field.choices.end(), word) != field.choices.end();
  if (std::holds_alternative<std::string>(value) && is_choice)
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin());
  const std::string_view likely = likely_name(word, field.choices);
  refuse(field, word,
         rule_of_choices(field) +
             (likely.empty() ? "" : "; did you mean " + std::string(likely) + "?"));
}

void check_number(const Field& field, double number, std::optional<std::size_t> place) {
  if (field.range.has(number)) return;
  std::string argument(field.name);
  if (place) argument += '[' + std::to_string(*place) + ']';
  throw Error(ErrorCode::invalid_argument,
              {argument, to_text(Value(number)), text_of(field.range)});
}

void check_choice(const Field& field, std::string_view choice) {
  if (std::find(field.choices.begin(), field.choices.end(), choice) == field.choices.end())
    refuse(field, std::string(choice), rule_of_choices(field));
}

}  // namespace thiessen::detail

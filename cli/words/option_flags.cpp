// SPDX-License-Identifier: Apache-2.0
#include "words/option_flags.hpp"

#include <algorithm>
#include <utility>

#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Names of arguments that are not the flag's own.
constexpr std::pair<std::string_view, std::string_view> kOtherFlags[] = {
    {"site_nodata", "--nodata"},         {"label_nodata", "--nodata"},
    {"interval", "--contours"},          {"levels", "--contour-levels"},
    {"nodata_label", "--output-nodata"}, {"on_pass", "--frames"},
    {"weights", "--weight-field"},       {"density", "--balance"},
};

const char* type_name_of(const Field& field) {
  switch (field.kind) {
    case Kind::count:
      return "N";
    case Kind::number:
      return field.unit == "spacing" ? "LENGTH" : "X";
    case Kind::label:
      return "V";
    case Kind::flags:
      return "AXES";
    case Kind::numbers:
    case Kind::counts:
    case Kind::labels:
      return "LIST";
    default:
      return field.choice_of_count == nullptr ? "NAME" : "N";
  }
}

/// "--walk langmuir", or the words for several values.
std::string with_flag_names(const Condition& condition) {
  return text_of(condition, flag_of(condition.name));
}

/// "cells that are farther away are unreached, in units of spacing (default: inf)".
std::string help_of(const Field& field, const void* defaults) {
  std::string help(field.help);
  help.front() = static_cast<char>(help.front() - 'a' + 'A');
  if (!field.unit.empty()) help += ", in " + std::string(field.unit);
  if (!field.form.empty()) help += ": " + std::string(field.form);
  if (field.choice_of_count != nullptr) help += ": 4, 8 or 16, in 3-D 6, 18 or 26";
  if (!field.only_if.values.empty()) help += "; for " + with_flag_names(field.only_if);
  const std::string fallback =
      field.if_missing.empty() ? to_text(field.get(defaults)) : std::string(field.if_missing);
  return field.kind == Kind::flag ? help : help + " (default: " + fallback + ")";
}

/// The list in array order, which the command line has x first.
std::vector<LabelValue> turned(std::vector<LabelValue> list) {
  std::reverse(list.begin(), list.end());
  return list;
}

/// What a word of a flag stands for. Throws UsageError.
Value to_value(const Field& field, const std::string& flag, const std::string& word, int rank) {
  switch (field.kind) {
    case Kind::flag:
      return true;
    case Kind::flags: {
      std::vector<LabelValue> list;
      for (const bool axis : parse_axes(flag, word, rank)) list.emplace_back(std::int64_t{axis});
      return list;
    }
    case Kind::number:
    case Kind::count:
    case Kind::label:
      return std::visit([](auto number) { return Value(number); }, parse_label(flag, word));
    case Kind::numbers:
    case Kind::counts:
    case Kind::labels:
      return field.is_per_axis ? turned(parse_labels(flag, word)) : parse_labels(flag, word);
    default:
      break;
  }
  if (field.choice_of_count == nullptr) return word;
  return std::string(name_of(parse_connectivity(flag, word, rank, true)));
}

void set_field(const Field& field, const std::string& flag, const std::string& word, void* options,
               int rank) {
  try {
    field.set(field, options, to_value(field, flag, word, rank));
  } catch (const Error& error) {
    throw UsageError(flag + " " + word + ": " + error.broken_rule().rule);
  }
}

/// Whether the command line has the list of this option x first.
bool is_per_axis(std::string_view name) {
  for (const Operation* operation : operations())
    for (const Field& field : operation->fields)
      if (field.name == name) return field.is_per_axis;
  return false;
}

/// "1,2" of the list "2,1" in array order.
std::string x_first(const std::string& list) {
  std::vector<std::string> parts = CLI::detail::split(list, ',');
  std::reverse(parts.begin(), parts.end());
  return CLI::detail::join(parts, ",");
}

/// The input that the command got, for an argument that is one of several inputs; else the argument
/// itself.
std::string given_name(const std::string& argument, const CLI::App& command) {
  if (argument.empty()) return argument;
  for (const Operation* operation : operations())
    for (const Input& input : operation->inputs) {
      if (input.name == argument) return argument;
      if (input.one_of != argument && input.argument != argument) continue;
      const CLI::Option* const flag = command.get_option_no_throw(flag_of(input.name));
      if (flag != nullptr && flag->count() > 0) return std::string(input.name);
    }
  return argument;
}

}  // namespace

std::string flag_of(std::string_view name) {
  for (const auto& [argument, flag] : kOtherFlags)
    if (argument == name) return std::string(flag);
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string with_flag_names(const Error& error, const CLI::App& command) {
  const auto has = [&](const std::string& name) {
    return !name.empty() && command.get_option_no_throw(flag_of(name)) != nullptr;
  };
  const BrokenRule& broken = error.broken_rule();
  const std::size_t bracket = std::min(broken.argument.find('['), broken.argument.size());
  const std::string name = given_name(broken.argument.substr(0, bracket), command);
  if (has(name)) {
    const std::string value = is_per_axis(name) ? x_first(broken.value) : broken.value;
    return flag_of(name) + broken.argument.substr(bracket) +
           (value.empty() ? " " : " " + value + "; ") + broken.rule;
  }
  // What is about several arguments begins with the first one.
  std::string message = error.what();
  const std::size_t end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (end == std::string::npos || !has(message.substr(0, end))) return message;
  const bool has_value = message.compare(end, 3, " = ") == 0;
  return flag_of(message.substr(0, end)) + (has_value ? " " : "") +
         message.substr(has_value ? end + 3 : end);
}

OptionFlags::OptionFlags(const Operation& operation,
                         std::initializer_list<std::string_view> left_out)
    : operation_(operation) {
  for (const Field& field : operation.fields)
    if (field.set != nullptr &&
        std::find(left_out.begin(), left_out.end(), field.name) == left_out.end())
      words_[&field];
}

OptionFlags::OptionFlags(const Operation& operation, const OnlyOptions& options)
    : operation_(operation) {
  for (const std::string_view name : options.names) words_[&find_field(operation, name)];
}

void OptionFlags::add_to(CLI::App& command) {
  for (const Field& field : operation_.fields)
    if (words_.contains(&field)) add(command, field);
}

void OptionFlags::add(CLI::App& command, const Field& field) {
  const std::string help = help_of(field, operation_.defaults());
  const std::string flag =
      flag_of(field.name) + (field.alias.empty() ? "" : "," + flag_of(field.alias));
  std::string& word = words_.at(&field);
  CLI::Option* option = nullptr;
  if (field.kind == Kind::flag) {
    option = command.add_flag(
        flag, [&word](std::int64_t) { word = "true"; }, help);
  } else {
    option = command.add_option(flag, word, help)->type_name(type_name_of(field));
    option->check(check_word);
    if (!field.choices.empty() && field.choice_of_count == nullptr)
      option->check(
          CLI::IsMember(std::vector<std::string>(field.choices.begin(), field.choices.end())));
  }
  option->group(std::string(field.group));
  if (field.only_if.name.empty() || !field.only_if.values.empty()) return;
  if (CLI::Option* const other = command.get_option_no_throw(flag_of(field.only_if.name)))
    option->needs(other);
}

const std::string& OptionFlags::given_word(std::string_view name) const {
  return words_.at(&find_field(operation_, name));
}

std::string OptionFlags::word(std::string_view name) const {
  const std::string& given = given_word(name);
  const Field& field = find_field(operation_, name);
  return given.empty() ? to_text(field.get(operation_.defaults())) : given;
}

std::vector<std::string_view> OptionFlags::given() const {
  std::vector<std::string_view> names;
  for (const Field& field : operation_.fields)
    if (const auto found = words_.find(&field); found != words_.end() && !found->second.empty())
      names.push_back(field.name);
  return names;
}

/// Throws UsageError for an option that is for a choice of another one.
void OptionFlags::check_conditions(const Field& field) const {
  const auto& values = field.only_if.values;
  if (values.empty() || std::ranges::count(values, word(field.only_if.name)) > 0) return;
  const std::string& given = words_.at(&field);
  throw UsageError(flag_of(field.name) + (field.kind == Kind::flag ? "" : " " + given) +
                   ": is for " + with_flag_names(field.only_if));
}

void OptionFlags::apply(std::string_view name, void* options, int rank) const {
  const Field& field = find_field(operation_, name);
  const std::string& given = words_.at(&field);
  if (given.empty()) return;
  check_conditions(field);
  set_field(field, flag_of(name), given, options, rank);
}

void OptionFlags::set(std::string_view name, const std::string& flag, const std::string& word,
                      void* options) const {
  set_field(find_field(operation_, name), flag, word, options, 2);
}

void OptionFlags::apply(void* options, int rank) const {
  for (const auto& [field, word] : words_) apply(field->name, options, rank);
}

}  // namespace thiessen::cli

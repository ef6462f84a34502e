// SPDX-License-Identifier: Apache-2.0
#include "thiessen/describe.hpp"

#include <cmath>
#include <string_view>
#include <type_traits>

#include "api/json.hpp"
#include "operations/rows/numbers.hpp"
#include "operations/rows/operation.hpp"
#include "operations/support.hpp"

namespace thiessen {
namespace {

constexpr std::string_view kTypeRuleNames[] = {"fixed", "labels", "distance"};
constexpr std::string_view kFrontAxisNames[] = {"none", "component", "rank"};
constexpr std::string_view kSubjectNames[] = {"distance", "site", "other_label", "ties", "none"};
constexpr std::string_view kInputKindNames[] = {"raster", "points", "values", "indices"};
constexpr std::string_view kRoleNames[] = {"function", "solver", "solver_only", "solver_function"};
constexpr std::string_view kColumnsNames[] = {"one", "two", "axes", "axes_squared"};

std::string to_json(double number) {
  const std::string text = shortest_decimal(number);
  return std::isfinite(number) ? text : quoted(text);
}

std::string to_json(const LabelValue& value) {
  return std::visit(
      [](auto number) {
        if constexpr (std::is_integral_v<decltype(number)>)
          return std::to_string(number);
        else
          return to_json(number);
      },
      value);
}

std::string to_json(const Value& value) {
  return std::visit(
      [](const auto& each) -> std::string {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return "null";
        else if constexpr (std::is_same_v<T, bool>)
          return each ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::string>)
          return quoted(each);
        else if constexpr (std::is_same_v<T, std::vector<LabelValue>>)
          return '[' + json_list(each, [](const LabelValue& one) { return to_json(one); }) + ']';
        else
          return to_json(LabelValue(each));
      },
      value);
}

template <class Rows, class Describe>
std::string list_of(const Rows& rows, const Describe& describe_row) {
  return "[\n" + json_list(rows, describe_row, ",\n") + "]";
}

std::string names_of(std::span<const std::string_view> names) {
  return list_of(names, [](std::string_view name) { return quoted(name); });
}

std::string describe_input(const Input& input) {
  JsonObject json;
  json.add("name", input.name)
      .add("help", input.help)
      .add("kind", kInputKindNames[static_cast<std::size_t>(input.kind)])
      .add("required", input.is_required)
      .add_text("one_of", input.one_of);
  if (input.has_type) json.add("element", name_of(input.element));
  return json.text();
}

std::string to_json(const Condition& condition) {
  JsonObject json;
  json.add("name", condition.name);
  if (!condition.values.empty())
    json.add_json("values", names_of(condition.values))
        .add_json("words", quoted(text_of(condition, condition.name)));
  return json.text();
}

std::string describe_field(const Field& field, const void* defaults) {
  JsonObject json;
  json.add("name", field.name)
      .add("help", field.help)
      .add("kind", kKindNames[static_cast<std::size_t>(field.kind)])
      .add("group", field.group)
      .add_text("member", field.member)
      .add_text("alias", field.alias)
      .add_text("unit", field.unit)
      .add_text("form", field.form)
      .add_text("if_missing", field.if_missing);
  if (!field.choices.empty()) json.add_json("choices", names_of(field.choices));
  if (field.get != nullptr) json.add_json("default", to_json(field.get(defaults)));
  if (std::isfinite(field.range.least)) json.add_json("least", to_json(field.range.least));
  if (std::isfinite(field.range.greatest)) json.add_json("greatest", to_json(field.range.greatest));
  if (field.range.is_open) json.add("without_least", true);
  if (!field.range.takes_infinity) json.add("finite", true);
  if (field.is_optional) json.add("optional", true);
  if (field.choice_of_count != nullptr) json.add("takes_counts", true);
  if (field.is_per_axis) json.add("per_axis", true);
  if (!field.only_if.name.empty()) json.add_json("only_if", to_json(field.only_if));
  if (!field.not_with.empty()) json.add_json("not_with", names_of(field.not_with));
  return json.text();
}

std::string describe_output(const Output& output) {
  JsonObject json;
  json.add("name", output.name)
      .add("help", output.help)
      .add("subject", kSubjectNames[static_cast<std::size_t>(output.subject)])
      .add("type", kTypeRuleNames[static_cast<std::size_t>(output.type)])
      .add("axis", kFrontAxisNames[static_cast<std::size_t>(output.axis)])
      .add("default", output.is_default)
      .add("read", output.is_read);
  if (output.type == TypeRule::fixed) json.add("element", name_of(output.element));
  if (output.type != TypeRule::labels)
    json.add_json("unreached", to_json(output.unreached))
        .add_json("nodata", to_json(output.nodata));
  return json.text();
}

std::string describe_result(const Result& result) {
  JsonObject json;
  json.add("name", result.name)
      .add("help", result.help)
      .add("element", result.is_of_labels ? std::string_view("labels") : name_of(result.element))
      .add("list", result.is_list)
      .add("columns", kColumnsNames[static_cast<std::size_t>(result.columns)]);
  if (!result.choices.empty()) json.add_json("choices", names_of(result.choices));
  return json.text();
}

std::string describe_operation(const Operation* operation) {
  const void* const defaults = operation->defaults();
  return JsonObject()
      .add("name", operation->name)
      .add("help", operation->help)
      .add("role", kRoleNames[static_cast<std::size_t>(operation->role)])
      .add_json("inputs", list_of(operation->inputs, describe_input))
      .add_json("options",
                list_of(operation->fields,
                        [&](const Field& field) { return describe_field(field, defaults); }))
      .add_json("outputs", list_of(operation->outputs, describe_output))
      .add_json("results", list_of(operation->results, describe_result))
      .text();
}

std::string describe_support(const SupportRow& row) {
  JsonObject json;
  json.add("device", row.device).add("method", row.method);
  json.add_json("axes", std::to_string(row.rank)).add("metrics", row.metrics);
  return json.add_text("lacks", row.lacks).add_text("refusal", row.refusal).text();
}

}  // namespace

std::string describe() {
  return JsonObject()
             .add_json("operations", list_of(operations(), describe_operation))
             .add_json("support", list_of(support_rows(), describe_support))
             .text() +
         '\n';
}

}  // namespace thiessen

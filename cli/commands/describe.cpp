// SPDX-License-Identifier: Apache-2.0
#include "thiessen/describe.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "operations/rows/operation.hpp"
#include "talk/report.hpp"

namespace thiessen::cli {
namespace {

void print_row(std::string_view name, const std::string& text) {
  std::printf("  %-20s %s\n", std::string(name).c_str(), text.c_str());
}

std::string text_of(const Field& field, const void* defaults) {
  std::string text(field.help);
  if (!field.unit.empty()) text += ", in " + std::string(field.unit);
  for (const std::string_view choice : field.choices)
    text += (choice == field.choices.front() ? ": " : ", ") + std::string(choice);
  const std::string fallback = !field.if_missing.empty() || field.get == nullptr
                                   ? std::string(field.if_missing)
                                   : thiessen::to_text(field.get(defaults));
  return fallback.empty() ? text : text + " (default: " + fallback + ")";
}

void print(const Operation& operation) {
  std::printf("%s: %s\n", std::string(operation.name).c_str(), std::string(operation.help).c_str());
  std::puts("inputs");
  for (const Input& input : operation.inputs) print_row(input.name, std::string(input.help));
  std::puts("options");
  for (const Field& field : operation.fields)
    print_row(field.name, text_of(field, operation.defaults()));
  std::puts("outputs");
  for (const Output& output : operation.outputs) print_row(output.name, std::string(output.help));
  for (const Result& result : operation.results) print_row(result.name, std::string(result.help));
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "describe", "Inputs, options and outputs of the library's operations, for C, C++ and Python");
  command->footer("Example: thiessen describe nearest_site");
  const auto name = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("operation", *name, "One of them (default: a list of all)")
      ->type_name("NAME");
  command->add_flag("--json", *json, "Print all of them as JSON on stdout");
  command->callback([name, json, &action] {
    action = [name, json] {
      if (*json)
        std::fputs(thiessen::describe().c_str(), stdout);
      else if (!name->empty())
        print(find_operation(*name));
      else
        for (const Operation* operation : operations())
          print_row(operation->name, std::string(operation->help));
      flush_stdout();
    };
  });
}

}  // namespace thiessen::cli

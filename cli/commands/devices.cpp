// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

nlohmann::ordered_json json_of(const MethodInfo& method) {
  nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
  for (const Metric metric : method.approximate_metrics) metrics.push_back(name_of(metric));
  return {
      {"name", name_of(method.method)}, {"exact", method.exact}, {"approximate_metrics", metrics}};
}

std::string exactness(const MethodInfo& method) {
  if (!method.exact) return "approximate";
  std::string text = "exact";
  for (const Metric metric : method.approximate_metrics)
    text += ", approximate by " + std::string(name_of(metric)) + " distance";
  return text;
}

void print_json(const std::vector<DeviceInfo>& all) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : all) {
    nlohmann::ordered_json item{{"name", device.name},
                                {"description", device.description},
                                {"available", device.available}};
    if (!device.available) item["reason"] = device.reason;
    item["methods"] = nlohmann::ordered_json::array();
    for (const MethodInfo& method : device.methods) item["methods"].push_back(json_of(method));
    item["cost_methods"] = nlohmann::ordered_json::array();
    for (const CostMethod method : device.cost_methods)
      item["cost_methods"].push_back(name_of(method));
    json.push_back(item);
  }
  print_to_stdout(json);
}

void print_text(const std::vector<DeviceInfo>& all) {
  for (const DeviceInfo& device : all) {
    std::printf("%-8s %s\n", device.name.c_str(),
                device.available ? device.description.c_str()
                                 : ("not available: " + device.reason).c_str());
    for (const MethodInfo& method : device.methods)
      std::printf("         %-14s %s\n", std::string(name_of(method.method)).c_str(),
                  exactness(method).c_str());
    for (const CostMethod method : device.cost_methods)
      std::printf("         %-14s %s\n", std::string(name_of(method)).c_str(),
                  "cost distance, exact");
  }
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("devices", "What this build and this machine can do, and why not");
  command->footer("Example: thiessen devices --json");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print the list as JSON on stdout");
  command->callback([json, &action] {
    action = [json] {
      const std::vector<DeviceInfo> all = devices();
      *json ? print_json(all) : print_text(all);
      flush_stdout();
    };
  });
}

}  // namespace thiessen::cli

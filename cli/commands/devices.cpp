// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "operations/support.hpp"
#include "talk/report.hpp"
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

/// The rows of what a method takes on this kind of device.
std::vector<SupportRow> support_of(const DeviceInfo& device, const std::string& method) {
  const std::string_view kind = std::string_view(device.name).substr(0, device.name.find(':'));
  std::vector<SupportRow> rows;
  for (const SupportRow& row : support_rows())
    if (row.device == kind && row.method == method && row.refusal.empty()) rows.push_back(row);
  return rows;
}

/// "2-D: euclidean, manhattan; 3-D: euclidean".
std::string metrics_of(const DeviceInfo& device, const std::string& method) {
  const std::vector<SupportRow> rows = support_of(device, method);
  std::string text;
  for (const int rank : {2, 3}) {
    std::string names;
    for (const SupportRow& row : rows)
      if (row.rank == rank) names += (names.empty() ? "" : ",") + std::string(row.metrics);
    if (!names.empty()) text += (text.empty() ? "" : "; ") + std::to_string(rank) + "-D: " + names;
  }
  return text;
}

nlohmann::ordered_json json_of_support(const DeviceInfo& device, const std::string& method) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SupportRow& row : support_of(device, method))
    rows.push_back({{"axes", row.rank}, {"metrics", row.metrics}, {"lacks", row.lacks}});
  return rows;
}

void print_json(const std::vector<DeviceInfo>& all) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : all) {
    nlohmann::ordered_json item{{"name", device.name},
                                {"description", device.description},
                                {"available", device.available}};
    if (!device.available) item["reason"] = device.reason;
    item["methods"] = nlohmann::ordered_json::array();
    for (const MethodInfo& method : device.methods) {
      item["methods"].push_back(json_of(method));
      item["methods"].back()["support"] =
          json_of_support(device, std::string(name_of(method.method)));
    }
    item["cost_methods"] = nlohmann::ordered_json::array();
    for (const CostMethod method : device.cost_methods)
      item["cost_methods"].push_back(name_of(method));
    json.push_back(item);
  }
  print_to_stdout(json);
}

void print_method(const DeviceInfo& device, const std::string& name, const std::string& prefix,
                  const std::string& what) {
  const std::string metrics = metrics_of(device, prefix + name);
  std::printf("         %-16s %s%s\n", name.c_str(), what.c_str(),
              metrics.empty() ? "" : ("; " + metrics).c_str());
}

void print_text(const std::vector<DeviceInfo>& all) {
  for (const DeviceInfo& device : all) {
    std::printf("%-8s %s\n", device.name.c_str(),
                device.available ? device.description.c_str()
                                 : ("not available: " + device.reason).c_str());
    for (const MethodInfo& method : device.methods)
      print_method(device, std::string(name_of(method.method)), "", exactness(method));
    for (const CostMethod method : device.cost_methods)
      print_method(device, std::string(name_of(method)), "cost:", "cost distance, exact");
  }
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "devices", "Devices and methods of this build on this machine, and why others are missing");
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

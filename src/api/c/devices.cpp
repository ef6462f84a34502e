// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/json.hpp"
#include "threads/own_object.hpp"

namespace {

using thiessen::json_list;
using thiessen::JsonObject;
using thiessen::c::at_boundary;
using thiessen::c::required;

std::string to_json(const thiessen::MethodInfo& method) {
  const auto& metrics = method.approximate_metrics;
  return JsonObject()
      .add("name", name_of(method.method))
      .add("exact", method.exact)
      .add_json("approximate_metrics", '[' +
                                           json_list(metrics,
                                                     [](thiessen::Metric metric) {
                                                       return thiessen::quoted(name_of(metric));
                                                     }) +
                                           ']')
      .text();
}

std::string to_json(const thiessen::DeviceInfo& device) {
  const auto describe_method = [](const thiessen::MethodInfo& method) { return to_json(method); };
  const auto describe_cost_method = [](thiessen::CostMethod method) {
    return thiessen::quoted(name_of(method));
  };
  return JsonObject()
      .add("name", device.name)
      .add("description", device.description)
      .add("available", device.available)
      .add("reason", device.reason)
      .add_json("methods", '[' + json_list(device.methods, describe_method) + ']')
      .add_json("cost_methods", '[' + json_list(device.cost_methods, describe_cost_method) + ']')
      .text();
}

struct OwnText {
  std::string text;
};

}  // namespace

thiessen_status thiessen_devices_json(const char** json) {
  return at_boundary([&] {
    std::string& text = thiessen::own_object<OwnText>().text;
    required("json", json) = nullptr;
    const auto describe_device = [](const thiessen::DeviceInfo& device) { return to_json(device); };
    text = '[' + json_list(thiessen::devices(), describe_device) + ']';
    *json = text.c_str();
  });
}

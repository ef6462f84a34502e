// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "threads/own_object.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::required;

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      json += "\\u00";
      json += kDigits[byte >> 4];
      json += kDigits[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

std::string boolean(bool value) { return value ? "true" : "false"; }

std::string to_json(const thiessen::MethodInfo& method) {
  std::string metrics;
  for (const thiessen::Metric metric : method.approximate_metrics)
    metrics += (metrics.empty() ? "" : ", ") + quoted(name_of(metric));
  return "{\"name\": " + quoted(name_of(method.method)) + ", \"exact\": " + boolean(method.exact) +
         ", \"approximate_metrics\": [" + metrics + "]}";
}

std::string to_json(const thiessen::DeviceInfo& device) {
  std::string methods;
  for (const thiessen::MethodInfo& method : device.methods)
    methods += (methods.empty() ? "" : ", ") + to_json(method);
  std::string cost_methods;
  for (const thiessen::CostMethod method : device.cost_methods)
    cost_methods += (cost_methods.empty() ? "" : ", ") + quoted(name_of(method));
  return "{\"name\": " + quoted(device.name) + ", \"description\": " + quoted(device.description) +
         ", \"available\": " + boolean(device.available) +
         ", \"reason\": " + quoted(device.reason) + ", \"methods\": [" + methods +
         "], \"cost_methods\": [" + cost_methods + "]}";
}

std::string to_json(const std::vector<thiessen::DeviceInfo>& devices) {
  std::string json;
  for (const thiessen::DeviceInfo& device : devices)
    json += (json.empty() ? "" : ", ") + to_json(device);
  return "[" + json + "]";
}

struct OwnText {
  std::string text;
};

}  // namespace

thiessen_status thiessen_devices_json(const char** json) {
  return at_boundary([&] {
    std::string& text = thiessen::own_object<OwnText>().text;
    required("json", json) = nullptr;
    text = to_json(thiessen::devices());
    *json = text.c_str();
  });
}

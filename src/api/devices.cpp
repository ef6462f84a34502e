// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <algorithm>

#include "backend/backend.hpp"

namespace thiessen {
namespace {

MethodInfo info_of(const Method& method) {
  return {std::string(method.name), method.exact, find_flooding_method(method.name) != nullptr};
}

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  for (const Backend* backend : backends()) {
    for (DeviceInfo& device : backend->devices()) {
      for (const Method& method : backend->methods()) device.methods.push_back(info_of(method));
      for (const CostMethod& method : backend->cost_methods())
        device.cost_methods.emplace_back(method.name);
      all.push_back(std::move(device));
    }
  }
  return all;
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> all;
  for (const Backend* backend : backends())
    for (const Method& method : backend->methods())
      if (std::none_of(all.begin(), all.end(),
                       [&](const MethodInfo& known) { return known.name == method.name; }))
        all.push_back(info_of(method));
  return all;
}

}  // namespace thiessen

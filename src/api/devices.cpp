// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include "backend/backend.hpp"

namespace thiessen {

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  for (const Backend* backend : backends()) {
    for (DeviceInfo& device : backend->devices()) {
      for (const Method& method : backend->methods())
        device.methods.push_back(
            {std::string(method.name), method.exact, find_flooding_method(method.name) != nullptr});
      for (const CostMethod& method : backend->cost_methods())
        device.cost_methods.emplace_back(method.name);
      all.push_back(std::move(device));
    }
  }
  return all;
}

}  // namespace thiessen

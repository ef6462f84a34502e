// SPDX-License-Identifier: Apache-2.0
#include "thiessen/devices.hpp"

#include <algorithm>

#include "backend/backend.hpp"
#include "threads/stack.hpp"

namespace thiessen {
namespace {

MethodInfo info_of(Method method) {
  MethodInfo info{.method = method, .flooding = find_flooding_method(method) != nullptr};
  for (const std::string_view name : kMetricNames) {
    const Metric metric = *find_metric(name);
    if (is_exact(method, metric))
      info.exact = true;
    else
      info.approximate_metrics.push_back(metric);
  }
  if (!info.exact) info.approximate_metrics.clear();
  return info;
}

DeviceInfo with_methods(DeviceInfo device, const Backend& backend) {
  for (const MethodEntry& entry : backend.methods())
    device.methods.push_back(info_of(entry.method));
  for (const CostMethodEntry& entry : backend.cost_methods())
    device.cost_methods.push_back(entry.method);
  return device;
}

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  with_stack([&] {  // drivers need it when they start
    for (const Backend* backend : backends())
      for (const DeviceInfo& device : backend->devices())
        all.push_back(with_methods(device, *backend));
  });
  return all;
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> all;
  for (const Backend* backend : backends())
    for (const MethodEntry& entry : backend->methods())
      if (std::none_of(all.begin(), all.end(),
                       [&](const MethodInfo& known) { return known.method == entry.method; }))
        all.push_back(info_of(entry.method));
  return all;
}

}  // namespace thiessen

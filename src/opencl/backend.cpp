// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.hpp"

#include <algorithm>
#include <charconv>

#include "opencl/cost/relaxation.hpp"
#include "opencl/device/device.hpp"
#include "opencl/device/session.hpp"
#include "opencl/exact.hpp"
#include "opencl/flood/jump_flood.hpp"
#include "opencl/raster/brute_force.hpp"
#include "opencl/raster/expansion.hpp"
#include "opencl/raster/raster_gpu.hpp"
#include "thiessen/error.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

using opencl::Device;
using opencl::Found;

constexpr MethodEntry kExactMethods[] = {
    {Method::exact, opencl::supports_exact, opencl::run_exact},
    {Method::brute_force, opencl::supports_brute_force, opencl::run_brute_force},
    {Method::raster_gpu, opencl::supports_raster_gpu, opencl::run_raster_gpu},
    {Method::expansion, opencl::supports_expansion, opencl::run_expansion},
};
constexpr auto kMethods = with_flooding(
    kExactMethods, {Method::jfa, opencl::supports_jump_flood, opencl::run_jump_flood});

constexpr CostMethodEntry kCostMethods[] = {
    {CostMethod::relaxation, opencl::supports_cost_relaxation, opencl::run_cost_relaxation},
};

/// The reason why no device can be used at all.
std::string reason_of(const Found& found) {
  std::string reason = found.reason;
  for (const auto& [platform, why] : found.failures)
    reason += (reason.empty() ? "" : "; ") + platform + ": " + why;
  for (const auto& device : found.devices)
    reason += (reason.empty() ? "" : "; ") + device->name() + ": " + device->reason();
  return reason;
}

/// Chooses a device: "opencl" is the first one that can be used, "opencl:1" that one.
Device& choose(Found& found, const std::string& name) {
  const auto usable = std::find_if(found.devices.begin(), found.devices.end(),
                                   [](const auto& device) { return device->reason().empty(); });
  if (found.devices.empty() || (name == "opencl" && usable == found.devices.end()))
    throw Error(ErrorCode::unsupported, {"device", name, reason_of(found)});
  if (name == "opencl") return **usable;
  std::size_t number = 0;
  constexpr std::size_t kPrefix = 7;  // "opencl:"
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + kPrefix, end, number);
  const std::size_t count = found.devices.size();
  if (error != std::errc() || last != end || number >= count)
    throw Error(ErrorCode::invalid_argument,
                {"device", name,
                 "the opencl backend has opencl:0" +
                     (count > 1 ? " to opencl:" + std::to_string(count - 1) : std::string())});
  Device& device = *found.devices[number];
  if (!device.reason().empty())
    throw Error(ErrorCode::unsupported, {"device", name, device.reason()});
  return device;
}

class OpenclBackend : public Backend {
 public:
  std::string_view name() const override { return "opencl"; }

  std::vector<DeviceInfo> devices() const override {
    const Found& found = opencl::find_devices();
    std::vector<DeviceInfo> all;
    for (const auto& device : found.devices)
      all.push_back(
          {device->name(), device->description(), device->reason().empty(), device->reason(), {}});
    for (const auto& [platform, why] : found.failures)
      all.push_back({"opencl", platform, false, platform + ": " + why, {}});
    if (!found.reason.empty()) all.push_back({"opencl", "", false, found.reason, {}});
    return all;
  }

  std::span<const MethodEntry> methods() const override { return kMethods; }
  std::span<const CostMethodEntry> cost_methods() const override { return kCostMethods; }

  void open(ContextState& state, const ContextOptions& options) const override {
    Device& device = choose(opencl::find_devices(), options.device);
    if (options.stream != nullptr)
      throw Error(ErrorCode::invalid_argument,
                  {"stream", {}, "is given; the opencl backend has queues of its own only"});
    state.device = device.name();
    open_threads(state, options.threads);
    state.session = std::make_unique<opencl::OpenclSession>(device);
  }
};

}  // namespace

const Backend& opencl_backend() {
  static const OpenclBackend backend;
  return backend;
}

}  // namespace thiessen

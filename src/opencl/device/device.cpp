// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "opencl/device/check.hpp"
#include "opencl/device/programs.hpp"

namespace thiessen::opencl {
namespace {

/// A name without the blanks and marks that drivers add.
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// Whether a list of words, separated by blanks, has this one.
bool has_word(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

/// 30 for "OpenCL 3.0 …"; 0 for text of another form.
int version_of(const std::string& text) {
  int major = 0;
  int minor = 0;
  return std::sscanf(text.c_str(), "OpenCL %d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

Capabilities capabilities_of(const cl::Device& device) {
  const std::string extensions = trimmed(device.getInfo<CL_DEVICE_EXTENSIONS>());
  const bool full = trimmed(device.getInfo<CL_DEVICE_PROFILE>()) == "FULL_PROFILE";
  Capabilities found;
  found.int64 = full || has_word(extensions, "cles_khr_int64");
  found.fp64 = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  found.subnormal_fp32 = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_DENORM) != 0;
  found.rounded_fp32 =
      (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  found.atomics64 = has_word(extensions, "cl_khr_int64_base_atomics") &&
                    has_word(extensions, "cl_khr_int64_extended_atomics");
  cl_bool host_memory = CL_FALSE;  // deprecated, but nothing else tells it
  device.getInfo(CL_DEVICE_HOST_UNIFIED_MEMORY, &host_memory);
  found.host_memory = host_memory != CL_FALSE;
  found.memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  found.largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  found.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  found.int32_lanes = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_INT>();
  found.int64_lanes = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG>();
  return found;
}

std::string reason_against(const cl::Device& device) {
  constexpr int kOldest = 20;
  const std::string version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  if (version_of(version) < kOldest) return version + "; at least OpenCL 2.0 is needed";
  if (!device.getInfo<CL_DEVICE_AVAILABLE>()) return "its driver says that it is not available";
  if (!device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>()) return "its driver has no compiler";
  return {};
}

struct Candidate {  // NOLINT(bugprone-exception-escape): the bindings promise too much
  cl::Device device;
  bool is_cpu = false;
  std::string platform;
};

void add_platform(const cl::Platform& platform, std::vector<Candidate>& candidates, Found& found) {
  std::string name = "a platform without a name";
  try {
    name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    if (devices.empty()) found.failures.push_back({name, "it has no device"});
    for (const cl::Device& device : devices)
      candidates.push_back(
          {device, (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0, name});
  } catch (const cl::Error& error) {
    found.failures.push_back(
        {name, error.err() == CL_DEVICE_NOT_FOUND ? "it has no device" : to_text(error)});
  }
}

Found look_for_devices() {
  Found found;
  found.reason = load("libOpenCL.so.1");
  if (!found.reason.empty()) return found;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    constexpr cl_int kNoPlatform = -1001;
    if (error.err() != kNoPlatform) found.reason = to_text(error);
  }
  if (platforms.empty() && found.reason.empty()) found.reason = "no OpenCL driver is installed";
  std::vector<Candidate> candidates;
  for (const cl::Platform& platform : platforms) add_platform(platform, candidates, found);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return std::pair(a.is_cpu, a.platform) < std::pair(b.is_cpu, b.platform);
                   });
  for (std::size_t i = 0; i < candidates.size(); ++i)
    found.devices.push_back(
        std::make_unique<Device>("opencl:" + std::to_string(i), candidates[i].device));
  return found;
}

}  // namespace

std::string to_text(const Capabilities& capabilities) {
  std::string text;
  const auto add = [&](bool has, const char* name) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(capabilities.int64, "64-bit integers");
  add(capabilities.atomics64, "64-bit atomics");
  add(capabilities.fp64, "fp64");
  add(capabilities.rounded_fp32, "rounded fp32");
  add(capabilities.host_memory, "memory of the host");
  return text;
}

Device::Device(std::string name, cl::Device device)
    : name_(std::move(name)), device_(std::move(device)) {
  try {
    inquire();
  } catch (const cl::Error& error) {
    reason_ = to_text(error);
  }
}

void Device::inquire() {
  const std::string own = trimmed(device_.getInfo<CL_DEVICE_NAME>());
  const cl::Platform platform(device_.getInfo<CL_DEVICE_PLATFORM>());
  reason_ = reason_against(device_);
  capabilities_ = capabilities_of(device_);
  description_ = own + ", " + std::to_string(capabilities_.memory >> 20) + " MiB, " +
                 trimmed(platform.getInfo<CL_PLATFORM_NAME>()) + ", " +
                 trimmed(device_.getInfo<CL_DEVICE_VERSION>()) + " (" + to_text(capabilities_) +
                 ")";
}

const cl::Context& Device::context() {
  const std::scoped_lock lock(mutex_);
  if (context_() == nullptr) context_ = checked("context", [this] { return cl::Context(device_); });
  return context_;
}

cl::Program Device::program(const std::string& name, const std::string& options) {
  const cl::Context& context = this->context();
  const std::scoped_lock lock(mutex_);
  const auto key = std::pair(name, options);
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  cl::Program program = build_program(context, device_, name, source_of(name), options);
  programs_.emplace(key, program);
  return program;
}

bool Device::has_program(const std::string& name, const std::string& options) {
  const std::scoped_lock lock(mutex_);
  return programs_.contains({name, options});
}

Found& find_devices() {
  // Never destroyed: at the end of a process drivers may go before us.
  static const pid_t process = getpid();
  static Found& found = *new Found(look_for_devices());
  static Found& none = *[] {
    auto* const forked = new Found;
    forked->reason = "OpenCL was in use in the process that this one was forked from";
    return forked;
  }();
  return getpid() == process ? found : none;
}

}  // namespace thiessen::opencl

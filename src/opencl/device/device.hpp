// SPDX-License-Identifier: Apache-2.0
//
// The devices of all platforms, and what the process keeps of each.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opencl/device/cl.hpp"

namespace thiessen::opencl {

/// What methods may need of a device; for supports().
struct Capabilities {
  bool int64 = false;  ///< 64-bit integers
  bool fp64 = false;   ///< doubles; their division and square root are then correctly rounded
  bool rounded_fp32 = false;         ///< division and square root of floats are correctly rounded
  bool subnormal_fp32 = false;       ///< floats below the normal range are kept
  bool atomics64 = false;            ///< atomic minimum and exchange of 64-bit integers
  bool host_memory = false;          ///< the device uses memory of the host
  std::uint64_t memory = 0;          ///< bytes
  std::uint64_t largest_buffer = 0;  ///< bytes of one allocation
  std::uint64_t local_memory = 0;    ///< bytes that a work group shares
  unsigned int32_lanes = 1;          ///< lanes of the device's vectors
  unsigned int64_lanes = 1;
};

/// A text for users: "fp64, 64-bit atomics".
std::string to_text(const Capabilities& capabilities);

/// One device of a platform.
class Device {
 public:
  Device(std::string name, cl::Device device);

  const std::string& name() const { return name_; }  ///< "opencl:0"
  const std::string& description() const { return description_; }
  /// The reason why it cannot be used; empty if it can.
  const std::string& reason() const { return reason_; }
  const Capabilities& capabilities() const { return capabilities_; }
  const cl::Device& handle() const { return device_; }

  /// Made at the first call; all sessions share it. Throws Error{device_failed}.
  const cl::Context& context();
  /// A program of the table (programs.hpp), built at the first call. Throws Error{device_failed}
  /// with the compiler's message.
  cl::Program program(const std::string& name, const std::string& options);
  /// Whether program() has built it already.
  bool has_program(const std::string& name, const std::string& options);

 private:
  void inquire();

  std::string name_;
  std::string description_;
  std::string reason_;
  Capabilities capabilities_;
  cl::Device device_;
  std::mutex mutex_;  ///< for the members below
  cl::Context context_;
  std::map<std::pair<std::string, std::string>, cl::Program> programs_;  ///< by name and options
};

/// The devices of this machine.
struct Found {
  std::vector<std::unique_ptr<Device>> devices;
  /// A platform that fails, or has no devices: its name, and why.
  struct Failure {
    std::string platform;
    std::string reason;
  };
  std::vector<Failure> failures;
  std::string reason;  ///< why there is no platform at all; else empty
};

/// Looks for devices at the first call. Their order is fixed: those that are not CPUs first, then
/// by the name of the platform, then in the platform's order. After a fork there are none, since
/// the threads of the drivers are missing.
Found& find_devices();

}  // namespace thiessen::opencl

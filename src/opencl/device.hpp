// SPDX-License-Identifier: Apache-2.0
//
// The devices of all platforms, and what is kept of each for as long as the process runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opencl/cl.hpp"

namespace thiessen::opencl {

/// What methods may ask of a device in supports().
struct Capabilities {
  bool int64 = false;  ///< 64-bit integers
  bool fp64 = false;   ///< doubles; their division and square root are then correctly rounded
  bool rounded_fp32 = false;         ///< division and square root of floats are correctly rounded
  bool subnormal_fp32 = false;       ///< floats below the normal range are kept
  bool atomics64 = false;            ///< atomic minimum and exchange of 64-bit integers
  bool host_memory = false;          ///< the device works in memory of the host
  std::uint64_t memory = 0;          ///< bytes
  std::uint64_t largest_buffer = 0;  ///< bytes of one allocation
  std::uint64_t local_memory = 0;    ///< bytes that a work group shares
  unsigned int32_lanes = 1;          ///< of the vectors that the device computes with
  unsigned int64_lanes = 1;
};

/// For people: "fp64, 64-bit atomics".
std::string to_text(const Capabilities& capabilities);

/// One device of a platform.
class Device {
 public:
  Device(std::string name, cl::Device device);

  const std::string& name() const { return name_; }  ///< "opencl:0"
  const std::string& description() const { return description_; }
  /// Why it cannot be used; empty: it can.
  const std::string& reason() const { return reason_; }
  const Capabilities& capabilities() const { return capabilities_; }
  const cl::Device& handle() const { return device_; }

  /// Made when it is first asked for; all sessions share it. Throws Error{device_failed}.
  const cl::Context& context();
  /// A program of the table (programs.hpp), built when it is first asked for. Throws
  /// Error{device_failed} with the compiler's words.
  cl::Program program(const std::string& name, const std::string& options);
  /// Whether program() need not build it.
  bool has_program(const std::string& name, const std::string& options);

 private:
  void inquire();

  std::string name_;
  std::string description_;
  std::string reason_;
  Capabilities capabilities_;
  cl::Device device_;
  std::mutex mutex_;  ///< of what follows
  cl::Context context_;
  std::map<std::pair<std::string, std::string>, cl::Program> programs_;  ///< by name and options
};

/// What this machine has.
struct Found {
  std::vector<std::unique_ptr<Device>> devices;
  /// A platform that fails, or has no devices: its name, and why.
  struct Failure {
    std::string platform;
    std::string reason;
  };
  std::vector<Failure> failures;
  std::string reason;  ///< why there is no platform at all, if so
};

/// Looks for devices when it is first called. Their order is fixed: those that are no CPU first,
/// then by the name of the platform, then as the platform has them. After a fork, where the threads
/// of the drivers are missing, there are none.
Found& find_devices();

}  // namespace thiessen::opencl

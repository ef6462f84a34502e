// SPDX-License-Identifier: Apache-2.0
//
// What a Context on an OpenCL device keeps from call to call.
#pragma once

#include <cstdint>
#include <string>

#include "core/context_state.hpp"
#include "opencl/check.hpp"
#include "opencl/device.hpp"
#include "opencl/memory.hpp"
#include "opencl/programs.hpp"

namespace thiessen::opencl {

class OpenclSession : public Session {
 public:
  /// Throws Error{device_failed} if the device cannot be used.
  explicit OpenclSession(Device& device);
  ~OpenclSession() override;
  OpenclSession(const OpenclSession&) = delete;
  OpenclSession& operator=(const OpenclSession&) = delete;

  Device& device() const { return device_; }
  /// In order, with the times of what ran on it.
  const cl::CommandQueue& queue() const { return queue_; }

  void synchronize() override;
  std::size_t scratch_bytes() const noexcept override { return memory.bytes(); }
  void release_scratch() noexcept override { memory.release(); }

  DeviceMemory memory;

 private:
  Device& device_;
  cl::CommandQueue queue_;
};

inline OpenclSession& session_of(const ContextState& state) {
  return static_cast<OpenclSession&>(*state.session);
}

/// A kernel of a program of the table; building it, if that is due, is the phase "compile".
cl::Kernel find_kernel(ContextState& state, const char* program, const Definitions& definitions,
                       const char* kernel);

/// Items of a work group: the multiple that the device prefers, as far as it takes `most`.
std::size_t group_size(const OpenclSession& session, const cl::Kernel& kernel, std::size_t most);

/// Launches a kernel whose work items take `count` pieces of work in turns: no more items than the
/// device's compute units take at a time, in whole groups. `launch` is its event.
void launch_in_turns(const OpenclSession& session, const cl::Kernel& kernel, std::int64_t count,
                     std::size_t group, cl::Event& launch);

/// Sets all arguments of a kernel, in order.
template <class... Arguments>
void set_arguments(cl::Kernel& kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (kernel.setArg(index++, arguments), ...);
}

/// Waits until the queue is empty when it goes: commands may still use memory of the host that an
/// exception gives back.
class Drain {
 public:
  explicit Drain(const OpenclSession& session) : session_(session) {}
  ~Drain();
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

 private:
  const OpenclSession& session_;
};

}  // namespace thiessen::opencl

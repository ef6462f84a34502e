// SPDX-License-Identifier: Apache-2.0
//
// What a Context on an OpenCL device keeps from call to call.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/context_state.hpp"
#include "opencl/device/check.hpp"
#include "opencl/device/device.hpp"
#include "opencl/device/memory.hpp"
#include "opencl/device/programs.hpp"

namespace thiessen::opencl {

class OpenclSession : public Session {
 public:
  /// Throws Error{device_failed} if the device cannot be used.
  explicit OpenclSession(Device& device);
  ~OpenclSession() override;
  OpenclSession(const OpenclSession&) = delete;
  OpenclSession& operator=(const OpenclSession&) = delete;

  Device& device() const { return device_; }
  /// It runs in order, and measures times.
  const cl::CommandQueue& queue() const { return queue_; }

  void synchronize() override;
  std::size_t scratch_bytes() const noexcept override { return memory.bytes() + pinned.bytes(); }
  void release_scratch() noexcept override {
    memory.release();
    pinned.release();
  }

 private:
  Device& device_;
  cl::CommandQueue queue_;

 public:
  DeviceMemory memory;
  PinnedMemory pinned;
};

inline OpenclSession& session_of(const ContextState& state) {
  return static_cast<OpenclSession&>(*state.session);
}

/// A kernel of a program of the table. If the program must be built, that is the phase "compile".
cl::Kernel find_kernel(ContextState& state, const char* program, const Definitions& definitions,
                       const char* kernel);

/// The items of a work group: a multiple of the size that the device prefers, and at most `most`.
std::size_t group_size(const OpenclSession& session, const cl::Kernel& kernel, std::size_t most);

/// Launches a kernel whose work items take `count` pieces of work in turns: at most as many items
/// as the device's compute units take at a time, in whole groups. `launch` is its event.
void launch_grid_stride(const OpenclSession& session, const cl::Kernel& kernel, std::int64_t count,
                        std::size_t group, cl::Event& launch);

/// Sets all arguments of a kernel, in order.
template <class... Arguments>
void set_arguments(cl::Kernel& kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (kernel.setArg(index++, arguments), ...);
}

/// Its destructor waits until the queue is empty: commands may still use memory of the host that an
/// exception releases.
class QueueGuard {
 public:
  explicit QueueGuard(const OpenclSession& session) : session_(session) {}
  ~QueueGuard();
  QueueGuard(const QueueGuard&) = delete;
  QueueGuard& operator=(const QueueGuard&) = delete;

 private:
  const OpenclSession& session_;
};

}  // namespace thiessen::opencl

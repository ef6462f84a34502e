// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/session.hpp"

#include <algorithm>
#include <optional>

namespace thiessen::opencl {

OpenclSession::OpenclSession(Device& device)
    : device_(device), memory(device), pinned(device, queue_) {
  queue_ = checked("queue", [&] {
    return cl::CommandQueue(device.context(), device.handle(), cl::QueueProperties::Profiling);
  });
}

OpenclSession::~OpenclSession() { const QueueGuard guard(*this); }

void OpenclSession::synchronize() {
  checked("wait for the queue", [this] { return queue_.finish(); });
}

cl::Kernel find_kernel(ContextState& state, const char* program, const Definitions& definitions,
                       const char* kernel) {
  Device& device = session_of(state).device();
  const std::string options = to_options(definitions);
  std::optional<PhaseTimer> phase;
  if (!device.has_program(program, options)) phase.emplace(state, "compile");
  const cl::Program found = device.program(program, options);
  return checked(kernel, [&] { return cl::Kernel(found, kernel); });
}

std::size_t group_size(const OpenclSession& session, const cl::Kernel& kernel, std::size_t most) {
  return checked("size of a work group", [&] {
    const cl::Device& device = session.device().handle();
    const auto largest = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    const auto multiple =
        kernel.getWorkGroupInfo<CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE>(device);
    const std::size_t bound = std::min<std::size_t>(largest, most);
    return bound < multiple ? bound : bound / multiple * multiple;
  });
}

void launch_grid_stride(const OpenclSession& session, const cl::Kernel& kernel, std::int64_t count,
                        std::size_t group, cl::Event& launch) {
  constexpr std::size_t kGroupsPerUnit = 8;
  const std::size_t units = session.device().handle().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const std::size_t needed = (static_cast<std::size_t>(count) + group - 1) / group;
  const std::size_t groups = std::min(needed, units * kGroupsPerUnit);
  session.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * group),
                                       cl::NDRange(group), nullptr, &launch);
}

QueueGuard::~QueueGuard() {
  try {
    session_.queue().finish();
  } catch (const cl::Error&) {  // whoever waits for results gets the error
  }
}

}  // namespace thiessen::opencl

// SPDX-License-Identifier: Apache-2.0
//
// What a Context on a CUDA device keeps from call to call.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "core/base/context_state.hpp"
#include "cuda/device/check.hpp"
#include "cuda/device/faults.hpp"
#include "cuda/device/stage_times.hpp"
#include "cuda/device/staging.hpp"

namespace thiessen::cuda {
inline namespace device {

class CudaSession : public Session {
 public:
  /// Uses the caller's stream or, if it is null, a stream of its own. Throws Error if the device
  /// cannot be used.
  CudaSession(int device, const ContextOptions& options);
  ~CudaSession() override;
  CudaSession(const CudaSession&) = delete;
  CudaSession& operator=(const CudaSession&) = delete;

  /// Makes this device current for the calling thread until the end of the scope.
  class DeviceGuard {
   public:
    explicit DeviceGuard(const CudaSession& session);
    ~DeviceGuard();
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

   private:
    int former_ = 0;
  };

  int device() const { return device_; }
  cudaStream_t stream() const { return stream_; }
  /// The number of multiprocessors of the device.
  int processors() const { return processors_; }
  /// Whether a kernel can start before the one before it is done.
  bool overlaps_kernels() const { return overlaps_kernels_; }
  /// Waits for the stream, but ignores faults.
  void wait() const { check(cudaStreamSynchronize(stream_), "wait for the stream"); }
  /// Whether work on the stream is recorded into a graph instead of being done.
  bool is_capturing() const;
  /// Where to note what comes next on the stream, or null if nobody asks for it.
  StageTimes* stage_times() const { return stage_times_.get(); }
  /// The word in which kernels report faults.
  Fault* fault() const { return fault_; }
  Staging& staging() { return staging_; }

  bool reaches(MemorySpace) const override { return true; }
  void check_address(const char* name, const void* address) const override;
  bool makes_labels() const override { return true; }
  bool marks_outside() const override { return true; }
  void synchronize() override;
  std::size_t scratch_bytes() const noexcept override { return scratch.bytes(); }
  void release_scratch() noexcept final;

  Scratch scratch;  ///< on the device

 private:
  std::byte* allocate(std::size_t count, const char* purpose) const;
  void free_all() noexcept;

  int device_;
  int processors_ = 0;
  bool overlaps_kernels_ = false;
  bool owns_stream_;
  cudaStream_t stream_;
  Fault* fault_ = nullptr;       ///< on the device
  Fault* fault_copy_ = nullptr;  ///< pinned
  Staging staging_;
  std::unique_ptr<StageTimes> stage_times_;
};

inline CudaSession& session_of(ContextState& state) {
  return static_cast<CudaSession&>(*state.session);
}

}  // namespace device
}  // namespace thiessen::cuda

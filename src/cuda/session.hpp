// SPDX-License-Identifier: Apache-2.0
//
// What a Context on a CUDA device keeps from call to call.
#pragma once

#include <cuda_runtime_api.h>

#include "core/context_state.hpp"
#include "cuda/check.hpp"

namespace thiessen::cuda {

class CudaSession : public Session {
 public:
  /// Throws Error if the device cannot be used.
  explicit CudaSession(int device);
  ~CudaSession() override;
  CudaSession(const CudaSession&) = delete;
  CudaSession& operator=(const CudaSession&) = delete;

  /// Makes the device that of the calling thread until the end of the scope.
  class Current {
   public:
    explicit Current(const CudaSession& session);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    int former_ = 0;
  };

  cudaStream_t stream() const { return stream_; }
  /// Multiprocessors of the device.
  int processors() const { return processors_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "wait for the stream"); }

  std::size_t scratch_bytes() const noexcept override { return scratch.bytes(); }
  void release_scratch() noexcept final;

  Scratch scratch{{allocate_device_bytes, free_device_bytes}};  ///< on the device

 private:
  int device_;
  int processors_ = 0;
  cudaStream_t stream_ = nullptr;
};

inline CudaSession& session_of(ContextState& state) {
  return static_cast<CudaSession&>(*state.session);
}

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
//
// Between arrays of the host, with any strides, and device memory, where they have no gaps.
#pragma once

#include <vector>

#include "core/scratch.hpp"
#include "cuda/job.hpp"
#include "cuda/session.hpp"

namespace thiessen::cuda {

/// Inputs to and outputs from one call.
class Transfer {
 public:
  explicit Transfer(ContextState& state)
      : session_(session_of(state)), host_(state.scratch), device_(session_.scratch) {}

  /// A copy on the device, which holds from now on in the order of the stream.
  Cells<const std::byte> upload(const View<const void>& view);

  template <class T>
  const T* upload(const T* elements, std::int64_t count) {
    T* const copy = device_.array<T>(count);
    copy_to_device(copy, elements, static_cast<std::size_t>(count) * sizeof(T));
    return copy;
  }

  /// Memory on the device that finish() copies to the view; none for an empty view.
  std::byte* output(const View<void>& view);

  /// Waits for the stream, and copies the outputs.
  void finish();

  /// Of device memory for the call.
  Scratch::Frame& device() { return device_; }

 private:
  struct Output {
    View<void> view;
    const std::byte* copy;
  };

  void copy_to_device(void* to, const void* from, std::size_t bytes);
  void copy_to_host(void* to, const void* from, std::size_t bytes);

  CudaSession& session_;
  Scratch::Frame host_;
  Scratch::Frame device_;
  std::vector<Output> outputs_;
};

}  // namespace thiessen::cuda

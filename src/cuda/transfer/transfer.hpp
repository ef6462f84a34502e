// SPDX-License-Identifier: Apache-2.0
//
// Copies between the caller's arrays, anywhere and with any strides, and device memory without
// gaps. Arrays that already lie like that are used in place.
#pragma once

#include <vector>

#include "core/base/scratch.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/transfer/host_copies.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// The places in the lists of weights of a call: one for each point, or each cell of a raster.
std::int64_t weights_in(const ProblemViews& views);

/// The bytes of a call that travel between host and device.
std::int64_t host_bytes(const ProblemViews& views);

/// Inputs to and outputs from one call.
class Transfer {
 public:
  /// `views` only says how much there is to do.
  Transfer(ContextState& state, const ProblemViews& views);
  /// Waits if a call with views on the host ends midway.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// The cells of a view on the device, in the order of the stream; empty for an empty view.
  Cells<const std::byte> input(const View<const void>& view);

  /// A copy of elements on the host.
  template <class T>
  const T* upload(const T* elements, std::int64_t count) {
    use_host();
    T* const copy = device_.array<T>(count);
    copies_.upload(
        View<const void>(elements, ElementType::u8, {count * static_cast<std::int64_t>(sizeof(T))}),
        reinterpret_cast<std::byte*>(copy));
    return copy;
  }

  /// Memory on the device that finish() copies to the view; null for an empty view.
  std::byte* output(const View<void>& view);

  /// Copies the outputs to their views. If any view of the call is on the host, it waits and throws
  /// the faults that the device found.
  void finish();

  /// Copies of the call; for arrays that do not take input() or output().
  HostCopies& host_copies() { return copies_; }
  /// Notes that a view is on the host, which a graph cannot reach.
  void use_host();

  /// Device memory of the call.
  Scratch::Frame& device() { return device_; }

 private:
  struct Output {
    View<void> view;
    std::byte* copy;
  };

  ContextState& state_;
  CudaSession& session_;
  Scratch::Frame device_;
  HostCopies copies_;
  std::vector<Output> outputs_;
  bool on_host_ = false;   ///< whether a view is on the host
  bool finished_ = false;  ///< whether no work is under way any more
};

}  // namespace transfer
}  // namespace thiessen::cuda

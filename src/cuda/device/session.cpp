// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/session.hpp"

#include <string>

#include "core/base/refuse.hpp"
#include "cuda/device/overlap.hpp"

namespace thiessen::cuda {
inline namespace device {
namespace {

/// Lets this thread allocate although another thread captures a graph on a stream of its own.
class Relaxed {
 public:
  Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

CudaSession::DeviceGuard::DeviceGuard(const CudaSession& session) {
  check(cudaGetDevice(&former_), "current device");
  check(cudaSetDevice(session.device_), "choice of the device");
}

CudaSession::DeviceGuard::~DeviceGuard() { cudaSetDevice(former_); }

CudaSession::CudaSession(int device, const ContextOptions& options)
    : scratch(Memory{
          [this](std::size_t count, const char* purpose) { return allocate(count, purpose); },
          free_device_bytes}),
      device_(device),
      owns_stream_(options.stream == nullptr),
      stream_(static_cast<cudaStream_t>(options.stream)) {
  const DeviceGuard guard(*this);
  const Relaxed relaxed;
  try {
    check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
          "number of multiprocessors");
    // Stages that overlap have no times of their own.
    overlaps_kernels_ = !options.stage_times && kernels_follow();
    if (options.stage_times) stage_times_ = std::make_unique<StageTimes>();
    if (owns_stream_) check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    void* pinned = nullptr;
    check(cudaHostAlloc(&pinned, sizeof(Fault), cudaHostAllocDefault), "pinned memory");
    fault_copy_ = static_cast<Fault*>(pinned);
    fault_ = reinterpret_cast<Fault*>(allocate_device_bytes(sizeof(Fault), "state of faults"));
    check(cudaMemset(fault_, kNoFaultByte, sizeof(Fault)), "state of faults");
    check(cudaDeviceSynchronize(), "state of faults");
  } catch (...) {
    free_all();
    throw;
  }
}

CudaSession::~CudaSession() {
  int former = 0;
  cudaGetDevice(&former);
  cudaSetDevice(device_);
  cudaDeviceSynchronize();  // kernels may still use the memory; the caller's stream may be gone
  free_all();
  cudaSetDevice(former);
}

void CudaSession::free_all() noexcept {
  scratch.release();
  staging_.release();
  stage_times_.reset();
  cudaFree(fault_);
  cudaFreeHost(fault_copy_);
  if (owns_stream_ && stream_ != nullptr) cudaStreamDestroy(stream_);
}

bool CudaSession::is_capturing() const {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream_, &status), "state of the stream");
  return status != cudaStreamCaptureStatusNone;
}

std::byte* CudaSession::allocate(std::size_t count, const char* purpose) const {
  if (is_capturing())
    throw Error(ErrorCode::unsupported,
                {"stream",
                 {},
                 "is being captured, and the call needs " + std::string(purpose) + " of " +
                     std::to_string(count) +
                     " bytes more than are kept; must be called once before the capture"});
  const Relaxed relaxed;
  return allocate_device_bytes(count, purpose);
}

void CudaSession::check_address(const char* name, const void* address) const {
  const DeviceGuard guard(*this);
  cudaPointerAttributes found{};
  check(cudaPointerGetAttributes(&found, address), "kind of an address");
  const std::string subject = std::string(name) + " has an address that ";
  if (found.type == cudaMemoryTypeUnregistered)
    refuse(subject + "CUDA does not know; must be in memory of cuda:" + std::to_string(device_));
  if (found.type == cudaMemoryTypeDevice && found.device != device_)
    refuse(subject + "lies on cuda:" + std::to_string(found.device) +
           "; must be in memory of cuda:" + std::to_string(device_));
}

void CudaSession::synchronize() {
  const DeviceGuard guard(*this);
  check(cudaMemcpyAsync(fault_copy_, fault_, sizeof(Fault), cudaMemcpyDeviceToHost, stream_),
        "state of faults");
  wait();
  const Fault fault = *fault_copy_;
  if (fault == kNoFault) return;
  check(cudaMemsetAsync(fault_, kNoFaultByte, sizeof(Fault), stream_), "state of faults");
  throw Error(ErrorCode::invalid_argument, to_text(fault));
}

void CudaSession::release_scratch() noexcept {
  int former = 0;
  cudaGetDevice(&former);
  cudaSetDevice(device_);
  cudaDeviceSynchronize();
  scratch.release();
  staging_.release();
  cudaSetDevice(former);
}

}  // namespace device
}  // namespace thiessen::cuda

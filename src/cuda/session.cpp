// SPDX-License-Identifier: Apache-2.0
#include "cuda/session.hpp"

namespace thiessen::cuda {

CudaSession::Current::Current(const CudaSession& session) {
  check(cudaGetDevice(&former_), "current device");
  check(cudaSetDevice(session.device_), "choice of the device");
}

CudaSession::Current::~Current() { cudaSetDevice(former_); }

CudaSession::CudaSession(int device) : device_(device) {
  const Current current(*this);
  check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
        "number of multiprocessors");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
}

CudaSession::~CudaSession() {
  release_scratch();
  cudaStreamDestroy(stream_);
}

void CudaSession::release_scratch() noexcept {
  int former = 0;
  cudaGetDevice(&former);
  cudaSetDevice(device_);
  scratch.release();
  cudaSetDevice(former);
}

}  // namespace thiessen::cuda

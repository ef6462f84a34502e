// SPDX-License-Identifier: Apache-2.0
//
// The functions of CUDA's runtime that we use, on a device that the CPU emulates.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/grid.hpp"
#include "emulator/stream.hpp"

using Work = std::function<void()>;

struct CUgraph_st {
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::vector<Work> work;
};

struct CUstream_st {
  int device = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Work> work;
  std::uint64_t put = 0;     ///< pieces of work so far
  std::uint64_t done = 0;    ///< of these
  std::thread::id worker{};  ///< the thread that does one of them now
  std::unique_ptr<CUgraph_st> capture;

  /// Does the work up to a place, or waits for the thread that does it. The work itself is done
  /// without the lock: it may be to wait for another stream.
  void finish(std::uint64_t until) {
    std::unique_lock lock(mutex);
    while (done < until && worker != std::this_thread::get_id()) {
      if (worker != std::thread::id{}) {
        changed.wait(lock);
        continue;
      }
      const Work next = std::move(work.front());
      work.pop_front();
      worker = std::this_thread::get_id();
      lock.unlock();
      next();
      lock.lock();
      worker = {};
      ++done;
      changed.notify_all();
    }
  }
  std::uint64_t place() {
    const std::lock_guard lock(mutex);
    return put;
  }
};

struct CUevent_st {
  cudaStream_t stream = nullptr;
  std::uint64_t place = 0;  ///< in the stream's work
};

namespace emulator {
namespace {

constexpr std::size_t kDeviceBytes = std::size_t{4} << 30;
constexpr int kUninitialized = 0xA5;  ///< the contents of new memory

/// The shared memory of a block. EMULATOR_SHARED_KIB (64 or 99) makes the device one with less.
std::size_t most_shared_bytes() {
  static const std::size_t bytes = [] {
    const char* const text = std::getenv("EMULATOR_SHARED_KIB");
    return text == nullptr
               ? kSharedBytes
               : std::min<std::size_t>(kSharedBytes, std::strtoul(text, nullptr, 10) * 1024);
  }();
  return bytes;
}

struct Allocation {
  std::size_t bytes;
  cudaMemoryType type;
  int device;
};

/// EMULATOR_DEVICES tells how many devices there are, one by default. Tests may change it between
/// calls.
int device_count() {
  const char* const text = std::getenv("EMULATOR_DEVICES");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

thread_local int current_device = 0;

/// The whole state, except the streams' work.
struct State {
  std::mutex mutex;
  std::map<const std::byte*, Allocation> memory;
  std::size_t device_bytes = 0;
  std::set<cudaStream_t> streams;
  std::set<std::pair<int, int>> peers;  ///< devices, and others that they have access to
  std::map<const void*, std::size_t> shared_bytes;  ///< that kernels may ask for

  State() { streams = {&legacy, &per_thread}; }

  CUstream_st legacy;
  CUstream_st per_thread;
};

State& state() {
  static State* const all = new State;  // never destroyed: static objects may use it to the end
  return *all;
}

thread_local cudaError_t last_error = cudaSuccess;

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

CUstream_st& at(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return state().legacy;
  if (stream == cudaStreamPerThread) return state().per_thread;
  return *stream;
}

/// Does all work of the stream.
void finish(cudaStream_t stream) { at(stream).finish(at(stream).place()); }

void finish_all() {
  std::vector<cudaStream_t> streams;
  {
    const std::lock_guard lock(state().mutex);
    streams.assign(state().streams.begin(), state().streams.end());
  }
  for (const cudaStream_t stream : streams) finish(stream);
}

/// The allocation in which all of the bytes lie.
std::optional<Allocation> find(const void* bytes, std::size_t count) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  const std::lock_guard lock(state().mutex);
  auto after = state().memory.upper_bound(first);
  if (after == state().memory.begin()) return {};
  const auto& [begin, allocation] = *--after;
  return first + count <= begin + allocation.bytes ? std::optional(allocation) : std::nullopt;
}

bool is_of(const void* bytes, std::size_t count, cudaMemoryType type) {
  const std::optional<Allocation> found = find(bytes, count);
  return found && found->type == type;
}

cudaError_t allocate(void** to, std::size_t bytes, cudaMemoryType type) {
  const std::lock_guard lock(state().mutex);
  const bool on_device = type == cudaMemoryTypeDevice;
  if (on_device && bytes > kDeviceBytes - state().device_bytes)
    return note(cudaErrorMemoryAllocation);
  constexpr std::size_t kAlignment = 256;
  void* memory = nullptr;
  if (posix_memalign(&memory, kAlignment, bytes) != 0) return note(cudaErrorMemoryAllocation);
  std::memset(memory, kUninitialized, bytes);
  state().memory[static_cast<std::byte*>(memory)] = {bytes, type, current_device};
  if (on_device) state().device_bytes += bytes;
  *to = memory;
  return cudaSuccess;
}

cudaError_t release(void* bytes, cudaMemoryType type) {
  if (bytes == nullptr) return cudaSuccess;
  finish_all();
  const std::lock_guard lock(state().mutex);
  const auto found = state().memory.find(static_cast<std::byte*>(bytes));
  if (found == state().memory.end() || found->second.type != type)
    return note(cudaErrorInvalidValue);
  if (type == cudaMemoryTypeDevice) state().device_bytes -= found->second.bytes;
  state().memory.erase(found);
  std::free(bytes);
  return cudaSuccess;
}

bool is_right(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return is_of(to, count, cudaMemoryTypeDevice) == to_device &&
         is_of(from, count, cudaMemoryTypeDevice) == from_device;
}

}  // namespace

void enqueue(cudaStream_t stream, Work work) {
  CUstream_st& to = at(stream);
  const std::lock_guard lock(to.mutex);
  if (to.capture != nullptr) {
    to.capture->work.push_back(std::move(work));
    return;
  }
  to.work.push_back(std::move(work));
  ++to.put;
}

cudaError_t enqueue_grid(const cudaLaunchConfig_t& config, const void* kernel, bool together,
                         Work thread) {
  const Grid grid{config.gridDim.x, config.blockDim.x, config.dynamicSmemBytes};
  if (grid.blocks == 0 || grid.blocks > kMostBlocks || config.gridDim.y != 1 ||
      config.gridDim.z != 1 || grid.threads == 0 || grid.threads > kMostThreads ||
      config.blockDim.y != 1 || config.blockDim.z != 1)
    return note(cudaErrorInvalidConfiguration);
  std::size_t most_shared = kUnaskedSharedBytes;
  {
    const std::lock_guard lock(state().mutex);
    const auto found = state().shared_bytes.find(kernel);
    if (found != state().shared_bytes.end()) most_shared = found->second;
  }
  if (grid.shared_bytes > most_shared) return note(cudaErrorInvalidValue);
  const CUstream_st& stream = at(config.stream);
  const bool is_default = &stream == &state().legacy || &stream == &state().per_thread;
  if (!is_default && stream.device != current_device) return note(cudaErrorInvalidResourceHandle);
  if (together && grid.blocks > static_cast<unsigned>(kProcessors))
    return note(cudaErrorCooperativeLaunchTooLarge);
  enqueue(config.stream, [grid, thread = std::move(thread)] { run(grid, thread); });
  return cudaSuccess;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

// ---- errors

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in cooperative launch";
    default:
      return "invalid argument";
  }
}

// ---- the device

cudaError_t cudaGetDeviceCount(int* count) {
  *count = device_count();
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= device_count()) return note(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  if (peer == current_device || peer >= device_count()) return note(cudaErrorInvalidDevice);
  const std::lock_guard lock(state().mutex);
  const bool is_new = state().peers.insert({current_device, peer}).second;
  return note(is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled);
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = kProcessors;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(most_shared_bytes());
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(most_shared_bytes() + 1024);
      return cudaSuccess;
    default:
      return note(cudaErrorInvalidValue);
  }
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "emulated by the CPU");
  properties->major = 9;
  properties->totalGlobalMem = kDeviceBytes;
  properties->multiProcessorCount = kProcessors;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  finish_all();
  return cudaSuccess;
}

// ---- kernels

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > most_shared_bytes())
    return note(cudaErrorInvalidValue);
  const std::lock_guard lock(state().mutex);
  state().shared_bytes[kernel] = static_cast<std::size_t>(value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->ptxVersion = 90;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int,
                                                                   std::size_t, unsigned) {
  *blocks = 1;
  return cudaSuccess;
}

// ---- memory

/// As if the device were full: what asks first takes its other way.
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = 0;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** to, std::size_t bytes) {
  return allocate(to, bytes, cudaMemoryTypeDevice);
}
cudaError_t cudaFree(void* bytes) { return release(bytes, cudaMemoryTypeDevice); }
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
  return allocate(to, bytes, cudaMemoryTypeHost);
}
cudaError_t cudaFreeHost(void* bytes) { return release(bytes, cudaMemoryTypeHost); }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  *attributes = {};
  if (const std::optional<Allocation> found = find(address, 0)) {
    attributes->type = found->type;
    attributes->device = found->device;
  }
  return cudaSuccess;
}

/// Copies memory that is not pinned like the driver: what goes to the device is read at once, and
/// what comes from there is written before the call returns.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (!is_right(to, from, count, kind)) return note(cudaErrorInvalidValue);
  if (kind == cudaMemcpyHostToDevice && !is_of(from, count, cudaMemoryTypeHost)) {
    const auto* const first = static_cast<const std::byte*>(from);
    enqueue(stream, [to, bytes = std::vector<std::byte>(first, first + count)] {
      std::memcpy(to, bytes.data(), bytes.size());
    });
    return cudaSuccess;
  }
  enqueue(stream, [=] { std::memcpy(to, from, count); });
  if (kind == cudaMemcpyDeviceToHost && !is_of(to, count, cudaMemoryTypeHost)) finish(stream);
  return cudaSuccess;
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t count, cudaStream_t stream) {
  const auto lies_on = [&](const void* bytes, int device) {
    const std::optional<Allocation> found = find(bytes, count);
    return found && found->type == cudaMemoryTypeDevice && found->device == device;
  };
  if (!lies_on(to, to_device) || !lies_on(from, from_device)) return note(cudaErrorInvalidValue);
  enqueue(stream, [=] { std::memcpy(to, from, count); });
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyAsync(to, from, count, kind, nullptr);
  finish(nullptr);
  return error;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t count, cudaStream_t stream) {
  if (!is_of(to, count, cudaMemoryTypeDevice)) return note(cudaErrorInvalidValue);
  enqueue(stream, [=] { std::memset(to, value, count); });
  return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int value, std::size_t count) {
  return cudaMemsetAsync(to, value, count, nullptr);
}

// ---- streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st;
  (*stream)->device = current_device;
  const std::lock_guard lock(state().mutex);
  state().streams.insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  finish(stream);
  {
    const std::lock_guard lock(state().mutex);
    state().streams.erase(stream);
  }
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (at(stream).capture != nullptr) return note(cudaErrorStreamCaptureUnsupported);
  finish(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status =
      at(stream).capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  stream->capture = std::make_unique<CUgraph_st>();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = stream->capture.release();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  for (const Work& work : executable->work) enqueue(stream, work);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

// ---- events

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  if (begin->place > end->place) return cudaErrorInvalidValue;
  *milliseconds = 0;  // the emulated device has no clock
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->stream = stream;
  event->place = at(stream).place();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  enqueue(stream, [from = event->stream, place = event->place] {
    if (place > 0) at(from).finish(place);
  });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event->place > 0) at(event->stream).finish(event->place);
  return cudaSuccess;
}

}  // extern "C"

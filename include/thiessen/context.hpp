// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/export.hpp"
#include "thiessen/warning.hpp"

namespace thiessen {

class ContextState;  // internal

/// Instruction sets of the CPU backend. Each set includes the sets before it.
enum class Instructions : std::uint8_t {
  none,  ///< no vectors
  sse4,
  avx2,
  avx512,  ///< with the extensions that Ice Lake and Zen 4 have
  best,    ///< "auto": the best set that the processor supports
};

inline constexpr std::string_view kInstructionsNames[] = {"none", "sse4", "avx2", "avx512", "auto"};

constexpr std::string_view name_of(Instructions instructions) {
  return detail::choice_name(kInstructionsNames, instructions);
}

/// The instruction set with this name, or nullopt.
constexpr std::optional<Instructions> find_instructions(std::string_view name) {
  return detail::find_choice<Instructions>(kInstructionsNames, name);
}

struct ContextOptions {
  /// "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1". `auto` is the CPU. A list of CUDA
  /// devices is "cuda:0,cuda:1", or "cuda:all" for all of them. Each device then computes one slab
  /// of the raster. This works in nearest_site() (method exact, metrics euclidean and manhattan)
  /// and in voronoi(). All other functions throw an Error for a Context with a list of devices. The
  /// arrays must be on the host. A device may be listed twice.
  std::string device = "auto";
  /// Number of host threads, up to 1024; 0: one for each processor that this process may use. On
  /// the CPU these threads compute. For other devices, they copy data to and from the device. If
  /// the system gives fewer threads, a call throws out_of_memory.
  int threads = 0;
  /// Best instruction set that the CPU backend may use. Default: the value of the environment
  /// variable THIESSEN_INSTRUCTIONS; without this variable, the best available instruction set.
  /// Results do not depend on it.
  std::optional<Instructions> instructions = std::nullopt;
  /// For a CUDA device: the caller's stream (cudaStream_t) for all work. It must belong to the
  /// device and outlive the Context. Null: the Context makes a stream of its own. cudaStreamLegacy
  /// and cudaStreamPerThread select the default streams.
  void* stream = nullptr;
  /// For a CUDA device: if true, phases() also reports the device time of each phase, for calls
  /// that wait for the device (see synchronize()). The time is measured by events between the
  /// phases, so such calls take some hundredths of a millisecond longer.
  bool stage_times = false;
};

/// One phase of the last call and the time that it took.
struct Phase {
  std::string_view name;
  double milliseconds = 0;
  /// The share of the raster that each stage handled, for example "near 97.0 %, dense 3.0 %". May
  /// be empty.
  std::string detail = {};
};

/// The place where calls run: a device, its threads, and scratch memory that is kept from one call
/// to the next.
///
/// A repeated call of the same size therefore allocates no scratch memory. A Context runs one call
/// at a time, and different threads may use different Contexts at once. A call throws
/// Error{invalid_argument} while another thread is using the Context or one of its solvers. A
/// callback may itself call functions on the same Context, one at a time. Such nested calls count
/// as part of the outer call, so that cancel() ends all of them. cancel() may be called at any
/// time. Functions that only read the Context (phases(), warnings(), scratch_bytes()) may be called
/// only by the thread that uses the Context.
class THIESSEN_API Context {
 public:
  /// Throws invalid_argument for an unknown device name and for a number of threads out of range,
  /// and unsupported for a device that this machine does not have.
  explicit Context(const ContextOptions& options = {});
  ~Context();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;

  /// "cpu", or the devices of a list: "cuda:0,cuda:1".
  std::string_view device() const noexcept;
  int threads() const noexcept;

  /// Registers `report`. Later calls invoke it from time to time with a growing fraction from 0 to
  /// 1; the last value is 1. `report` may be invoked from any thread, but never from two at once.
  /// It must not throw. Whatever it refers to must outlive all calls, including failed calls. An
  /// empty function turns the reports off. on_progress() throws Error{invalid_argument} while a
  /// call is running.
  void on_progress(std::function<void(double fraction)> report);

  /// Ends the running call soon, or the next one if none is running, with Error{cancelled}. The
  /// outputs of that call are then in an unspecified state, but the outputs of a solver stay as
  /// they were. cancel() has no effect if the running call is almost done. It is safe from any
  /// thread and from a signal handler.
  void cancel() noexcept;

  /// Waits until all calls are done. If there were faults on the device since the last wait,
  /// synchronize() then throws an Error that describes the first fault, and forgets them. The code
  /// is invalid_argument if data in device memory was invalid, and device_failed if the device
  /// failed. A call with a view on the host waits before it returns, and throws such errors itself
  /// (docs/gpu.md). A call on the CPU is always done when it returns.
  void synchronize();

  /// Phases of the last call in the order in which they ran.
  const std::vector<Phase>& phases() const noexcept;

  /// Warnings of the last call: suspicious input that still has a result, such as no site at all,
  /// or a point that is not the nearest point of any cell (WarningKind). Sites and points in device
  /// memory are not checked, because the call would have to wait for the device.
  const std::vector<Warning>& warnings() const noexcept;

  /// Bytes of scratch memory that the Context holds now.
  std::size_t scratch_bytes() const noexcept;
  /// Releases the scratch memory. Throws Error{invalid_argument} while a call is running.
  void release_scratch();

  ContextState& state() noexcept { return *state_; }  ///< internal

 private:
  std::unique_ptr<ContextState> state_;
};

/// The default Context of this thread. Functions that take no Context argument use it. It is
/// created by Context() at its first use and ends with the thread. To compute elsewhere, assign
/// another one: default_context() = Context({.device = "cuda"}).
THIESSEN_API Context& default_context();

}  // namespace thiessen

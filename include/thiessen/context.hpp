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

/// Instruction sets of the CPU backend. Each includes the ones before it.
enum class Instructions : std::uint8_t {
  none,  ///< no vectors
  sse4,
  avx2,
  avx512,  ///< as of Ice Lake and Zen 4
  best,    ///< "auto": the best that the processor has
};

inline constexpr std::string_view kInstructionsNames[] = {"none", "sse4", "avx2", "avx512", "auto"};

constexpr std::string_view name_of(Instructions instructions) {
  return detail::choice_name(kInstructionsNames, instructions);
}

/// The instruction set that has this name, or nothing.
constexpr std::optional<Instructions> find_instructions(std::string_view name) {
  return detail::find_choice<Instructions>(kInstructionsNames, name);
}

struct ContextOptions {
  /// "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1". `auto` is the CPU. A list of CUDA
  /// devices is "cuda:0,cuda:1", or "cuda:all" for all of them. Each then computes a slab of the
  /// raster in nearest_site() by method exact, with the metrics euclidean and manhattan, and in
  /// voronoi(). Arrays are on the host. A device may be listed twice. Other functions refuse such a
  /// context.
  std::string device = "auto";
  /// Threads of the host, up to 1024; 0: one for each processor that this process may use. The CPU
  /// computes with them, and other devices copy with them. If the system gives fewer, a call throws
  /// out_of_memory.
  int threads = 0;
  /// Best instruction set that the CPU backend may use. Empty: the value of the environment
  /// variable THIESSEN_INSTRUCTIONS, and without it the best. Results do not depend on it.
  std::optional<Instructions> instructions = std::nullopt;
  /// For a CUDA device: the caller's stream (cudaStream_t) for all work. It must belong to the
  /// device and outlive the Context. Null: a stream of the Context's own. cudaStreamLegacy and
  /// cudaStreamPerThread name the default streams.
  void* stream = nullptr;
  /// For a CUDA device: phases() has the time of each stage on the device, after calls that wait.
  /// Events between the stages measure it, so such calls take some hundredths of a millisecond
  /// longer.
  bool stage_times = false;
};

/// One step of the last call and the time that it took.
struct Phase {
  std::string_view name;
  double milliseconds = 0;
  /// The share of the raster that each method did, or empty: "near 97.0 %, dense 3.0 %".
  std::string detail = {};
};

/// The place where calls run: a device, its threads, and scratch memory that is kept from call to
/// call.
///
/// A repeated call of the same size therefore asks for no scratch memory. A Context runs one call
/// at a time, and different threads may use different Contexts at once. If another thread uses the
/// Context, or a solver that depends on it, a call throws Error{invalid_argument}. A callback may
/// make calls on the Context of its own call, one at a time; they are parts of that call. cancel()
/// may be called at any time. Functions that only read the Context (phases(), warnings(),
/// scratch_bytes()) are for its thread alone.
class THIESSEN_API Context {
 public:
  /// Throws invalid_argument for an unknown device or number of threads, unsupported for a device
  /// that this machine does not have.
  explicit Context(const ContextOptions& options = {});
  ~Context();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;

  /// "cpu", or the devices of a list: "cuda:0,cuda:1".
  std::string_view device() const noexcept;
  int threads() const noexcept;

  /// Registers `report`, which later calls call from time to time with a fraction from 0 to 1 that
  /// grows, at last with 1. Any thread may call it, but one at a time. The callback must not throw,
  /// and it must outlive the calls, also calls that throw. An empty function: no reports. While a
  /// call is running, this throws Error{invalid_argument}.
  void on_progress(std::function<void(double fraction)> report);

  /// Ends the running call soon, or the next one if none is running, with Error{cancelled}. Its
  /// outputs are then in an unspecified state, but the outputs of a solver stay as they were. It
  /// has no effect if the running call is almost done. It is safe from any thread and from a signal
  /// handler.
  void cancel() noexcept;

  /// Waits until all calls are done. It then throws the Error of the first fault on the device
  /// since the last wait, and forgets it: invalid_argument for an error of a caller in device
  /// memory, device_failed for an error of the device. A call waits by itself, and throws, if any
  /// of its views is on the host (docs/gpu.md). A call on the CPU is always done when it returns.
  void synchronize();

  /// Steps of the last call in the order in which they ran.
  const std::vector<Phase>& phases() const noexcept;

  /// Warnings of the last call: suspicious input that has an answer, such as no site at all, or
  /// points that win no cell (WarningKind). Sites and points in device memory are not checked,
  /// because that would wait.
  const std::vector<Warning>& warnings() const noexcept;

  /// Bytes of scratch memory that the Context holds now.
  std::size_t scratch_bytes() const noexcept;
  /// Gives the scratch memory back. Throws Error{invalid_argument} while a call is running.
  void release_scratch();

  ContextState& state() noexcept { return *state_; }  ///< internal

 private:
  std::unique_ptr<ContextState> state_;
};

/// The Context that functions without a Context argument use in this thread. It is made at its
/// first use, by Context(), and ends with the thread. Assign another one to compute elsewhere:
/// default_context() = Context({.device = "cuda"}).
THIESSEN_API Context& default_context();

}  // namespace thiessen

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

/// Instruction sets of the CPU backend, each with those before it.
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

/// The instruction set of a name, or nothing.
constexpr std::optional<Instructions> find_instructions(std::string_view name) {
  return detail::find_choice<Instructions>(kInstructionsNames, name);
}

struct ContextOptions {
  /// "auto", "cpu", "cuda", "cuda:1", "opencl" or "opencl:1". `auto` is the CPU. A list of CUDA
  /// devices, "cuda:0,cuda:1", or all of them, "cuda:all": nearest_site() by method exact, with the
  /// metrics euclidean and manhattan, and voronoi() take a slab of the raster on each; arrays are
  /// on the host. A device may be there twice. Other functions refuse such a context.
  std::string device = "auto";
  /// Threads of the host, up to 1024; 0: one for each processor that this process may use. The CPU
  /// computes with them, others copy. Where the system gives fewer, a call throws out_of_memory.
  int threads = 0;
  /// Best instruction set that the CPU backend may use. Empty: what the environment variable
  /// THIESSEN_INSTRUCTIONS says, and without it the best. Results do not depend on it.
  std::optional<Instructions> instructions = std::nullopt;
  /// For a CUDA device: the stream (cudaStream_t) that all work is put on, the caller's; it must
  /// belong to the device and outlive the Context. Null: one of the Context's own. The default
  /// streams are named by cudaStreamLegacy and cudaStreamPerThread.
  void* stream = nullptr;
  /// For a CUDA device: phases() tells the time of each stage on the device, by events between
  /// them, after calls that wait. Such calls take some hundredths of a millisecond longer.
  bool stage_times = false;
};

/// One step of the last call and the time that it took.
struct Phase {
  std::string_view name;
  double milliseconds = 0;
  /// The share of the raster that each method did, or empty: "near 97.0 %, dense 3.0 %".
  std::string detail = {};
};

/// Where a call runs, and what is kept from call to call: a device, its threads, scratch memory.
///
/// A repeated call of the same size asks for no scratch memory again. One call at a time per
/// Context; different Contexts may be used from different threads at once. A call that finds its
/// Context in use by another thread, or a solver that stands on it, throws
/// Error{invalid_argument}. A callback of a call may make others on the same Context, one at a
/// time; they are parts of that call. cancel() may be called at any time. What only looks at the
/// Context (phases(), warnings(), scratch_bytes()) is for its thread alone.
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

  /// Calls `report(fraction)` from time to time, with a fraction from 0 to 1 that grows, at last
  /// with 1; from any thread, but one at a time. The callback must not throw. An empty function: no
  /// reports. It must outlive the calls, also those that throw. Not while a call is running:
  /// Error{invalid_argument}.
  void on_progress(std::function<void(double fraction)> report);

  /// Ends the running call soon, or the next one if none is running, with Error{cancelled}; its
  /// outputs are then in an unspecified state, but those of a solver as they were. Without effect
  /// if the running call is as good as done. Safe from any thread and from a signal handler.
  void cancel() noexcept;

  /// Waits until all that was called is done; throws the Error of the first fault that was found on
  /// the device since the last time, and forgets it: invalid_argument for what a caller got wrong
  /// in device memory, device_failed for the device's own. Calls wait by themselves, and throw, if
  /// any view of theirs is on the host (docs/gpu.md); those on the CPU always are done.
  void synchronize();

  /// Steps of the last call in the order in which they ran.
  const std::vector<Phase>& phases() const noexcept;

  /// What was odd in the last call, which still has an answer: no site at all, points that win no
  /// cell … (WarningKind). Sites and points in device memory are not read, as that would wait.
  const std::vector<Warning>& warnings() const noexcept;

  /// Bytes of scratch memory that are held now.
  std::size_t scratch_bytes() const noexcept;
  /// Gives it back. Throws Error{invalid_argument} while a call is running.
  void release_scratch();

  ContextState& state() noexcept { return *state_; }  ///< internal

 private:
  std::unique_ptr<ContextState> state_;
};

/// The Context of this thread that the functions without a Context argument use. Made at its first
/// use, as Context() is; each thread has its own, which ends with the thread. Assign another to it
/// to compute elsewhere: default_context() = Context({.device = "cuda"}).
THIESSEN_API Context& default_context();

}  // namespace thiessen

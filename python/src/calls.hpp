// SPDX-License-Identifier: Apache-2.0
//
// How the functions of the library are called from Python: on a Context of the calling thread,
// without the GIL, with signals and progress while they run.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <string>

#include "thiessen/context.hpp"

namespace thiessen::python {

namespace nb = nanobind;

/// Time without the GIL. A daemon thread that asks for it again when the interpreter is about to
/// end is ended itself, by an exception that destructors must not let through and nobody may catch
/// for good: it waits for the end of the process instead.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() { take_back(); }

  /// Takes the GIL for a moment, and throws what a handler of a signal raised.
  void look_for_signals();

 private:
  void take_back() noexcept;

  PyThreadState* thread_;
};

/// Device, threads and progress of one call, as every function of the package takes them.
struct CallOptions {
  std::string device;
  int threads = 0;
  nb::object progress;        ///< None or a callable of one float
  std::uintptr_t stream = 0;  ///< of a CUDA device, the caller's; 0: one of the context's own
};

/// Runs `work` on the context that this thread keeps for this device, number of threads and stream.
///
/// `brief` work (some milliseconds) runs on this thread. Other work runs on one of its own, so that
/// this one can let Python handle signals (in the main thread Ctrl-C raises KeyboardInterrupt) and
/// call `progress`; an exception of either cancels the work, and is thrown once that has ended.
void call(const CallOptions& options, bool brief, const std::function<void(Context&)>& work);

/// Context::synchronize() of all contexts that this thread keeps.
void synchronize();

/// Gives back the scratch memory that this thread's contexts hold.
void release_scratch();

}  // namespace thiessen::python

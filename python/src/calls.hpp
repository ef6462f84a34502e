// SPDX-License-Identifier: Apache-2.0
//
// How the functions of the library are called from Python: on a Context of the calling thread,
// without the GIL, with signals and progress while they run.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

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

/// Calls act() with the GIL, on a thread of the library. At the end of the interpreter it waits as
/// WithoutGil does.
void with_gil(const std::function<void()>& act);

/// How a call runs: attributes of the dict of options in Python.
struct CallOptions {
  std::string device = "auto";
  int threads = 0;                   ///< 0: one for each processor
  nb::object progress = nb::none();  ///< None or a callable of one float
  std::uintptr_t stream = 0;         ///< of a CUDA device, the caller's; 0: the context's own
  bool wait = false;                 ///< for the end of what runs on the device
};
CallOptions to_call_options(nb::handle options);

/// Kind, count and text of each warning of a call.
using Told = std::vector<std::tuple<std::string, std::int64_t, std::string>>;

/// Runs `work` on the context that this thread keeps for this device, number of threads and stream.
///
/// `brief` work (some milliseconds) runs on this thread. Other work runs on one of its own, so that
/// this one can let Python handle signals (in the main thread Ctrl-C raises KeyboardInterrupt) and
/// call `progress`; an exception of either cancels the work, and is thrown once that has ended.
///
/// Gives back what Context::warnings() tells of the call.
Told call(const CallOptions& options, bool brief, const std::function<void(Context&)>& work);

/// The same on a context that the caller keeps. It is null after a call that goes on in the parent
/// of this process only.
Told call_on(std::unique_ptr<Context>& context, const CallOptions& options, bool brief,
             const std::function<void(Context&)>& work);

/// Calls Context::synchronize() on all contexts that this thread keeps.
void synchronize();

/// Releases the scratch memory that this thread's contexts hold.
void release_scratch();

}  // namespace thiessen::python

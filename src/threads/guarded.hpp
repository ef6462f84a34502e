// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/context_state.hpp"
#include "thiessen/error.hpp"
#include "threads/context_use.hpp"
#include "threads/stack.hpp"

namespace thiessen {

/// A call on a context, from its construction to its destruction. A cancel() ends the call, and
/// none is left for a later one. A call that another one makes on the same context is a part of
/// that one.
class RunningCall {
 public:
  explicit RunningCall(ContextState& state) : use_(state), progress_(state.progress) {
    progress_.begin_call();
  }
  ~RunningCall() { progress_.end_call(); }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

 private:
  ContextUse use_;
  Progress& progress_;
};

/// Runs the body of a public function that takes a Context, on a thread of its own if the caller's
/// has little stack, and returns what it does. A cancel() ends this call, or keeps it from
/// beginning if it came before. Only Error leaves the function.
template <class Call>
auto guarded(ContextState& state, const Call& call) {
  using Returned = std::invoke_result_t<Call>;
  if constexpr (!std::is_void_v<Returned>) {
    std::optional<Returned> result;
    guarded(state, [&] { result.emplace(call()); });
    return *std::move(result);
  } else {
    const RunningCall running(state);
    constexpr std::size_t kMostPhases = 16;
    try {
      state.phases.clear();
      state.warnings.clear();
      state.phases.reserve(kMostPhases);  // timers add theirs in destructors
      state.progress.check();
      with_stack(call);
      state.progress.end();
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "no memory for a few hundred bytes");
    }
  }
}

}  // namespace thiessen

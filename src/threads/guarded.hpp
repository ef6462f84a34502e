// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "core/context_state.hpp"
#include "thiessen/error.hpp"
#include "threads/stack.hpp"

namespace thiessen {

/// Runs the body of a public function that takes a Context, on a thread of its own if the caller's
/// has little stack. A cancel() ends this call, or keeps it from beginning if it came before; none
/// is left for a later call. Only Error leaves the function.
template <class Call>
void guarded(ContextState& state, const Call& call) {
  struct Resume {
    Progress& progress;
    ~Resume() { progress.resume(); }
  };
  const Resume resume{state.progress};
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

}  // namespace thiessen

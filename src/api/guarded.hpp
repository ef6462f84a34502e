// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "core/context_state.hpp"
#include "thiessen/error.hpp"

namespace thiessen {

/// Runs the body of a public function that takes a Context. A cancel() ends this call, or, if it
/// came before, keeps it from beginning; none is left for a later call. Only Error leaves the
/// function.
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
    state.phases.reserve(kMostPhases);  // timers add theirs in destructors
    state.progress.check();
    call();
    state.progress.end();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for a few hundred bytes");
  }
}

}  // namespace thiessen

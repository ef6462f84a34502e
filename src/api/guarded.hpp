// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "core/context_state.hpp"
#include "thiessen/error.hpp"

namespace thiessen {

/// Runs the body of a public function that takes a Context: a cancel() ends this call and no later
/// one, and only Error leaves it.
template <class Call>
void guarded(ContextState& state, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled) state.progress.resume();
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for the call's own small buffers");
  }
}

}  // namespace thiessen

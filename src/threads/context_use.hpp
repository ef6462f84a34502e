// SPDX-License-Identifier: Apache-2.0
//
// Who uses a context. A call may make others on the same context, from a callback say, also on a
// thread that works for it; nobody else may meanwhile.
#pragma once

#include "core/base/context_state.hpp"

namespace thiessen {

/// A use of a context, from its construction to its destruction. One that begins within another one
/// is a part of that one.
class ContextUse {
 public:
  /// Throws Error{invalid_argument} if another thread uses the context, and with `alone` if this
  /// one does.
  explicit ContextUse(ContextState& state, bool alone = false);
  ~ContextUse();
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;

 private:
  ContextState& state_;
  const ContextUse* outer_;   ///< the use, of any context, in which this thread began it
  const ContextUse* within_;  ///< the use of the same context in which it began
};

/// The innermost use that the calling thread works for; null if there is none.
const ContextUse* use_of_thread() noexcept;

/// Has the calling thread work for a use of another thread, which waits for it, until destruction.
class WorkForUse {
 public:
  explicit WorkForUse(const ContextUse* use) noexcept;
  ~WorkForUse();
  WorkForUse(const WorkForUse&) = delete;
  WorkForUse& operator=(const WorkForUse&) = delete;

 private:
  const ContextUse* before_;
};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "threads/context_use.hpp"

#include <utility>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

thread_local const ContextUse* innermost = nullptr;

}  // namespace

/// The context knows the innermost of its uses. Who works for that one may begin another; of two
/// threads that both do, only the first may.
ContextUse::ContextUse(ContextState& state, bool alone)
    : state_(state), outer_(innermost), within_(innermost) {
  while (within_ != nullptr && &within_->state_ != &state) within_ = within_->outer_;
  const ContextUse* known = alone ? nullptr : within_;
  if (!state.use.compare_exchange_strong(known, this, std::memory_order_acquire,
                                         std::memory_order_relaxed))
    throw Error(ErrorCode::invalid_argument, {"context",
                                              {},
                                              "is in use by another call; must have one at a time, "
                                              "so that each thread needs a context of its own"});
  innermost = this;
}

ContextUse::~ContextUse() {
  innermost = outer_;
  state_.use.store(within_, std::memory_order_release);
}

const ContextUse* use_of_thread() noexcept { return innermost; }

WorkForUse::WorkForUse(const ContextUse* use) noexcept : before_(std::exchange(innermost, use)) {}

WorkForUse::~WorkForUse() { innermost = before_; }

}  // namespace thiessen

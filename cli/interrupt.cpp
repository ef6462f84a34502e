// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <atomic>
#include <csignal>

#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<Context*> running{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<Context*>::is_always_lock_free,
              "a signal handler may touch lock-free atomics only");

void on_signal(int) {
  interrupted = true;
  if (Context* context = running.load()) context->cancel();
}

}  // namespace

void install_signal_handlers() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

Interruptible::Interruptible(Context& context) {
  running = &context;
  throw_if_interrupted();
}

Interruptible::~Interruptible() { running = nullptr; }

void throw_if_interrupted() {
  if (interrupted) throw Error(ErrorCode::cancelled, "interrupted");
}

}  // namespace thiessen::cli

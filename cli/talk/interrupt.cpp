// SPDX-License-Identifier: Apache-2.0
#include "talk/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

std::atomic<bool> signalled{false};
std::atomic<Context*> running{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<Context*>::is_always_lock_free,
              "a signal handler may touch lock-free atomics only");

/// What signal handlers may read at any time: names are added, and stay.
std::array<std::unique_ptr<char[]>, 32> shared_names;
std::atomic<std::size_t> shared_count{0};

void on_signal(int signal) {
  const int error_before = errno;
  remove_shared_files();
  errno = error_before;
  // This is the second signal: the command does not end as it should. Output files have no name
  // yet, or one that the next run removes.
  if (signalled.exchange(true)) ::_exit(128 + signal);
  if (Context* context = running.load()) context->cancel();
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // There is no SA_RESTART: a read that waits for a pipe must end, too.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void remove_on_signal(const std::string& name) {
  const std::size_t place = shared_count;
  if (place == shared_names.size()) return;
  shared_names[place] = std::make_unique<char[]>(name.size() + 1);
  std::memcpy(shared_names[place].get(), name.c_str(), name.size() + 1);
  shared_count = place + 1;
}

void remove_shared_files() noexcept {
  for (std::size_t i = 0; i < shared_count; ++i) ::unlink(shared_names[i].get());
}

Interruptible::Interruptible(Context& context) : outer_(running) {
  running = &context;
  if (!signalled) return;
  running = outer_;  // an object whose constructor throws is never destroyed
  throw_if_interrupted();
}

Interruptible::~Interruptible() { running = outer_; }

bool interrupted() { return signalled; }

void throw_if_interrupted() {
  if (signalled) throw Error(ErrorCode::cancelled, "interrupted");
}

}  // namespace thiessen::cli

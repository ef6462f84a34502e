// SPDX-License-Identifier: Apache-2.0
#include "thiessen/context.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/backend.hpp"
#include "core/base/context_state.hpp"
#include "thiessen/choices/choice.hpp"
#include "thiessen/error.hpp"
#include "threads/context_use.hpp"
#include "threads/own_object.hpp"
#include "threads/parallel.hpp"
#include "threads/stack.hpp"

namespace thiessen {

Context::Context(const ContextOptions& options) : state_(std::make_unique<ContextState>()) {
  constexpr int kMostThreads = 1024;
  if (options.threads < 0 || options.threads > kMostThreads)
    throw Error(ErrorCode::invalid_argument,
                {"threads", std::to_string(options.threads), "must be 0 to 1024"});
  ContextOptions chosen = options;
  if (chosen.device == "auto") with_stack([&] { chosen.device = auto_device(); });
  const Backend* backend = find_backend(chosen.device);
  if (backend == nullptr) {
    std::vector<std::string_view> names = {"auto"};
    for (const Backend* each : backends()) names.push_back(each->name());
    std::string listed(names.front());
    for (const std::string_view name : std::span(names).subspan(1))
      listed += ", " + std::string(name);
    const std::string_view likely = likely_name(chosen.device, names);
    throw Error(ErrorCode::invalid_argument,
                {"device", options.device,
                 "must be one of " + listed + ", which this build has" +
                     (names_several(chosen.device) ? "; several at once only of cuda" : "") +
                     (likely.empty() ? "" : "; did you mean " + std::string(likely) + "?")});
  }
  with_stack([&] {
    open_threads(*state_, chosen.threads);
    backend->open(*state_, chosen);
  });
}

Context::~Context() = default;
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;

std::string_view Context::device() const noexcept { return state_->device; }
int Context::threads() const noexcept { return state_->threads; }

void Context::on_progress(std::function<void(double)> report) {
  const ContextUse use(*state_, true);
  state_->progress.report = std::move(report);
}

void Context::cancel() noexcept { state_->progress.cancel(); }

void Context::synchronize() {
  const ContextUse use(*state_);
  state_->session->synchronize();
}

const std::vector<Phase>& Context::phases() const noexcept { return state_->phases; }
const std::vector<Warning>& Context::warnings() const noexcept { return state_->warnings; }
std::size_t Context::scratch_bytes() const noexcept {
  return state_->scratch.bytes() + state_->session->scratch_bytes();
}
void Context::release_scratch() {
  const ContextUse use(*state_, true);
  state_->scratch.release();
  state_->session->release_scratch();
}

Context& default_context() {
  // One for each thread, not one for the process: a Context runs one call at a time, so threads
  // that shared one would have to wait for each other, and what a call says afterwards (warnings,
  // phases) would be that of another thread. What that costs, a pool of threads and scratch memory
  // for each thread that calls, ends with the thread.
  return own_object<Context>();
}

}  // namespace thiessen

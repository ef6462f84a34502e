// SPDX-License-Identifier: Apache-2.0
#include "core/base/context_state.hpp"

#include <algorithm>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

}  // namespace

void Progress::begin(std::int64_t total_units) {
  if (whole_ != nullptr) return;
  total_.store(total_units, kRelaxed);
  before_.store(0, kRelaxed);
  done_.store(0, kRelaxed);
  if (part_.load(kRelaxed) == 0 && !committed_.load(kRelaxed)) reported_.store(0, kRelaxed);
}

void Progress::begin_rest(std::int64_t units) {
  if (whole_ != nullptr) return;
  before_.store(fraction(done_.load(kRelaxed)), kRelaxed);
  total_.store(units, kRelaxed);
  done_.store(0, kRelaxed);
}

/// How much of the part that is being done.
double Progress::fraction(std::int64_t done) const {
  const std::int64_t total = total_.load(kRelaxed);
  const double before = before_.load(kRelaxed);
  const double own = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1;
  return before + (1 - before) * std::min(own, 1.0);
}

void Progress::check() const {
  if (whole_ != nullptr) return whole_->check();
  if (cancelled_.load(kRelaxed) && !committed_.load(kRelaxed))
    throw Error(ErrorCode::cancelled, "cancelled");
}

void Progress::commit() {
  end();
  check();
  committed_.store(true, kRelaxed);
}

void Progress::end() {
  if (calls_ > 1 || reported_.load(kRelaxed) >= 1) return;
  reported_.store(1, kRelaxed);
  if (report) report(1);
}

void Progress::begin_call() noexcept {
  if (calls_++ > 0) return;
  reported_.store(0, kRelaxed);
  reporting_.clear(std::memory_order_release);
}

void Progress::end_call() noexcept {
  committed_.store(false, kRelaxed);
  if (--calls_ > 0) return;
  cancelled_.store(false, kRelaxed);
  begin_part(0, 1);
}

void Progress::advance(std::int64_t units) {
  if (whole_ != nullptr) return whole_->advance(units);
  check();
  const std::int64_t done = done_.fetch_add(units, kRelaxed) + units;
  if (report) report_if_due(done);
}

/// All but the last report, that all is done: end() makes that one.
void Progress::report_if_due(std::int64_t done) {
  constexpr double kStep = 1.0 / 256;
  const double all = (static_cast<double>(part_.load(kRelaxed)) + fraction(done)) /
                     static_cast<double>(parts_.load(kRelaxed));
  if (all >= 1 || all < reported_.load(kRelaxed) + kStep) return;
  if (reporting_.test_and_set(std::memory_order_acquire)) return;
  if (all >= reported_.load(kRelaxed) + kStep) {
    reported_.store(all, kRelaxed);
    report(all);
  }
  reporting_.clear(std::memory_order_release);
}

PhaseTimer::~PhaseTimer() {
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start_;
  state_.phases.push_back({name_, elapsed.count(), std::move(detail_)});
}

}  // namespace thiessen

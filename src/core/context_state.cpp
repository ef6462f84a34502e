// SPDX-License-Identifier: Apache-2.0
#include "core/context_state.hpp"

#include <algorithm>

#include "thiessen/error.hpp"

namespace thiessen {

void Progress::begin(std::int64_t total_units) {
  if (whole_ != nullptr) return;
  total_ = total_units;
  before_ = 0;
  done_.store(0, std::memory_order_relaxed);
  if (part_ == 0) reported_ = 0;
}

void Progress::begin_rest(std::int64_t units) {
  if (whole_ != nullptr) return;
  before_ = fraction(done_.load(std::memory_order_relaxed));
  total_ = units;
  done_.store(0, std::memory_order_relaxed);
}

/// How much of the part that is being done.
double Progress::fraction(std::int64_t done) const {
  const double own = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
  return before_ + (1 - before_) * std::min(own, 1.0);
}

void Progress::check() const {
  if (whole_ != nullptr) return whole_->check();
  if (cancelled_.load(std::memory_order_relaxed)) throw Error(ErrorCode::cancelled, "cancelled");
}

void Progress::end() const {
  if (report && reported_ < 1) report(1);
}

void Progress::advance(std::int64_t units) {
  if (whole_ != nullptr) return whole_->advance(units);
  check();
  const std::int64_t done = done_.fetch_add(units, std::memory_order_relaxed) + units;
  if (report) report_if_due(done);
}

void Progress::report_if_due(std::int64_t done) {
  constexpr double kStep = 1.0 / 256;
  const double all = (static_cast<double>(part_) + fraction(done)) / static_cast<double>(parts_);
  const std::unique_lock lock(reporting_, std::try_to_lock);
  if (!lock || all < reported_ + kStep) return;
  reported_ = all;
  report(all);
}

PhaseTimer::~PhaseTimer() {
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start_;
  state_.phases.push_back({name_, elapsed.count(), std::move(detail_)});
}

}  // namespace thiessen

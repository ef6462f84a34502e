// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"

namespace thiessen::placing {

/// The parts of a call that makes others, for its progress.
class Parts {
 public:
  Parts(Progress& progress, std::int64_t count) : progress_(progress), count_(count) {}

  /// The next part begins. There may be fewer than were foreseen, but not more.
  void next() {
    progress_.check();
    progress_.begin_part(part_++, count_);
  }

 private:
  Progress& progress_;
  std::int64_t count_;
  std::int64_t part_ = 0;
};

}  // namespace thiessen::placing

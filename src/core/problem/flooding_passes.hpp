// SPDX-License-Identifier: Apache-2.0
//
// The passes of jump flooding in their order, and who watches them; the same on every backend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem/flooding.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Shows what passes made to FloodingOptions::on_pass, if somebody watches.
class PassWatcher {
 public:
  /// `hidden`: nobody sees these passes, as those of the complement for a signed distance.
  PassWatcher(const Problem& problem, bool hidden) : problem_(problem), hidden_(hidden) {}

  explicit operator bool() const { return problem_.flooding->on_pass && !hidden_; }

  /// Calls fill(site_index) for an array of all cells, which it fills with the site that each cell
  /// holds, kUnreached for none; then shows it. Does nothing if nobody watches.
  template <class Fill>
  void show(FloodingPass pass, const Fill& fill) {
    if (!*this) return;
    site_index_.resize(static_cast<std::size_t>(problem_.cells()));
    fill(site_index_.data());
    const auto axes = std::span<const std::int64_t>(problem_.extent)
                          .subspan(static_cast<std::size_t>(problem_.first_axis()));
    pass.site_index = View<const std::int64_t>(site_index_.data(), Extents(axes));
    problem_.flooding->on_pass(pass);
  }

 private:
  const Problem& problem_;
  bool hidden_;
  std::vector<std::int64_t> site_index_;
};

/// Calls run(number, step) for the passes, from number 0 on; before the first and after each
/// show(pass), which counts those that have run.
template <class Run, class Show>
void for_each_pass(std::span<const std::int64_t> steps, const Run& run, const Show& show) {
  const auto count = static_cast<std::int64_t>(steps.size());
  show(FloodingPass{.number = 0, .count = count});
  for (std::int64_t number = 0; number < count; ++number) {
    const std::int64_t step = steps[static_cast<std::size_t>(number)];
    run(number, step);
    show(FloodingPass{.number = number + 1, .count = count, .step = step});
  }
}

}  // namespace thiessen

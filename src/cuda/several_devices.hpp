// SPDX-License-Identifier: Apache-2.0
//
// One call on several devices of this process: a slab of the raster on each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "core/base/context_state.hpp"
#include "thiessen/context.hpp"

namespace thiessen::cuda {

/// What a Context of several devices keeps: a state for each of them.
class SeveralDevices : public Session {
 public:
  /// The same device may be there more than once. Throws Error if one of them cannot be used.
  SeveralDevices(ContextState& whole, std::span<const int> devices, const ContextOptions& options);

  std::span<const std::unique_ptr<ContextState>> states() const { return states_; }

  bool makes_labels() const override { return true; }
  bool marks_outside() const override { return true; }
  void synchronize() override;
  std::size_t scratch_bytes() const noexcept override;
  void release_scratch() noexcept override;

 private:
  std::vector<std::unique_ptr<ContextState>> states_;
};

/// Method "exact" on several devices.
Support supports_exact_on_several(const ContextState& state, const Problem& problem);
void run_exact_on_several(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/stage_times.hpp"

#include <algorithm>

#include "cuda/device/check.hpp"

namespace thiessen::cuda {
inline namespace device {

StageTimes::~StageTimes() {
  for (const Stage& stage : all_) cudaEventDestroy(stage.begin);
}

void StageTimes::enter(std::string_view name, cudaStream_t stream) {
  if (stages_ > 0 && all_[stages_ - 1].name == name) return;
  if (stages_ == all_.size()) {
    Stage stage{};
    check(cudaEventCreate(&stage.begin), "event");
    all_.push_back(stage);
  }
  all_[stages_].name = name;
  check(cudaEventRecord(all_[stages_++].begin, stream), "event");
}

void StageTimes::report(std::vector<Phase>& phases, cudaStream_t stream) {
  if (stages_ == 0) return;
  enter("", stream);
  check(cudaEventSynchronize(all_[stages_ - 1].begin), "wait for the last stage");
  const std::size_t first = phases.size();
  for (std::size_t i = 0; i + 1 < stages_; ++i) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, all_[i].begin, all_[i + 1].begin), "time of a stage");
    const auto same =
        std::find_if(phases.begin() + static_cast<std::ptrdiff_t>(first), phases.end(),
                     [&](const Phase& phase) { return phase.name == all_[i].name; });
    if (same != phases.end())
      same->milliseconds += milliseconds;
    else
      phases.push_back({all_[i].name, milliseconds, {}});
  }
  stages_ = 0;
}

}  // namespace device
}  // namespace thiessen::cuda

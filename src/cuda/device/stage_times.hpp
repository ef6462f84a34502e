// SPDX-License-Identifier: Apache-2.0
//
// Times of a call's stages on the device, by events between them. Which stages have much to do is
// decided there, so their times show what was chosen: the others are done at once.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>
#include <vector>

#include "core/base/context_state.hpp"

namespace thiessen::cuda {
inline namespace device {

class StageTimes {
 public:
  StageTimes() = default;
  ~StageTimes();
  StageTimes(const StageTimes&) = delete;
  StageTimes& operator=(const StageTimes&) = delete;

  /// Forgets all stages.
  void begin() { stages_ = 0; }
  /// What comes next on the stream belongs to a stage of this name, which lives on.
  void enter(std::string_view name, cudaStream_t stream);
  /// Appends the stages to the phases, those of the same name as one. Waits for the stream.
  void report(std::vector<Phase>& phases, cudaStream_t stream);

 private:
  struct Stage {
    std::string_view name;
    cudaEvent_t begin;
  };

  std::vector<Stage> all_;  ///< events are kept from call to call
  std::size_t stages_ = 0;  ///< so many are in use
};

}  // namespace device
}  // namespace thiessen::cuda

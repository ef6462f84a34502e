// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/sites/bits.hpp"
#include "cuda/sites/row_bits.cuh"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda::sites {
namespace {

constexpr int kThreads = 256;

/// A warp makes 32 words side by side and stores them together.
template <class T, bool kPlain>
__global__ void __launch_bounds__(kThreads)
    mark(const __grid_constant__ Job job, const Bits bits, std::int64_t groups_of_row) {
  follow();
  const std::int64_t group = std::int64_t{blockIdx.x} * (kThreads / kLanes) + threadIdx.x / kLanes;
  const std::int64_t row = group / groups_of_row;
  if (row >= job.extent[0] * job.extent[1]) return;
  const std::int64_t word = group % groups_of_row * kLanes;
  const std::uint32_t own = load_row_bits<T, kPlain>(job, row, word);
  if (word + lane_of_thread() < bits.row_words)
    bits.words[row * bits.row_words + word + lane_of_thread()] = own;
}

}  // namespace

Bits take_bits(const Job& job, Scratch::Frame& device) {
  Bits bits;
  bits.row_words = parts(job.extent[2], 32);
  bits.words = device.array<std::uint32_t>(bits.row_words * job.extent[0] * job.extent[1]);
  return bits;
}

void mark_sites(const CudaSession& session, const Job& job, const Bits& bits) {
  const std::int64_t groups_of_row = parts(bits.row_words, kLanes);
  const std::int64_t groups = groups_of_row * job.extent[0] * job.extent[1];
  const GridShape shape{blocks_for(groups, kThreads / kLanes), kThreads};
  const auto run = [&](auto* kernel) {
    launch_next(session, "marks of the sites", shape, kernel, job, bits, groups_of_row);
  };
  visit_element_type(job.rule.type, [&]<class T>(std::type_identity<T>) {
    run(is_plain(job.rule) ? mark<T, true> : mark<T, false>);
  });
}

}  // namespace thiessen::cuda::sites

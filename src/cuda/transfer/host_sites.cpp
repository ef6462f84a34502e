// SPDX-License-Identifier: Apache-2.0
#include "cuda/transfer/host_sites.hpp"

#include "cuda/device/grid.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/job/limits.hpp"
#include "cuda/transfer/make_cells.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

bool values_are_labels(const ProblemViews& views) {
  return views.out.labels && views.labels.bytes() == views.sites.bytes();
}

/// Whether sites are large enough for the host to pack them, and all that counts is where they are
/// and which labels they have.
bool may_be_packed(const Problem& problem, const ProblemViews& views) {
  return views.sites.space() == MemorySpace::host && problem.distance_to == DistanceTo::sites &&
         !problem.rule.nodata &&
         views.sites.extents().count() * element_bytes(views.sites) >= TransferLimits::kLeastBytes;
}

Cells<const std::byte> upload_bits(const CudaSession& session, const Problem& problem,
                                   const View<const void>& sites, Transfer& transfer) {
  transfer.use_host();
  const std::int64_t count = sites.extents().count();
  auto* const cells = transfer.device().array<std::byte>(count);
  auto* const bits = transfer.device().array<std::uint32_t>(parts(count, kLanes));
  transfer.host_copies().upload_sites(problem.rule, sites, bits);
  make_cells(session, bits, count, cells);
  return {cells, 1};
}

}  // namespace

Cells<const std::byte> upload_sites(const CudaSession& session, const Problem& problem,
                                    const ProblemViews& views, Transfer& transfer, Rule& rule) {
  if (may_be_packed(problem, views) && !values_are_labels(views)) {
    rule = {.type = ElementType::boolean};
    return upload_bits(session, problem, views.sites, transfer);
  }
  return transfer.input(views.sites);
}

}  // namespace transfer
}  // namespace thiessen::cuda

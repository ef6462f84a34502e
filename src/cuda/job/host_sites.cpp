// SPDX-License-Identifier: Apache-2.0
#include "cuda/job/host_sites.hpp"

#include <algorithm>
#include <vector>

#include "cuda/device/grid.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/job/limits.hpp"
#include "cuda/job/make_cells.hpp"

namespace thiessen::cuda {
namespace {

bool values_are_labels(const ProblemViews& views) {
  return views.out.labels && views.labels.bytes() == views.sites.bytes();
}

/// Whether sites are large enough for the host to pack them, and all that counts is where they are
/// and which labels they have.
bool may_be_packed(const Problem& problem, const ProblemViews& views) {
  return views.sites.space() == MemorySpace::host && problem.distance_to == DistanceTo::site &&
         !problem.rule.nodata &&
         views.sites.extents().count() * element_bytes(views.sites) >= TransferLimits::kLeastBytes;
}

/// Whether zeros, and nothing else, are no sites.
bool has_only_zeros_between(const Problem& problem, const ProblemViews& views) {
  return problem.rule.selection == SiteSelection::nonzero && element_bytes(views.sites) >= 4;
}

SparseCells sparse_pieces(std::int64_t cells, std::int64_t element) {
  constexpr std::int64_t kGroup = SparseCells::kGroup;
  constexpr std::int64_t kLeastPieces = std::int64_t{2} * Staging::kMostLanes;
  const std::int64_t most = TransferLimits::kPieceBytes / element;
  const std::int64_t piece = std::min(most, cells / kLeastPieces);
  return {std::max(kGroup, piece / kGroup * kGroup), element};
}

Cells<const std::byte> take_bits(const CudaSession& session, const Problem& problem,
                                 const View<const void>& sites, Transfer& transfer) {
  transfer.use_host();
  const std::int64_t count = sites.extents().count();
  auto* const cells = transfer.device().array<std::byte>(count);
  auto* const bits = transfer.device().array<std::uint32_t>(parts(count, kLanes));
  transfer.host_copies().upload_sites(problem.rule, sites, bits);
  make_cells(session, bits, count, cells);
  return {cells, 1};
}

Cells<const std::byte> take_sparse(const CudaSession& session, const View<const void>& sites,
                                   Transfer& transfer) {
  transfer.use_host();
  const std::int64_t count = sites.extents().count();
  const std::int64_t element = element_bytes(sites);
  const SparseCells sparse = sparse_pieces(count, element);
  std::vector<std::uint8_t> is_sparse(static_cast<std::size_t>(parts(count, sparse.cells)));
  auto* const cells = transfer.device().array<std::byte>(count * element);
  auto* const slots = transfer.device().array<std::byte>(std::ssize(is_sparse) * sparse.bytes());
  transfer.host_copies().upload_sparse(sites, {&sparse, cells, slots, is_sparse.data()});
  make_cells(session, sparse, slots, is_sparse, count, cells);
  return {cells, static_cast<std::int32_t>(element)};
}

}  // namespace

Cells<const std::byte> take_sites(const CudaSession& session, const Problem& problem,
                                  const ProblemViews& views, Transfer& transfer, Rule& rule) {
  if (may_be_packed(problem, views) && !values_are_labels(views)) {
    rule = {.type = ElementType::boolean};
    return take_bits(session, problem, views.sites, transfer);
  }
  if (may_be_packed(problem, views) && has_only_zeros_between(problem, views))
    return take_sparse(session, views.sites, transfer);
  return transfer.input(views.sites);
}

}  // namespace thiessen::cuda

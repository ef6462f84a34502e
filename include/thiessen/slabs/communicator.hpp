// SPDX-License-Identifier: Apache-2.0
//
// A raster whose slabs lie on several machines, or in several processes: each calls the same
// function with its own slab. What moves the data is a Communicator: MPI's (thiessen/mpi.hpp), or
// the caller's over sockets, threads, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The workers that hold the slabs of one raster: ranks 0 to size() - 1, in the order of the slabs.
/// All ranks make the same calls in the same order, and each waits for the ranks that it needs. An
/// exception of a function ends the call of its rank.
class THIESSEN_API Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends bytes to one rank, and returns the bytes that another rank sends; -1: nobody. Both may
  /// be this rank.
  virtual std::vector<std::byte> exchange(int to, std::span<const std::byte> bytes, int from) = 0;

  /// Sum of the values of all ranks, and sum of the values of the ranks before this one.
  virtual std::int64_t sum_of_all(std::int64_t value) = 0;
  virtual std::int64_t sum_before(std::int64_t value) = 0;
};

/// The neighbours of this rank's slab: its result of combine_slabs() for the summaries of all
/// ranks. All ranks call it with the summaries of their slabs, which may be joins of many.
///
/// A rank receives at most 2 ⌈log2 size⌉ faces (thiessen/slabs/slabs.hpp), on a periodic first axis
/// 2 ⌈log2 (size + 1)⌉, and makes one sum. Throws Error{invalid_argument}.
THIESSEN_API SlabNeighbours combine_slabs(Communicator& communicator, const SlabSummary& own,
                                          const Extents& raster, const NearestSiteOptions& options);

/// Nearest site of every cell of this rank's slab: what nearest_site() of the whole raster would
/// write there, bit for bit. The slabs of all ranks lie side by side in the order of the ranks, and
/// together are the raster. They may have any heights, also none.
///
/// The arguments are the arguments of finish_slab(). The raster and the options are the same in all
/// ranks. A rank receives the faces of combine_slabs(), and makes five sums. Throws Error: as
/// finish_slab(); invalid_argument if the slabs together are not the raster; cancelled if another
/// rank has failed before all faces were there, so that no rank waits for it.
THIESSEN_API void nearest_site(Communicator& communicator, Context& context, View<const void> slab,
                               const SlabPlace& place, const NearestSiteOptions& options,
                               const NearestSiteOutputs& out, View<const void> domain = {});

}  // namespace thiessen

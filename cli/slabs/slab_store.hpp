// SPDX-License-Identifier: Apache-2.0
//
// What a run for nearest sites keeps of its slabs in the folder of --resume (run_folder.hpp):
//
//     summary-K     slab_bytes() of the summary of slab K
//     slab-K-F      cells of slab K in result F, contiguous
//
// Each file appears whole or not at all, and slabs come in order, so that a kill at any moment
// loses no more than the slab that was being done.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "results/result_files.hpp"
#include "slabs/run_folder.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The summary of a slab, and the kinds of its cells.
struct KeptSummary {
  SlabSummary summary;
  std::uint8_t kinds = 0;
};

class SlabStore {
 public:
  /// For a run with so many result files, whose folder has begun.
  SlabStore(const RunFolder& folder, std::int64_t results);

  /// The number of slabs that are done.
  std::int64_t done() const { return done_; }

  /// Empty if it is not known yet.
  std::optional<KeptSummary> summary(std::int64_t slab) const;
  void keep_summary(std::int64_t slab, const KeptSummary& kept) const;

  /// The rows of a slab in all results; load() writes them there. Slabs are kept in their order.
  void keep(std::int64_t slab, const std::vector<ResultRows>& results) const;
  void load(std::int64_t slab, const std::vector<ResultRows>& results) const;

  /// All is written: removes what the folder holds.
  void remove() const;

 private:
  const RunFolder& folder_;
  std::int64_t done_ = 0;
};

}  // namespace thiessen::cli

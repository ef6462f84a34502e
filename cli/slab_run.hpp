// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are larger than the memory that a command may take: read twice, computed and
// written in slabs (thiessen/slabs.hpp). Reading, computing and writing overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/raster_rows.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "result_files.hpp"
#include "site_input.hpp"
#include "slab_plan.hpp"
#include "thiessen/thiessen.hpp"
#include "worker.hpp"

namespace thiessen::cli {

/// A raster of sites that is read some rows or planes at a time, one step ahead.
class SlabInput {
 public:
  /// Throws UsageError for a file that is not read by rows.
  SlabInput(const std::string& path, const io::ReadOptions& options);
  ~SlabInput();
  SlabInput(const SlabInput&) = delete;
  SlabInput& operator=(const SlabInput&) = delete;

  const io::RasterHead& head() const { return head_; }

  /// Bool cells are numbers 0 and 1 from now on.
  void read_as_numbers() { are_numbers_ = true; }

  /// Calls solve(first, cells) for all slabs of `rows` rows of a part, in order; the cells are
  /// valid until it returns. Throws UsageError for errors of the file.
  using Solve = std::function<void(std::int64_t first, const View<const void>& cells)>;
  void for_each_slab(const Part& part, std::int64_t rows, const Solve& solve);

  /// A slab without rows.
  View<const void> no_rows() const;

 private:
  void read(std::int64_t first, std::int64_t count);
  View<const void> as_cells(const View<const void>& cells) const;

  io::RasterHead head_;
  std::unique_ptr<io::RowReader> reader_;  // it lives on the worker's thread
  bool are_numbers_ = false;
  Raster ahead_;
  Raster here_;
  Worker worker_;
};

/// What a run for nearest sites takes for each cell.
struct CellBytes {
  std::size_t sites = 0;
  std::size_t labels = 0;  ///< of numbers that sites get; 0: they are labels themselves
  std::size_t results = 0;
  std::size_t scratch = 0;  ///< of one call for all
};

SlabNeeds needs_of(const CellBytes& bytes);

/// Writes the results of a slab.
using FinishSlab = std::function<void(const View<const void>& cells, std::int64_t first,
                                      const SlabNeighbours& neighbours)>;

/// A run in slabs, and whom it tells.
struct SlabRun {
  SlabInput& input;
  const SlabPlan& plan;
  ResultFiles& files;
  Progress& progress;
  Report& report;
  std::function<void()> warn_of_none;  ///< called before any result, if there is no site
  FinishSlab
      finish;  ///< into the first rows of the rasters of `files`, which are written from there
};

/// Solves a raster in slabs, in two stages of the progress. The ranks meet in it.
void solve_by_slabs(Context& context, const NearestSiteOptions& options, SlabRun& run);

/// The first `count` rows or planes of the outputs.
NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count);
CostDistanceOutputs first_rows(const CostDistanceOutputs& out, std::int64_t count);

}  // namespace thiessen::cli

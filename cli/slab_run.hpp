// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are larger than the memory that a command may take: read twice, computed and
// written in slabs (thiessen/slabs.hpp). Reading, computing and writing overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/inspect.hpp"
#include "io/raster_rows.hpp"
#include "memory.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "result_files.hpp"
#include "site_input.hpp"
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

/// How a rank does its part of a raster in slabs.
struct SlabPlan {
  std::int64_t rows = 0;  ///< of a slab, but for the last one
  std::int64_t slabs = 0;
  double bytes = 0;         ///< that it takes, at most
  std::vector<Part> parts;  ///< of all ranks
};

/// What a run takes for each cell.
struct CellBytes {
  std::size_t sites = 0;
  std::size_t labels = 0;  ///< of numbers that sites get; 0: they are labels themselves
  std::size_t results = 0;
  std::size_t scratch = 0;  ///< of one call for all
};

/// What --dry-run says: on stdout, in words or, with --json, for programs.
void tell_plan(const std::string& command, const Extents& extents, const CellBytes& bytes,
               const MemoryArguments& memory, const std::optional<SlabPlan>& plan,
               const TalkArguments& talk);

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

/// The header of a raster of sites, if its memory may be too much or the flags ask for it: empty if
/// it is small for sure. Throws UsageError if the flags are given for a file that is no raster, or
/// a pipe.
std::optional<io::RasterInfo> inspect_large(const std::string& path,
                                            const MemoryArguments& arguments);

/// The plan for a raster of sites, or nothing if all is done at once. `reason` says why it cannot
/// be done in slabs, if so: an error where the flags want that, or there are many ranks. Throws
/// UsageError, also if not even a few rows fit the memory.
std::optional<SlabPlan> choose_slabs(const MemoryArguments& arguments, const Extents& extents,
                                     const CellBytes& bytes, const std::string& reason);

/// The first `count` rows or planes of the outputs.
NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count);

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are larger than the memory that a command may take: read twice, computed and
// written in slabs (thiessen/slabs/slabs.hpp). Reading, computing and writing overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inputs/site_input.hpp"
#include "io/raster/raster_rows.hpp"
#include "results/result_files.hpp"
#include "slabs/ranks.hpp"
#include "slabs/slab_plan.hpp"
#include "slabs/slab_store.hpp"
#include "slabs/worker.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// A raster that is read some rows or planes at a time, one step ahead.
class SlabInput {
 public:
  /// Opens its reader on the thread that reads. Throws UsageError for a file that is not read by
  /// rows.
  using Open = std::function<std::unique_ptr<io::RowReader>()>;
  explicit SlabInput(const Open& open);
  SlabInput(const std::string& path, const io::ReadOptions& options);
  ~SlabInput();
  SlabInput(const SlabInput&) = delete;
  SlabInput& operator=(const SlabInput&) = delete;

  const io::RasterHead& head() const { return head_; }

  /// Bool cells are numbers 0 and 1 from now on.
  void read_as_numbers() { are_numbers_ = true; }

  /// Begins with the first slab of `rows` rows of a part.
  void begin(const Part& part, std::int64_t rows);

  /// The cells of the next slab, valid until the next call. Throws UsageError for errors of the
  /// file.
  View<const void> next();

  /// Calls solve(first, cells) for all slabs of a part, in order.
  using Solve = std::function<void(std::int64_t first, const View<const void>& cells)>;
  void for_each_slab(const Part& part, std::int64_t rows, const Solve& solve);

  /// A slab without rows.
  View<const void> no_rows() const;

 private:
  void read_ahead();
  View<const void> as_cells(const View<const void>& cells) const;

  io::RasterHead head_;
  std::unique_ptr<io::RowReader> reader_;  // it lives on the worker's thread
  bool are_numbers_ = false;
  std::int64_t rows_ = 0;
  Part left_;  // rows that are not read
  Raster ahead_;
  Raster here_;
  Worker worker_;
};

/// What a run for nearest sites takes for each cell.
struct CellBytes {
  std::size_t sites = 0;
  std::size_t image = 0;   ///< whose areas are the sites
  std::size_t labels = 0;  ///< of numbers that sites get; 0: they are labels themselves
  std::size_t results = 0;
  std::size_t scratch = 0;  ///< of one call for all
  double fixed = 0;         ///< as of SlabNeeds
};

SlabNeeds needs_of(const CellBytes& bytes);

/// What numbering the areas of cells of so many bytes takes for each column and slab; 0: none.
std::size_t bytes_of_areas(std::size_t image);

/// A run in slabs, and whom it tells.
struct SlabRun {
  const Extents& extents;
  const SlabPlan& plan;
  ResultFiles& files;
  Progress& progress;
  Report& report;
  std::optional<SlabStore> store = {};  ///< of what is done
  Received faces = {};                  ///< of other ranks
  double work_seconds = 0;              ///< processor time so far, but for waits for other ranks
};

/// Opens the files of a run, and its store if it keeps what is done.
void open_slabs(SlabRun& run);

/// The ranks meet, since all that may be wrong with the command line is known.
void meet_for_slabs(SlabRun& run);

/// What computes slabs, in their order: into the first rows of the rasters of the files, which are
/// written from there.
struct SlabWork {
  std::function<void(std::int64_t done)> begin;  ///< before, with the number of slabs that are done
  std::function<void(const Part& slab)> compute;
};

/// Has all slabs of this rank computed and written that are not done yet, after the ranks have met:
/// the last two stages of the progress.
void compute_slabs(Context& context, SlabRun& run, const SlabWork& work);

/// Writes the results of a slab, as SlabWork.
using FinishSlab = std::function<void(const View<const void>& cells, std::int64_t first,
                                      const SlabNeighbours& neighbours)>;

/// Nearest sites of the cells of a raster.
struct SitesInSlabs {
  SlabInput& input;
  const NearestSiteOptions& options;  ///< of summaries
  /// Their nodata value by the file, where it matters whether a cell is free.
  std::optional<LabelValue> nodata = {};
  /// Called before any result, with the kinds of all cells (kFreeKind …) if there is `nodata`.
  std::function<void(bool has_site, std::uint8_t kinds)> warn;
  FinishSlab finish;
};

/// Solves a raster in slabs, in three stages of the progress. The ranks meet in it.
void solve_by_slabs(Context& context, SlabRun& run, const SitesInSlabs& sites);

/// The first `count` rows or planes of the outputs.
NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count);
CostDistanceOutputs first_rows(const CostDistanceOutputs& out, std::int64_t count);

}  // namespace thiessen::cli

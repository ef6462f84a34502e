// SPDX-License-Identifier: Apache-2.0
//
// Whether and how a raster is done in slabs, by the memory that a run may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/raster/inspect.hpp"
#include "slabs/ranks.hpp"
#include "slabs/run_folder.hpp"
#include "talk/report.hpp"
#include "thiessen/view.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {

/// Bytes that a run takes.
struct SlabNeeds {
  std::size_t at_once = 0;       ///< for each cell, if all is done at once
  std::size_t in_slab = 0;       ///< for each cell of a slab
  std::size_t of_column = 0;     ///< for each column and slab
  std::int64_t slabs_held = 1;   ///< slabs that are in memory at once
  std::int64_t rows_beside = 0;  ///< rows or planes that a slab holds besides its own
  double fixed = 0;              ///< besides cells: points
};

/// How a rank does its part of a raster in slabs.
struct SlabPlan {
  std::int64_t rows = 0;  ///< of a slab, but for the last one
  std::int64_t slabs = 0;
  std::int64_t held = 1;        ///< slabs that are in memory at once
  double bytes = 0;             ///< that it takes, at most
  std::vector<Part> parts;      ///< of all ranks
  Part part;                    ///< of this rank
  RunFolder* folder = nullptr;  ///< keeps what is done

  /// The rows of a slab of this rank, and those of this one and all that follow.
  Part slab(std::int64_t number) const;
  Part rest_from(std::int64_t number) const;
};

/// The extents of so many rows or planes of a raster, which lie along `axis`.
Extents with_rows(const Extents& extents, std::int64_t rows, int axis = 0);

/// Why files are not written in slabs; empty if all are, or have no name.
std::string why_not_by_rows(const std::vector<std::string>& paths, const std::string& format);

/// A run that is only told about; `reason` as of choose_slabs().
struct DryRun {
  std::string command;
  Extents extents;
  SlabNeeds needs;
  std::string reason;
};

/// What --dry-run says: on stdout, in words or, with --json, for programs. Throws
/// Error{out_of_memory} after that if there is too little memory.
void tell_plan(const DryRun& run, const MemoryArguments& memory,
               const std::optional<SlabPlan>& plan, const TalkArguments& talk);

/// The header of a raster, of `what` ("sites that are a raster file"), if its memory may be too
/// much or the flags ask for it: empty if it is small for sure. Throws UsageError if the flags are
/// given for a file that is no raster, or a pipe.
std::optional<io::RasterInfo> inspect_large(const std::string& path, const char* what,
                                            const MemoryArguments& arguments);

/// The plan for a raster of sites, or nothing if all is done at once. `reason` says why it cannot
/// be done in slabs, if so: an error where the flags want that, or there are many ranks. `folder`
/// may know the rows of an interrupted run. Throws UsageError, also if not even a few rows fit the
/// memory.
std::optional<SlabPlan> choose_slabs(const MemoryArguments& arguments, const Extents& extents,
                                     const SlabNeeds& needs, const std::string& reason,
                                     RunFolder* folder = nullptr);

}  // namespace thiessen::cli

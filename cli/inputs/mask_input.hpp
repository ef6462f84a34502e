// SPDX-License-Identifier: Apache-2.0
//
// The study area of a command: outside of it, results are nodata.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "inputs/rasters/domain_input.hpp"
#include "inputs/sites/site_input.hpp"
#include "talk/progress.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct MaskArguments {
  std::string file, layer;
  bool clip_sites = false;
  bool transform = false;  ///< as in LayerArguments, whose flag it is
};

void add_mask_flags(CLI::App& command, MaskArguments& arguments);

/// The study area, by rows: in a raster the cells are inside that are neither 0 nor NaN nor nodata,
/// of areas those whose centres lie in one; sites.area keeps their layer, and a grid of --bounds
/// takes its coordinates. Throws UsageError.
DomainRows open_mask(const MaskArguments& arguments, int threads, Sites& sites);

/// Cells of sites, with --clip-sites: those outside of the study area are none.
class ClippedRows final : public RowSource {
 public:
  /// Throws UsageError if no value of the cells says that they are no sites.
  ClippedRows(RowSource& cells, RowSource& mask, const Sites& sites);

  ElementType element_type() const override { return cells_.element_type(); }
  const Extents& extents() const override { return cells_.extents(); }
  bool is_in_order() const override { return cells_.is_in_order(); }
  void read(const SlabRows& rows, std::byte* cells) override;
  void close() override;

  /// The same for all cells, contiguous in memory.
  void clip(const View<void>& cells, RowSource& mask);

 private:
  RowSource& cells_;
  RowSource& mask_;
  LabelValue none_;
  Raster inside_;
};

/// Does what the flags say with the study area: with --clip-sites, points outside of it are none,
/// nor are cells that are in memory. Reads `mask`. Throws UsageError if no cell is inside.
void clip_sites(const MaskArguments& arguments, RowSource& mask, bool are_in_memory,
                std::optional<ClippedRows>& cells, Sites& sites);

}  // namespace thiessen::cli

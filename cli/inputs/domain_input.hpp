// SPDX-License-Identifier: Apache-2.0
//
// The domain that the raster of --like gives to results.
#pragma once

#include <optional>
#include <string>

#include "io/raster/raster_file.hpp"
#include "slabs/slab_run.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// For each cell of the raster file 1 if it lies in the domain, else 0, as u8; no axes if all cells
/// do. If there are several bands, FILE|band=N says which one decides. `nodata` is --nodata: a
/// value, "none", or empty for the file's own value. Throws UsageError.
Raster load_domain(const std::string& path, const std::string& nodata,
                   const io::ReadOptions& options);

/// The same some rows at a time.
class DomainInput {
 public:
  DomainInput(const std::string& path, const std::string& nodata, int threads);

  /// Whether some cell lies outside; reads all cells, `rows` rows at a time, if they may.
  bool has_outside(std::int64_t rows);

  /// As of SlabInput.
  void begin(const Part& part, std::int64_t rows) { input_->begin(part, rows); }
  View<const void> next();
  View<const void> no_rows() const;

 private:
  std::optional<LabelValue> value_;
  std::optional<SlabInput> input_;
  Raster domain_;
};

}  // namespace thiessen::cli

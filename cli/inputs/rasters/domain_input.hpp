// SPDX-License-Identifier: Apache-2.0
//
// Rasters that say which cells the domain of a run has.
#pragma once

#include <optional>
#include <string>

#include "slabs/file_rows.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/slabs/stream.hpp"

namespace thiessen::cli {

/// The cells of a raster that lie in the domain: 1, else 0. Where the raster cannot be read by
/// rows, it is read whole.
class DomainRows final : public RowSource {
 public:
  /// Cells of the value `outside` lie outside, and with `is_mask` zeros and NaN do, too.
  DomainRows(FileRows cells, const std::optional<LabelValue>& outside, bool is_mask)
      : cells_(std::move(cells)), outside_(outside), is_mask_(is_mask) {}

  /// Whether all cells are known to lie in it.
  bool is_all() const { return !is_mask_ && !outside_; }

  ElementType element_type() const override { return ElementType::u8; }
  const Extents& extents() const override { return cells_.extents(); }
  void read(const SlabRows& rows, std::byte* cells) override;
  void close() override { cells_.close(); }

 private:
  FileRows cells_;
  std::optional<LabelValue> outside_;
  bool is_mask_;
  Raster read_;
};

/// Whether a cell of a domain is 0 or 1. Reads all rows.
bool has_cell(RowSource& domain, std::int64_t value);

/// The domain that the raster of --like gives to results. If there are several bands, FILE|band=N
/// says which one decides. `nodata` is --nodata: a value, "none", or empty for the file's own
/// value. Throws UsageError.
DomainRows domain_of_like(const std::string& path, const std::string& nodata, int threads);

/// The cells that lie in both of two domains.
class CommonRows final : public RowSource {
 public:
  CommonRows(RowSource& a, RowSource& b) : a_(a), b_(b) {}

  ElementType element_type() const override { return ElementType::u8; }
  const Extents& extents() const override { return a_.extents(); }
  void read(const SlabRows& rows, std::byte* cells) override;
  void close() override;

 private:
  RowSource& a_;
  RowSource& b_;
  Raster read_;
};

}  // namespace thiessen::cli

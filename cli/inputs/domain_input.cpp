// SPDX-License-Identifier: Apache-2.0
#include "inputs/domain_input.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "inputs/cell_values.hpp"
#include "inputs/raster_input.hpp"
#include "io/raster/inspect.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

/// The value outside of the domain, if a cell can hold one.
std::optional<LabelValue> nodata_of(const std::string& path, const std::string& nodata,
                                    const io::RasterInfo& info) {
  if (nodata == "none") return std::nullopt;
  if (nodata.empty())
    return info.nodata && can_hold(info.element_type, *info.nodata) ? info.nodata : std::nullopt;
  const LabelValue value = parse_label("--nodata", nodata);
  if (!can_hold(info.element_type, value))
    throw UsageError("--nodata " + nodata + ": must be a value of the type of " + path + ", " +
                     std::string(name_of(info.element_type)));
  return value;
}

}  // namespace

Raster load_domain(const std::string& path, const std::string& nodata,
                   const io::ReadOptions& options) {
  const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
  const std::optional<LabelValue> value = nodata_of(path, nodata, info);
  if (!value) return {};
  io::ReadOptions one_band = options;
  one_band.colours = false;
  const Raster cells = read_raster_file(path, one_band).raster;
  if (!any_holds(cells.view(), *value)) return {};
  require_memory(cells.extents().count(), 1);
  Raster domain(ElementType::u8, cells.grid());
  std::fill_n(domain.bytes(), domain.size_bytes(), std::byte{1});
  put_where(domain.view(), std::int64_t{0}, std::as_const(cells).view(), *value);
  return domain;
}

DomainInput::DomainInput(const std::string& path, const std::string& nodata, int threads) {
  const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
  value_ = nodata_of(path, nodata, info);
  if (!value_) return;
  input_.emplace(path, io::ReadOptions{.colours = false, .threads = threads});
}

bool DomainInput::has_outside(std::int64_t rows) {
  if (!value_) return false;
  const std::int64_t length = input_->head().grid.extents[0];
  input_->begin({0, length}, rows);
  for (std::int64_t first = 0; first < length; first += rows)
    if (any_holds(input_->next(), *value_)) return true;
  return false;
}

View<const void> DomainInput::no_rows() const {
  return {input_->no_rows().bytes(), ElementType::u8, input_->no_rows().extents()};
}

View<const void> DomainInput::next() {
  const View<const void> cells = input_->next();
  if (domain_.extents() != cells.extents()) domain_ = Raster(ElementType::u8, cells.extents());
  std::fill_n(domain_.bytes(), domain_.size_bytes(), std::byte{1});
  put_where(domain_.view(), std::int64_t{0}, cells, *value_);
  return std::as_const(domain_).view();
}

}  // namespace thiessen::cli

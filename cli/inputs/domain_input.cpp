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

std::optional<LabelValue> value_outside(const std::string& path, const std::string& nodata,
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

Raster load_domain(const std::string& path, const std::string& nodata,
                   const io::ReadOptions& options) {
  const io::RasterInfo info = as_usage([&] { return io::inspect_raster(path); });
  const std::optional<LabelValue> value = value_outside(path, nodata, info);
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

}  // namespace thiessen::cli

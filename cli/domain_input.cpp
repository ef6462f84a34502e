// SPDX-License-Identifier: Apache-2.0
#include "domain_input.hpp"

#include <algorithm>
#include <optional>

#include "arguments.hpp"
#include "cell_values.hpp"
#include "io/inspect.hpp"
#include "memory.hpp"
#include "raster_input.hpp"

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
  io::ReadOptions first_band = options;
  if (info.bands > 1) first_band.band = 1;
  const Raster cells = read_raster_file(path, first_band).raster;
  if (!any_holds(cells.view(), *value)) return {};
  require_memory(cells.extents().count(), 1);
  Raster domain(ElementType::u8, cells.grid());
  std::fill_n(domain.bytes(), domain.size_bytes(), std::byte{1});
  put_where(domain.view(), std::int64_t{0}, std::as_const(cells).view(), *value);
  return domain;
}

}  // namespace thiessen::cli

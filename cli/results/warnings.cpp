// SPDX-License-Identifier: Apache-2.0
#include "results/warnings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/utf8.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/exact.hpp"
#include "slabs/ranks.hpp"
#include "thiessen/element_visit.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Turns "points[4]", which counts from 0, into "point 5", as files count.
std::string counted_from_one(std::string message) {
  constexpr std::string_view kPoint = "points[";
  const std::size_t begin = message.find(kPoint);
  const std::size_t end = message.find(']', begin);
  if (begin == std::string::npos || end == std::string::npos) return message;
  std::int64_t index = 0;
  std::from_chars(message.data() + begin + kPoint.size(), message.data() + end, index);
  return message.replace(begin, end + 1 - begin, "point " + std::to_string(index + 1));
}

std::string with_flags(std::string message) {
  constexpr std::string_view kOption = "another value of unreached";
  const std::size_t option = message.find(kOption);
  if (option != std::string::npos)
    message.replace(option, kOption.size(), "another value of --unreached");
  constexpr std::string_view kFree = "with free_nodata";
  const std::size_t free = message.find(kFree);
  if (free != std::string::npos) message.replace(free, kFree.size(), "with --free-nodata");
  return counted_from_one(std::move(message));
}

std::string text_of_all(const std::vector<LabelValue>& values) {
  std::string text;
  for (const LabelValue& value : values) text += (text.empty() ? "" : ", ") + io::label_text(value);
  return text;
}

/// Those of --values that no cell holds.
std::vector<LabelValue> missing_values(const Sites& sites) {
  std::vector<LabelValue> missing;
  for (const LabelValue& value : sites.values)
    if (!io::can_hold(sites.raster.element_type(), value) ||
        !io::any_holds(sites.raster.view(), value))
      missing.push_back(value);
  return missing;
}

/// The likely cause that there is no site, or none in the grid.
std::string cause_of(WarningKind kind, const Sites& sites) {
  if (kind != WarningKind::no_site && kind != WarningKind::outside_of_grid) return "";
  if (!sites.values.empty()) return "; --values is " + text_of_all(sites.values);
  return sites.why_none.empty() ? "" : "; " + sites.why_none;
}

/// Kinds of cells, as bits. A nodata cell may be free, or a site.
constexpr std::uint8_t kFreeKind = 1, kSiteKind = 2, kNodataKind = 4;

/// The kinds of contiguous cells up to the first free one, by the options of nearest_site() but
/// `free_nodata`. `nodata` is the value of the file, whether the options heed it or not.
std::uint8_t kinds_of(const View<const void>& cells, const NearestSiteOptions& options,
                      const std::optional<LabelValue>& nodata) {
  return visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto value_of = [](const std::optional<LabelValue>& value) {
      return value ? io::cast_exactly<T>(*value) : std::nullopt;
    };
    const std::optional<T> outside = value_of(options.nodata), of_file = value_of(nodata);
    std::vector<T> values;
    for (const LabelValue& value : options.values)
      if (const auto own = io::cast_exactly<T>(value)) values.push_back(*own);
    const auto is_site = [&](T cell) {
      if (options.zero_is_site) return true;
      if (options.values.empty()) return cell < T{0} || cell > T{0};
      return std::ranges::any_of(values, [&](T value) { return io::equals(cell, value); });
    };
    std::uint8_t kinds = 0;
    const auto* const first = reinterpret_cast<const T*>(cells.bytes());
    for (std::int64_t i = 0; i < cells.extents().count(); ++i) {
      if (of_file && io::equals(first[i], *of_file)) kinds |= kNodataKind;
      if (outside && io::equals(first[i], *outside)) continue;
      if (!is_site(first[i])) return static_cast<std::uint8_t>(kinds | kFreeKind);
      kinds |= kSiteKind;
    }
    return kinds;
  });
}

}  // namespace

void Warnings::add(CommandWarning warning) {
  if (strict_) throw UsageError(warning.message + " (--strict)");
  all_.push_back(std::move(warning));
}

void Warnings::add(const Sites& sites) {
  for (const CommandWarning& warning : sites.warnings) add(warning);
  const std::vector<LabelValue> missing = missing_values(sites);
  // If all are missing, the library warns: there is no site.
  if (missing.empty() || missing.size() == sites.values.size()) return;
  add({"values", static_cast<std::int64_t>(missing.size()),
       sites.name + ": no cell holds " + text_of_all(missing) + " of --values"});
}

void Warnings::add(const Context& context, const Sites& sites) {
  for (const Warning& warning : context.warnings()) add(warning, sites);
}

void Warnings::add(const Warning& warning, const Sites& sites) {
  add({std::string(name_of(warning.kind)), warning.count,
       sites.name + ": " + with_flags(warning.message) + cause_of(warning.kind, sites)});
}

void Warnings::tell(Report& report) const {
  auto list = nlohmann::ordered_json::array();
  for (const CommandWarning& warning : all_) {
    list.push_back(
        {{"kind", warning.kind}, {"count", warning.count}, {"message", warning.message}});
    if (!quiet_)
      std::fprintf(stderr, "thiessen: warning: %s\n", io::in_one_line(warning.message).c_str());
  }
  report.set("warnings", std::move(list));
}

UnheededNodata::UnheededNodata(const NearestSiteOptions& options, const Sites& sites)
    : options_(options), sites_(sites) {
  // Distances lead to free cells, unless they are those within sites or between them.
  const bool needs_free_cells = !options.free_nodata && !options.signed_distance &&
                                options.k == 0 && options.distance_to != DistanceTo::boundary;
  if (needs_free_cells && !options.nodata && !sites.are_points()) nodata_ = sites.file_nodata;
}

void UnheededNodata::look_at(const View<const void>& cells) {
  if (nodata_ && (kinds_ & kFreeKind) == 0) kinds_ |= kinds_of(cells, options_, nodata_);
}

void UnheededNodata::warn(Warnings& warnings) const {
  const auto any_rank_has = [&](std::uint8_t kind) {
    return ranks().communicator().sum_of_all(kinds_ & kind) > 0;
  };
  const bool has_free = any_rank_has(kFreeKind), has_site = any_rank_has(kSiteKind),
             has_nodata = any_rank_has(kNodataKind);
  if (has_free || !has_site || !has_nodata || ranks().rank() > 0) return;
  warnings.add(
      {"no_free_cell", 1,
       sites_.name +
           ": no free cell: all are sites, cells of the file's nodata value too, so that no "
           "distance is above 0; with --free-nodata the nodata cells are the free ones"});
}

void warn_of_unheeded_nodata(NearestSiteOptions options, const Sites& sites, Warnings& warnings) {
  choose_sites(sites, options);
  UnheededNodata unheeded(options, sites);
  unheeded.look_at(sites.raster.view());
  unheeded.warn(warnings);
}

}  // namespace thiessen::cli

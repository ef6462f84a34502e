// SPDX-License-Identifier: Apache-2.0
#include "slabs/slab_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "inputs/raster_input.hpp"
#include "io/files/output_format.hpp"
#include "io/raster/raster_rows.hpp"
#include "io/table/site_file.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Their number, which may be more than integers hold.
double cells_of(const Extents& extents) {
  double cells = 1;
  for (int axis = 0; axis < extents.rank(); ++axis) cells *= static_cast<double>(extents[axis]);
  return cells;
}

/// What the process takes besides: its code, libraries and the cache of GDAL.
constexpr double kOfProcess = double{192} * 1024 * 1024;

double bytes_at_once(const Extents& extents, const SlabNeeds& needs) {
  return needs.fixed + static_cast<double>(extents.count()) * static_cast<double>(needs.at_once);
}

double bytes_in_slabs(const Extents& extents, const SlabNeeds& needs, std::int64_t rows) {
  const double columns = static_cast<double>(extents.count()) / static_cast<double>(extents[0]);
  const double slabs = std::ceil(static_cast<double>(extents[0]) / static_cast<double>(rows));
  constexpr double kFaces = 24;  // that are combined at once
  const auto held = static_cast<double>(rows + needs.rows_beside);
  return kOfProcess + needs.fixed +
         columns * (held * static_cast<double>(needs.in_slab) +
                    (slabs + kFaces) * static_cast<double>(needs.of_column));
}

/// Searches work on 16 rows; planes have no such number. Files have blocks of 256 rows.
std::int64_t step_of(const Extents& extents) { return extents.rank() == 2 ? 16 : 1; }

/// Calls visit(rows) for the heights that slabs may have.
template <class Visit>
void visit_rows(const Extents& extents, const Visit& visit) {
  const std::int64_t step = step_of(extents);
  constexpr std::int64_t kBlock = 256;
  for (std::int64_t rows = step; rows < extents[0] + step; rows += rows < kBlock ? step : kBlock)
    visit(std::min(rows, extents[0]));
}

/// The most rows of a slab with which a run takes no more than `limit` bytes; 0 if not even a few
/// do.
std::int64_t rows_within(const Extents& extents, const SlabNeeds& needs, std::int64_t limit) {
  const auto most = static_cast<double>(limit);
  if (bytes_in_slabs(extents, needs, extents[0]) <= most) return extents[0];
  std::int64_t best = 0;
  visit_rows(extents, [&](std::int64_t rows) {
    if (bytes_in_slabs(extents, needs, rows) <= most) best = rows;
  });
  return best;
}

/// What slabs take at least: "in slabs it takes 64.5 GiB at least, with 576 rows each".
std::string least_in_slabs(const Extents& extents, const SlabNeeds& needs) {
  std::int64_t best = extents[0];
  visit_rows(extents, [&](std::int64_t rows) {
    if (bytes_in_slabs(extents, needs, rows) < bytes_in_slabs(extents, needs, best)) best = rows;
  });
  return "in slabs it takes " + text_of_bytes(bytes_in_slabs(extents, needs, best)) +
         " at least, with " + std::to_string(best) +
         (extents.rank() == 2 ? " rows each (" : " planes each (") + text_of_bytes(kOfProcess) +
         " of it whatever the raster)";
}

/// Rows of one of some parts of a raster: whole blocks of a file, where it has as many.
std::int64_t rows_of_part(const Extents& extents) {
  constexpr std::int64_t kParts = 16;
  constexpr std::int64_t kBlock = 256;
  const std::int64_t rows = (extents[0] + kParts - 1) / kParts;
  return extents.rank() == 3 || rows < kBlock ? rows : rows / kBlock * kBlock;
}

/// The flag that wants slabs.
const char* flag_of(const MemoryArguments& arguments) {
  if (arguments.dry_run) return "--dry-run";
  if (!arguments.memory.empty()) return "--memory";
  return arguments.slab_rows.empty() ? "--resume" : "--slab-rows";
}

/// The rows of a slab if so many slabs hold `most` rows, or fewer slabs hold them; 0 for none.
std::int64_t rows_of_slab(const Extents& extents, std::int64_t most, std::int64_t held) {
  if (held == 1 || most == 0) return most;
  const std::int64_t step = step_of(extents);
  return std::max(most / held / step * step, std::min(step, most));
}

}  // namespace

Part SlabPlan::rest_from(std::int64_t number) const {
  const std::int64_t before = std::min(number * rows, part.count);
  return {part.first + before, part.count - before};
}

Part SlabPlan::slab(std::int64_t number) const {
  const Part rest = rest_from(number);
  return {rest.first, std::min(rows, rest.count)};
}

Extents with_rows(const Extents& extents, std::int64_t rows, int axis) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(extents.rank()));
  for (int each = 0; each < extents.rank(); ++each)
    sizes[static_cast<std::size_t>(each)] = each == axis ? rows : extents[each];
  return Extents(sizes);
}

std::optional<io::RasterInfo> inspect_large(const std::string& path, const char* what,
                                            const MemoryArguments& arguments) {
  constexpr double kMostBytes = 128;  // that a cell takes, with all results
  constexpr double kMostCells = 0x1p60;
  const bool is_asked = arguments.are_given() || ranks().are_many();
  return as_usage([&]() -> std::optional<io::RasterInfo> {
    const bool is_raster =
        !path.empty() && !is_stream(path) && io::kind_of(path) == io::SiteFileKind::raster;
    if (!is_raster && ranks().are_many())
      throw UsageError("many ranks are for " + std::string(what) + "; there are " +
                       std::to_string(ranks().size()));
    if (!is_raster && is_asked)
      throw UsageError(std::string(flag_of(arguments)) + ": is for " + what);
    if (!is_raster) return std::nullopt;
    io::RasterInfo info = io::inspect_raster(path);
    const double cells = cells_of(info.grid.extents);
    if (cells > kMostCells) return std::nullopt;  // its reader says so
    if (!is_asked && cells * kMostBytes < static_cast<double>(memory_limit(arguments)))
      return std::nullopt;
    return info;
  });
}

std::optional<SlabPlan> choose_slabs(const MemoryArguments& arguments, const Extents& extents,
                                     const SlabNeeds& needs, const std::string& reason,
                                     RunFolder* folder) {
  const bool are_many = ranks().are_many();
  if (are_many && (extents.count() == 0 || !reason.empty()))
    throw UsageError("the run is not done by " + std::to_string(ranks().size()) +
                     " ranks: " + (reason.empty() ? "the raster has no cells" : reason));
  if (extents.count() == 0) return std::nullopt;
  const std::int64_t limit = memory_limit(arguments);
  const double whole = bytes_at_once(extents, needs);
  const bool has_rows = !arguments.slab_rows.empty();
  const bool is_resumed = !arguments.resume.empty();
  const bool is_too_much = whole > static_cast<double>(limit);
  if (!has_rows && !is_resumed && !is_too_much && !are_many) return std::nullopt;
  if (is_resumed && are_many)
    throw UsageError("--resume " + arguments.resume + ": is for one rank; there are " +
                     std::to_string(ranks().size()));
  if (!reason.empty() && (has_rows || is_resumed))
    throw UsageError(
        (has_rows ? "--slab-rows " + arguments.slab_rows : "--resume " + arguments.resume) +
        ": the run is not done in slabs: " + reason);
  if (!reason.empty() && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": the run needs " + text_of_bytes(whole) +
                     " at once, and is not done in slabs: " + reason);
  if (!reason.empty()) return std::nullopt;
  std::vector<Part> parts = parts_of(extents);
  const Part part = parts[static_cast<std::size_t>(ranks().rank())];
  // A part may have no rows; a slab has one.
  const Extents own = with_rows(extents, std::max<std::int64_t>(part.count, 1));
  const std::optional<std::int64_t> before = folder == nullptr ? std::nullopt : folder->rows();
  const std::int64_t most = rows_within(own, needs, limit);
  std::int64_t rows = before     ? *before
                      : has_rows ? parse_integer("--slab-rows", arguments.slab_rows, 1, 1 << 30)
                                 : rows_of_slab(own, most, needs.slabs_held);
  rows = std::min(rows, own[0]);
  // A kill should cost no more than a part of the run.
  if (is_resumed && !before && !has_rows) rows = std::min(rows, rows_of_part(own));
  if (rows == 0 && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": is too little: at once the run takes " +
                     text_of_bytes(whole) + ", and " + least_in_slabs(own, needs));
  if (rows == 0 && are_many)
    throw Error(ErrorCode::out_of_memory,
                "a rank has " + text_of_bytes(static_cast<double>(limit)) +
                    " of memory, which is too little: " + least_in_slabs(own, needs));
  if (rows == 0) return std::nullopt;
  const std::int64_t slabs = (part.count + rows - 1) / rows;
  const std::int64_t held =
      needs.slabs_held == 1 ? 1 : std::clamp<std::int64_t>(most / rows, 1, slabs);
  return SlabPlan{.rows = rows,
                  .slabs = slabs,
                  .held = held,
                  .bytes = bytes_in_slabs(own, needs, held * rows),
                  .parts = std::move(parts),
                  .part = part,
                  .folder = folder};
}

std::string why_not_by_rows(const std::vector<std::string>& paths, const std::string& format) {
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    const std::string own = io::is_format_for(path, format) ? format : "";
    if (!as_usage([&] { return io::is_written_by_rows(path, own); }))
      return path + " is not written by rows; .tif, .npy and .zarr are";
  }
  return "";
}

namespace {

void require_fit(bool fits) {
  if (!fits)
    throw Error(ErrorCode::out_of_memory,
                "the run needs more memory than the " +
                    text_of_bytes(static_cast<double>(available_memory())) + " that are available");
}

}  // namespace

void tell_plan(const DryRun& run, const MemoryArguments& memory,
               const std::optional<SlabPlan>& plan, const TalkArguments& talk) {
  const auto& [command, extents, needs, reason] = run;
  if (ranks().rank() > 0) return;
  const double whole = bytes_at_once(extents, needs);
  const std::int64_t limit = memory_limit(memory);
  const std::int64_t available = available_memory();
  const bool fits = plan || available < 0 || whole <= static_cast<double>(available);
  const std::int64_t slabs = plan ? plan->slabs : 1;
  const std::int64_t rows = plan ? plan->rows : extents[0];
  if (talk.json) {
    nlohmann::ordered_json json;
    json["command"] = command;
    json["dry_run"] = true;
    for (int axis = 0; axis < extents.rank(); ++axis) json["extents"].push_back(extents[axis]);
    json["memory"] = limit;
    json["needed_at_once"] = whole;
    json["slabs"] = slabs;
    json["rows"] = rows;
    json["needed"] = plan ? plan->bytes : whole;
    json["ranks"] = ranks().size();
    json["fits"] = fits;
    print_to_stdout(json);
    return require_fit(fits);
  }
  const char* const unit = extents.rank() == 2 ? "rows" : "planes";
  if (plan && ranks().are_many())
    std::printf("%s: each of %d ranks may take %s: %lld slabs of %lld %s, %s\n", command.c_str(),
                ranks().size(), text_of_bytes(static_cast<double>(limit)).c_str(),
                static_cast<long long>(slabs), static_cast<long long>(rows), unit,
                text_of_bytes(plan->bytes).c_str());
  else if (plan)
    std::printf("%s: %s at once, of which it may take %s: %lld slabs of %lld %s, %s\n",
                command.c_str(), text_of_bytes(whole).c_str(),
                text_of_bytes(static_cast<double>(limit)).c_str(), static_cast<long long>(slabs),
                static_cast<long long>(rows), unit, text_of_bytes(plan->bytes).c_str());
  else if (whole <= static_cast<double>(limit))
    std::printf("%s: %s, all at once; it may take %s\n", command.c_str(),
                text_of_bytes(whole).c_str(), text_of_bytes(static_cast<double>(limit)).c_str());
  else
    std::printf("%s: %s at once, of which it may take %s; %s%s\n", command.c_str(),
                text_of_bytes(whole).c_str(), text_of_bytes(static_cast<double>(limit)).c_str(),
                reason.empty() ? least_in_slabs(extents, needs).c_str()
                               : ("it is not done in slabs: " + reason).c_str(),
                fits ? "; so it takes more, as there is so much" : "");
  flush_stdout();
  require_fit(fits);
}

}  // namespace thiessen::cli

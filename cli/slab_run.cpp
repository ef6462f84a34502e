// SPDX-License-Identifier: Apache-2.0
#include "slab_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "io/site_file.hpp"

namespace thiessen::cli {
namespace {

Extents with_rows(const Extents& extents, std::int64_t rows) {
  if (extents.rank() == 2) return {rows, extents[1]};
  return {rows, extents[1], extents[2]};
}

/// What the process takes besides: its code, libraries and the cache of GDAL.
constexpr double kOfProcess = double{192} * 1024 * 1024;

double bytes_at_once(const Extents& extents, const CellBytes& bytes) {
  return static_cast<double>(extents.count()) *
         static_cast<double>(bytes.sites + bytes.labels + bytes.results + bytes.scratch);
}

/// Bytes of a cell of a slab: two slabs of sites and results, of which one is being read or
/// written, sites that are copied beside outer ones (with as many rows again, three times), and
/// what the linear method takes.
double bytes_of_slab_cell(const CellBytes& bytes) {
  constexpr std::size_t kWide = 4;
  constexpr std::size_t kLinear = 8;
  return static_cast<double>(2 * bytes.sites + 2 * bytes.results + bytes.labels +
                             kWide * (bytes.sites + bytes.labels) + kLinear);
}

/// Bytes of a column for each slab: its summary, and what it must know of others.
double bytes_of_column(const CellBytes& bytes) {
  constexpr std::size_t kFaces = 6;  // while faces are combined
  constexpr std::size_t kCoordinates = 3 * sizeof(std::int32_t);
  const std::size_t label = bytes.labels > 0 ? sizeof(std::int64_t) : bytes.sites;
  return static_cast<double>(kFaces * (kCoordinates + 2 * label));
}

double bytes_in_slabs(const Extents& extents, const CellBytes& bytes, std::int64_t rows) {
  const double columns = static_cast<double>(extents.count()) / static_cast<double>(extents[0]);
  const double slabs = std::ceil(static_cast<double>(extents[0]) / static_cast<double>(rows));
  return kOfProcess + columns * (static_cast<double>(rows) * bytes_of_slab_cell(bytes) +
                                 slabs * bytes_of_column(bytes));
}

/// The most rows of a slab with which a run takes no more than `limit` bytes. Throws UsageError if
/// not even a few do.
std::int64_t rows_within(const Extents& extents, const CellBytes& bytes, std::int64_t limit) {
  const auto most = static_cast<double>(limit);
  // Files have blocks of 256 rows, and searches work on 16; planes have neither.
  const std::int64_t step = extents.rank() == 2 ? 16 : 1;
  constexpr std::int64_t kBlock = 256;
  std::int64_t best = 0;
  for (std::int64_t rows = step; rows < extents[0] + step; rows += rows < kBlock ? step : kBlock)
    if (bytes_in_slabs(extents, bytes, rows) <= most) best = rows;
  if (best == 0)
    throw UsageError("--memory: " + text_of_bytes(most) + " are too little for slabs of " +
                     std::to_string(step) + " rows or planes, which take " +
                     text_of_bytes(bytes_in_slabs(extents, bytes, step)));
  return std::min(best, extents[0]);
}

/// The first rows of a view, which lie along an axis.
template <class AnyView>
AnyView first_rows(const AnyView& view, std::int64_t count, int axis) {
  if (!view) return view;
  std::vector<std::int64_t> sizes;
  for (int each = 0; each < view.rank(); ++each)
    sizes.push_back(each == axis ? count : view.extent(each));
  if constexpr (requires { view.data(); })
    return {view.data(), Extents(sizes), view.strides()};
  else
    return {view.bytes(), view.element_type(), Extents(sizes), view.strides()};
}

}  // namespace

SlabInput::SlabInput(const std::string& path, const io::ReadOptions& options) {
  worker_.start([&] { reader_ = io::open_rows(path, options); });
  as_usage([&] { worker_.wait(); });
  head_ = reader_->head();
}

SlabInput::~SlabInput() {
  try {
    worker_.wait();
  } catch (...) {  // somebody else has an error to tell
  }
  worker_.start([this] { reader_.reset(); });
  worker_.wait();
}

void SlabInput::read(std::int64_t first, std::int64_t rows) {
  const std::int64_t count = std::min(rows, length() - first);
  const Extents wanted = with_rows(head_.grid.extents, count);
  if (ahead_.extents() != wanted) ahead_ = Raster(head_.type, wanted);
  worker_.start([this, first, count] { reader_->read(first, count, ahead_.bytes()); });
}

void SlabInput::for_each_slab(std::int64_t rows, const Solve& solve) {
  read(0, rows);
  for (std::int64_t first = 0; first < length(); first += rows) {
    as_usage([&] { worker_.wait(); });
    throw_if_interrupted();
    std::swap(ahead_, here_);
    if (first + rows < length()) read(first + rows, rows);
    const View<const void> cells = std::as_const(here_).view();
    const bool are_numbers = are_numbers_ && cells.element_type() == ElementType::boolean;
    solve(first,
          are_numbers ? View<const void>(cells.bytes(), ElementType::u8, cells.extents()) : cells);
  }
}

std::optional<io::RasterInfo> inspect_large(const std::string& path,
                                            const MemoryArguments& arguments) {
  constexpr double kMostBytes = 128;  // that a cell takes, with all results
  const bool is_asked = arguments.are_given();
  std::error_code none;
  return as_usage([&]() -> std::optional<io::RasterInfo> {
    const bool is_raster = !path.empty() && !std::filesystem::is_other(path, none) &&
                           io::kind_of(path) == io::SiteFileKind::raster;
    if (!is_raster && is_asked)
      throw UsageError(std::string(arguments.dry_run          ? "--dry-run"
                                   : arguments.memory.empty() ? "--slab-rows"
                                                              : "--memory") +
                       ": is for sites that are a raster file");
    if (!is_raster) return std::nullopt;
    io::RasterInfo info = io::inspect_raster(path);
    const auto cells = static_cast<double>(info.grid.extents.count());
    if (!is_asked && cells * kMostBytes < static_cast<double>(memory_limit(arguments)))
      return std::nullopt;
    return info;
  });
}

std::optional<SlabPlan> choose_slabs(const MemoryArguments& arguments, const Extents& extents,
                                     const CellBytes& bytes, const std::string& reason) {
  if (extents.count() == 0) return std::nullopt;
  const std::int64_t limit = memory_limit(arguments);
  const double whole = bytes_at_once(extents, bytes);
  const bool is_asked = !arguments.slab_rows.empty();
  const bool is_too_much = whole > static_cast<double>(limit);
  if (!is_asked && !is_too_much) return std::nullopt;
  if (!reason.empty() && is_asked)
    throw UsageError("--slab-rows " + arguments.slab_rows +
                     ": the run is not done in slabs: " + reason);
  if (!reason.empty() && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": the run needs " + text_of_bytes(whole) +
                     " at once, and is not done in slabs: " + reason);
  if (!reason.empty()) return std::nullopt;
  const std::int64_t rows =
      is_asked ? std::min(parse_integer("--slab-rows", arguments.slab_rows, 1, 1 << 30), extents[0])
               : rows_within(extents, bytes, limit);
  return SlabPlan{rows, (extents[0] + rows - 1) / rows, bytes_in_slabs(extents, bytes, rows)};
}

void tell_plan(const std::string& command, const Extents& extents, const CellBytes& bytes,
               const MemoryArguments& memory, const std::optional<SlabPlan>& plan,
               const TalkArguments& talk) {
  const double whole = bytes_at_once(extents, bytes);
  const std::int64_t limit = memory_limit(memory);
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
    return print_to_stdout(json);
  }
  const char* const unit = extents.rank() == 2 ? "rows" : "planes";
  if (plan)
    std::printf("%s: %s at once, of which it may take %s: %lld slabs of %lld %s, %s\n",
                command.c_str(), text_of_bytes(whole).c_str(),
                text_of_bytes(static_cast<double>(limit)).c_str(), static_cast<long long>(slabs),
                static_cast<long long>(rows), unit, text_of_bytes(plan->bytes).c_str());
  else
    std::printf("%s: %s, all at once; it may take %s\n", command.c_str(),
                text_of_bytes(whole).c_str(), text_of_bytes(static_cast<double>(limit)).c_str());
  flush_stdout();
}

void solve_by_slabs(Context& context, SlabInput& input, const SlabPlan& plan,
                    const NearestSiteOptions& options, ResultFiles& files, Progress& progress,
                    Report& report, const std::function<void()>& warn_of_none,
                    const FinishSlab& finish) {
  const Extents& extents = input.head().grid.extents;
  const auto share = [&](std::int64_t first) {
    return static_cast<double>(first) / static_cast<double>(extents[0]);
  };
  const auto show = [&](std::int64_t first, const View<const void>& cells) {
    const double begin = share(first);
    const double part = share(cells.extent(0));
    context.on_progress([&, begin, part](double done) { progress.advance(begin + part * done); });
  };
  files.open_rows(plan.rows);
  std::vector<SlabSummary> summaries;
  progress.stage("summarise", 0.3, extents.count());
  input.for_each_slab(plan.rows, [&](std::int64_t first, const View<const void>& cells) {
    show(first, cells);
    summaries.push_back(summarise_slab(context, cells, {extents, first}, options));
  });
  const bool has_site = std::ranges::any_of(summaries, [](const SlabSummary& each) {
    return std::ranges::any_of(each.first.site,
                               [](std::int32_t row) { return row != SlabFace::kNone; });
  });
  if (!has_site) warn_of_none();
  const std::vector<SlabNeighbours> neighbours = combine_slabs(summaries, extents, options);
  summaries = {};
  report.step("summarise slabs");
  progress.stage("compute", 0.98, extents.count());
  Worker writer;
  try {
    auto next = neighbours.begin();
    input.for_each_slab(plan.rows, [&](std::int64_t first, const View<const void>& cells) {
      show(first, cells);
      finish(cells, first, *next++);
      files.write_rows(writer, cells.extent(0));
    });
    report.step("compute and write slabs");
    progress.stage("write", 1);
    files.finish_rows(writer);
  } catch (...) {
    files.abandon_rows(writer);
    throw;
  }
  context.on_progress({});
  progress.finish();
  report.step("finish files");
}

NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count) {
  return {.labels = first_rows(out.labels, count, 0),
          .site_index = first_rows(out.site_index, count, 0),
          .distance = first_rows(out.distance, count, 0),
          .squared = first_rows(out.squared, count, 0),
          .offset = first_rows(out.offset, count, 1),
          .direction = first_rows(out.direction, count, 0)};
}

}  // namespace thiessen::cli

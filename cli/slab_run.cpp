// SPDX-License-Identifier: Apache-2.0
#include "slab_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <utility>

#include "arguments.hpp"
#include "interrupt.hpp"
#include "io/site_file.hpp"
#include "ranks.hpp"

namespace thiessen::cli {
namespace {

Extents with_rows(const Extents& extents, std::int64_t rows) {
  if (extents.rank() == 2) return {rows, extents[1]};
  return {rows, extents[1], extents[2]};
}

/// Their number, which may be more than integers hold.
double cells_of(const Extents& extents) {
  double cells = 1;
  for (int axis = 0; axis < extents.rank(); ++axis) cells *= static_cast<double>(extents[axis]);
  return cells;
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

/// Bytes of a column of a face.
double bytes_of_column(const CellBytes& bytes) {
  constexpr std::size_t kCoordinates = 3 * sizeof(std::int32_t);
  const std::size_t label = bytes.labels > 0 ? sizeof(std::int64_t) : bytes.sites;
  return static_cast<double>(kCoordinates + 2 * label);
}

double bytes_in_slabs(const Extents& extents, const CellBytes& bytes, std::int64_t rows) {
  const double columns = static_cast<double>(extents.count()) / static_cast<double>(extents[0]);
  const double slabs = std::ceil(static_cast<double>(extents[0]) / static_cast<double>(rows));
  constexpr double kFaces = 24;  // that are combined at once
  return kOfProcess + columns * (static_cast<double>(rows) * bytes_of_slab_cell(bytes) +
                                 (slabs + kFaces) * bytes_of_column(bytes));
}

/// The most rows of a slab with which a run takes no more than `limit` bytes; 0 if not even a few
/// do.
std::int64_t rows_within(const Extents& extents, const CellBytes& bytes, std::int64_t limit) {
  const auto most = static_cast<double>(limit);
  // Files have blocks of 256 rows, and searches work on 16; planes have neither.
  const std::int64_t step = extents.rank() == 2 ? 16 : 1;
  constexpr std::int64_t kBlock = 256;
  if (bytes_in_slabs(extents, bytes, extents[0]) <= most) return extents[0];
  std::int64_t best = 0;
  for (std::int64_t rows = step; rows < extents[0] + step; rows += rows < kBlock ? step : kBlock)
    if (bytes_in_slabs(extents, bytes, rows) <= most) best = rows;
  return std::min(best, extents[0]);
}

/// The first rows of a view, which lie along an axis.
template <class AnyView>
AnyView first_rows(const AnyView& view, std::int64_t count, int axis) {
  if (!view) return view;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(view.rank()));
  for (int each = 0; each < view.rank(); ++each)
    sizes[static_cast<std::size_t>(each)] = each == axis ? count : view.extent(each);
  if constexpr (requires { view.data(); })
    return {view.data(), Extents(sizes), view.strides()};
  else
    return {view.bytes(), view.element_type(), Extents(sizes), view.strides()};
}

/// Combines the summaries of slabs that come twice in order, and keeps but one face of each: what
/// lies below it. They are all of the raster, or the part of a rank.
class SlabScan {
 public:
  /// `none`: the summary of no rows.
  explicit SlabScan(SlabSummary none) : none_(none.first), all_(std::move(none)) {}

  /// The first time.
  void add(SlabSummary summary) {
    all_ = join_slabs(all_, summary);
    sites_.push_back(summary.sites);
    firsts_.push_back(std::move(summary.first));
  }

  /// The summary of all.
  const SlabSummary& all() const { return all_; }

  bool has_site() const {
    return std::ranges::any_of(all_.first.site,
                               [](std::int32_t row) { return row != SlabFace::kNone; });
  }

  /// After the first time, with what lies beyond all slabs: makes of each slab's first face what
  /// lies below it.
  void look_beyond(SlabNeighbours beyond) {
    SlabFace below = std::move(beyond.below);
    std::int64_t before = beyond.sites_before + all_.sites;
    for (std::size_t k = firsts_.size(); k-- > 0;) {
      before -= sites_[k];
      SlabFace& face = firsts_[k];
      // Numbers are those of the raster here, so that joining adds none.
      face = join_slabs({none_, none_, before}, {std::move(face), none_, 0}).first;
      below = join_slabs({std::exchange(face, below), none_, 0}, {below, none_, 0}).first;
    }
    above_ = std::move(beyond.above);
    before_ = beyond.sites_before;
  }

  /// The second time: gives what that slab must know of the others.
  SlabNeighbours next(const SlabSummary& own) {
    SlabNeighbours neighbours{above_, std::exchange(firsts_[next_++], {}), before_};
    above_ = join_slabs({none_, std::move(above_), before_}, {none_, own.last, 0}).last;
    before_ += own.sites;
    return neighbours;
  }

 private:
  SlabFace none_;
  SlabSummary all_;
  std::vector<SlabFace> firsts_;
  std::vector<std::int64_t> sites_;
  SlabFace above_;
  std::int64_t before_ = 0;
  std::size_t next_ = 0;
};

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

void SlabInput::read(std::int64_t first, std::int64_t count) {
  const Extents wanted = with_rows(head_.grid.extents, count);
  if (ahead_.extents() != wanted) ahead_ = Raster(head_.type, wanted);
  worker_.start([this, first, count] { reader_->read(first, count, ahead_.bytes()); });
}

View<const void> SlabInput::as_cells(const View<const void>& cells) const {
  const bool are_numbers = are_numbers_ && cells.element_type() == ElementType::boolean;
  return are_numbers ? View<const void>(cells.bytes(), ElementType::u8, cells.extents()) : cells;
}

View<const void> SlabInput::no_rows() const {
  static constexpr std::byte kNowhere{};
  return as_cells({&kNowhere, head_.type, with_rows(head_.grid.extents, 0)});
}

void SlabInput::for_each_slab(const Part& part, std::int64_t rows, const Solve& solve) {
  const std::int64_t end = part.first + part.count;
  const auto read_from = [&](std::int64_t first) {
    if (first < end) read(first, std::min(rows, end - first));
  };
  read_from(part.first);
  for (std::int64_t first = part.first; first < end; first += rows) {
    as_usage([&] { worker_.wait(); });
    throw_if_interrupted();
    std::swap(ahead_, here_);
    read_from(first + rows);
    solve(first, as_cells(std::as_const(here_).view()));
  }
}

std::optional<io::RasterInfo> inspect_large(const std::string& path,
                                            const MemoryArguments& arguments) {
  constexpr double kMostBytes = 128;  // that a cell takes, with all results
  constexpr double kMostCells = 0x1p60;
  const bool is_asked = arguments.are_given() || ranks().are_many();
  std::error_code none;
  return as_usage([&]() -> std::optional<io::RasterInfo> {
    const bool is_raster = !path.empty() && !std::filesystem::is_other(path, none) &&
                           io::kind_of(path) == io::SiteFileKind::raster;
    if (!is_raster && ranks().are_many())
      throw UsageError("many ranks are for sites that are a raster file; there are " +
                       std::to_string(ranks().size()));
    if (!is_raster && is_asked)
      throw UsageError(std::string(arguments.dry_run          ? "--dry-run"
                                   : arguments.memory.empty() ? "--slab-rows"
                                                              : "--memory") +
                       ": is for sites that are a raster file");
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
                                     const CellBytes& bytes, const std::string& reason) {
  const bool are_many = ranks().are_many();
  if (are_many && (extents.count() == 0 || !reason.empty()))
    throw UsageError("the run is not done by " + std::to_string(ranks().size()) +
                     " ranks: " + (reason.empty() ? "the raster has no cells" : reason));
  if (extents.count() == 0) return std::nullopt;
  const std::int64_t limit = memory_limit(arguments);
  const double whole = bytes_at_once(extents, bytes);
  const bool is_asked = !arguments.slab_rows.empty();
  const bool is_too_much = whole > static_cast<double>(limit);
  if (!is_asked && !is_too_much && !are_many) return std::nullopt;
  if (!reason.empty() && is_asked)
    throw UsageError("--slab-rows " + arguments.slab_rows +
                     ": the run is not done in slabs: " + reason);
  if (!reason.empty() && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": the run needs " + text_of_bytes(whole) +
                     " at once, and is not done in slabs: " + reason);
  if (!reason.empty()) return std::nullopt;
  std::vector<Part> parts = parts_of(extents);
  const Part part = parts[static_cast<std::size_t>(ranks().rank())];
  // A part may have no rows; a slab has one.
  const Extents own = with_rows(extents, std::max<std::int64_t>(part.count, 1));
  const std::int64_t rows =
      is_asked ? std::min(parse_integer("--slab-rows", arguments.slab_rows, 1, 1 << 30), own[0])
               : rows_within(own, bytes, limit);
  if (rows == 0 && !arguments.memory.empty())
    throw UsageError("--memory " + arguments.memory + ": is too little even for slabs of few rows");
  if (rows == 0 && are_many)
    throw Error(ErrorCode::out_of_memory,
                "a rank has " + text_of_bytes(static_cast<double>(limit)) +
                    " of memory, which is too little even for slabs of few rows");
  if (rows == 0) return std::nullopt;
  return SlabPlan{rows, (part.count + rows - 1) / rows, bytes_in_slabs(own, bytes, rows),
                  std::move(parts)};
}

void tell_plan(const std::string& command, const Extents& extents, const CellBytes& bytes,
               const MemoryArguments& memory, const std::optional<SlabPlan>& plan,
               const TalkArguments& talk) {
  if (ranks().rank() > 0) return;
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
    json["ranks"] = ranks().size();
    return print_to_stdout(json);
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
  else
    std::printf("%s: %s, all at once; it may take %s\n", command.c_str(),
                text_of_bytes(whole).c_str(), text_of_bytes(static_cast<double>(limit)).c_str());
  flush_stdout();
}

namespace {

/// Faces that a rank has received, and what it did; for all ranks, on the first one.
void tell_ranks(const SlabPlan& plan, const Received& faces, Report& report) {
  if (!ranks().are_many()) return;
  const Part part = plan.parts[static_cast<std::size_t>(ranks().rank())];
  const nlohmann::ordered_json own{
      {"first_row", part.first},
      {"rows", part.count},
      {"slabs", plan.slabs},
      {"faces_received", faces.messages},
      {"bytes_of_faces", faces.bytes},
      {"processor_s", static_cast<double>(std::clock()) / CLOCKS_PER_SEC}};
  for (const std::string& text : gather_texts(own.dump()))
    report.append("ranks", nlohmann::ordered_json::parse(text));
}

}  // namespace

void solve_by_slabs(Context& context, const NearestSiteOptions& options, SlabRun& run) {
  const Extents& extents = run.input.head().grid.extents;
  const Part part = run.plan.parts[static_cast<std::size_t>(ranks().rank())];
  const auto show = [&](std::int64_t first, const View<const void>& cells) {
    const auto all = static_cast<double>(part.count);
    const double begin = static_cast<double>(first - part.first) / all;
    const double share = static_cast<double>(cells.extent(0)) / all;
    context.on_progress(
        [&, begin, share](double done) { run.progress.advance(begin + share * done); });
  };
  const auto summarise = [&](std::int64_t first, const View<const void>& cells) {
    return summarise_slab(context, cells, {extents, first}, options);
  };
  run.files.open_rows(run.plan.rows, run.plan.parts);
  // No rows are enough to find what is wrong with the options.
  SlabScan scan(summarise(0, run.input.no_rows()));
  run.finish(run.input.no_rows(), 0, {scan.all().last, scan.all().first, 0});
  meet_ranks();
  run.files.share_rows();
  run.progress.stage("summarise", 0.3, extents.count());
  run.input.for_each_slab(part, run.plan.rows,
                          [&](std::int64_t first, const View<const void>& cells) {
                            show(first, cells);
                            scan.add(summarise(first, cells));
                          });
  Communicator& communicator = ranks().communicator();
  const std::int64_t with_sites = communicator.sum_of_all(scan.has_site() ? 1 : 0);
  if (with_sites == 0 && ranks().rank() == 0) run.warn_of_none();
  const Received before = ranks().received();
  scan.look_beyond(combine_slabs(communicator, scan.all(), extents, options));
  const Received faces{ranks().received().messages - before.messages,
                       ranks().received().bytes - before.bytes};
  run.report.step("summarise slabs");
  run.progress.stage("compute", 0.98, extents.count());
  Worker writer;
  try {
    run.input.for_each_slab(part, run.plan.rows,
                            [&](std::int64_t first, const View<const void>& cells) {
                              show(first, cells);
                              run.finish(cells, first, scan.next(summarise(first, cells)));
                              run.files.write_rows(writer, cells.extent(0));
                            });
    run.report.step("compute and write slabs");
    run.progress.stage("write", 1);
    run.files.finish_rows(writer);
  } catch (...) {
    run.files.abandon_rows(writer);
    throw;
  }
  context.on_progress({});
  run.progress.finish();
  run.report.step("finish files");
  tell_ranks(run.plan, faces, run.report);
}

NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count) {
  return {.labels = first_rows(out.labels, count, 0),
          .site_index = first_rows(out.site_index, count, 0),
          .distance = first_rows(out.distance, count, 0),
          .squared = first_rows(out.squared, count, 0),
          .offset = first_rows(out.offset, count, 1),
          .direction = first_rows(out.direction, count, 0),
          .other_labels = first_rows(out.other_labels, count, 0),
          .other_site_index = first_rows(out.other_site_index, count, 0),
          .other_distance = first_rows(out.other_distance, count, 0)};
}

}  // namespace thiessen::cli

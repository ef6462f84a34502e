// SPDX-License-Identifier: Apache-2.0
#include "slabs/slab_run.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "inputs/cell_values.hpp"
#include "operations/outputs.hpp"
#include "slabs/ranks.hpp"
#include "talk/interrupt.hpp"
#include "talk/reporting.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// The first rows of a view, which lie along an axis.
View<void> first_rows(const View<void>& view, std::int64_t count, int axis) {
  return {view.bytes(), view.element_type(), with_rows(view.extents(), count, axis),
          view.strides()};
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

SlabInput::SlabInput(const Open& open) {
  worker_.start([&] { reader_ = open(); });
  as_usage([&] { worker_.wait(); });
  head_ = reader_->head();
}

SlabInput::SlabInput(const std::string& path, const io::ReadOptions& options)
    : SlabInput([&] { return io::open_rows(path, options); }) {}

SlabInput::~SlabInput() {
  try {
    worker_.wait();
  } catch (...) {  // somebody else has an error to tell
  }
  worker_.start([this] { reader_.reset(); });
  worker_.wait();
}

void SlabInput::begin(const Part& part, std::int64_t rows) {
  worker_.wait();
  rows_ = rows;
  left_ = part;
  read_ahead();
}

void SlabInput::read_ahead() {
  const std::int64_t first = left_.first;
  const std::int64_t count = std::min(rows_, left_.count);
  if (count <= 0) return;
  left_ = {first + count, left_.count - count};
  const Extents wanted = with_rows(head_.grid.extents, count);
  if (ahead_.extents() != wanted) ahead_ = Raster(head_.type, wanted);
  worker_.start([this, first, count] { reader_->read(first, count, ahead_.bytes()); });
}

View<const void> SlabInput::next() {
  as_usage([&] { worker_.wait(); });
  throw_if_interrupted();
  std::swap(ahead_, here_);
  read_ahead();
  return as_cells(std::as_const(here_).view());
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
  begin(part, rows);
  for (std::int64_t first = part.first; first < part.first + part.count; first += rows)
    solve(first, next());
}

std::size_t bytes_of_areas(std::size_t image) {
  // Numbers and values of two faces, and what is joined.
  const std::size_t faces = 2 * (sizeof(std::int64_t) + image);
  return image == 0 ? 0 : faces + sizeof(ComponentNumbers::Joined);
}

SlabNeeds needs_of(const CellBytes& bytes) {
  // Two slabs of sites and results, of which one is being read or written, sites that are copied
  // beside outer ones (with as many rows again, three times), and what the linear method takes.
  constexpr std::size_t kWide = 4;
  constexpr std::size_t kLinear = 8;
  constexpr std::size_t kCoordinates = 3 * sizeof(std::int32_t);  // of a column of a face
  const std::size_t label = bytes.labels > 0 ? sizeof(std::int64_t) : bytes.sites;
  return {.at_once = bytes.sites + bytes.image + bytes.labels + bytes.results + bytes.scratch,
          .in_slab = 2 * bytes.sites + bytes.image + 2 * bytes.results + bytes.labels +
                     kWide * (bytes.sites + bytes.labels) + kLinear,
          .of_column = kCoordinates + 2 * label + bytes_of_areas(bytes.image),
          .fixed = bytes.fixed};
}

namespace {

/// Has the context report a slab as a part of the stage.
Reporting show_part(Context& context, SlabRun& run, const Part& slab) {
  const Part& part = run.plan.part;
  const auto all = static_cast<double>(part.count);
  const double begin = static_cast<double>(slab.first - part.first) / all;
  const double share = static_cast<double>(slab.count) / all;
  return {context,
          [&run, begin, share](double done) { run.progress.advance(begin + share * done); }};
}

/// The processor time of the process.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Faces that a rank has received, and what it did; for all ranks, on the first one.
void tell_ranks(const SlabRun& run) {
  const nlohmann::ordered_json own{
      {"first_row", run.plan.part.first},  {"rows", run.plan.part.count},
      {"slabs", run.plan.slabs},           {"faces_received", run.faces.messages},
      {"bytes_of_faces", run.faces.bytes}, {"processor_s", run.work_seconds}};
  for (const std::string& text : gather_texts(own.dump()))
    run.report.append("ranks", nlohmann::ordered_json::parse(text));
}

}  // namespace

void open_slabs(SlabRun& run) {
  run.files.open_rows(run.plan.rows, run.plan.parts);
  if (run.plan.folder == nullptr) return;
  run.plan.folder->begin(run.plan.rows);
  run.store.emplace(*run.plan.folder, std::ssize(run.files.rows(run.plan.rows)));
}

void meet_for_slabs(SlabRun& run) {
  meet_ranks();
  run.files.share_rows();
}

void compute_slabs(Context& context, SlabRun& run, const SlabWork& work) {
  Worker writer;
  try {
    run.progress.stage("compute", 0.98, run.extents.count());
    const std::int64_t done = run.store ? run.store->done() : 0;
    if (run.store) run.report.set("resumed", done);
    run.work_seconds -= processor_seconds();
    work.begin(done);
    for (std::int64_t number = 0; number < run.plan.slabs; ++number) {
      const Part slab = run.plan.slab(number);
      const Reporting reporting = show_part(context, run, slab);
      ResultFiles::Keep keep;
      if (number < done) {
        throw_if_interrupted();
        run.store->load(number, run.files.rows(slab.count));
      } else {
        work.compute(slab);
        if (run.store)
          keep = [&run, number](const std::vector<ResultRows>& results) {
            run.store->keep(number, results);
          };
      }
      run.files.write_rows(writer, slab.count, keep);
    }
    writer.wait();
    run.work_seconds += processor_seconds();
    run.report.step("compute and write slabs");
    run.progress.stage("write", 1);
    run.files.finish_rows(writer);
  } catch (...) {
    run.files.abandon_rows(writer);
    throw;
  }
  if (run.store) run.store->remove();
  run.progress.finish();
  run.report.step("finish files");
  tell_ranks(run);
}

void solve_by_slabs(Context& context, SlabRun& run, const SitesInSlabs& sites) {
  const SlabPlan& plan = run.plan;
  const auto summarise = [&](std::int64_t first, const View<const void>& cells) {
    return summarise_slab(context, cells, {run.extents, first}, sites.options);
  };
  open_slabs(run);
  // No rows are enough to find what is wrong with the options.
  SlabScan scan(summarise(0, sites.input.no_rows()));
  sites.finish(sites.input.no_rows(), 0, {scan.all().last, scan.all().first, 0});
  meet_for_slabs(run);
  run.progress.stage("summarise", 0.3, run.extents.count());
  run.work_seconds -= processor_seconds();
  std::int64_t number = 0;
  std::uint8_t kinds = 0;
  for (; run.store && number < plan.slabs; ++number) {
    std::optional<KeptSummary> known = run.store->summary(number);
    if (!known) break;
    kinds |= known->kinds;
    scan.add(std::move(known->summary));
  }
  sites.input.begin(plan.rest_from(number), plan.rows);
  for (; number < plan.slabs; ++number) {
    const View<const void> cells = sites.input.next();
    const Part slab = plan.slab(number);
    const Reporting reporting = show_part(context, run, slab);
    KeptSummary own{summarise(slab.first, cells)};
    if (sites.nodata && (kinds & kFreeKind) == 0)
      own.kinds = kinds_of(cells, sites.options, sites.nodata);
    kinds |= own.kinds;
    if (run.store) run.store->keep_summary(number, own);
    scan.add(std::move(own.summary));
  }
  run.work_seconds += processor_seconds();
  Communicator& communicator = ranks().communicator();
  const auto any_rank = [&](bool own) { return communicator.sum_of_all(own ? 1 : 0) > 0; };
  const bool has_site = any_rank(scan.has_site());
  for (const std::uint8_t kind : {kFreeKind, kSiteKind, kNodataKind})
    if (any_rank((kinds & kind) != 0)) kinds |= kind;
  if (ranks().rank() == 0) sites.warn(has_site, kinds);
  const Received before = ranks().received();
  scan.look_beyond(combine_slabs(communicator, scan.all(), run.extents, sites.options));
  run.faces = {ranks().received().messages - before.messages,
               ranks().received().bytes - before.bytes};
  run.report.step("summarise slabs");
  const auto begin = [&](std::int64_t done) {
    for (std::int64_t k = 0; k < done; ++k) scan.next(run.store->summary(k).value().summary);
    sites.input.begin(plan.rest_from(done), plan.rows);
  };
  const auto compute = [&](const Part& slab) {
    const View<const void> cells = sites.input.next();
    sites.finish(cells, slab.first, scan.next(summarise(slab.first, cells)));
  };
  compute_slabs(context, run, {begin, compute});
}

NearestSiteOutputs first_rows(const NearestSiteOutputs& out, std::int64_t count) {
  return map_outputs(out, [&](const Output& output, const View<void>& view) {
    return first_rows(view, count, front_axes(output, 0));
  });
}

CostDistanceOutputs first_rows(const CostDistanceOutputs& out, std::int64_t count) {
  return map_outputs(
      out, [&](const Output&, const View<void>& view) { return first_rows(view, count, 0); });
}

}  // namespace thiessen::cli

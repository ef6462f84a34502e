// SPDX-License-Identifier: Apache-2.0
#include "slab_run.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "arguments.hpp"
#include "interrupt.hpp"

namespace thiessen::cli {
namespace {

Extents with_rows(const Extents& extents, std::int64_t rows) {
  if (extents.rank() == 2) return {rows, extents[1]};
  return {rows, extents[1], extents[2]};
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
/// lies below it.
class SlabScan {
 public:
  SlabScan(const Extents& raster, const NearestSiteOptions& options)
      : raster_(raster), options_(options) {}

  /// The first time.
  void add(SlabSummary summary) {
    all_ = firsts_.empty() ? summary : join_slabs(all_, summary);
    sites_.push_back(summary.sites);
    firsts_.push_back(std::move(summary.first));
  }

  bool has_site() const {
    return std::ranges::any_of(all_.first.site,
                               [](std::int32_t row) { return row != SlabFace::kNone; });
  }

  /// After the first time: makes of each slab's first face that of all slabs below it.
  void look_below() {
    none_ = without_cells(all_.first);
    SlabSummary below{none_, none_, 0};
    for (std::size_t k = firsts_.size(); k-- > 0;) {
      const SlabSummary own{std::move(firsts_[k]), none_, sites_[k]};
      firsts_[k] = below.first;
      below = join_slabs(own, below);
    }
    above_ = {none_, none_, 0};
  }

  /// The second time: gives what that slab must know of the others.
  SlabNeighbours next(const SlabSummary& own) {
    const std::int64_t left = all_.sites - above_.sites - own.sites;
    const SlabSummary below{firsts_[next_], last_below(own), left};
    firsts_[next_++] = {};
    SlabNeighbours neighbours = combine_slabs(std::array{above_, own, below}, raster_, options_)[1];
    above_ = join_slabs(above_, own);
    return neighbours;
  }

 private:
  static SlabFace without_cells(SlabFace face) {
    face.row = SlabFace::kNone;
    for (auto* const coordinates : {&face.site, &face.other, &face.change})
      std::fill(coordinates->begin(), coordinates->end(), SlabFace::kNone);
    return face;
  }

  /// The last face of all slabs below, which is above the first slab on a periodic axis: that of
  /// the raster, where it lies beyond this slab.
  SlabFace last_below(const SlabSummary& own) const {
    if (options_.periodic.empty() || !options_.periodic[0]) return none_;
    if (firsts_[next_].row == SlabFace::kNone) return none_;
    SlabFace face = all_.last;
    const std::int32_t end = own.last.row;
    for (auto* const coordinates : {&face.site, &face.other, &face.change})
      std::replace_if(
          coordinates->begin(), coordinates->end(),
          [end](std::int32_t coordinate) { return coordinate <= end; }, SlabFace::kNone);
    return face;
  }

  const Extents& raster_;
  const NearestSiteOptions& options_;
  std::vector<SlabFace> firsts_;
  std::vector<std::int64_t> sites_;
  SlabSummary all_;
  SlabSummary above_;
  SlabFace none_;
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

SlabNeeds needs_of(const CellBytes& bytes) {
  // Two slabs of sites and results, of which one is being read or written, sites that are copied
  // beside outer ones (with as many rows again, three times), and what the linear method takes.
  constexpr std::size_t kWide = 4;
  constexpr std::size_t kLinear = 8;
  constexpr std::size_t kCoordinates = 3 * sizeof(std::int32_t);  // of a column of a face
  const std::size_t label = bytes.labels > 0 ? sizeof(std::int64_t) : bytes.sites;
  return {.at_once = bytes.sites + bytes.labels + bytes.results + bytes.scratch,
          .in_slab = 2 * bytes.sites + 2 * bytes.results + bytes.labels +
                     kWide * (bytes.sites + bytes.labels) + kLinear,
          .of_column = kCoordinates + 2 * label};
}

void solve_by_slabs(Context& context, const NearestSiteOptions& options, SlabRun& run) {
  const Extents& extents = run.input.head().grid.extents;
  const auto share = [&](std::int64_t first) {
    return static_cast<double>(first) / static_cast<double>(extents[0]);
  };
  const auto show = [&](std::int64_t first, const View<const void>& cells) {
    const double begin = share(first);
    const double part = share(cells.extent(0));
    context.on_progress(
        [&, begin, part](double done) { run.progress.advance(begin + part * done); });
  };
  run.files.open_rows(run.plan.rows);
  run.progress.stage("summarise", 0.3, extents.count());
  SlabScan scan(extents, options);
  run.input.for_each_slab(run.plan.rows, [&](std::int64_t first, const View<const void>& cells) {
    show(first, cells);
    scan.add(summarise_slab(context, cells, {extents, first}, options));
  });
  if (!scan.has_site()) run.warn_of_none();
  scan.look_below();
  run.report.step("summarise slabs");
  run.progress.stage("compute", 0.98, extents.count());
  Worker writer;
  try {
    run.input.for_each_slab(run.plan.rows, [&](std::int64_t first, const View<const void>& cells) {
      show(first, cells);
      run.finish(cells, first,
                 scan.next(summarise_slab(context, cells, {extents, first}, options)));
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

CostDistanceOutputs first_rows(const CostDistanceOutputs& out, std::int64_t count) {
  return {.labels = first_rows(out.labels, count, 0),
          .site_index = first_rows(out.site_index, count, 0),
          .distance = first_rows(out.distance, count, 0),
          .back_link = first_rows(out.back_link, count, 0)};
}

}  // namespace thiessen::cli

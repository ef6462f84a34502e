// SPDX-License-Identifier: Apache-2.0
//
// Nearest sites by rows. Each slab of sites is read twice: a summary says what its faces show, a
// scan over all summaries says what lies above and below each slab, and finish_slab() writes its
// rows. Only the first faces of all slabs are kept, so that memory grows with columns times slabs.
// Points need no summaries: each slab gets the whole list.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/label_types.hpp"
#include "api/warnings.hpp"
#include "core/problem/problem.hpp"
#include "stream/plan.hpp"
#include "stream/run.hpp"
#include "thiessen/thiessen.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

const Extents& raster_of(const NearestSiteStream& call) {
  return call.sites != nullptr ? call.sites->extents() : call.grid.extents;
}

int axes_of(const NearestSiteStream& call) { return raster_of(call).rank(); }

ElementType label_type_of(const NearestSiteStream& call) {
  if (call.sites == nullptr) return label_type(call.points);
  const ElementType type = call.sites->element_type();
  return type == ElementType::boolean ? number_type(raster_of(call).count()) : type;
}

StreamNeeds needs_of(const NearestSiteStream& call) {
  // Two slabs of sites and results, of which one is being read or written; sites that are copied
  // beside outer ones (with as many rows again, three times); what the linear method takes.
  constexpr double kWide = 4, kLinear = 8;
  constexpr double kCoordinate = sizeof(std::int32_t);  // of a column of a face
  const double outputs =
      bytes_of_outputs<NearestSiteOutputs>(call.outputs, axes_of(call), call.options.k);
  const double domain = call.domain != nullptr ? 1 : 0;
  if (call.sites == nullptr) {
    // A number for each cell, and for each coordinate its own form of it and lists.
    constexpr double kNumber = 4, kOfCoordinate = 48, kPoint = 80;
    const Extents& list = call.points.coordinates.extents();
    const double count = list.rank() > 0 ? static_cast<double>(list[0]) : 0;
    return {.at_once = kNumber + domain + outputs,
            .in_slab = kNumber + 2 * domain + 2 * outputs + kLinear,
            // No disk holds what more slabs write: it is refused like a raster of cells.
            .of_column = 3 * kCoordinate + 2 * static_cast<double>(size_of(label_type_of(call))),
            .fixed = count * (kOfCoordinate * axes_of(call) + kPoint)};
  }
  const auto sites = static_cast<double>(size_of(call.sites->element_type()));
  const bool are_numbers = call.sites->element_type() == ElementType::boolean;
  const double labels = are_numbers ? static_cast<double>(size_of(label_type_of(call))) : 0;
  const double of_face = are_numbers ? static_cast<double>(sizeof(std::int64_t)) : sites;
  const bool is_boundary = call.options.distance_to == DistanceTo::boundary;
  const double coordinates = call.options.signed_distance || is_boundary ? 2 : 1;
  const double labels_of_face = is_boundary ? 2 : 1;
  const auto scratch = static_cast<double>(scratch_per_cell(call.options, axes_of(call)));
  return {.at_once = sites + domain + labels + outputs + scratch,
          .in_slab = 2 * (sites + domain + outputs) + labels + kWide * (sites + labels) + kLinear,
          .of_column = kCoordinate * coordinates + of_face * labels_of_face,
          .of_face = 3 * kCoordinate + 2 * of_face};
}

/// Joins the summaries of slabs that come twice in order, and keeps but one face of each: what
/// lies below it. The slabs are all of the raster, or the part of a rank.
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

  /// The second time: gives what the next slab must know of the others.
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

class NearestSiteRun : StreamRun {
 public:
  NearestSiteRun(Context& context, const NearestSiteStream& call, const StreamPlan& plan,
                 const StreamEvents& events)
      : StreamRun(context, plan, events),
        call_(call),
        raster_(raster_of(call)),
        of_slabs_(call.options),
        inputs_({call.sites, call.domain}),
        outputs_(call.outputs, raster_, call.options.k) {
    of_slabs_.strict = false;  // slabs have no warnings; those of the raster are found here
    of_summaries_ = of_slabs_;
    of_summaries_.nodata_label.reset();  // it is for a domain
    if (call.domain == nullptr) of_slabs_ = of_summaries_;
  }

  StreamReport run() {
    return StreamRun::run(outputs_, [this] {
      if (plan_.is_at_once)
        run_at_once();
      else if (call_.sites == nullptr)
        run_points();
      else
        run_cells();
    });
  }

 private:
  void computed(const SlabRows& rows, const View<const void>& sites,
                const NearestSiteOutputs& out) {
    if (call_.on_rows) call_.on_rows(rows, sites, out);
    outputs_.write(rows);
  }

  void run_at_once() {
    const SlabRows all{0, raster_[0]};
    begin();
    const std::vector<View<const void>> in = read_all(inputs_, all.count);
    const NearestSiteOutputs out = outputs_.next(all);
    stage("compute", 0, 1);
    if (call_.sites == nullptr)
      voronoi(context_, call_.points, call_.grid, call_.options, out, in[1]);
    else
      nearest_site(context_, in[0], call_.options, out, in[1]);
    warnings_ = state().warnings;
    stage("write", 1, 1);
    computed(all, in[0], out);
  }

  void run_points() {
    // The first row is enough to find what is wrong with the options, or odd in the points.
    NearestSiteOptions options = of_summaries_;
    options.strict = call_.options.strict;
    std::vector<Raster> first_row;
    voronoi_slab(context_, call_.points, call_.grid, 0, 1, options, outputs_.aside(1, first_row));
    warnings_ = state().warnings;
    begin();
    stage("compute", 0, 1);
    inputs_.begin(plan_.part, plan_.rows);
    for (std::int64_t number = 0; number < plan_.slabs; ++number) {
      const SlabRows slab = plan_.slab(number);
      progress().begin_part(number, plan_.slabs);
      const View<const void> domain = inputs_.next()[1];
      const NearestSiteOutputs out = outputs_.next(slab);
      voronoi_slab(context_, call_.points, call_.grid, slab.first, slab.count, of_slabs_, out,
                   domain);
      computed(slab, {}, out);
    }
  }

  SlabSummary summarise(const SlabRows& slab, const View<const void>& cells) {
    return summarise_slab(context_, cells, {raster_, slab.first}, of_summaries_);
  }

  void run_cells() {
    const std::vector<View<const void>> none = inputs_.no_rows();
    // No rows are enough to find what is wrong with the options.
    SlabScan scan(summarise({0, 0}, none[0]));
    const NearestSiteOutputs no_rows = outputs_.without_rows();
    finish({0, 0}, none, {scan.all().last, scan.all().first, 0}, no_rows);
    const Problem problem = make_slab_problem(none[0], raster_, 0, of_summaries_, {});
    const bool looks_for_free = needs_free_cells(problem);
    begin();
    stage("summarise", 0, 1.0 / 3);
    const std::int64_t parts = 3 * std::max<std::int64_t>(plan_.slabs, 1);
    FoundClasses found{};
    inputs_.begin(plan_.part, plan_.rows);
    for (std::int64_t number = 0; number < plan_.slabs; ++number) {
      progress().begin_part(number, parts);
      const View<const void> cells = inputs_.next()[0];
      scan.add(summarise(plan_.slab(number), cells));
      if (looks_for_free && !found[kFreeCell])
        find_classes(state(), with_three_axes(cells), problem.rule, found);
    }
    pause();
    find_warnings(problem, needs_sites(problem, no_rows), scan.has_site(), found);
    scan.look_beyond(combine(scan.all()));
    go_on();
    stage("compute", 1.0 / 3, 1);
    inputs_.begin(plan_.part, plan_.rows);
    for (std::int64_t number = 0; number < plan_.slabs; ++number) {
      const SlabRows slab = plan_.slab(number);
      progress().begin_part(plan_.slabs + 2 * number, parts);
      const std::vector<View<const void>>& in = inputs_.next();
      const SlabNeighbours neighbours = scan.next(summarise(slab, in[0]));
      progress().begin_part(plan_.slabs + 2 * number + 1, parts);
      const NearestSiteOutputs out = outputs_.next(slab);
      finish(slab, in, neighbours, out);
      computed(slab, in[0], out);
    }
  }

  void finish(const SlabRows& slab, const std::vector<View<const void>>& in,
              const SlabNeighbours& neighbours, const NearestSiteOutputs& out) {
    finish_slab(context_, in[0], {raster_, slab.first}, of_slabs_, neighbours, out, in[1]);
  }

  SlabNeighbours combine(const SlabSummary& own) {
    if (plan_.communicator != nullptr)
      return combine_slabs(*plan_.communicator, own, raster_, of_summaries_);
    return combine_slabs(std::vector<SlabSummary>{own}, raster_, of_summaries_).front();
  }

  bool any_rank(bool own) const {
    if (plan_.communicator == nullptr) return own;
    return plan_.communicator->sum_of_all(own ? 1 : 0) > 0;
  }

  /// What is odd in the raster of all ranks.
  void find_warnings(const Problem& problem, bool needs_a_site, bool has_site, FoundClasses found) {
    const bool strict = call_.options.strict;
    state().warnings.clear();
    const bool is_without_site = !any_rank(has_site);
    if (needs_a_site && is_without_site) warn_of_no_site(state(), strict, problem.rule, 1, 0, 1);
    for (bool& each : found) each = any_rank(each);
    if (lacks_free_cells(found)) warn_of_no_free_cell(state(), strict, 1);
    warnings_ = std::exchange(state().warnings, {});
  }

  const NearestSiteStream& call_;
  const Extents& raster_;
  NearestSiteOptions of_slabs_, of_summaries_;
  RowInputs inputs_;
  RowOutputs<NearestSiteOutputs> outputs_;
};

}  // namespace

std::size_t scratch_per_cell(const NearestSiteOptions& options, int axes) {
  std::size_t bytes = options.metric != Metric::chessboard ? 4 : axes == 2 ? 12 : 20;
  if (options.method == Method::brute_force || options.method == Method::raster_gpu) bytes = 24;
  if (options.method == Method::chamfer) bytes = 8;
  if (options.method == Method::circle_growing) bytes = 32;
  if (options.method == Method::dilation) bytes = 20;
  if (options.method == Method::expansion) bytes = 8;
  if (options.method >= Method::jfa) bytes = 24;
  // Given in at most 8 bytes, kept in 24, and along lines in 8 more.
  if (options.weighting != Weighting::none) bytes += 40;
  return bytes + (options.distance_to == DistanceTo::boundary ? 4 : 0);
}

std::optional<BrokenRule> why_at_once(const Context& context, const NearestSiteStream& call) {
  const auto is_of_more = [](const Output& output) {
    return output.subject == Subject::other_label || output.subject == Subject::ties;
  };
  const NearestSiteOptions& options = call.options;
  const auto is_not = [](const char* argument, std::string_view value, const char* rule) {
    return BrokenRule{argument, std::string(value), rule};
  };
  if (options.method != Method::exact)
    return is_not("method", name_of(options.method), "slabs have exact only");
  const bool is_separable =
      options.metric == Metric::euclidean || options.metric == Metric::manhattan;
  if (!is_separable && (call.sites != nullptr || options.metric != Metric::chessboard))
    return is_not("metric", name_of(options.metric), "slabs have euclidean and manhattan only");
  if (options.metric_function) return is_not("metric_function", {}, "is for all rows at once");
  if (options.weighting != Weighting::none && call.sites != nullptr)
    return is_not("weighting", name_of(options.weighting), "slabs of cells have no weights");
  if (context.device() != "cpu")
    return is_not("device", context.device(), "slabs are done on the cpu");
  if (options.k > 0) return is_not("k", std::to_string(options.k), "slabs have the nearest alone");
  if (options.ties_unreached) return is_not("ties_unreached", {}, "is for all rows at once");
  for (const StreamedOutput& given : call.outputs)
    for (const Output& output : TableOf<NearestSiteOutputs>::kRows)
      if (output.name == given.name && is_of_more(output))
        return is_not(output.name.data(), {}, "is for all rows at once");
  return std::nullopt;
}

StreamPlan plan_stream(const Context& context, const NearestSiteStream& call,
                       const StreamLimits& limits) {
  return choose_plan(raster_of(call), needs_of(call), limits, why_at_once(context, call));
}

StreamReport stream(Context& context, const NearestSiteStream& call, const StreamPlan& plan,
                    const StreamEvents& events) {
  return guarded(context.state(),
                 [&] { return NearestSiteRun(context, call, plan, events).run(); });
}

}  // namespace thiessen

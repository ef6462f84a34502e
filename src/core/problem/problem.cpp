// SPDX-License-Identifier: Apache-2.0
//
// Checks the arguments of nearest_site(), and makes the Problem of the call: integer weights, the
// limit as an integer, periods, the rule of sites.
#include "core/problem/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/earth_checks.hpp"
#include "core/problem/outputs.hpp"
#include "core/problem/raster_choice.hpp"
#include "core/problem/site_metrics.hpp"
#include "core/problem/site_weights.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

/// Addresses from the first byte of a view to the one after its last.
struct AddressRange {
  Int128 begin = 0;
  Int128 end = 0;
};

/// They have 128 bits, which hold any strides times any extents.
AddressRange address_range(const View<const void>& view) {
  const Int128 start = reinterpret_cast<std::uintptr_t>(view.bytes());
  AddressRange range{start, start + static_cast<Int128>(size_of(view.element_type()))};
  for (int axis = 0; axis < view.rank(); ++axis) {
    if (view.extent(axis) == 0) return {};
    const Int128 reach = Int128{view.stride(axis)} * (view.extent(axis) - 1);
    (view.stride(axis) < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

/// What is wanted besides the nearest site. Throws for what does not go together.
void set_extra_outputs(Problem& problem, const NearestSiteOptions& options,
                       const NearestSiteOutputs& out) {
  problem.wants_other_labels = wants_other_labels(out);
  problem.k = options.k;
  problem.distinct_labels = options.distinct_labels;
  problem.ties_unreached = options.ties_unreached;
  problem.counts_ties = out.ties || options.ties_unreached;
  if (options.k == 0) return;
  check_outputs_of_k(out, options.k);
  if (options.ties_unreached) refuse_beside_k<NearestSiteOutputs>(options.k, "ties_unreached");
}

/// `grid` may have an axis of a batch in front of the `rank` of a raster.
void check_outputs(const Extents& grid, int rank, std::int64_t k,
                   const std::vector<NamedView>& inputs, const NearestSiteOutputs& out,
                   const ReachableMemory& reachable) {
  check_views(out, inputs, reachable,
              [&](const Output& output) { return extents_of(output, grid, rank, k); });
}

/// Checks that the cells of a view lie in memory.
void check_memory(const char* name, const View<const void>& view,
                  const ReachableMemory& reachable) {
  if (view.extents().count() > 0 && view.bytes() == nullptr)
    refuse(name, "is a null pointer; must be memory for its cells");
  reachable.check(name, view);
  check_strides(name, view);
}

/// `grid` as of check_outputs().
void check_domain(const Extents& grid, const View<const void>& domain,
                  const ReachableMemory& reachable) {
  if (!domain) return;
  if (domain.extents() != grid)
    refuse("domain", "must have the extents of the grid, or of the raster of sites");
  const ElementType type = domain.element_type();
  if (type == ElementType::f32 || type == ElementType::f64)
    refuse("domain", "is " + std::string(name_of(type)) + "; must be of integers or bool");
  check_memory("domain", domain, reachable);
  check_strides("domain", domain);
}

/// `numbered`: the sites are given the labels 1, 2, …
LabelBits domain_label(const NearestSiteOptions& options, ElementType type, bool numbered) {
  if (options.nodata_label) return to_label_bits(*options.nodata_label, type, "nodata_label");
  if (options.nodata) return to_label_bits(*options.nodata, type, "nodata");
  if (numbered) return to_label_bits(std::int64_t{-1}, type, "nodata_label");
  refuse("nodata_label",
         "is missing; labels outside of a domain need it where sites have their own");
}

void check_combination(const Problem& problem, const NearestSiteOutputs& out) {
  if (problem.signed_distance && problem.distance_to == DistanceTo::boundary)
    refuse("signed_distance", "true", "must be false when the distance is to the boundary");
  const bool cells = std::all_of(problem.spacing.begin(), problem.spacing.end(),
                                 [](double length) { return length == 1; });
  const bool euclidean = problem.metric == Metric::euclidean && problem.metric_function == nullptr;
  if (out.squared && (!euclidean || !cells))
    refuse("squared", "is wanted; it exists only for the euclidean metric and a spacing of 1");
  if (out.direction) check_direction(problem.rank);
  if (problem.keys.has_metrics && problem.has_period() && (out.offset || out.direction))
    refuse(std::string(out.offset ? "offset" : "direction") +
           " is wanted; with metrics it exists only where no axis is periodic");
  if (problem.has_weights() && problem.signed_distance)
    refuse("signed_distance", "true", "must be false where there are weights");
  if (problem.has_weights() && problem.distance_to == DistanceTo::boundary)
    refuse("distance_to", "boundary", "must be sites where there are weights");
  if (!problem.wants_extra_outputs()) return;
  if (problem.has_weights() && problem.wants_other_labels)
    refuse("weighting = " + std::string(name_of(problem.keys.weighting)) +
           " is given and outputs of another label are wanted; weighted sites have none");
  const std::string where = "where " + std::string(name_of_extra_output(problem)) + " wanted";
  if (problem.signed_distance) refuse("signed_distance", "true", "must be false " + where);
  if (problem.distance_to == DistanceTo::boundary)
    refuse("distance_to", "boundary", "must be sites " + where);
}

struct OptionalInputs {
  const View<const void>& domain;
  const View<const void>& weights;
};

/// Checks the options by their rows. For points, voronoi() has not all of them.
void check_rows(const NearestSiteOptions& options, int rank, const OptionalInputs& inputs,
                bool are_points) {
  const auto has_input = [&](std::string_view name) {
    return static_cast<bool>(name == "weights" ? inputs.weights : inputs.domain);
  };
  if (are_points)
    refuse_others(kNearestSite, kVoronoi, &options, "is for sites of a raster, not for points");
  check_options(kNearestSite.fields, &options, rank, has_input);
}

/// Places between cells have neither squared distance nor offset in whole cells. For points in
/// device memory the device checks it.
void refuse_cell_outputs(const PointSites& points, const NearestSiteOutputs& out) {
  if (points.first_off_centre < 0 || (!out.squared && !out.offset)) return;
  refuse(std::string(out.squared ? "squared" : "offset") +
         " is wanted; it exists only if all points lie on centres of cells, and points[" +
         std::to_string(points.first_off_centre) + "] does not");
}

void check_metric_function(const NearestSiteOptions& options) {
  if (!options.metric_function) return;
  if (options.metric != Metric::euclidean)
    refuse("metric_function and metric are given; must be one of them");
  if (std::find(options.periodic.begin(), options.periodic.end(), true) != options.periodic.end())
    refuse("periodic", "is given; must not be where there is a metric_function");
  if (options.signed_distance)
    refuse("signed_distance", "true", "must be false where there is a metric_function");
}

/// Checks what does not go with distances on the Earth.
void check_on_earth(const Extents& extents, const NearestSiteOptions& options) {
  check_earth(extents, options.metric, options.earth, options.spacing);
  if (!is_on_earth(options.metric)) return;
  const std::string metric(name_of(options.metric));
  if (std::find(options.periodic.begin(), options.periodic.end(), true) != options.periodic.end())
    refuse("periodic and metric = " + metric + " are given; the Earth is round by itself");
  if (options.signed_distance)
    refuse("signed_distance", "true", "must be false for metric = " + metric);
  if (options.distance_to == DistanceTo::boundary)
    refuse("distance_to", "boundary", "must be sites for metric = " + metric);
}

/// The periods: the extents on the periodic axes.
Axes make_period(const Axes& extent, const std::vector<bool>& periodic, int rank) {
  Axes period{kNoPeriod, kNoPeriod, kNoPeriod};
  if (periodic.empty()) return period;
  for (int axis = 0; axis < rank; ++axis) {
    if (!periodic[static_cast<std::size_t>(axis)]) continue;
    const auto own = static_cast<std::size_t>(kAxes - rank + axis);
    if (extent[own] > kMaxPeriod)
      refuse("periodic[" + std::to_string(axis) + "]",
             "of an axis of " + std::to_string(extent[own]) +
                 " cells; a periodic axis has at most 2^29");
    period[own] = extent[own];
  }
  return period;
}

Problem make_geometry(const Extents& extents, const NearestSiteOptions& options) {
  Problem problem;
  problem.rank = extents.rank();
  problem.extent = to_axes(extents);
  problem.metric = options.metric;
  problem.period = make_period(problem.extent, options.periodic, problem.rank);
  problem.flooding = make_flooding(options.method, options.flooding);
  problem.raster = options.raster;
  check_metric_function(options);
  if (options.metric_function) problem.metric_function = &options.metric_function;
  check_on_earth(extents, options);
  if (options.earth) problem.earth = &*options.earth;
  problem.keys.weighting = options.weighting;
  return problem;
}

/// Spacing and max distance as integers, for differences of coordinates up to `reach`.
void set_distances(Problem& problem, const Axes& reach, const std::vector<double>& given,
                   double max_distance) {
  const std::vector<double> spacing = checked_spacing(given, problem.rank);
  check_metric(problem.metric, problem.rank, spacing);
  problem.weights = make_weights(reach, spacing, problem.metric);
  const Unit cell = problem.weights.unit;
  problem.weights.unit = scaled(cell, -problem.fraction_bits);
  if (scaled(problem.weights.unit, problem.fraction_bits) != cell)
    refuse("spacing[0] = " + shortest_decimal(spacing[0]) +
           "; too small to be divided by 2^16 for points");
  std::copy(spacing.begin(), spacing.end(), problem.spacing.end() - problem.rank);
  problem.wide = problem.weights.greatest >= Int128{1} << 62;
  problem.limit = greatest_within(problem.weights, problem.metric, max_distance);
  problem.limited = problem.limit < problem.weights.greatest;
  problem.max_distance = max_distance;
  // Then S does not tell by itself which cells are within the limit.
  if (problem.metric_function != nullptr || problem.earth != nullptr || problem.has_weights())
    problem.limited = !std::isinf(max_distance);
}

/// The greatest differences of coordinates, also of images on periodic axes.
Axes reach_of(const Axes& extent, const Axes& period) {
  Axes reach;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    reach[axis] =
        period[axis] == kNoPeriod ? std::max<std::int64_t>(extent[axis] - 1, 0) : 2 * extent[axis];
  return reach;
}

/// The greatest differences of coordinates, for points at most `margin` cells beyond the grid.
Axes reach_of(const Problem& problem, std::int64_t margin) {
  Axes reach{};
  for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis)
    reach[axis] = problem.period[axis] != kNoPeriod
                      ? 2 * problem.period[axis]
                      : (problem.extent[axis] + margin) << problem.fraction_bits;
  return reach;
}

/// Sets the distances for points that are not read. They may lie so far beyond the grid that S
/// still has 62 bits or, if the grid is too large for that, is exact in 126. The weights are those
/// that the points would have on the host, since none are approximated.
void set_unseen_distances(Problem& problem, const std::vector<double>& spacing, double limit) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 31;
  const std::int64_t longest = *std::max_element(problem.extent.begin(), problem.extent.end());
  const std::int64_t least = std::max<std::int64_t>(longest / 4, 1);
  const auto is_exact = [&](std::int64_t margin) {
    problem.margin = margin;
    try {
      set_distances(problem, reach_of(problem, margin), spacing, limit);
      return !problem.weights.approximated;
    } catch (const Error&) {
      return false;  // too far for any weights
    }
  };
  set_distances(problem, reach_of(problem, 0), spacing, limit);  // throws the reason
  for (const bool may_be_wide : {false, true})
    for (std::int64_t margin = 2 * kFarthest; margin > least;) {
      margin = std::max(margin / 2, least);
      if (is_exact(margin) && (may_be_wide || !problem.wide)) return;
    }
  throw Error(ErrorCode::unsupported,
              {"spacing",
               {},
               "is too uneven for exact distances of points in device memory over a grid of this "
               "size; points on the host may do"});
}

/// What make_problem() checks and sets besides the shape, for rasters of `rank` axes, of which
/// there may be a batch.
// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
Problem make_raster_problem(const View<const void>& sites, const Extents& raster,
                            const View<const void>& domain, const View<const void>& weights,
                            const NearestSiteOptions& options, const NearestSiteOutputs& out,
                            const ReachableMemory& reachable) {
  check_domain(sites.extents(), domain, reachable);
  check_rows(options, raster.rank(), {domain, weights}, false);
  check_weights(weights, sites.extents(), options, out);
  if (weights && sites.space() != MemorySpace::host)
    refuse("sites", "lie in device memory; must be on the host where there are weights");
  Problem problem = make_geometry(raster, options);
  set_extra_outputs(problem, options, out);
  check_outputs(sites.extents(), raster.rank(), problem.k,
                {{"the sites", sites}, {"the domain", domain}, {"the weights", weights}}, out,
                reachable);
  check_label_outputs(out, [&](const NamedView& labels) {
    check_label_type(sites.element_type(), raster, labels);
  });

  set_distances(problem, reach_of(problem.extent, problem.period), options.spacing,
                options.max_distance);
  problem.rule = make_rule(sites.element_type(), options);
  if (const View<void>& labels = label_output(out)) {
    const ElementType type = labels.element_type();
    problem.unreached = to_label_bits(options.unreached, type, "unreached");
    if (domain)
      problem.nodata_label =
          domain_label(options, type, sites.element_type() == ElementType::boolean);
  }
  problem.signed_distance = options.signed_distance;
  if (options.distance_to == DistanceTo::boundary) problem.distance_to = DistanceTo::boundary;
  check_combination(problem, out);
  return problem;
}

}  // namespace

void ReachableMemory::check(const char* name, const View<const void>& view,
                            const char* verb) const {
  if (view.space() == MemorySpace::host) return;
  const std::string where = std::string(name) + " " + verb + " in memory of a CUDA device";
  if (state_ == nullptr) refuse(where + "; must be on the host");
  if (!state_->session->reaches(view.space()))
    refuse(where + "; device = " + state_->device + " reaches memory of the host only");
  if (view.extents().count() > 0) state_->session->check_address(name, view.bytes());
}

void check_extents(const char* name, const Extents& extents) {
  constexpr std::int64_t kMostCells = std::int64_t{1} << 60;
  if (extents.rank() != 2 && extents.rank() != 3)
    refuse(name, "has " + std::to_string(extents.rank()) + " axes; must have 2 or 3");
  for (int axis = 0; axis < extents.rank(); ++axis)
    if (extents[axis] > kMaxExtent)
      refuse(name, "has the extent[" + std::to_string(axis) +
                       "] = " + std::to_string(extents[axis]) + "; must be at most 2^30 cells");
  if (extents.count() > kMostCells) refuse(name, "has more than 2^60 cells");
}

void check_slab(const Extents& slab, const Extents& raster, std::int64_t first) {
  check_extents("raster", raster);
  if (slab.rank() != raster.rank())
    refuse("slab has " + std::to_string(slab.rank()) + " axes; must have the " +
           std::to_string(raster.rank()) + " of the raster");
  for (int axis = 1; axis < raster.rank(); ++axis)
    if (slab[axis] != raster[axis])
      refuse("slab has the extent[" + std::to_string(axis) + "] = " + std::to_string(slab[axis]) +
             "; must be the raster's, " + std::to_string(raster[axis]));
  if (first < 0 || slab[0] > raster[0] - first)
    refuse("slab begins at " + std::to_string(first) + " and has " + std::to_string(slab[0]) +
           " rows or planes; must lie within the " + std::to_string(raster[0]) + " of the raster");
}

void check_batch_extents(const Extents& extents) {
  if (extents.rank() != 3 && extents.rank() != 4)
    refuse("sites of a batch has " + std::to_string(extents.rank()) +
           " axes; must have 3 or 4; the first counts the rasters");
  check_extents("sites of a batch", without_axis(extents, 0));
}

void check_cells(const char* name, const View<const void>& view, const ReachableMemory& reachable) {
  check_extents(name, view.extents());
  check_memory(name, view, reachable);
}

void check_strides(const char* name, const View<const void>& view) {
  constexpr Int128 kLast = std::numeric_limits<std::uintptr_t>::max();
  constexpr Int128 kMostBytes = Int128{1} << 56;  // what a process can address on today's machines
  const AddressRange range = address_range(view);
  if (range.begin < 0 || range.end > kLast || range.end - range.begin > kMostBytes)
    refuse(name, "has strides that lead out of memory; its cells must lie in it");
}

void check_no_self_overlap(const char* name, const View<const void>& view) {
  if (view.extents().count() == 0) return;
  std::vector<int> axes;
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > 1) axes.push_back(axis);
  const auto length = [&](int axis) { return std::abs(view.stride(axis)); };
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return length(a) < length(b); });
  auto covered = static_cast<std::int64_t>(size_of(view.element_type()));
  for (const int axis : axes) {
    if (length(axis) < covered)
      refuse(name, "has the stride[" + std::to_string(axis) + "] = " +
                       std::to_string(view.stride(axis)) + "; cells of an output must lie apart");
    covered += length(axis) * (view.extent(axis) - 1);
  }
}

void check_no_overlap(const char* a_name, const View<const void>& a, const char* b_name,
                      const View<const void>& b) {
  const AddressRange left = address_range(a);
  const AddressRange right = address_range(b);
  if (left.begin < right.end && right.begin < left.end)
    refuse(a_name, std::string("overlaps ") + b_name + " in memory; must be apart");
}

void check_aligned_cells(const char* name, const View<const void>& view,
                         const ReachableMemory& reachable) {
  check_cells(name, view, reachable);
  if (view.extents().count() == 0) return;
  const std::size_t element = size_of(view.element_type());
  auto bits = reinterpret_cast<std::uintptr_t>(view.bytes());
  for (int axis = 0; axis < view.rank(); ++axis)
    if (view.extent(axis) > 1) bits |= static_cast<std::uintptr_t>(view.stride(axis));
  if (bits % element != 0)
    refuse(name, "is not aligned; address and strides must be multiples of " +
                     std::to_string(element) + " bytes");
}

Problem make_problem(View<const void> sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out, const ReachableMemory& reachable,
                     const View<const void>& domain, const View<const void>& weights) {
  check_cells("sites", sites, reachable);
  return make_raster_problem(sites, sites.extents(), domain, weights, options, out, reachable);
}

Problem make_batch_problem(View<const void> sites, const NearestSiteOptions& options,
                           const NearestSiteOutputs& out, const ReachableMemory& reachable,
                           const View<const void>& domain, const View<const void>& weights) {
  check_batch_extents(sites.extents());
  check_memory("sites", sites, reachable);
  return make_raster_problem(sites, without_axis(sites.extents(), 0), domain, weights, options, out,
                             reachable);
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
Problem make_slab_problem(View<const void> sites, const Extents& raster, std::int64_t first,
                          const NearestSiteOptions& options, const NearestSiteOutputs& out,
                          const ReachableMemory& reachable, const View<const void>& domain) {
  check_cells("sites", sites, reachable);
  check_slab(sites.extents(), raster, first);
  return make_raster_problem(sites, raster, domain, {}, options, out, reachable);
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
Problem make_problem(const PointList& list, const PointSites& points, const Grid& grid,
                     const NearestSiteOptions& options, const NearestSiteOutputs& out,
                     const ReachableMemory& reachable, const View<const void>& domain,
                     const std::optional<Extents>& cells) {
  check_rows(options, grid.extents.rank(), {domain, list.weights}, true);
  check_weights(list.weights, {list.coordinates.extent(0)}, options, out,
                static_cast<bool>(list.metrics));
  check_metrics(list, grid.extents.rank(), options, out);
  refuse_cell_outputs(points, out);
  check_domain(cells.value_or(grid.extents), domain, reachable);
  Problem problem = make_geometry(grid.extents, options);
  problem.keys.has_metrics = static_cast<bool>(list.metrics);
  if (problem.keys.has_metrics) problem.keys.weighting = Weighting::power;
  problem.keys.limits_distance = problem.keys.has_metrics && !list.weights;
  set_extra_outputs(problem, options, out);
  check_outputs(cells.value_or(grid.extents), grid.extents.rank(), problem.k,
                {{"the points", list.coordinates},
                 {"the labels of the points", list.labels},
                 {"the weights of the points", list.weights},
                 {"the metrics of the points", list.metrics},
                 {"the domain", domain}},
                out, reachable);
  check_label_outputs(out, [&](const NamedView& labels) { check_point_label_type(list, labels); });

  check_points_on_centres(problem.metric, points);
  problem.point_sites = true;
  problem.fraction_bits = points.fraction_bits;
  for (std::int64_t& period : problem.period)
    if (period != kNoPeriod) period <<= points.fraction_bits;
  const auto& spacing = options.spacing.empty() ? grid.spacing : options.spacing;
  if (points.at == nullptr)
    set_unseen_distances(problem, spacing, options.max_distance);
  else
    set_distances(problem, reach_of(points, problem.extent, problem.period), spacing,
                  options.max_distance);
  if (const View<void>& labels = label_output(out)) {
    problem.unreached = to_label_bits(options.unreached, labels.element_type(), "unreached");
    if (domain) problem.nodata_label = domain_label(options, labels.element_type(), !list.labels);
  }
  check_combination(problem, out);
  return problem;
}

const char* weights_are_given(const Problem& problem) {
  return problem.keys.has_metrics ? "metrics are given, which only exact on cpu takes"
                                  : "weights are given, which only exact on cpu and cuda takes";
}

const char* name_of_extra_output(const Problem& problem) {
  if (problem.k > 0) return "the k nearest are";
  return problem.counts_ties ? "ties are" : "outputs of another label are";
}

ProblemViews views_of_rank(const ProblemViews& views, std::int64_t rank) {
  ProblemViews one = views;
  one.out = raster_of(views.out, rank);
  return one;
}

View<const void> raster_of(const View<const void>& sites, std::int64_t raster) {
  return part_of(sites, 0, raster);
}

NearestSiteOutputs raster_of(const NearestSiteOutputs& out, std::int64_t raster) {
  return parts_of_outputs(out, raster);
}

bool wants_sites(const NearestSiteOutputs& out) { return wants_any(out, {Subject::site}); }

bool wants_distances(const NearestSiteOutputs& out) { return wants_any(out, {Subject::distance}); }

bool wants_besides(const NearestSiteOutputs& out, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(kNearestSiteOutputs, [&](const Output& output) {
    return std::ranges::find(names, output.name) == names.end() && output.get(&out);
  });
}

bool wants_other_labels(const NearestSiteOutputs& out) {
  return wants_any(out, {Subject::other_label});
}

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
// The public functions of slabs: they check the arguments, turn faces into what a backend takes,
// and combine faces.
#include "thiessen/slabs/slabs.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "api/domain.hpp"
#include "api/number_sites.hpp"
#include "api/slabs/points_of_slab.hpp"
#include "api/warnings.hpp"
#include "backend/backend.hpp"
#include "core/base/context_state.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "core/problem/site_weights.hpp"
#include "core/slabs/slab_faces.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"
#include "threads/parallel.hpp"

namespace thiessen {
namespace {

void unsupported(const std::string& text) { throw Error(ErrorCode::unsupported, text); }

void require_exact(const NearestSiteOptions& options) {
  if (options.method != Method::exact)
    unsupported("method = " + std::string(name_of(options.method)) + "; slabs have exact only");
}

/// Which points count in a slab follows from norms of the plane.
void require_norm(const NearestSiteOptions& options) {
  if (options.metric_function)
    unsupported("metric_function is given; slabs of points have the metrics of the plane only");
  if (is_on_earth(options.metric))
    unsupported("metric = " + std::string(name_of(options.metric)) +
                "; slabs of points have the metrics of the plane only");
}

void check_options(const NearestSiteOptions& options) {
  require_exact(options);
  if (options.metric_function)
    unsupported("metric_function is given; slabs have the metrics euclidean and manhattan only");
  if (options.metric != Metric::euclidean && options.metric != Metric::manhattan)
    unsupported("metric = " + std::string(name_of(options.metric)) +
                "; slabs have euclidean and manhattan, for which the nearest site of a column "
                "beyond a slab is all that counts");
  if (options.strict) refuse("strict", "true", "slabs give no warnings");
}

/// That of the context's backend or, if it has none, that of the CPU.
const SlabEntry& slab_entry(const ContextState& state) {
  if (names_several(state.device))
    unsupported("device = " + state.device + "; a slab is done on one device, by its own context");
  for (const std::string_view device : {std::string_view(state.device), std::string_view("cpu")})
    if (const Backend* const backend = find_backend(device))
      if (const SlabEntry* const entry = backend->slabs()) return *entry;
  throw Error(ErrorCode::unsupported,
              {"device", state.device, "it has no slabs, and this build has no cpu"});
}

Slab slab_of(const SlabPlace& place, const Extents& extents) {
  return {place.first, extents[0], {}, {}};
}

/// Vectors for what the options need of a face.
SlabFace make_face(const Problem& problem) {
  const auto columns = static_cast<std::size_t>(slab_columns(problem));
  SlabFace face;
  face.type = problem.rule.type;
  face.site.assign(columns, kNoSite);
  face.labels.resize(columns * label_bytes(face.type));
  if (problem.signed_distance) face.other.assign(columns, kNoSite);
  if (problem.distance_to == DistanceTo::boundary) {
    face.values.resize(columns * size_of(face.type));
    face.change.assign(columns, kNoSite);
  }
  return face;
}

Face site_face(SlabFace& face) { return {face.site.data(), face.labels.data()}; }
Face other_face(SlabFace& face) { return {face.other.data(), nullptr}; }
Face boundary_face(SlabFace& face) { return {face.change.data(), face.values.data()}; }

SlabSummary summarise(ContextState& state, const Problem& problem, const Slab& slab,
                      const View<const void>& sites) {
  SlabSummary summary{make_face(problem), make_face(problem), 0};
  if (slab.count * slab_columns(problem) == 0) return summary;
  SlabFaces faces{
      .sites = {site_face(summary.first), site_face(summary.last)},
      .others = {other_face(summary.first), other_face(summary.last)},
      .boundary = {boundary_face(summary.first), boundary_face(summary.last)},
  };
  slab_entry(state).summarise(state, problem, slab, with_three_axes(sites), faces);
  summary.first.row = static_cast<std::int32_t>(slab.first);
  summary.last.row = static_cast<std::int32_t>(slab.first + slab.count - 1);
  summary.sites = faces.number;
  return summary;
}

/// Checks that all coordinates of a face lie beyond the slab on its side.
void check_side(const char* name, const SlabFace& face, const SlabFace& like, std::int64_t least,
                std::int64_t greatest) {
  check_face(face, like);
  for (const auto* const coordinates : {&face.site, &face.other, &face.change})
    for (const std::int32_t coordinate : *coordinates)
      if (coordinate != kNoSite && (coordinate < least || coordinate > greatest))
        refuse(name, "has the coordinate " + std::to_string(coordinate) +
                         "; must lie beyond the slab on that side");
}

/// Labels of a face in the type of the output.
class FaceLabels {
 public:
  FaceLabels(const SlabFace& face, const View<void>& out) : labels_(face.labels.data()) {
    if (!out || face.type != ElementType::boolean || out.element_type() == kSlabNumber) return;
    numbers_.resize(face.site.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      std::int64_t number;
      std::memcpy(&number, face.labels.data() + i * sizeof number, sizeof number);
      numbers_[i] = static_cast<std::int32_t>(number);
    }
    labels_ = reinterpret_cast<const std::byte*>(numbers_.data());
  }
  const std::byte* data() const { return labels_; }

 private:
  const std::byte* labels_;
  std::vector<std::int32_t> numbers_;
};

void finish(ContextState& state, const Problem& problem, const Slab& slab,
            const SlabNeighbours& neighbours, ProblemViews views) {
  if (problem.wants_extra_outputs())
    throw Error(ErrorCode::unsupported, std::string(name_of_extra_output(problem)) +
                                            " wanted; a slab's faces know one site a column");
  const SlabFace like = make_face(problem);
  const std::int64_t length = whole_raster(problem).count;
  check_side("neighbours.above", neighbours.above, like, -length, slab.first - 1);
  check_side("neighbours.below", neighbours.below, like, slab.first + slab.count, 2 * length);
  const FaceLabels above(neighbours.above, views.out.labels);
  const FaceLabels below(neighbours.below, views.out.labels);
  SlabMaps maps{slab, slab, slab};
  maps.sites.above = {neighbours.above.site.data(), above.data()};
  maps.sites.below = {neighbours.below.site.data(), below.data()};
  if (problem.signed_distance) {
    maps.others.above.coordinate = neighbours.above.other.data();
    maps.others.below.coordinate = neighbours.below.other.data();
  }
  const auto beside = [](const SlabFace& face) {
    return face.row == SlabFace::kNone ? Neighbours{}
                                       : Neighbours{face.change.data(), face.values.data()};
  };
  if (problem.distance_to == DistanceTo::boundary) {
    maps.boundary.above = beside(neighbours.above);
    maps.boundary.below = beside(neighbours.below);
  }
  maps.numbers_before = neighbours.sites_before;
  Scratch::Frame scratch(state.scratch);
  if (views.out.labels && problem.rule.type == ElementType::boolean &&
      state.session->makes_labels())
    views.labels = {};
  else if (views.out.labels && problem.rule.type == ElementType::boolean)
    views.labels = number_sites(state, scratch, problem.rule, views.sites,
                                views.out.labels.element_type(), neighbours.sites_before);
  slab_entry(state).finish(state, problem, maps, views);
  if (views.domain && !state.session->marks_outside()) mark_outside(state, problem, views);
}

/// Turns places among the points of a slab into those in the whole list.
void to_places(ContextState& state, const View<std::int64_t>& out, const PointsOfSlab& kept) {
  if (!out || kept.are_all) return;
  const std::int64_t height = out.extent(1);
  parallel_for(state, out.extent(0) * height, 16, 0,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t row = begin; row < end; ++row)
                   for (std::int64_t x = 0; x < out.extent(2); ++x)
                     if (std::int64_t& index = out(row / height, row % height, x); index >= 0)
                       index = kept.place[index];
               });
}

/// The weights of the points of a slab.
SiteWeights weights_of(const PointsOfSlab& kept, const SiteWeights& all, Scratch::Frame& scratch) {
  if (kept.are_all) return all;
  auto* exact = scratch.array<Int128>(kept.points.count);
  auto* typed = scratch.array<double>(kept.points.count);
  for (std::int64_t i = 0; i < kept.points.count; ++i) {
    exact[i] = all.exact[kept.place[i]];
    typed[i] = all.typed[kept.place[i]];
  }
  return {.exact = exact, .typed = typed, .count = kept.points.count, .greatest = all.greatest};
}

/// Refuses what devices do not do with the points of a slab.
void check_points_of_slab(const ContextState& state, const PointList& points,
                          const NearestSiteOptions& options) {
  if (points.coordinates.space() != MemorySpace::host)
    unsupported("points lie in device memory; points of a slab must be on the host");
  if (state.device != "cpu" && !options.periodic.empty() && options.periodic[0])
    unsupported("periodic[0] = true; on " + state.device +
                ", a slab of points is not periodic along its first axis");
}

void run_points(ContextState& state, const PointList& list, const Grid& grid, const Slab& slab,
                const NearestSiteOptions& options, ProblemViews views) {
  const NearestSiteOutputs& out = views.out;
  const Extents cells = slab_extents(grid.extents, slab.count);
  Scratch::Frame scratch(state.scratch);
  views.points = snap_points(list.coordinates, scratch.array<Axes>(list.coordinates.extent(0)));
  Problem problem = make_problem(list, views.points, grid, options, out, ReachableMemory(state),
                                 views.domain, cells);
  const MethodEntry& exact = find_method(*find_backend(state.device), Method::exact);
  if (const Support support = exact.supports(state, problem); !support)
    unsupported("method = exact on " + state.device + ": " + support.reason);
  if (problem.wants_other_labels && !exact.finds_extra_outputs)
    unsupported("outputs of another label are wanted, which only exact on cpu has");
  if (problem.has_weights() && !exact.takes_weights) unsupported(weights_are_given(problem));
  const auto first_axis = static_cast<std::size_t>(problem.first_axis());
  if (problem.keys.has_metrics && problem.period[first_axis] != kNoPeriod)
    unsupported("metrics are given; a slab of such points is not periodic along its first axis");
  if (problem.k > 0 || problem.counts_ties)
    unsupported(std::string(name_of_extra_output(problem)) + " wanted; slabs have none");
  if (cells.count() == 0) return;
  views.out = with_three_axes(out);
  views.domain = with_three_axes(views.domain);
  wrap_points(views.points, problem.period);
  if (slab.first == 0) warn_of_points(state, options.strict, problem, views, list.labels);
  if (problem.has_weights()) set_weights(problem, views, list, scratch);
  const PointsOfSlab kept = cut_out_points(state, problem, views.points, slab, scratch);
  views.points = kept.points;
  if (problem.has_weights()) views.weights = weights_of(kept, views.weights, scratch);
  // Images of a point have one label, also where only those of another label are looked for.
  const View<void>& labels = label_output(views.out);
  if (state.session->makes_labels())
    views.labels = list.labels;
  else if (labels || problem.wants_other_labels)
    views.labels = labels_of_points(scratch, list.labels,
                                    list.labels ? list.labels.element_type()
                                    : labels    ? labels.element_type()
                                                : ElementType::i64,
                                    kept.points.count, kept.place);
  exact.run(state, problem, views);
  to_places(state, views.out.site_index, kept);
  to_places(state, views.out.other_site_index, kept);
  if (views.domain && !state.session->marks_outside()) mark_outside(state, problem, views);
}

}  // namespace

SlabSummary summarise_slab(Context& context, View<const void> slab, const SlabPlace& place,
                           const NearestSiteOptions& options) {
  ContextState& state = context.state();
  return guarded(state, [&] {
    check_options(options);
    const Problem problem =
        make_slab_problem(slab, place.raster, place.first, options, {}, ReachableMemory(state));
    return summarise(state, problem, slab_of(place, slab.extents()), slab);
  });
}

SlabSummary join_slabs(const SlabSummary& upper, const SlabSummary& lower) {
  for (const SlabFace* const face : {&upper.last, &lower.first, &lower.last})
    check_face(*face, upper.first);
  SlabSummary below = lower;
  add_to_numbers(below.first, upper.sites);
  add_to_numbers(below.last, upper.sites);
  return {nearest_face(upper.first, below.first), nearest_face(std::move(below.last), upper.last),
          upper.sites + lower.sites};
}

std::vector<SlabNeighbours> combine_slabs(std::span<const SlabSummary> summaries,
                                          const Extents& raster,
                                          const NearestSiteOptions& options) {
  if (summaries.empty()) return {};
  std::vector<SlabSummary> own(summaries.begin(), summaries.end());
  std::vector<SlabNeighbours> neighbours(own.size());
  std::int64_t before = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    check_face(own[k].first, own.front().first);
    check_face(own[k].last, own.front().first);
    neighbours[k].sites_before = before;
    add_to_numbers(own[k].first, before);
    add_to_numbers(own[k].last, before);
    before += own[k].sites;
  }
  SlabFace above = without_cells(own.front().first);
  SlabFace below = above;
  if (!options.periodic.empty() && options.periodic[0]) {
    for (const SlabSummary& each : own) above = nearest_face(moved(each.last, -raster[0]), above);
    for (std::size_t k = own.size(); k-- > 0;)
      below = nearest_face(moved(own[k].first, raster[0]), below);
  }
  for (std::size_t k = 0; k < own.size(); ++k) {
    neighbours[k].above = above;
    above = nearest_face(std::move(own[k].last), above);
  }
  for (std::size_t k = own.size(); k-- > 0;) {
    neighbours[k].below = below;
    below = nearest_face(std::move(own[k].first), below);
  }
  return neighbours;
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void finish_slab(Context& context, View<const void> slab, const SlabPlace& place,
                 const NearestSiteOptions& options, const SlabNeighbours& neighbours,
                 const NearestSiteOutputs& out, View<const void> domain) {
  ContextState& state = context.state();
  guarded(state, [&] {
    check_options(options);
    const Problem problem = make_slab_problem(slab, place.raster, place.first, options, out,
                                              ReachableMemory(state), domain);
    if (slab.extents().count() == 0) return;
    finish(state, problem, slab_of(place, slab.extents()), neighbours,
           make_views(slab, out, domain));
  });
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void voronoi_slab(Context& context, const PointList& points, const Grid& grid, std::int64_t first,
                  std::int64_t count, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out, View<const void> domain) {
  ContextState& state = context.state();
  guarded(state, [&] {
    require_exact(options);
    require_norm(options);
    check_extents("grid", grid.extents);
    check_slab(slab_extents(grid.extents, count), grid.extents, first);
    check_points(points, grid.extents.rank(), ReachableMemory(state));
    check_points_of_slab(state, points, options);
    ProblemViews views;
    views.out = out;
    views.domain = domain;
    run_points(state, points, grid, {first, count, {}, {}}, options, views);
  });
}

}  // namespace thiessen

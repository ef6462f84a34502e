// SPDX-License-Identifier: Apache-2.0
//
// Checks the arguments of cost_distance(), and makes the CostProblem: neighbours, edge formula,
// limit.
#include "core/cost/problem.hpp"

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/order/weights.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/earth_checks.hpp"
#include "core/problem/outputs.hpp"
#include "operations/checks/options.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

bool is_float(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

std::string type_of(const View<const void>& view) {
  return std::string(name_of(view.element_type()));
}

void check_numbers(const char* name, const View<const void>& cells,
                   const ReachableMemory& reachable) {
  check_cells(name, cells, reachable);
  if (cells.element_type() == ElementType::boolean)
    refuse(name, "is bool; must be integers or floats");
}

/// Checks the options by their rows.
void check_rows(const CostDistanceOptions& options, int rank) {
  check_options(kCostDistance.fields, &options, rank,
                [&](std::string_view) { return static_cast<bool>(options.elevation); });
}

/// Checks the map and the elevation; returns the one whose extents the problem has.
const View<const void>& checked_ground(const View<const void>& map,
                                       const CostDistanceOptions& options,
                                       const ReachableMemory& reachable) {
  const View<const void>& elevation = options.elevation;
  if (map || !elevation) check_numbers("map", map, reachable);
  if (!elevation) return map;
  check_numbers("elevation", elevation, reachable);
  if (elevation.rank() != 2)
    refuse("elevation", "has " + std::to_string(elevation.rank()) + " axes; must have 2, (y, x)");
  if (map && map.extents() != elevation.extents())
    refuse("elevation", "has other extents than the map; must have the same");
  if (!map && options.map_nodata) refuse("map_nodata", "is given; needs a map, cost or stiffness");
  if (!map && options.walk_map) refuse("walk_map", "is given; needs a map, cost or stiffness");
  return map ? map : elevation;
}

void check_blocked_faces(const View<const std::uint8_t>& faces, const Extents& wanted) {
  if (!faces) return;
  if (faces.extents() != wanted)
    refuse("blocked_faces", "has other extents than the map; must have the same");
  check_numbers("blocked_faces", faces, {});
}

void check_initial_cost(const View<const void>& costs, const Extents& wanted,
                        const ReachableMemory& reachable) {
  if (!costs) return;
  if (costs.extents() != wanted)
    refuse("initial_cost",
           "has other extents than the sites; must have one value for each of them");
  if (!is_float(costs.element_type()))
    refuse("initial_cost", "is " + type_of(costs) + "; must be f32 or f64");
  reachable.check("initial_cost", costs);
  if (wanted.count() > 0 && costs.bytes() == nullptr)
    refuse("initial_cost", "is a null pointer; must be memory for its values");
  check_strides("initial_cost", costs);
}

void set_spacing(CostProblem& problem, const std::vector<double>& given) {
  const std::vector<double> spacing = checked_spacing(given, problem.rank);
  std::copy(spacing.begin(), spacing.end(), problem.spacing.end() - problem.rank);
}

/// The axes whose ends join; checks that the neighbours of a cell are different cells on them, and
/// that they go round the Earth.
void set_periodic(CostProblem& problem, const std::vector<bool>& given) {
  problem.periodic = periodic_axes(given);
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (!problem.periodic[axis]) continue;
    const std::int64_t cells = problem.extent[axis];
    const std::int64_t least = problem.connectivity == 16 ? 5 : 3;
    const auto refuse_axis = [&](const std::string& why) {
      const std::size_t own = axis - (kAxes - given.size());
      refuse("periodic[" + std::to_string(own) + "]", "true", why);
    };
    if (cells < least)
      refuse_axis("an axis of " + std::to_string(cells) + " cells cannot be; it must have " +
                  std::to_string(least) + " or more, so that neighbours are different cells");
    if (problem.earth != nullptr && axis != kAxes - 1)
      refuse_axis("on the Earth only the axis of longitudes can be");
    const double range = problem.longitude_step * static_cast<double>(cells);
    if (problem.earth != nullptr &&
        std::abs(range - 360) > kMostUnevenStep * problem.longitude_step)
      refuse_axis("columns go round the Earth then, but " + std::to_string(cells) + " of " +
                  shortest_decimal(problem.longitude_step) + " degrees span " +
                  shortest_decimal(range) + ", not 360");
  }
}

/// The spacing, or where the cells lie on the Earth; and which axes are periodic.
void set_lengths(CostProblem& problem, const Extents& extents, const CostDistanceOptions& options) {
  problem.metric = options.metric;
  check_earth(extents, problem.metric, options.earth, options.spacing);
  set_spacing(problem, options.spacing);
  if (options.earth) {
    problem.earth = &*options.earth;
    problem.longitude_step = even_step(problem.earth->longitude);
  }
  set_periodic(problem, options.periodic);
}

/// The label for "no site" as an element of the type, if the type can hold it.
std::optional<LabelBits> label_if_held(const LabelValue& value, ElementType type) {
  try {
    return to_label_bits(value, type, "map_nodata");
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Whether labels are carried along with the costs.
bool is_carried(const CostDistanceOptions& options, const CostDistanceOutputs& out) {
  if (!options.labels_carried) return false;
  if (out.back_link)
    refuse("labels_carried",
           "is given together with the output back_link, which follows settled labels");
  if (wants_other_labels(out))
    refuse("labels_carried",
           "is given together with outputs of another label, which need settled ones");
  return true;
}

bool wants_direction(int rank, const CostDistanceOptions& options, const CostDistanceOutputs& out) {
  if (!out.direction) return false;
  check_direction(rank);
  if (options.earth) refuse("direction", "is wanted on the Earth; it exists only on a plane");
  if (options.labels_carried)
    refuse("direction", "is wanted, which follows settled labels; labels_carried must not be set");
  return true;
}

/// Throws Error{invalid_argument} if `is_right` is not for a number of a walk.
void require_right(bool is_right, const std::string& name, double value, const char* rule) {
  if (!is_right || !std::isfinite(value))
    refuse(name, shortest_decimal(value), std::string("must be ") + rule);
}

Langmuir make_langmuir(const CostDistanceOptions& options) {
  Langmuir rule;
  const auto name = [](int i) { return "walk_coefficients[" + std::to_string(i) + "]"; };
  if (options.walk_coefficients) {
    const auto& [level, up, down, steep_down] = *options.walk_coefficients;
    require_right(level >= 0, name(0), level, "finite and >= 0");
    require_right(up >= 0, name(1), up, "finite and >= 0");
    require_right(true, name(2), down, "finite");
    require_right(steep_down <= 0, name(3), steep_down, "finite and <= 0");
    rule = {level, up, down, steep_down, rule.steep};
  }
  if (options.slope_factor) rule.steep = *options.slope_factor;
  const double least = rule.level + rule.down * rule.steep;
  if (least < 0)
    refuse(name(2) + " = " + shortest_decimal(rule.down) +
           "; must be less, as a metre down a slope of " + shortest_decimal(rule.steep) +
           " would take " + shortest_decimal(least) + " s");
  return rule;
}

void set_slope_table(CostProblem& problem, const CostDistanceOptions& options) {
  const std::vector<double>&slopes = options.walk_slopes, &factors = options.walk_factors;
  if (slopes.size() < 2)
    refuse("walk_slopes", "has " + std::to_string(slopes.size()) + " values; must have 2 or more");
  if (factors.size() != slopes.size())
    refuse("walk_factors", "has " + std::to_string(factors.size()) + " values; must have " +
                               std::to_string(slopes.size()) + ", one for each of walk_slopes");
  for (std::size_t i = 1; i < slopes.size(); ++i)
    if (!(slopes[i] > slopes[i - 1]))
      refuse("walk_slopes[" + std::to_string(i) + "]", shortest_decimal(slopes[i]),
             "must be greater than the one before, " + shortest_decimal(slopes[i - 1]));
  problem.walk_slopes = slopes;
  problem.walk_factors = factors;
}

void set_walk(CostProblem& problem, const CostDistanceOptions& options) {
  if (!options.elevation) return;
  problem.walk = options.walk.value_or(Walk::tobler);
  problem.walk_map = options.walk_map.value_or(WalkMap::multiplies);
  problem.langmuir = make_langmuir(options);
  if (problem.walk == Walk::table) set_slope_table(problem, options);
  problem.walk_direction = options.walk_direction.value_or(WalkDirection::from_site);
  if (options.elevation_nodata)
    problem.elevation_nodata =
        to_label_bits(*options.elevation_nodata, options.elevation.element_type(),
                      "elevation_nodata", "the elevation's");
}

/// `ground` is the map, or the elevation where there is none.
CostProblem make_common(const View<const void>& ground, EdgeWeight weight,
                        const CostDistanceOptions& options, const CostDistanceOutputs& out) {
  check_blocked_faces(options.blocked_faces, ground.extents());
  CostProblem problem;
  problem.rank = ground.rank();
  problem.extent = to_axes(ground.extents());
  problem.edge_weight = weight;
  problem.connectivity = checked_connectivity(options.connectivity, ground.rank());
  problem.wide = options.distance_type == FloatType::f64;
  problem.tight_barriers = options.tight_barriers;
  problem.has_blocked_faces = static_cast<bool>(options.blocked_faces);
  problem.strict = options.strict;
  problem.labels_carried = is_carried(options, out);
  problem.wants_other_labels = wants_other_labels(out);
  if (options.snap_distance > 0 && is_on_earth(options.metric))
    refuse("snap_distance", "is given on the Earth; it is a length on a plane");
  problem.wants_direction = wants_direction(problem.rank, options, out);
  problem.max_distance = options.max_distance;
  problem.snap_distance = options.snap_distance;
  problem.has_fronts = options.method == CostMethod::eikonal;
  problem.exact_radius = options.exact_radius;
  problem.k = options.k;
  if (options.k > 0) check_outputs_of_k(out, options.k);
  if (options.map_nodata)
    problem.nodata =
        to_label_bits(*options.map_nodata, ground.element_type(), "map_nodata", "the map's");
  set_walk(problem, options);
  set_special_labels(problem, options, label_output(out));
  return problem;
}

void refuse_raster_options(const CostDistanceOptions& options) {
  const auto refuse_if = [](bool given, const char* name) {
    if (given) refuse(name, "is given; it is for sites of a raster, not for points");
  };
  refuse_if(!options.values.empty(), "values");
  refuse_if(options.zero_is_site, "zero_is_site");
  refuse_if(options.site_nodata.has_value(), "site_nodata");
}

template <class T>
bool is_in_range(double length) {
  const T value = static_cast<T>(length);
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

/// Makes the edges once, for their checks.
void check_lengths(const CostProblem& problem) {
  if (problem.wide)
    make_edges<double>(problem);
  else
    make_edges<float>(problem);
}

/// The length of a step.
double length_of(const CostProblem& problem, const CostOffset& o) {
  const double z = o.z * problem.spacing[0];
  const double y = o.y * problem.spacing[1];
  const double x = o.x * problem.spacing[2];
  return o.step == CostStep::face ? std::abs(z + y + x) : std::sqrt(z * z + y * y + x * x);
}

/// Spacings as integers; nothing if they are too uneven for that.
std::optional<Weights> weights_of(const CostProblem& problem) {
  const auto spacing = std::span(problem.spacing).last(static_cast<std::size_t>(problem.rank));
  try {
    return make_weights({1, 2, 2}, spacing, Metric::euclidean);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Sorts the neighbours by the lengths of their steps.
template <class T>
void sort_by_length(const CostProblem& problem, CostEdges<T>& edges) {
  const auto end = edges.by_length.begin() + edges.count;
  std::iota(edges.by_length.begin(), end, std::uint8_t{0});
  if (problem.earth != nullptr) return;
  const auto sort = [&](const auto& length) {
    std::stable_sort(edges.by_length.begin(), end, [&](std::uint8_t a, std::uint8_t b) {
      return length(edges.offset[a]) < length(edges.offset[b]);
    });
  };
  const auto weights = weights_of(problem);
  if (!weights) return sort([&](const CostOffset& o) { return length_of(problem, o); });
  const auto& factor = weights->factor;
  sort([&](const CostOffset& o) {
    const auto square = [](std::int64_t way) { return Int128{way} * way; };
    return factor[0] * square(o.z) + factor[1] * square(o.y) + factor[2] * square(o.x);
  });
}

/// By which the length of a step, or its seconds, become its factor.
double scale_of(const CostProblem& problem, const CostOffset& o) {
  const double cells = o.step == CostStep::knight ? 4 : 2;
  return problem.edge_weight == EdgeWeight::stiffness ? cells : 1 / cells;
}

}  // namespace

template <class T>
CostEdges<T> make_edges(const CostProblem& problem) {
  CostEdges<T> edges;
  edges.stiffness = problem.edge_weight == EdgeWeight::stiffness;
  edges.tight_barriers = problem.tight_barriers;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (problem.periodic[axis]) edges.periodic |= static_cast<std::uint8_t>(1u << axis);
  set_neighbours(edges, problem.connectivity);
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k) {
    const CostOffset o = edges.offset[k];
    const double length = length_of(problem, o);
    const double factor = length * scale_of(problem, o);
    if (!is_in_range<T>(factor))
      refuse("spacing", "has steps of " + shortest_decimal(length) +
                            "; must be in the range of the float type");
    edges.factor[k] = static_cast<T>(factor);
  }
  sort_by_length(problem, edges);
  return edges;
}

template CostEdges<float> make_edges(const CostProblem& problem);
template CostEdges<double> make_edges(const CostProblem& problem);

bool has_placed_steps(const CostProblem& problem) {
  return problem.walk || problem.earth != nullptr || problem.has_blocked_faces;
}

template <class T>
PlacedSteps<T> make_placed_steps(const CostProblem& problem) {
  CostEdges<T> edges;
  set_neighbours(edges, problem.connectivity);
  PlacedSteps<T> steps;
  steps.walk = problem.walk_rule();
  steps.walk_map = problem.walk_map;
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k) {
    steps.length[k] = length_of(problem, edges.offset[k]);
    steps.scale[k] = scale_of(problem, edges.offset[k]);
  }
  return steps;
}

template PlacedSteps<float> make_placed_steps(const CostProblem& problem);
template PlacedSteps<double> make_placed_steps(const CostProblem& problem);

void refuse_single_call_options(const CostDistanceOptions& options, const char* what) {
  const auto refuse_if = [&](bool given, const std::string& argument) {
    if (given)
      throw Error(ErrorCode::unsupported,
                  argument + "; it is for cost_distance(), not for " + what);
  };
  refuse_if(static_cast<bool>(options.elevation), "elevation is given");
  refuse_if(static_cast<bool>(options.blocked_faces), "blocked_faces is given");
  refuse_if(is_on_earth(options.metric), "metric = " + std::string(name_of(options.metric)));
  refuse_if(std::ranges::count(options.periodic, true) > 0, "periodic is given");
  refuse_if(options.snap_distance > 0, "snap_distance is given");
  refuse_if(options.k != 0, "k = " + std::to_string(options.k));
}

void check_cost_outputs(const Extents& grid, const std::vector<NamedView>& inputs,
                        const CostDistanceOutputs& out, const ReachableMemory& reachable,
                        std::int64_t k) {
  check_views(out, inputs, reachable,
              [&](const Output& output) { return extents_of(output, grid, grid.rank(), k); });
}

void set_special_labels(CostProblem& problem, const CostDistanceOptions& options,
                        const View<void>& labels) {
  if (!labels) return;
  const ElementType type = labels.element_type();
  problem.unreached = to_label_bits(options.unreached, type, "unreached");
  problem.nodata_label = problem.unreached;
  if (options.nodata_label)
    problem.nodata_label = to_label_bits(*options.nodata_label, type, "nodata_label");
  else if (const auto& nodata = options.map_nodata ? options.map_nodata : options.elevation_nodata)
    problem.nodata_label = label_if_held(*nodata, type).value_or(problem.unreached);
}

int checked_connectivity(Connectivity connectivity, int rank) {
  const int neighbours = neighbours_of(connectivity, rank);
  if (neighbours == 0)
    refuse("connectivity", std::string(name_of(connectivity)),
           std::string("must be corners, faces or ") +
               (rank == 2 ? "knights in 2-D" : "edges in 3-D"));
  return neighbours;
}

CostProblem make_cost_problem(const CostMap& map, const View<const void>& sites,
                              const CostDistanceOptions& options, const CostDistanceOutputs& out,
                              const ReachableMemory& reachable,
                              const View<const void>& initial_cost) {
  const View<const void>& ground = checked_ground(map, options, reachable);
  check_rows(options, ground.rank());
  check_cells("sites", sites, reachable);
  if (sites.extents() != ground.extents())
    refuse("sites", "has other extents than the " + std::string(map ? "map" : "elevation") +
                        "; must have the same");
  check_initial_cost(initial_cost, ground.extents(), reachable);
  check_cost_outputs(ground.extents(),
                     {{"the map", map.cells()},
                      {"the elevation", options.elevation},
                      {"the blocked faces", options.blocked_faces},
                      {"the sites", sites},
                      {"initial_cost", initial_cost}},
                     out, reachable, options.k);
  check_label_outputs(out, [&](const NamedView& labels) {
    check_label_type(sites.element_type(), ground.extents(), labels);
  });
  CostProblem problem = make_common(ground, map.weight(), options, out);
  set_lengths(problem, ground.extents(), options);
  problem.rule = make_rule(sites.element_type(),
                           {.values = options.values,
                            .zero_is_site = options.zero_is_site,
                            .nodata = options.site_nodata},
                           "site_nodata");
  check_lengths(problem);
  return problem;
}

CostProblem make_cost_problem(const CostMap& map, const PointList& sites,
                              const CostDistanceOptions& options, const CostDistanceOutputs& out,
                              const ReachableMemory& reachable,
                              const View<const void>& initial_cost) {
  const View<const void>& ground = checked_ground(map, options, reachable);
  check_rows(options, ground.rank());
  check_points(sites, ground.rank(), reachable);
  refuse_raster_options(options);
  check_initial_cost(initial_cost, {sites.coordinates.extent(0)}, reachable);
  check_cost_outputs(ground.extents(),
                     {{"the map", map.cells()},
                      {"the elevation", options.elevation},
                      {"the blocked faces", options.blocked_faces},
                      {"the points", sites.coordinates},
                      {"the labels of the points", sites.labels},
                      {"initial_cost", initial_cost}},
                     out, reachable, options.k);
  check_label_outputs(out, [&](const NamedView& labels) { check_point_label_type(sites, labels); });
  CostProblem problem = make_common(ground, map.weight(), options, out);
  problem.point_sites = true;
  set_lengths(problem, ground.extents(), options);
  check_lengths(problem);
  return problem;
}

CostProblem make_cost_problem(const CostMap& map, const CostDistanceOptions& options,
                              const ReachableMemory& reachable) {
  check_numbers("map", map, reachable);
  check_rows(options, map.rank());
  CostProblem problem = make_common(map, map.weight(), options, {});
  set_lengths(problem, map.extents(), options);
  check_lengths(problem);
  return problem;
}

CostDistanceOutputs with_three_axes(const CostDistanceOutputs& out, std::int64_t k) {
  return views_with_three_axes(out, k);
}

CostDistanceOutputs outputs_of_rank(const CostDistanceOutputs& out, std::int64_t rank) {
  return parts_of_outputs(out, rank);
}

bool wants_other_labels(const CostDistanceOutputs& out) {
  return wants_any(out, {Subject::other_label});
}

}  // namespace thiessen

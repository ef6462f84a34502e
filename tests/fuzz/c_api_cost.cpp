// SPDX-License-Identifier: Apache-2.0
//
// The same for cost distance: the methods must agree, and back links must lead to the sites.
#include <cstddef>

#include "c_calls.hpp"

namespace thiessen::fuzz {
namespace {

/// The four outputs.
struct CostOutputs {
  Cells labels, site_index, distance, back_link;

  std::vector<const Cells*> all() const { return {&labels, &site_index, &distance, &back_link}; }

  thiessen_cost_distance_outputs arrays() const {
    thiessen_cost_distance_outputs outputs{};
    outputs.size = sizeof outputs;
    outputs.labels = labels.array();
    outputs.site_index = site_index.array();
    outputs.distance = distance.array();
    outputs.back_link = back_link.array();
    return outputs;
  }
};

CostOutputs draw_cost_outputs(Draw& draw, thiessen_type labels,
                              const std::vector<std::int64_t>& extents) {
  const int wanted = draw.rarely(4) ? draw.take<std::uint8_t>() : 15;
  const auto output = [&](int bit, thiessen_type type) {
    return (wanted >> bit & 1) != 0 ? draw_array(draw, type, extents) : Cells();
  };
  return {output(0, labels), output(1, THIESSEN_I64), output(2, real_type(draw)),
          output(3, THIESSEN_U8)};
}

std::int32_t draw_connectivity(Draw& draw, std::size_t axes) {
  constexpr std::array<std::int32_t, 3> kFlat = {THIESSEN_CORNERS, THIESSEN_FACES,
                                                 THIESSEN_KNIGHTS};
  constexpr std::array<std::int32_t, 3> kDeep = {THIESSEN_CORNERS, THIESSEN_FACES, THIESSEN_EDGES};
  return draw.among((axes == 2) != draw.rarely(16) ? kFlat : kDeep);
}

/// Options and what they point to.
struct CostOptions {
  explicit CostOptions(Draw& draw) {
    constexpr std::array<double, 8> kLengths = {1, 1, 2, 0.5, 0.3, 12345.678901, 1e-3, 1e-30};
    constexpr std::array<double, 6> kLimits = {1, 0, 1.5, 3, 1e300, -1};
    thiessen_cost_distance_options_init(&options, sizeof options);
    if (draw.rarely(32)) options.size = draw.take<std::uint16_t>() % (sizeof options + 1);
    options.edge_weight = draw_choice(draw, 2);
    options.computed_in_f64 = draw_choice(draw, 2);
    if (draw.rarely(3)) options.tight_barriers = draw_choice(draw, 2);
    if (draw.rarely(8)) options.strict = draw_choice(draw, 2);
    if (draw.rarely(8)) options.zero_is_site = draw_choice(draw, 2);
    if (draw.rarely(3)) options.max_distance = draw.among(kLimits);
    if (draw.rarely(16)) options.max_distance = draw.take<double>();
    for (thiessen_value* const value :
         {&options.site_nodata, &options.map_nodata, &options.nodata_label, &options.unreached})
      if (draw.rarely(4)) *value = draw_value(draw);
    if (draw.rarely(3)) {
      for (double& length : spacing)
        length = draw.rarely(16) ? draw.take<double>() : draw.among(kLengths);
      options.spacing = spacing.data();
    }
    if (draw.rarely(8)) {
      for (thiessen_value& value : values) value = draw_value(draw);
      options.values = values.data();
      options.value_count = 1 + static_cast<std::size_t>(draw.below(3));
    }
  }
  CostOptions(const CostOptions&) = delete;
  CostOptions& operator=(const CostOptions&) = delete;

  thiessen_cost_distance_options options;
  std::array<double, kMostAxes> spacing{};
  std::array<thiessen_value, 3> values{};
};

/// Materials and costs, mostly legal ones: of one byte, so that an input has room for a map.
void fill_with_costs(Draw& draw, Cells& cells) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::array<float, 16> kLegal = {1,    0,     2,      0.5F, 3,      0.1F, 1e-6F, 1e3F,
                                            1e7F, 1e30F, 1e-30F, 7,    1e-45F, 0,    1,     1};
  constexpr std::array<float, 4> kOdd = {kInfinity, -1, 3e38F,
                                         std::numeric_limits<float>::quiet_NaN()};
  if (draw.rarely(8)) return cells.fill(draw);
  const bool odd = draw.rarely(4);
  cells.fill_with([&] { return odd && draw.rarely(16) ? draw.among(kOdd) : draw.among(kLegal); });
}

/// Whether every cell has the way back to its site, and no other.
void require_ways_back(const CostOutputs& outputs, std::int32_t connectivity, bool of_raster) {
  const thiessen_array& array = outputs.back_link.array();
  if (array.rank == 0) return;
  const std::vector<std::uint8_t> links = outputs.back_link.elements();
  const std::vector<std::int64_t> sites = outputs.site_index.array().rank > 0
                                              ? numbers(outputs.site_index)
                                              : std::vector<std::int64_t>();
  std::vector<std::int64_t> path(links.size());
  for (std::size_t cell = 0; cell < links.size(); ++cell) {
    std::array<std::int64_t, kMostAxes> from{};
    auto rest = static_cast<std::int64_t>(cell);
    for (int axis = array.rank - 1; axis >= 0; --axis) {
      from[static_cast<std::size_t>(axis)] = rest % array.extents[axis];
      rest /= array.extents[axis];
    }
    std::size_t count = 0;
    require(thiessen_least_cost_path(&array, connectivity, from.data(), path.data(), path.size(),
                                     &count) == THIESSEN_OK,
            "a back link leads nowhere");
    require(count <= path.size() && (count == 0) == (links[cell] >= 254), "a path is too long");
    if (count > 0 && of_raster && !sites.empty())
      require(path[count - 1] == sites[cell], "a path ends elsewhere than at its site");
  }
}

/// Calls `run(options, outputs)` by all methods.
template <class Run>
void compare_cost_methods(CostOptions& drawn, const CostOutputs& exact, bool of_raster,
                          const Run& run) {
  thiessen_cost_distance_report report{};
  report.size = sizeof report;
  const auto by = [&](const char* method, const CostOutputs& outputs) {
    thiessen_cost_distance_outputs arrays = outputs.arrays();
    arrays.report = &report;
    drawn.options.method = method;
    return checked([&] { return run(drawn.options, arrays); }, outputs.all());
  };
  const thiessen_status status = by(nullptr, exact);
  const thiessen_cost_distance_report first = report;
  for (const char* const method : {"dijkstra", "relaxation"}) {
    const CostOutputs other = exact;
    require(by(method, other) == status, "another method is of another opinion");
    if (status != THIESSEN_OK) continue;
    for (std::size_t i = 0; i < exact.all().size(); ++i)
      require(exact.all()[i]->elements() == other.all()[i]->elements(), "another method differs");
    require(report.ignored_sites == first.ignored_sites &&
                report.first_ignored_site == first.first_ignored_site,
            "another method ignores other sites");
  }
  if (status == THIESSEN_OK) require_ways_back(exact, drawn.options.connectivity, of_raster);
}

/// What a call reads, besides the options.
struct CostInputs {
  std::vector<std::int64_t> extents;
  Cells map, sites, point_labels, initial, elevation;
  bool points;

  thiessen_type labels(Draw& draw) const {
    if (!points) return label_type(draw, sites.array().type);
    return point_labels.array().rank == 0 ? THIESSEN_I32 : point_labels.array().type;
  }

  bool are_believable(const CostOutputs& outputs) const {
    std::vector<const Cells*> all = outputs.all();
    all.insert(all.end(), {&map, &sites, &point_labels, &initial, &elevation});
    return fuzz::are_believable(all) && !is_long(map.array()) && !is_long(sites.array()) &&
           !is_long(elevation.array()) && !(points && is_long_list(sites.array()));
  }
};

CostInputs draw_cost_inputs(Draw& draw) {
  constexpr std::array<float, 6> kPlaces = {0, 1, 2.5F, 3, -1, 7.25F};
  const std::vector<std::int64_t> extents = draw_extents(draw);
  const bool points = draw.rarely(3);
  const std::int64_t count = draw.below(6);
  const auto axes = static_cast<std::int64_t>(extents.size());
  const thiessen_type map_type = draw.rarely(3) ? draw.below(11) : real_type(draw);
  CostInputs inputs{
      extents,
      draw_array(draw, map_type, extents),
      points ? draw_array(draw, real_type(draw), {count, axes})
             : draw_array(draw, draw.below(11), extents),
      points && draw.rarely(2) ? draw_array(draw, 1 + draw.below(10), {count}) : Cells(),
      draw.rarely(3)
          ? draw_array(draw, real_type(draw), points ? std::vector<std::int64_t>{count} : extents)
          : Cells(),
      draw.rarely(3) ? draw_array(draw, draw.below(11), extents) : Cells(),
      points};
  if (points)
    inputs.sites.fill_with(
        [&] { return draw.rarely(8) ? draw.take<float>() : draw.among(kPlaces); });
  else
    inputs.sites.fill(draw);
  inputs.point_labels.fill(draw);
  if (inputs.initial.array().rank > 0) fill_with_costs(draw, inputs.initial);
  return inputs;
}

/// What is for walks; mostly with heights that differ little.
void draw_walk(Draw& draw, CostInputs& inputs, thiessen_cost_distance_options& options) {
  constexpr std::array<float, 8> kHeights = {0, 1, 0.5F, 2, -1, 0.25F, 3, 1e30F};
  constexpr std::array<const char*, 4> kWalks = {nullptr, "tobler", "langmuir", "running"};
  constexpr std::array<const char*, 4> kDirections = {nullptr, "from-site", "to-site", "up"};
  if (inputs.elevation.array().rank == 0) return;
  options.elevation = &inputs.elevation.array();
  options.walk = kWalks[static_cast<std::size_t>(draw.below(draw.rarely(16) ? 4 : 3))];
  options.walk_direction =
      kDirections[static_cast<std::size_t>(draw.below(draw.rarely(16) ? 4 : 3))];
  constexpr std::array<const char*, 4> kMaps = {nullptr, "multiplies", "adds", "divides"};
  static constexpr std::array<double, 4> kCoefficients = {1, 5, 2, -3};
  if (draw.rarely(4)) options.elevation_nodata = draw_value(draw);
  if (draw.rarely(4)) options.walk_map = kMaps[static_cast<std::size_t>(draw.below(4))];
  if (draw.rarely(4)) options.walk_coefficients = kCoefficients.data();
  if (draw.rarely(4)) options.slope_factor = draw.rarely(4) ? draw.take<double>() : -0.25;
  if (draw.rarely(8)) return inputs.elevation.fill(draw);
  inputs.elevation.fill_with([&] { return draw.among(kHeights); });
}

/// Rows and columns that are even, but for a few.
void draw_earth(Draw& draw, const CostInputs& inputs, thiessen_cost_distance_options& options) {
  static constexpr std::array<double, 8> kDegrees = {-90, -60, -30, 0, 30, 60, 90, 120};
  if (!draw.rarely(8)) return;
  options.metric = draw.rarely(8) ? draw.below(9) : THIESSEN_ELLIPSOIDAL;
  options.latitude = kDegrees.data();
  options.longitude = kDegrees.data();
  const auto count_of = [&](std::size_t axis) {
    const bool is_there = axis < inputs.extents.size() && inputs.extents[axis] >= 0;
    const std::int64_t cells = is_there ? inputs.extents[axis] : 0;
    return static_cast<std::size_t>(std::min<std::int64_t>(cells, kDegrees.size()));
  };
  options.latitude_count = count_of(0);
  options.longitude_count = count_of(1);
}

}  // namespace

void cost_distance(Draw& draw) {
  CostOptions options(draw);
  CostInputs inputs = draw_cost_inputs(draw);
  const CostOutputs outputs = draw_cost_outputs(draw, inputs.labels(draw), inputs.extents);
  if (!inputs.are_believable(outputs)) return;
  options.options.connectivity = draw_connectivity(draw, inputs.extents.size());
  draw_walk(draw, inputs, options.options);
  draw_earth(draw, inputs, options.options);
  fill_with_costs(draw, inputs.map);  // the last, as it takes what is left
  thiessen_points points{};
  points.size = sizeof points;
  points.coordinates = inputs.sites.array();
  points.labels = inputs.point_labels.array();
  compare_cost_methods(
      options, outputs, !inputs.points, [&](const auto& given, const auto& arrays) {
        return thiessen_cost_distance(
            context(), &inputs.map.array(), inputs.points ? nullptr : &inputs.sites.array(),
            inputs.points ? &points : nullptr, &given, &arrays, &inputs.initial.array());
      });
}

void least_cost_path(Draw& draw) {
  constexpr std::array<std::int32_t, 6> kConnectivities = {
      THIESSEN_CORNERS, THIESSEN_FACES, THIESSEN_EDGES, THIESSEN_KNIGHTS, 4, -1};
  Cells links =
      draw_array(draw, draw.rarely(16) ? draw.below(11) : THIESSEN_U8, draw_extents(draw));
  const std::int32_t connectivity = draw.among(kConnectivities);
  std::array<std::int64_t, kMostAxes> from{};
  for (std::int64_t& place : from) place = draw.rarely(16) ? draw.odd_number() : draw.below(8);
  std::vector<std::int64_t> path(static_cast<std::size_t>(draw.below(70)), -1);
  if (!is_believable(links) || is_long(links.array())) return;
  links.fill_with([&] { return static_cast<float>(draw.take<std::uint8_t>()); });
  std::size_t count = path.size() + 1;
  const thiessen_status status = checked(
      [&] {
        return thiessen_least_cost_path(&links.array(), connectivity, from.data(), path.data(),
                                        path.size(), &count);
      },
      {});
  const bool written = status == THIESSEN_OK && count <= path.size();
  for (std::size_t i = 0; i < path.size(); ++i)
    require((path[i] >= 0) == (written && i < count), "a path has another length");
}

void material_map(Draw& draw) {
  constexpr std::array<const char*, 6> kMaterials = {"uniform", "gradient", "noise",
                                                     "maze",    "marble",   nullptr};
  const Cells map =
      draw_array(draw, draw.rarely(8) ? draw.below(11) : real_type(draw), draw_extents(draw));
  const char* const material = draw.among(kMaterials);
  const auto seed = draw.take<std::uint64_t>();
  if (!is_believable(map) || is_long(map.array())) return;
  checked([&] { return thiessen_material_map(context(), &map.array(), material, seed); }, {&map});
}

}  // namespace thiessen::fuzz

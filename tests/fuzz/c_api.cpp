// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C API. Each must end with a status that its documentation names, write only the
// elements of its outputs, and nothing at all if it refuses; brute force must agree.
#include <functional>
#include <limits>
#include <numeric>

#include "c_calls.hpp"
#include "target.hpp"

namespace thiessen::fuzz {
namespace {

/// The six outputs of a nearest-site call.
struct Outputs {
  Cells labels, site_index, distance, squared, offset, direction;

  std::vector<const Cells*> all() const {
    return {&labels, &site_index, &distance, &squared, &offset, &direction};
  }

  thiessen_nearest_site_outputs arrays() const {
    thiessen_nearest_site_outputs outputs{};
    outputs.size = sizeof outputs;
    outputs.labels = labels.array();
    outputs.site_index = site_index.array();
    outputs.distance = distance.array();
    outputs.squared = squared.array();
    outputs.offset = offset.array();
    outputs.direction = direction.array();
    return outputs;
  }
};

/// `axes` is that of a raster, even if the extents are those of a batch.
Outputs draw_outputs(Draw& draw, thiessen_type labels, const std::vector<std::int64_t>& extents,
                     std::size_t axes) {
  const int wanted = draw.take<std::uint8_t>();
  std::vector<std::int64_t> with_components = extents;
  with_components.insert(with_components.begin(), static_cast<std::int64_t>(axes));
  const auto output = [&](int bit, thiessen_type type, const std::vector<std::int64_t>& sizes) {
    return (wanted >> bit & 1) != 0 ? draw_array(draw, type, sizes) : Cells();
  };
  return {output(0, labels, extents),
          output(1, THIESSEN_I64, extents),
          output(2, draw.rarely(2) ? THIESSEN_F64 : THIESSEN_F32, extents),
          output(3, THIESSEN_I64, extents),
          output(4, THIESSEN_I32, with_components),
          output(5, THIESSEN_F32, extents)};
}

/// Options and what they point to.
struct Options {
  explicit Options(Draw& draw) {
    constexpr std::array<double, 8> kLengths = {1, 1, 2, 0.5, 0.3, 12345.678901, 1e-3, 3.14159};
    constexpr std::array<double, 6> kLimits = {1, 0, 1.5, 3, 1e300, -1};
    thiessen_nearest_site_options_init(&options, sizeof options);
    if (draw.rarely(32)) {
      options.size = draw.rarely(4) ? std::numeric_limits<std::size_t>::max()
                                    : draw.take<std::uint16_t>() % (sizeof options + sizeof later);
      later[0] = draw.take<std::uint8_t>();
    }
    options.metric = draw.rarely(32) ? draw.take<std::int8_t>() : draw.below(4);
    if (draw.rarely(4)) options.distance_to = draw.below(3);
    if (draw.rarely(4)) options.signed_distance = draw.below(3);
    if (draw.rarely(4)) options.zero_is_site = draw.below(3);
    if (draw.rarely(4)) options.free_nodata = draw.below(3);
    if (draw.rarely(3)) options.max_distance = draw.among(kLimits);
    if (draw.rarely(16)) options.max_distance = draw.take<double>();
    if (draw.rarely(3)) options.nodata = draw_value(draw);
    if (draw.rarely(4)) options.unreached = draw_value(draw);
    if (draw.rarely(2)) {
      for (double& length : spacing)
        length = draw.rarely(16) ? draw.take<double>() : draw.among(kLengths);
      options.spacing = spacing.data();
    }
    if (draw.rarely(4)) {
      for (std::int32_t& flag : periodic) flag = draw.rarely(16) ? 2 : draw.below(2);
      options.periodic = periodic.data();
    }
    if (draw.rarely(4)) {
      for (thiessen_value& value : values) value = draw_value(draw);
      options.values = values.data();
      options.value_count = 1 + static_cast<std::size_t>(draw.below(3));
    }
    draw_flooding(draw);
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// Uses jump flooding from now on.
  void take_flooding() {
    options.method = method;
    options.steps = steps.data();
    options.step_count = step_count;
    options.pattern = pattern;
    options.noise = noise;
    options.step_rule = step_rule;
    options.seed = static_cast<std::uint64_t>(steps[0]);
  }

  thiessen_nearest_site_options options;
  const char* method = "jfa";
  const char* pattern = nullptr;
  const char* noise = nullptr;
  const char* step_rule = nullptr;
  std::array<std::int64_t, 3> steps{};
  std::size_t step_count = 0;
  std::array<std::uint8_t, 64> later{};  ///< members of a later version
  std::array<double, kMostAxes> spacing{};
  std::array<std::int32_t, kMostAxes> periodic{};
  std::array<thiessen_value, 3> values{};

 private:
  void draw_flooding(Draw& draw) {
    constexpr std::array<const char*, 6> kMethods = {"jfa",  "jfa-plus",       "jfa-star",
                                                     "jfa2", "jfa-coeurjolly", "jfa+-paper"};
    constexpr std::array<const char*, 4> kRules = {nullptr, nullptr, "half", "thirds"};
    constexpr std::array<const char*, 6> kPatterns = {nullptr,     "square",          "circle:5",
                                                      "circle:65", "random-circle:9", "circle:"};
    constexpr std::array<const char*, 4> kNoises = {nullptr, "mask", "in-place", "none"};
    if (!draw.rarely(2)) return;
    method = draw.among(kMethods);
    pattern = draw.among(kPatterns);
    noise = draw.among(kNoises);
    step_rule = draw.among(kRules);
    options.literal = draw.rarely(8) ? 1 : 0;
    step_count = static_cast<std::size_t>(draw.below(4));
    for (std::int64_t& step : steps) step = draw.rarely(16) ? draw.odd_number() : draw.below(40);
  }
};

void require_equal(const Outputs& a, const Outputs& b, const char* complaint) {
  for (std::size_t i = 0; i < a.all().size(); ++i)
    require(a.all()[i]->elements() == b.all()[i]->elements(), complaint);
}

/// Calls `run(options, outputs)` with the exact method, brute force and the raster methods.
template <class Run>
void compare_methods(Options& drawn, const Outputs& exact, const Run& run) {
  const Outputs brute = exact;
  const thiessen_nearest_site_outputs exact_arrays = exact.arrays();
  const thiessen_nearest_site_outputs brute_arrays = brute.arrays();
  const thiessen_status status =
      checked([&] { return run(drawn.options, exact_arrays); }, exact.all());
  drawn.options.method = "brute-force";
  const thiessen_status again =
      checked([&] { return run(drawn.options, brute_arrays); }, brute.all());
  const auto is_unsupported = [](thiessen_status each) { return each == THIESSEN_UNSUPPORTED; };
  require(status == again || is_unsupported(status) || is_unsupported(again),
          "brute force is of another opinion");
  if (again != THIESSEN_OK) return;
  if (status == THIESSEN_OK) require_equal(exact, brute, "brute force differs");
  for (const char* const method :
       {"raster-gpu", "chamfer", "circle-growing", "dilation", "expansion"}) {
    const Outputs raster = exact;
    const thiessen_nearest_site_outputs raster_arrays = raster.arrays();
    drawn.options.method = method;
    const thiessen_status third =
        checked([&] { return run(drawn.options, raster_arrays); }, raster.all());
    require(third == THIESSEN_OK || is_unsupported(third), "a raster method is of another opinion");
    const bool exact_one =
        method != std::string_view("chamfer") || drawn.options.metric != THIESSEN_OCTAGONAL;
    if (third == THIESSEN_OK && exact_one) require_equal(raster, brute, "a raster method differs");
  }
  if (status != THIESSEN_OK) return;
  drawn.take_flooding();
  checked([&] { return run(drawn.options, brute_arrays); }, brute.all());
}

void nearest_site(Draw& draw) {
  Options options(draw);
  std::vector<std::int64_t> extents = draw_extents(draw);
  const std::size_t axes = extents.size();
  const bool batch = draw.rarely(4);
  if (batch) extents.insert(extents.begin(), draw.below(4));
  Cells sites = draw_array(draw, draw.below(11), extents);
  const Outputs outputs = draw_outputs(draw, label_type(draw, sites.array().type), extents, axes);
  sites.fill(draw);
  std::vector<const Cells*> all = outputs.all();
  all.push_back(&sites);
  if (!are_believable(all) || is_long(sites.array())) return;
  if (batch && is_long_list(sites.array())) return;
  compare_methods(options, outputs, [&](const auto& given, const auto& arrays) {
    return (batch ? thiessen_nearest_site_batch : thiessen_nearest_site)(context(), &sites.array(),
                                                                         &given, &arrays, nullptr);
  });
}

void voronoi(Draw& draw) {
  constexpr std::array<float, 6> kPlaces = {0, 1, 2.5F, 3, -1, 7.25F};
  Options options(draw);
  const std::vector<std::int64_t> extents = draw_extents(draw);
  const std::int64_t count = draw.below(6);
  const bool single = draw.rarely(2);
  Cells places = draw_array(draw, single ? THIESSEN_F32 : THIESSEN_F64,
                            {count, static_cast<std::int64_t>(extents.size())});
  places.fill_with([&] { return draw.rarely(8) ? draw.take<float>() : draw.among(kPlaces); });
  Cells labels = draw.rarely(2) ? draw_array(draw, 1 + draw.below(10), {count}) : Cells();
  labels.fill(draw);
  const bool numbered = labels.array().rank == 0;
  const Outputs outputs =
      draw_outputs(draw, numbered ? THIESSEN_I32 : labels.array().type, extents, extents.size());
  std::vector<const Cells*> all = outputs.all();
  all.insert(all.end(), {&places, &labels});
  if (!are_believable(all) || is_long_list(places.array())) return;
  thiessen_points points{};
  points.size = sizeof points;
  points.coordinates = places.array();
  points.labels = labels.array();
  compare_methods(options, outputs, [&](const auto& given, const auto& arrays) {
    return thiessen_voronoi(context(), &points, static_cast<std::int32_t>(extents.size()),
                            extents.data(), &given, &arrays, nullptr);
  });
}

void components(Draw& draw) {
  const std::vector<std::int64_t> extents = draw_extents(draw);
  Cells image = draw_array(draw, draw.below(11), extents);
  const Cells labels = draw_array(draw, draw.rarely(2) ? THIESSEN_I64 : THIESSEN_I32, extents);
  image.fill(draw);
  thiessen_components_options options;
  thiessen_components_options_init(&options, sizeof options);
  options.connectivity = draw.below(4);
  if (draw.rarely(3)) options.nodata = draw_value(draw);
  if (!are_believable(image, labels) || is_long(image.array())) return;
  std::int64_t count = -1;
  const thiessen_status status = checked(
      [&] {
        return thiessen_connected_components(context(), &image.array(), &options, &labels.array(),
                                             &count);
      },
      {&labels});
  if (status != THIESSEN_OK) return;
  std::int64_t highest = 0;  // the first cell of each component has the next number
  for (const std::int64_t label : numbers(labels)) {
    require(label >= -1 && label <= highest + 1, "components are not numbered in order");
    highest = std::max(highest, label);
  }
  require(highest == count, "components are miscounted");
}

/// Labels with fields, and which of them touch: each cell counts once.
void statistics(Draw& draw) {
  const std::vector<std::int64_t> extents = draw_extents(draw);
  Cells labels = draw_array(draw, draw.below(11), extents);
  Cells field = draw.rarely(2) ? draw_array(draw, draw.below(11), extents) : Cells();
  Cells distance = draw.rarely(2) ? draw_array(draw, 9 + draw.below(2), extents) : Cells();
  for (Cells* cells : {&labels, &field, &distance}) cells->fill(draw);
  if (!are_believable(std::vector<const Cells*>{&labels, &field, &distance}) ||
      is_long(labels.array()))
    return;
  thiessen_site_fields fields{};
  fields.size = sizeof fields;
  fields.field = field.array();
  fields.distance = distance.array();
  thiessen_site_statistics_options options;
  thiessen_site_statistics_options_init(&options, sizeof options);
  if (draw.rarely(3)) options.background = draw_value(draw);
  if (draw.rarely(3)) options.nodata = draw_value(draw);
  thiessen_site_statistics_table table{};
  table.size = sizeof table;
  const thiessen_status counted = checked(
      [&] {
        return thiessen_site_statistics(context(), &labels.array(), &fields, &options, &table);
      },
      {});
  if (counted == THIESSEN_OK) {
    std::int64_t cells = 1;
    for (const std::int64_t extent : extents) cells *= extent;
    for (std::int64_t row = 0; row < table.rows; ++row) cells -= table.cells[row];
    require(cells >= 0, "cells count twice");
  }
  thiessen_free_site_statistics(&table);

  thiessen_adjacency_options pair_options;
  thiessen_adjacency_options_init(&pair_options, sizeof pair_options);
  pair_options.connectivity = draw.below(4);
  pair_options.background = options.background;
  pair_options.nodata = options.nodata;
  thiessen_adjacency_table pairs{};
  pairs.size = sizeof pairs;
  const thiessen_status touching = checked(
      [&] { return thiessen_adjacency(context(), &labels.array(), &pair_options, &pairs); }, {});
  if (touching == THIESSEN_OK)
    for (std::int64_t row = 0; row < pairs.rows; ++row)
      require(pairs.contacts[row] > 0, "a pair without contacts");
  thiessen_free_adjacency(&pairs);
}

void random_sites(Draw& draw) {
  const Cells sites =
      draw_array(draw, draw.rarely(2) ? THIESSEN_I64 : THIESSEN_I32, draw_extents(draw));
  const std::int64_t count = draw.rarely(8) ? draw.odd_number() : draw.below(66);
  const auto seed = draw.take<std::uint64_t>();
  if (!is_believable(sites) || is_long(sites.array())) return;
  const thiessen_status status = checked(
      [&] { return thiessen_random_sites(context(), &sites.array(), count, seed); }, {&sites});
  if (status != THIESSEN_OK) return;
  std::int64_t last = 0;
  for (const std::int64_t label : numbers(sites))
    if (label != 0) require(label == ++last, "sites are not numbered in order");
  require(last == count, "sites are miscounted");
}

void coverage(Draw& draw) {
  constexpr std::array<thiessen_type, 6> kTypes = {THIESSEN_U8,  THIESSEN_U16,  THIESSEN_F32,
                                                   THIESSEN_F64, THIESSEN_BOOL, THIESSEN_I16};
  constexpr std::array<double, 6> kLengths = {1, 2, 0.5, 0.3, 1e-3, 3.14159};
  const std::vector<std::int64_t> extents = draw_extents(draw);
  const Cells cells = draw_array(draw, draw.among(kTypes), extents);
  const Cells distance = draw_array(draw, draw.rarely(2) ? THIESSEN_F64 : THIESSEN_F32, extents);
  thiessen_coverage_distance_options options;
  thiessen_coverage_distance_options_init(&options, sizeof options);
  std::array<double, kMostAxes> spacing{};
  if (draw.rarely(2)) {
    for (double& length : spacing)
      length = draw.rarely(16) ? draw.take<double>() : draw.among(kLengths);
    options.spacing = spacing.data();
  }
  if (draw.rarely(4)) options.max_distance = draw.take<double>();
  if (!is_believable(cells) || is_long(cells.array())) return;
  checked(
      [&] {
        return thiessen_coverage_distance(context(), &cells.array(), &options, &distance.array());
      },
      {&distance});
}

thiessen_render_options draw_render_options(Draw& draw, std::array<double, 2>& range) {
  constexpr std::array<double, 6> kReals = {0, 1, 0.5, 2, 1e300, -1};
  const auto real = [&] { return draw.rarely(8) ? draw.take<double>() : draw.among(kReals); };
  thiessen_render_options options;
  thiessen_render_options_init(&options, sizeof options);
  options.mode = draw_choice(draw, 2);
  options.marks = draw_choice(draw, 3);
  options.edges = draw_choice(draw, 2);
  options.contours = draw_choice(draw, 2);
  options.ramp = draw_choice(draw, 4);
  options.scale = draw_choice(draw, 3);
  if (draw.rarely(4)) options.edge_colour = draw.take<std::int32_t>() >> draw.below(32);
  if (draw.rarely(4)) options.background = draw.take<std::int32_t>() >> draw.below(32);
  if (draw.rarely(3)) options.contour_interval = real();
  if (draw.rarely(3)) options.shade = real();
  if (draw.rarely(3)) {
    range = {real(), real()};
    options.range = range.data();
  }
  if (draw.rarely(4)) options.label_nodata = draw_value(draw);
  if (draw.rarely(4)) options.site_nodata = draw_value(draw);
  if (draw.rarely(4)) options.unreached = draw_value(draw);
  return options;
}

void render(Draw& draw) {
  const std::vector<std::int64_t> extents = {draw.below(9), draw.below(9)};
  std::vector<std::int64_t> size = {extents[0], extents[1], 3};
  if (draw.rarely(2)) size = {draw.below(20), draw.below(20), 3};
  std::array<double, 2> range{};
  const thiessen_render_options options = draw_render_options(draw, range);
  const auto input = [&](thiessen_type type) {
    Cells cells = draw.rarely(3) ? Cells() : draw_array(draw, type, extents);
    cells.fill(draw);
    return cells;
  };
  const Cells labels = input(draw.below(11));
  const Cells distance = input(draw.rarely(2) ? THIESSEN_F64 : THIESSEN_F32);
  const Cells sites = input(draw.below(11));
  const Cells pixels = draw_array(draw, THIESSEN_U8, size);
  if (!are_believable(labels, distance, sites, pixels)) return;
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.labels = labels.array();
  inputs.distance = distance.array();
  inputs.sites = sites.array();
  const thiessen_render_options* const given = draw.rarely(4) ? nullptr : &options;
  checked([&] { return thiessen_render(context(), &inputs, given, &pixels.array()); }, {&pixels});
}

void require_sensible(const thiessen_comparison& found, std::int64_t cells) {
  require(found.cells == cells, "cells are miscounted");
  require(found.differing >= 0 && found.differing <= cells, "differing cells are miscounted");
  require(
      found.ties >= 0 && found.mismatched >= 0 && found.ties + found.mismatched <= found.differing,
      "ties and mismatches are miscounted");
  require((found.first_cell[0] < 0) == (found.differing == 0), "the first cell is wrong");
  require(found.largest_excess >= 0 && found.largest_shortfall >= 0, "an excess is negative");
}

/// Cells of the first array that is there.
std::int64_t cells_of(const std::array<Cells, 6>& all) {
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Cells& each) { return each.array().rank > 0; });
  require(first != all.end(), "nothing was compared");
  const thiessen_array& array = first->array();
  return std::accumulate(array.extents, array.extents + array.rank, std::int64_t{1},
                         std::multiplies<>());
}

/// The arrays of a comparison: labels, site indices and distances of a and b.
struct Pairs {
  explicit Pairs(Draw& draw)
      : extents(draw_extents(draw)),
        wanted(draw.rarely(16) ? draw.take<std::uint8_t>() : draw.among(kPairs)),
        labels(draw.below(11)) {}

  Cells input(Draw& draw, int bit, thiessen_type type) const {
    Cells cells = (wanted >> bit & 1) != 0 ? draw_array(draw, type, extents) : Cells();
    cells.fill(draw);
    return cells;
  }

  static constexpr std::array<int, 7> kPairs = {3, 12, 48, 15, 51, 60, 63};
  std::vector<std::int64_t> extents;
  int wanted;
  thiessen_type labels;
};

thiessen_compare_options draw_compare_options(Draw& draw, std::array<double, kMostAxes>& spacing) {
  constexpr std::array<double, 4> kTolerances = {0, 0, 1, -1};
  constexpr std::array<double, 4> kLengths = {1, 1, 2, 0.5};
  thiessen_compare_options options;
  thiessen_compare_options_init(&options, sizeof options);
  options.tolerance = draw.rarely(8) ? draw.take<double>() : draw.among(kTolerances);
  options.measure_sites = draw_choice(draw, 2);
  options.metric = draw_choice(draw, 6);
  for (double& length : spacing)
    length = draw.rarely(16) ? draw.take<double>() : draw.among(kLengths);
  if (draw.rarely(2)) options.spacing = spacing.data();
  return options;
}

void compare(Draw& draw) {
  const Pairs pairs(draw);
  const std::array<Cells, 6> all = {
      pairs.input(draw, 0, pairs.labels),    pairs.input(draw, 1, pairs.labels),
      pairs.input(draw, 2, THIESSEN_I64),    pairs.input(draw, 3, THIESSEN_I64),
      pairs.input(draw, 4, real_type(draw)), pairs.input(draw, 5, real_type(draw))};
  std::array<double, kMostAxes> spacing{};
  const thiessen_compare_options options = draw_compare_options(draw, spacing);
  for (const Cells& cells : all)
    if (!is_believable(cells) || is_long(cells.array())) return;
  thiessen_compare_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.labels_a = all[0].array();
  inputs.labels_b = all[1].array();
  inputs.site_index_a = all[2].array();
  inputs.site_index_b = all[3].array();
  inputs.distance_a = all[4].array();
  inputs.distance_b = all[5].array();
  thiessen_comparison found{};
  found.size = sizeof found;
  const thiessen_status status =
      checked([&] { return thiessen_compare(context(), &inputs, &options, &found); }, {});
  if (status == THIESSEN_OK) require_sensible(found, cells_of(all));
}

}  // namespace
}  // namespace thiessen::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thiessen::fuzz;
  Draw draw(data, size);
  const int kind = draw.take<std::uint8_t>();
  switch (kind < 252 ? kind % 12 : kind < 254 ? 12 : 13) {
    case 0:
      components(draw);
      break;
    case 1:
      random_sites(draw);
      break;
    case 2:
      render(draw);
      break;
    case 3:
      compare(draw);
      break;
    case 4:
    case 5:
      voronoi(draw);
      break;
    case 9:
    case 10:
      cost_distance(draw);
      break;
    case 11:
      draw.rarely(2) ? material_map(draw) : least_cost_path(draw);
      break;
    case 12:
      statistics(draw);
      break;
    case 13:
      coverage(draw);
      break;
    default:
      nearest_site(draw);
  }
  if (draw.rarely(8)) thiessen_context_release_scratch(context());
  return 0;
}

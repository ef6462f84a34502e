// SPDX-License-Identifier: Apache-2.0
#include "cases/cost_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <utility>

#include "core/base/rng.hpp"
#include "thiessen/random_sites.hpp"

namespace thiessen::cases {
namespace {

/// Independent draws for a scene.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(splitmix64(seed, stream)) {}
  double real() { return static_cast<double>(splitmix64(seed_, next_++) >> 11) * 0x1p-53; }
  std::int64_t below(std::int64_t range) {
    return static_cast<std::int64_t>(real() * static_cast<double>(range));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

double value_of(const CostScene& scene, Random& random) {
  if (scene.material == "plateaus") return random.below(3) == 2 ? 1 : 0;
  if (scene.material == "wide") return std::pow(10, -6 + 9 * random.real());
  if (scene.material == "steps") return static_cast<double>(1 + random.below(3));
  const double barrier =
      scene.weight == EdgeWeight::stiffness ? 0 : std::numeric_limits<double>::infinity();
  if (scene.material == "walls" || random.real() < 0.4) return barrier;
  return 0.1 + 0.9 * random.real();  // islands
}

template <class Value>
void fill_map(const CostScene& scene, Raster& map) {
  auto* const cells = reinterpret_cast<Value*>(map.bytes());
  const std::int64_t count = scene.extents.count();
  Random random(scene.seed, 1);
  for (std::int64_t i = 0; i < count; ++i) cells[i] = static_cast<Value>(value_of(scene, random));
}

Raster make_map(const CostScene& scene) {
  Raster map(scene.map_type, scene.extents);
  if (const auto material = find_material(scene.material)) {
    Context context;
    material_map(context, map.view(), *material, scene.seed);
    // A wall of cost 0 would be none.
    if (scene.material == "maze" && scene.weight == EdgeWeight::cost)
      for (std::int64_t i = 0; i < scene.extents.count(); ++i) {
        auto* const cells = reinterpret_cast<float*>(map.bytes());
        if (cells[i] == 0) cells[i] = std::numeric_limits<float>::quiet_NaN();
      }
  } else if (scene.map_type == ElementType::f32) {
    fill_map<float>(scene, map);
  } else if (scene.map_type == ElementType::f64) {
    fill_map<double>(scene, map);
  } else {
    fill_map<std::uint16_t>(scene, map);
  }
  Random random(scene.seed, 2);
  for (std::int64_t i = 0; i < scene.nodata_cells; ++i) {
    const float nodata = static_cast<float>(std::get<double>(*scene.options.map_nodata));
    const std::int64_t cell = random.below(scene.extents.count());
    std::memcpy(map.bytes() + cell * 4, &nodata, sizeof nodata);
  }
  return map;
}

double height_of(const CostScene& scene, Random& random) {
  if (scene.relief == "terraces") return static_cast<double>(3 * random.below(3));
  if (scene.relief == "cliffs") return 9000 * random.real();
  if (scene.relief == "gaps" && random.below(5) == 0)
    return scene.options.elevation_nodata && random.below(2) == 0
               ? std::get<double>(*scene.options.elevation_nodata)
               : std::numeric_limits<double>::quiet_NaN();
  return 40 * random.real();
}

template <class Value>
Raster make_heights(const CostScene& scene) {
  Raster elevation = Raster::of<Value>(scene.extents);
  auto* const cells = reinterpret_cast<Value*>(elevation.bytes());
  Random random(scene.seed, 5);
  for (std::int64_t i = 0; i < scene.extents.count(); ++i)
    cells[i] = static_cast<Value>(height_of(scene, random));
  return elevation;
}

Raster make_elevation(const CostScene& scene) {
  if (scene.relief == "terraces") return make_heights<std::uint16_t>(scene);
  return scene.relief == "cliffs" ? make_heights<double>(scene) : make_heights<float>(scene);
}

/// Also faces at the ends of axes, which do not count.
std::vector<std::uint8_t> make_blocked_faces(const CostScene& scene) {
  std::vector<std::uint8_t> faces;
  Random random(scene.seed, 8);
  for (std::int64_t i = 0; i < scene.extents.count(); ++i) {
    unsigned bits = 0;
    for (int axis = 0; axis < scene.extents.rank(); ++axis)
      if (random.below(scene.blocked_in) == 0) bits |= 1u << axis;
    faces.push_back(static_cast<std::uint8_t>(bits));
  }
  return faces;
}

void put_points(const CostScene& scene, CostInputs& inputs) {
  Random random(scene.seed, 3);
  const int axes = scene.extents.rank();
  for (std::int64_t i = 0; i < scene.sites; ++i) {
    for (int axis = 0; axis < axes; ++axis) {
      const auto extent = static_cast<double>(scene.extents[axis]);
      // In halves, so that some lie between cells, and a little way beyond the raster.
      inputs.points.push_back(std::floor(2 * (extent * 1.2 * random.real() - 0.1 * extent)) / 2);
    }
    inputs.point_labels.push_back(static_cast<std::int32_t>(1 + random.below(100)));
  }
  for (int axis = 0; axis < axes && scene.sites > 1; ++axis)  // the last where the first is
    inputs.points[inputs.points.size() - static_cast<std::size_t>(axes - axis)] =
        inputs.points[static_cast<std::size_t>(axis)];
}

void put_raster(const CostScene& scene, CostInputs& inputs) {
  inputs.sites = Raster::of<std::int32_t>(scene.extents);
  Context context;
  random_sites(context, inputs.sites.view(), std::min(scene.sites, scene.extents.count()),
               scene.seed);
  auto* const cells = reinterpret_cast<std::int32_t*>(inputs.sites.bytes());
  for (std::int64_t i = 0; i < scene.extents.count(); ++i)
    if (cells[i] != 0) cells[i] = static_cast<std::int32_t>(1 + i * 7 % 100);
}

/// Scenes of all kinds, drawn.
CostScene draw_scene(std::uint64_t seed) {
  Random random(seed, 0);
  const auto once_in = [&](std::int64_t times) { return random.below(times) == 0; };
  const char* const materials[] = {"uniform",  "gradient", "noise",   "maze",
                                   "plateaus", "wide",     "islands", "steps"};
  CostScene scene{.name = "drawn " + std::to_string(seed),
                  .extents = {1 + random.below(60), 1 + random.below(90)},
                  .material = materials[random.below(8)],
                  .sites = random.below(12),
                  .seed = seed};
  CostDistanceOptions& options = scene.options;
  const bool deep = once_in(3);
  constexpr std::int64_t kBorders[] = {1, 2, 63, 64, 65, 129};  // of tiles
  if (once_in(4)) scene.extents = {kBorders[random.below(6)], kBorders[random.below(6)]};
  if (deep) scene.extents = {1 + random.below(12), 1 + random.below(20), 1 + random.below(24)};
  if (once_in(4)) scene.sites = random.below(scene.extents.count());
  constexpr int kNeighbours[] = {4, 8, 16, 6, 18, 26};
  options.connectivity =
      *find_connectivity(kNeighbours[random.below(3) + (deep ? 3 : 0)], scene.extents.rank());
  const bool costs = scene.material == "plateaus" || once_in(2);
  scene.weight = costs ? EdgeWeight::cost : EdgeWeight::stiffness;
  options.distance_type = once_in(3) ? FloatType::f64 : FloatType::f32;
  // By the second one, a step along z is as long as a diagonal in its plane.
  const std::vector deep_spacing =
      seed % 2 == 0 ? std::vector{1.5, 0.325, 0.4} : std::vector{0.5, 0.3, 0.4};
  if (once_in(3)) options.spacing = deep ? deep_spacing : std::vector{0.7, 1.9};
  options.tight_barriers = once_in(2);
  if (once_in(3)) scene.initial = once_in(2) ? 3 : 3e7;  // the greater one absorbs edges
  if (once_in(4)) options.max_distance = 20 * random.real();
  scene.points = once_in(4);
  if (once_in(4)) {
    options.map_nodata = -9999.0;
    scene.nodata_cells = scene.extents.count() / 5;
  }
  return scene;
}

/// The same as walks.
CostScene draw_walk(std::uint64_t seed) {
  CostScene scene = draw_scene(seed);
  Random random(seed, 6);
  scene.name = "walk " + std::to_string(seed);
  if (scene.extents.rank() == 3) {
    scene.extents = {1 + random.below(70), 1 + random.below(40)};
    scene.options.connectivity = Connectivity::knights;
    scene.options.spacing = {25, 30};
    scene.nodata_cells = 0;
  }
  const char* const reliefs[] = {"hills", "terraces", "cliffs", "gaps"};
  scene.relief = reliefs[random.below(4)];
  CostDistanceOptions& options = scene.options;
  if (random.below(3) != 0) options.walk = static_cast<Walk>(random.below(4));
  if (options.walk == Walk::table)
    for (const double slope : {-2.0, -0.3, 0.0, 0.4, 1.5}) {
      options.walk_slopes.push_back(slope);
      options.walk_factors.push_back(3 * random.real());
    }
  if (random.below(3) != 0)
    options.walk_direction =
        random.below(2) == 0 ? WalkDirection::from_site : WalkDirection::to_site;
  if (scene.relief == "gaps" && random.below(2) == 0) options.elevation_nodata = -9999.0;
  scene.has_map = random.below(3) != 0;
  if (!scene.has_map) options.map_nodata.reset();
  if (options.walk == Walk::langmuir && random.below(2) == 0) {
    options.slope_factor = -0.5 * random.real();
    // The third as great as it may be, so that some steps take no time but for rounding.
    const double level = random.real();
    options.walk_coefficients = {level, 8 * random.real(), level / -*options.slope_factor,
                                 -3 * random.real()};
  }
  if (scene.has_map && random.below(2) == 0)
    options.walk_map = random.below(3) == 0 ? WalkMap::multiplies : WalkMap::adds;
  return scene;
}

/// Scenes on a part of the Earth or all of it: at a pole or both, over the date line, down or up.
CostScene draw_on_earth(std::uint64_t seed) {
  CostScene scene = seed % 2 == 0 ? draw_scene(seed) : draw_walk(seed);
  Random random(seed, 7);
  scene.name = "earth " + std::to_string(seed);
  if (scene.extents.rank() == 3) {
    scene.extents = {1 + random.below(70), 1 + random.below(40)};
    scene.options.connectivity = Connectivity::knights;
  }
  CostDistanceOptions& options = scene.options;
  options.spacing = {};
  options.metric = random.below(3) == 0 ? Metric::great_circle : Metric::ellipsoidal;
  // 1e-7 degrees are a centimetre: costs are of the size of limits and initial costs.
  const double step = random.below(3) == 0 ? 1e-7 : 2 * random.real();
  const auto rows = static_cast<double>(scene.extents[0]);
  const double lat_step = std::min(step, 180 / std::max(rows - 1, 1.0));
  const double range = lat_step * (rows - 1);
  const bool at_pole = random.below(3) == 0;
  const double top = at_pole ? 90 : -90 + range + (180 - range) * random.real();
  const bool rises = random.below(2) == 0;
  Earth earth;
  for (std::int64_t y = 0; y < scene.extents[0]; ++y) {
    const std::int64_t row = rises ? scene.extents[0] - 1 - y : y;
    earth.latitude.push_back(std::clamp(top - static_cast<double>(row) * lat_step, -90.0, 90.0));
  }
  const double left = random.below(2) == 0 ? 180 - step * 7 : 360 * random.real() - 180;
  for (std::int64_t x = 0; x < scene.extents[1]; ++x)
    earth.longitude.push_back(left + static_cast<double>(x) * step);
  options.earth = earth;
  return scene;
}

/// Makes axes periodic that are long enough; all longitudes of the Earth, if it lies there.
void join_ends(CostScene& scene, Random& random) {
  CostDistanceOptions& options = scene.options;
  const int rank = scene.extents.rank();
  const std::int64_t least = options.connectivity == Connectivity::knights ? 5 : 3;
  for (int axis = 0; axis < rank; ++axis)
    options.periodic.push_back(scene.extents[axis] >= least && random.below(3) != 0);
  if (!options.earth) return;
  options.periodic[0] = false;
  for (std::size_t x = 0; options.periodic[1] && x < options.earth->longitude.size(); ++x)
    options.earth->longitude[x] =
        static_cast<double>(x) * 360 / static_cast<double>(scene.extents[1]);
  options.max_distance = CostDistanceOptions().max_distance;
}

/// Any of these with blocked faces, few or many.
CostScene draw_cut(std::uint64_t seed) {
  CostScene scene = seed % 3 == 0   ? draw_walk(seed)
                    : seed % 7 == 0 ? draw_on_earth(seed)
                                    : draw_scene(seed);
  Random random(seed, 9);
  scene.name = "cut " + std::to_string(seed);
  constexpr std::int64_t kOneOf[] = {2, 3, 5, 40, 1000};
  scene.blocked_in = kOneOf[random.below(5)];
  return scene;
}

/// Any of these with periodic axes.
CostScene draw_periodic(std::uint64_t seed) {
  CostScene scene = seed % 4 == 0   ? draw_cut(seed)
                    : seed % 4 == 1 ? draw_walk(seed)
                    : seed % 8 == 2 ? draw_on_earth(seed)
                                    : draw_scene(seed);
  Random random(seed, 10);
  scene.name = "periodic " + std::to_string(seed);
  join_ends(scene, random);
  return scene;
}

std::vector<CostScene> named_walks() {
  CostDistanceOptions metres;
  metres.spacing = {10, 10};
  CostDistanceOptions knights = metres;
  knights.connectivity = Connectivity::knights;
  knights.walk_direction = WalkDirection::to_site;
  return {
      {.name = "walk over tiles",
       .extents = {130, 140},
       .sites = 9,
       .options = metres,
       .relief = "hills",
       .has_map = false},
      {.name = "walk by knights over tiles",
       .extents = {70, 131},
       .material = "islands",
       .sites = 20,
       .options = knights,
       .weight = EdgeWeight::cost,
       .relief = "gaps"},
      {.name = "walk with cuts over tiles",
       .extents = {130, 140},
       .sites = 9,
       .options = metres,
       .relief = "terraces",
       .has_map = false,
       .blocked_in = 5},
  };
}

std::vector<CostScene> named_scenes() {
  CostDistanceOptions double_cost;
  double_cost.distance_type = FloatType::f64;
  CostDistanceOptions knights;
  knights.connectivity = Connectivity::knights;
  CostDistanceOptions faces;
  faces.connectivity = Connectivity::faces;
  CostDistanceOptions tight;
  tight.tight_barriers = true;
  CostDistanceOptions near;
  near.max_distance = 40;
  CostDistanceOptions torus;
  torus.periodic = {true, true};
  CostDistanceOptions ring = faces;
  ring.periodic = {false, true};
  return {
      {.name = "one cell", .extents = {1, 1}, .sites = 1},
      {.name = "one row", .extents = {1, 300}, .sites = 3},
      {.name = "one column", .extents = {300, 1}, .material = "gradient", .sites = 3},
      {.name = "two rows", .extents = {2, 131}, .material = "islands", .sites = 9},
      {.name = "no site", .extents = {9, 14}, .sites = 0},
      {.name = "all sites", .extents = {20, 30}, .sites = 600},
      {.name = "all barrier", .extents = {70, 70}, .material = "walls", .sites = 20},
      {.name = "document", .extents = {64, 64}, .material = "gradient"},
      {.name = "tile", .extents = {128, 192}, .material = "uniform", .sites = 7},
      {.name = "tile and one", .extents = {129, 193}, .sites = 7},
      {.name = "tile less one",
       .extents = {127, 63},
       .material = "steps",
       .weight = EdgeWeight::cost},
      {.name = "maze", .extents = {150, 200}, .material = "maze", .sites = 40, .seed = 5},
      {.name = "maze from one site", .extents = {131, 137}, .material = "maze", .sites = 3},
      {.name = "plateaus",
       .extents = {90, 140},
       .material = "plateaus",
       .weight = EdgeWeight::cost},
      {.name = "plateaus in f64",
       .extents = {67, 131},
       .material = "plateaus",
       .sites = 40,
       .options = double_cost,
       .weight = EdgeWeight::cost},
      {.name = "absorbed edges", .extents = {70, 90}, .weight = EdgeWeight::cost, .initial = 1e9},
      {.name = "wide range", .extents = {120, 130}, .material = "wide", .weight = EdgeWeight::cost},
      {.name = "wide range in f64",
       .extents = {70, 130},
       .material = "wide",
       .map_type = ElementType::f64,
       .options = double_cost,
       .weight = EdgeWeight::cost},
      {.name = "integers", .extents = {60, 80}, .material = "steps", .map_type = ElementType::u16},
      {.name = "knights",
       .extents = {70, 140},
       .material = "islands",
       .sites = 9,
       .options = knights},
      {.name = "four neighbours over tiles",
       .extents = {130, 140},
       .material = "gradient",
       .sites = 9,
       .options = faces},
      {.name = "tight barriers over tiles",
       .extents = {140, 131},
       .material = "islands",
       .sites = 30,
       .options = tight},
      {.name = "limit over tiles", .extents = {129, 65}, .sites = 5, .options = near},
      {.name = "cuts over tiles", .extents = {140, 131}, .sites = 30, .blocked_in = 4},
      {.name = "cuts and tight barriers over tiles",
       .extents = {129, 140},
       .material = "islands",
       .sites = 30,
       .options = tight,
       .blocked_in = 9},
      {.name = "torus over tiles", .extents = {140, 131}, .sites = 3, .options = torus},
      {.name = "torus of plateaus over tiles",
       .extents = {66, 129},
       .material = "plateaus",
       .options = torus,
       .weight = EdgeWeight::cost},
      {.name = "maze round a ring",
       .extents = {131, 137},
       .material = "maze",
       .sites = 2,
       .options = ring},
      {.name = "cuts on a torus over tiles",
       .extents = {129, 66},
       .sites = 3,
       .options = torus,
       .blocked_in = 4},
      {.name = "volume", .extents = {20, 33, 70}, .sites = 6},
      {.name = "volume of islands", .extents = {17, 18, 19}, .material = "islands", .sites = 9},
  };
}

}  // namespace

CostMap CostInputs::map_view(const CostScene& scene) const {
  return {scene.has_map ? map.view() : View<const void>(), scene.weight};
}

PointList CostInputs::list(int axes) const {
  const auto count = static_cast<std::int64_t>(point_labels.size());
  return {.coordinates = View<const double>(points.data(), {count, axes}),
          .labels = View<const std::int32_t>(point_labels.data(), {count})};
}

View<const void> CostInputs::initial_cost(const CostScene& scene) const {
  if (initial.empty()) return {};
  return View<const double>(initial.data(), scene.points ? Extents{scene.sites} : scene.extents);
}

CostInputs make_inputs(const CostScene& scene) {
  CostInputs inputs;
  inputs.options = scene.options;
  if (scene.has_map) inputs.map = make_map(scene);
  if (!scene.relief.empty()) {
    inputs.elevation = make_elevation(scene);
    inputs.options.elevation = std::as_const(inputs.elevation).view();
  }
  if (scene.blocked_in > 0) {
    inputs.blocked_faces = make_blocked_faces(scene);
    inputs.options.blocked_faces =
        View<const std::uint8_t>(inputs.blocked_faces.data(), scene.extents);
  }
  if (scene.points)
    put_points(scene, inputs);
  else
    put_raster(scene, inputs);
  if (scene.initial == 0) return inputs;
  Random random(scene.seed, 4);
  const std::int64_t count = scene.points ? scene.sites : scene.extents.count();
  for (std::int64_t i = 0; i < count; ++i) inputs.initial.push_back(scene.initial * random.real());
  return inputs;
}

std::ostream& operator<<(std::ostream& out, const CostScene& scene) { return out << scene.name; }

const std::vector<CostScene>& cost_scenes() {
  static const std::vector<CostScene> scenes = [] {
    std::vector<CostScene> all = named_scenes();
    for (std::uint64_t seed = 0; seed < 66; ++seed) all.push_back(draw_scene(seed));
    for (CostScene& walk : named_walks()) all.push_back(std::move(walk));
    for (std::uint64_t seed = 66; seed < 106; ++seed) all.push_back(draw_walk(seed));
    for (std::uint64_t seed = 106; seed < 136; ++seed) all.push_back(draw_on_earth(seed));
    for (std::uint64_t seed = 139; seed < 196; ++seed) all.push_back(draw_cut(seed));
    for (std::uint64_t seed = 196; seed < 276; ++seed) all.push_back(draw_periodic(seed));
    return all;
  }();
  return scenes;
}

}  // namespace thiessen::cases

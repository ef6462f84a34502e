// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "core/base/rng.hpp"
#include "inputs.hpp"

namespace thiessen::ablation {
namespace {

std::string text_of(const Extents& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank(); ++axis)
    text += (axis > 0 ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

/// Results of a call: those with a name in `output`, which is a list such as "labels+distance".
struct Results {
  Raster labels, distance, other_labels, other_distance;

  Results(const Extents& extents, const std::string& output) {
    const auto wants = [&](const char* name) { return output.find(name) != std::string::npos; };
    if (wants("labels")) labels = Raster::of<std::int32_t>(extents);
    if (wants("distance")) distance = Raster::of<float>(extents);
    if (!wants("others")) return;
    other_labels = Raster::of<std::int32_t>(extents);
    other_distance = Raster::of<float>(extents);
  }

  std::vector<Raster*> all() {
    std::vector<Raster*> all;
    for (Raster* raster : {&labels, &distance, &other_labels, &other_distance})
      if (*raster) all.push_back(raster);
    return all;
  }
  template <class Outputs>
  Outputs views() {
    const auto view = [](Raster& raster) { return raster ? raster.view() : View<void>(); };
    Outputs out;
    out.labels = view(labels);
    out.distance = view(distance);
    out.other_labels = view(other_labels);
    out.other_distance = view(other_distance);
    return out;
  }
};

using MakeSites = std::function<Sites()>;

class CaseList {
 public:
  CaseList(bool are_quick, std::filesystem::path shapes)
      : are_quick_(are_quick), shapes_(std::move(shapes)) {}

  std::vector<Case> run() {
    const Extents plane = are_quick_ ? Extents{512, 512} : Extents{2048, 2048};
    const Extents volume = are_quick_ ? Extents{64, 64, 64} : Extents{256, 256, 256};
    add_dots(plane, {"100", "10000", "1 %", "10 %", "50 %"});
    add_dots(volume, {"100", "10000", "1 %", "10 %", "50 %"});
    for (const Extents& extents : {plane, volume}) {
      add_scenes(extents, "", {"lines", "circle", "blobs", "checkerboard"});
      add_scenes(extents, "attack: ",
                 {"one site", "half plane", "diagonal", "every other cell", "dense corner"});
      add_options(extents);
    }
    if (!are_quick_) {
      add_dots({4096, 4096}, {"100", "10000", "1 %", "10 %", "50 %"});
      add_scenes({4096, 4096}, "", {"lines", "circle", "blobs", "checkerboard"});
      add_dots({512, 512, 512}, {"100", "1 %", "50 %"});
      add_scenes({384, 384, 384}, "", {"circle"});
    }
    add_shapes();
    if (are_quick_)
      add_points(plane, {1000, 10'000});
    else
      add_points(plane, {1000, 100'000, 1'000'000});
    add_points(volume, {10'000});
    add_earth(are_quick_ ? 180 : 900);
    add_cost(plane);
    return std::move(cases_);
  }

 private:
  void add(const Extents& extents, const std::string& input, const std::string& output,
           std::span<const Engine> engines, double work, std::function<Call()> make) {
    constexpr double kCells = 1e6;
    cases_.push_back({text_of(extents) + ", " + input, output,
                      work * static_cast<double>(extents.count()) / kCells, engines,
                      std::move(make)});
  }

  /// A call of nearest_site().
  void add_sites(const Extents& extents, const std::string& input, const std::string& output,
                 const MakeSites& make_sites, const NearestSiteOptions& options = {}) {
    add(extents, input, output, engines_of_sites(), 1, [=] {
      const Sites sites = make_sites();
      auto results = std::make_shared<Results>(extents, output);
      return Call{[=](Context& context) {
                    nearest_site(context, sites->view(), options,
                                 results->views<NearestSiteOutputs>());
                  },
                  results->all(), extents.rank()};
    });
  }

  void add_all_outputs(const Extents& extents, const std::string& input,
                       const MakeSites& make_sites) {
    for (const char* output : {"labels", "distance", "labels+distance"})
      add_sites(extents, input, output, make_sites);
  }

  static std::int64_t count_of(const std::string& kind, std::int64_t cells) {
    constexpr std::int64_t kPercent = 100;
    const std::int64_t number = std::stoll(kind);
    return kind.back() == '%' ? cells * number / kPercent : number;
  }
  static MakeSites dots(const Extents& extents, const std::string& kind) {
    return [=] { return make_dots(extents, count_of(kind, extents.count())); };
  }
  static MakeSites scene(const Extents& extents, const std::string& name) {
    return [=] { return make_scene(extents, name); };
  }

  void add_dots(const Extents& extents, const std::vector<std::string>& kinds) {
    for (const std::string& kind : kinds) add_all_outputs(extents, kind, dots(extents, kind));
  }
  void add_scenes(const Extents& extents, const std::string& words,
                  const std::vector<std::string>& names) {
    for (const std::string& name : names)
      add_all_outputs(extents, words + name, scene(extents, name));
  }

  void add_shapes() {
    if (shapes_.empty()) return;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(shapes_))
      if (entry.path().extension() == ".npy") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      const std::string stem = file.stem().string();
      const std::string name = stem.substr(0, stem.rfind('-'));
      const Extents extents = extents_of_shape(file);
      add_all_outputs(extents, name, [=] { return read_shape(file, 1); });
      const bool is_large_too = name == "land" || name == "vessels" || name == "nuclei";
      if (extents.rank() == 2 || are_quick_ || !is_large_too) continue;
      const Extents large{2 * extents[0], 2 * extents[1], 2 * extents[2]};
      for (const char* output : {"distance", "labels+distance"})
        add_sites(large, name, output, [=] { return read_shape(file, 2); });
    }
  }

  /// Options that other engines answer to.
  void add_options(const Extents& extents) {
    const bool is_flat = extents.rank() == 2;
    for (const char* kind : {"10000", "1 %", "10 %"}) {
      const auto add_with = [&](const std::string& words, const NearestSiteOptions& options) {
        add_sites(extents, kind + words, "labels+distance", dots(extents, kind), options);
      };
      NearestSiteOptions options;
      options.spacing = is_flat ? std::vector{1.0, 0.7} : std::vector{2.0, 1.0, 1.0};
      add_with(is_flat ? ", spacing 1, 0.7" : ", spacing 2, 1, 1", options);
      options.spacing = is_flat ? std::vector{30.0, 21.37} : std::vector{1.5, 0.325, 0.325};
      add_with(is_flat ? ", spacing 30, 21.37" : ", spacing 1.5, 0.325, 0.325", options);
      options = {};
      options.metric = Metric::manhattan;
      add_with(", manhattan", options);
      options.metric = Metric::chessboard;
      add_with(", chessboard", options);
      options = {};
      options.max_distance = 20;
      add_with(", at most 20", options);
      options = {};
      options.periodic = std::vector<bool>(static_cast<std::size_t>(extents.rank()), true);
      add_with(", periodic", options);
    }
    NearestSiteOptions options;
    options.signed_distance = true;
    for (const char* name : {"blobs", "checkerboard", "circle"})
      add_sites(extents, std::string(name) + ", signed", "distance", scene(extents, name), options);
    options = {};
    options.distance_to = DistanceTo::boundary;
    for (const char* kind : {"100", "10000"})
      add_sites(
          extents, std::string("regions of ") + kind + ", to the boundary", "distance",
          [=] {
            const Sites sites = make_dots(extents, std::stoll(kind));
            auto regions = std::make_shared<Raster>(Raster::of<std::int32_t>(extents));
            Context context({.device = "cpu", .threads = 1});
            nearest_site(context, sites->view(), {}, {.labels = regions->view()});
            return regions;
          },
          options);
    add_sites(extents, "10000, of another label", "labels+others", dots(extents, "10000"));
  }

  void add_points(const Extents& extents, const std::vector<std::int64_t>& counts) {
    for (const bool has_fractions : {true, false})
      for (const std::int64_t count : counts)
        for (const char* output : {"labels", "labels+distance"})
          add(extents, std::to_string(count) + (has_fractions ? " points" : " points on centres"),
              output, engines_of_sites(), 3, [=] {
                auto coordinates = std::make_shared<std::vector<double>>();
                const int rank = extents.rank();
                for (std::int64_t i = 0; i < count * rank; ++i) {
                  constexpr double kUnit = 1.0 / (1ULL << 53);
                  const double draw =
                      static_cast<double>(splitmix64(2, static_cast<std::uint64_t>(i)) >> 11) *
                      kUnit * static_cast<double>(extents[static_cast<int>(i % rank)] - 1);
                  coordinates->push_back(has_fractions ? draw : std::floor(draw));
                }
                auto results = std::make_shared<Results>(extents, output);
                return Call{[=](Context& context) {
                              const View<const double> view(coordinates->data(), {count, rank});
                              voronoi(context, {view, {}}, {.extents = extents}, {},
                                      results->views<NearestSiteOutputs>());
                            },
                            results->all(), extents.rank()};
              });
  }

  void add_earth(std::int64_t height) {
    const Extents extents{height, 2 * height};
    for (const char* output : {"labels", "labels+distance"})
      add(extents, "1000, on the Earth", output, engines_of_earth(), 10, [=] {
        const Sites sites = make_dots(extents, 1000);
        auto results = std::make_shared<Results>(extents, output);
        NearestSiteOptions options;
        options.metric = Metric::ellipsoidal;
        const double step = 180.0 / static_cast<double>(height);
        options.earth.emplace();
        for (std::int64_t y = 0; y < height; ++y)
          options.earth->latitude.push_back(90 - step * (static_cast<double>(y) + 0.5));
        for (std::int64_t x = 0; x < 2 * height; ++x)
          options.earth->longitude.push_back(-180 + step * (static_cast<double>(x) + 0.5));
        return Call{[=](Context& context) {
                      nearest_site(context, sites->view(), options,
                                   results->views<NearestSiteOutputs>());
                    },
                    results->all(), extents.rank()};
      });
  }

  void add_cost_case(const Extents& extents, const std::string& input, const std::string& output,
                     std::int64_t count, const std::function<Array<float>()>& make_map,
                     EdgeWeight weight = EdgeWeight::stiffness,
                     const CostDistanceOptions& options = {}) {
    add(extents, input + ", " + std::to_string(count) + " sites", output, engines_of_cost(), 8,
        [=] {
          const Sites sites = make_dots(extents, count);
          auto map = std::make_shared<Array<float>>(make_map());
          auto results = std::make_shared<Results>(extents, output);
          return Call{[=](Context& context) {
                        cost_distance(context, CostMap(map->view(), weight), sites->view(), options,
                                      results->views<CostDistanceOutputs>());
                      },
                      results->all(), extents.rank()};
        });
  }

  void add_cost(const Extents& extents) {
    constexpr std::int64_t kFew = 10;
    constexpr std::int64_t kMany = 8000;
    const auto map_of = [=](Material material) {
      return [=] { return material_map(extents, material, 1); };
    };
    for (const Material material :
         {Material::uniform, Material::gradient, Material::noise, Material::maze})
      for (const std::int64_t count : {kFew, kMany})
        for (const char* output : {"distance", "labels+distance"})
          add_cost_case(extents, std::string(name_of(material)), output, count, map_of(material));
    for (const Material material : {Material::uniform, Material::noise}) {
      const std::string name(name_of(material));
      add_cost_case(extents, name + ", cost", "labels+distance", kMany, map_of(material),
                    EdgeWeight::cost);
      CostDistanceOptions options;
      options.connectivity = Connectivity::faces;
      add_cost_case(extents, name + ", 4 neighbours", "labels+distance", kMany, map_of(material),
                    EdgeWeight::stiffness, options);
      add_cost_case(extents, name + ", of another label", "labels+others", kMany, map_of(material));
    }
    constexpr float kBarrier = 0;
    constexpr float kHigh = 1e4F;
    for (const std::int64_t width : {1, 5, 15}) {
      const std::string corridor = "attack: corridor of " + std::to_string(width);
      add_cost_case(extents, corridor, "labels+distance", kFew,
                    [=] { return make_corridor(extents, width, kBarrier); });
      add_cost_case(
          extents, corridor + ", between hills", "labels+distance", 1,
          [=] { return make_corridor(extents, width, kHigh); }, EdgeWeight::cost);
    }
  }

  bool are_quick_;
  std::filesystem::path shapes_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> list_cases(bool are_quick, const std::filesystem::path& shapes) {
  return CaseList(are_quick, shapes).run();
}

}  // namespace thiessen::ablation

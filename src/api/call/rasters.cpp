// SPDX-License-Identifier: Apache-2.0
//
// Calls that make sites and maps, and number components.
#include "api/call/structs_of.hpp"
#include "operations/tables/sites/making_sites.hpp"

namespace thiessen {
namespace {

/// The extents of a raster that the call makes.
Extents made_extents(const std::vector<std::int64_t>& shape) {
  const Extents extents(shape);
  check_extents("shape", extents);
  return extents;
}

/// Refuses a shape that the caller's array does not have.
void check_shape_of(const char* name, const View<void>& view,
                    const std::vector<std::int64_t>& shape) {
  if (!shape.empty() && view.extents() != Extents(shape))
    throw Error(ErrorCode::invalid_argument,
                BrokenRule{.argument = "shape",
                           .rule = "differs from the extents of " + std::string(name) +
                                   "; must be the same or missing"});
}

class ConnectedComponentsCall
    : public StructsOf<ComponentsInputs, ComponentsOptions, ComponentsOutputs, ComponentsResults> {
 public:
  void run(Context& context) override {
    results_.count = connected_components(context, inputs_.image, options_, outputs_.labels);
  }
  ResultShape shape() const override {
    const Extents& extents = inputs_.image.extents();
    check_extents("image", extents);
    return {.grid = {.extents = extents}, .labels = number_type(extents.count())};
  }
};

class RandomSitesCall
    : public StructsOf<NoInputs, RandomSitesOptions, RandomSitesOutputs, NoResults> {
 public:
  void run(Context& context) override {
    check_shape_of("sites", outputs_.sites, options_.shape);
    random_sites(context, outputs_.sites, options_.count, options_.seed);
  }
  ResultShape shape() const override {
    return {.grid = {.extents = made_extents(options_.shape)},
            .labels = number_type(options_.count)};
  }
};

class MaterialMapCall
    : public StructsOf<NoInputs, MaterialMapOptions, MaterialMapOutputs, NoResults> {
 public:
  void run(Context& context) override {
    check_shape_of("map", outputs_.map, options_.shape);
    material_map(context, outputs_.map, options_.material, options_.seed);
  }
  ResultShape shape() const override { return {.grid = {.extents = made_extents(options_.shape)}}; }
};

constexpr Maker kRasterMakers[] = {
    {&kConnectedComponents, &make<ConnectedComponentsCall>},
    {&kRandomSites, &make<RandomSitesCall>},
    {&kMaterialMap, &make<MaterialMapCall>},
};

}  // namespace

std::span<const Maker> raster_makers() { return kRasterMakers; }

}  // namespace thiessen

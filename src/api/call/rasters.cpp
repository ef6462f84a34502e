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

constexpr Maker kRasterMakers[] = {
    runs<ComponentsInputs, ComponentsOptions, ComponentsOutputs, ComponentsResults>(
        kConnectedComponents,
        [](Context& context, auto& own) {
          own.results.count =
              connected_components(context, own.in.image, own.options, own.out.labels);
        },
        [](const auto& own) -> ResultShape {
          const Extents& extents = own.in.image.extents();
          check_extents("image", extents);
          return {.grid = {.extents = extents}, .labels = number_type(extents.count())};
        }),
    runs<NoInputs, RandomSitesOptions, RandomSitesOutputs, NoResults>(
        kRandomSites,
        [](Context& context, auto& own) {
          check_shape_of("sites", own.out.sites, own.options.shape);
          random_sites(context, own.out.sites, own.options.count, own.options.seed);
        },
        [](const auto& own) -> ResultShape {
          return {.grid = {.extents = made_extents(own.options.shape)},
                  .labels = number_type(own.options.count)};
        }),
    runs<NoInputs, MaterialMapOptions, MaterialMapOutputs, NoResults>(
        kMaterialMap,
        [](Context& context, auto& own) {
          check_shape_of("map", own.out.map, own.options.shape);
          material_map(context, own.out.map, own.options.material, own.options.seed);
        },
        [](const auto& own) -> ResultShape {
          return {.grid = {.extents = made_extents(own.options.shape)}};
        }),
};

}  // namespace

std::span<const Maker> raster_makers() { return kRasterMakers; }

}  // namespace thiessen

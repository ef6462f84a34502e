// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/sites/making_sites.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

constexpr Input kComponentsInputs[] = {
    input<&ComponentsInputs::image>(
        {.name = "image",
         .help = "raster: cells that are neither zero nor NaN belong to components",
         .is_required = true}),
};

constexpr Input kPathInputs[] = {
    input<&LeastCostPathInputs::back_link>(
        {.name = "back_link", .help = "back links of cost_distance", .is_required = true}),
};

constexpr Input kLineInputs[] = {
    input<&LeastCostLineInputs::direction>(
        {.name = "direction", .help = "directions of cost_distance", .is_required = true}),
    input<&LeastCostLineInputs::back_link>(
        {.name = "back_link", .help = "back links of the same call", .is_required = true}),
    input<&LeastCostLineInputs::site_index>(
        {.name = "site_index", .help = "site indices of the same call", .is_required = true}),
    input<&LeastCostLineInputs::points>(
        {.name = "points",
         .help = "coordinates of the sites in cells, (points, axes), if they were points",
         .kind = InputKind::values}),
};

constexpr Field kComponentsFields[] = {
    field<&ComponentsOptions::connectivity>({.name = "connectivity",
                                             .help = "which cells belong together",
                                             .some_choices = text::kTouchingNames}),
    field<&ComponentsOptions::nodata>({.name = "nodata",
                                       .help = "cells of this value get the label -1",
                                       .if_missing = "no cell"}),
};

constexpr FieldText kMadeShape = {.name = "shape",
                                  .help = "extents of a raster that the call makes",
                                  .if_missing = "the extents of the array that is given",
                                  .range = from_to(0, 1 << 30)};
constexpr FieldText kSeed = {.name = "seed", .help = "seed of the draw"};

constexpr Field kRandomSitesFields[] = {
    field<&RandomSitesOptions::shape>(kMadeShape),
    field<&RandomSitesOptions::count>({.name = "count", .help = "number of sites"}),
    field<&RandomSitesOptions::seed>(kSeed),
};

constexpr Field kMaterialMapFields[] = {
    field<&MaterialMapOptions::shape>(kMadeShape),
    field<&MaterialMapOptions::material>(
        {.name = "material", .help = "material that fills the map"}),
    field<&MaterialMapOptions::seed>(kSeed),
};

constexpr Field kPathFields[] = {
    field<&LeastCostPathOptions::connectivity>(
        {.name = "connectivity", .help = "connectivity with which the back links were made"}),
    field<&LeastCostPathOptions::from>(
        {.name = "from", .help = "coordinates of the first cell of the path", .unit = "cells"}),
};

constexpr Field kLineFields[] = {
    field<&LeastCostLineOptions::connectivity>(
        {.name = "connectivity", .help = "connectivity with which the back links were made"}),
    field<&LeastCostLineOptions::spacing>(
        {.name = "spacing", .help = "world length of a cell along each axis", .if_missing = "1"}),
    field<&LeastCostLineOptions::from>(
        {.name = "from", .help = "coordinates of the first point of the line", .unit = "cells"}),
};

constexpr Output kComponentsOutputs[] = {
    output<&ComponentsOutputs::labels>({.name = "labels",
                                        .help = "number of each cell's component, from 1 on",
                                        .type = TypeRule::labels}),
};

constexpr Output kRandomSitesOutputs[] = {
    output<&RandomSitesOutputs::sites>(
        {.name = "sites", .help = "1, 2, ... at the sites, else 0", .type = TypeRule::labels}),
};

constexpr Output kMaterialMapOutputs[] = {
    output<&MaterialMapOutputs::map>({.name = "map",
                                      .help = "stiffness or cost of each cell",
                                      .subject = Subject::none,
                                      .type = TypeRule::distance}),
};

constexpr Result kComponentsResults[] = {
    result<&ComponentsResults::count>({.name = "count", .help = "number of components"}),
};

constexpr Result kPathResults[] = {
    result<&LeastCostPathResults::path>(
        {.name = "path", .help = "linear indices of the cells back to the site"}),
};

constexpr Result kLineResults[] = {
    result<&LeastCostLineResults::line>(
        {.name = "line", .help = "coordinates of the points back to the site, in cells"}),
};

static_assert(detail::are_sound(kComponentsInputs, kComponentsFields, kComponentsOutputs));
static_assert(detail::are_sound({}, kRandomSitesFields, kRandomSitesOutputs));
static_assert(detail::are_sound({}, kMaterialMapFields, kMaterialMapOutputs));
static_assert(detail::are_sound(kPathInputs, kPathFields, {}));
static_assert(detail::are_sound(kLineInputs, kLineFields, {}));
static_assert(detail::count_members<ComponentsOptions>() == std::size(kComponentsFields));

}  // namespace

constinit const Operation kConnectedComponents = {
    .name = "connected_components",
    .help = "numbers the connected areas of equal value",
    .inputs = kComponentsInputs,
    .fields = kComponentsFields,
    .outputs = kComponentsOutputs,
    .results = kComponentsResults,
    .defaults = &defaults_of<ComponentsOptions>};

constinit const Operation kRandomSites = {.name = "random_sites",
                                          .help = "draws distinct cells, and labels them",
                                          .fields = kRandomSitesFields,
                                          .outputs = kRandomSitesOutputs,
                                          .defaults = &defaults_of<RandomSitesOptions>};

constinit const Operation kMaterialMap = {.name = "material_map",
                                          .help = "a map to try cost distance on",
                                          .fields = kMaterialMapFields,
                                          .outputs = kMaterialMapOutputs,
                                          .defaults = &defaults_of<MaterialMapOptions>};

constinit const Operation kLeastCostPath = {.name = "least_cost_path",
                                            .help = "cells on the way from a cell back to its site",
                                            .inputs = kPathInputs,
                                            .fields = kPathFields,
                                            .results = kPathResults,
                                            .defaults = &defaults_of<LeastCostPathOptions>};

constinit const Operation kLeastCostLine = {.name = "least_cost_line",
                                            .help = "way from a place back to its site, as a line",
                                            .inputs = kLineInputs,
                                            .fields = kLineFields,
                                            .results = kLineResults,
                                            .defaults = &defaults_of<LeastCostLineOptions>};

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/slabs/cost_slabs.hpp"

#include <limits>

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/cost_distance_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input kCostSlabInputs[] = {
    input<&CostSlabInputs::cost>({.name = "cost",
                                  .help = "cost of crossing each cell, per unit of length",
                                  .one_of = "map"}),
    input<&CostSlabInputs::stiffness>({.name = "stiffness",
                                       .help = "stiffness of each cell, the inverse of a cost",
                                       .one_of = "map"}),
    input<&CostSlabInputs::sites>({.name = "sites", .help = "raster of sites, for first visits"}),
    input<&CostSlabInputs::points>({.name = "points",
                                    .help = "coordinates of all sites in cells, (points, axes)",
                                    .kind = InputKind::points}),
    input<&CostSlabInputs::point_labels>(text::kPointLabels),
    input<&CostSlabInputs::initial_cost>({.name = "initial_cost",
                                          .help = "cost with which a path starts at each site",
                                          .kind = InputKind::values}),
};

constexpr Input kQueueInputs[] = {
    input<&CostSlabQueueInputs::heights>({.name = "heights",
                                          .help = "rows or planes of each slab, in order",
                                          .kind = InputKind::values,
                                          .is_required = true}),
};

constexpr FieldText kSlabShape = {.name = "shape",
                                  .help = "extents of the whole raster",
                                  .group = "Slab",
                                  .range = from_to(0, 1 << 30)};
constexpr FieldText kSlabFirst = {
    .name = "first", .help = "first row or plane of the slab itself", .group = "Slab"};
constexpr FieldText kSlabCount = {
    .name = "count", .help = "number of rows or planes of the slab itself", .group = "Slab"};

constexpr Field kCostSlabOwnFields[] = {
    field<&CostSlabOptions::stage>(
        {.name = "stage", .help = "stage of the search", .group = "Slab"}),
    field<&CostSlabOptions::shape>(kSlabShape),
    field<&CostSlabOptions::first>(kSlabFirst),
    field<&CostSlabOptions::count>(kSlabCount),
    field<&CostSlabOptions::sites_before>({.name = "sites_before",
                                           .help = "number of boolean sites in the slabs above",
                                           .group = "Slab"}),
};
/// Slabs have no elevation, and the nearest site alone; they do not know how far from a barrier the
/// next open cell lies.
constexpr std::string_view kNotForSlabs[] = {"k",
                                             "walk",
                                             "walk_direction",
                                             "walk_map",
                                             "slope_factor",
                                             "walk_coefficients",
                                             "walk_slopes",
                                             "walk_factors",
                                             "elevation_nodata",
                                             "snap_distance"};
constexpr auto kCostSlabFields =
    detail::join(kCostSlabOwnFields, detail::without(kCostDistanceFields, kNotForSlabs));

constexpr Field kCostSlabRowsFields[] = {
    field<&CostSlabRowsOptions::connectivity>(
        {.name = "connectivity", .help = "which cells are neighbours"}),
    field<&CostSlabRowsOptions::shape>(kSlabShape),
    field<&CostSlabRowsOptions::first>(kSlabFirst),
    field<&CostSlabRowsOptions::count>(kSlabCount),
};

constexpr FieldText kAbove = {.name = "above", .help = "result of this name of the visit"};
constexpr FieldText kBelow = {.name = "below", .help = "result of this name of the visit"};

constexpr Field kAddFields[] = {
    field<&AddCostSlabOptions::slab>(
        {.name = "slab", .help = "place of the slab that was visited", .range = at_least(0)}),
    field<&AddCostSlabOptions::above>(kAbove),
    field<&AddCostSlabOptions::below>(kBelow),
};

constexpr Output kKnownOutputs[] = {
    output<&CostSlabOutputs::resistance>({.name = "resistance",
                                          .help = "map in the type of the costs, by first visits",
                                          .subject = Subject::none,
                                          .type = TypeRule::distance,
                                          .is_read = true}),
    output<&CostSlabOutputs::known_cost>({.name = "known_cost",
                                          .help = "least known cost of each cell",
                                          .subject = Subject::distance,
                                          .type = TypeRule::distance,
                                          .unreached = std::numeric_limits<double>::infinity(),
                                          .is_read = true}),
    output<&CostSlabOutputs::known_site_index>({.name = "known_site_index",
                                                .help = "index of the known site of each cell",
                                                .unreached = kUnreached,
                                                .is_read = true}),
    output<&CostSlabOutputs::known_labels>({.name = "known_labels",
                                            .help = "label of this site",
                                            .type = TypeRule::labels,
                                            .is_read = true}),
    output<&CostSlabOutputs::known_hops>({.name = "known_hops",
                                          .help = "steps back to this site",
                                          .unreached = -1,
                                          .is_read = true}),
};
constexpr auto kFinishOutputs = detail::join(kKnownOutputs, kCostDistanceOutputs);

constexpr Result kVisitResults[] = {
    result<&CostSlabReport::above>(
        {.name = "above", .help = "least cost that changes in the two rows above; infinity: none"}),
    result<&CostSlabReport::below>(
        {.name = "below", .help = "least cost that changes in the two rows below; infinity: none"}),
    result<&CostSlabReport::sites>(
        {.name = "sites", .help = "number of sites in the slab's own rows"}),
    result<&CostSlabReport::ignored_sites>(
        {.name = "ignored_sites", .help = "number of sites on barriers or outside of the raster"}),
    result<&CostSlabReport::first_ignored_site>(
        {.name = "first_ignored_site", .help = "index of the first of them"}),
};

constexpr Result kRowsResults[] = {
    result<&SlabRows::first>({.name = "first", .help = "first row or plane of the arrays"}),
    result<&SlabRows::count>({.name = "count", .help = "number of rows or planes of the arrays"}),
};

constexpr Result kNextResults[] = {
    result<&NextCostSlabResults::slab>(
        {.name = "slab", .help = "place of the slab to visit; -1 if none waits"}),
    result<&NextCostSlabResults::is_first>(
        {.name = "is_first", .help = "1 for the first visit in the stage"}),
};

static_assert(detail::are_sound(kCostSlabInputs, kCostSlabFields, kKnownOutputs));
static_assert(detail::are_sound({}, kCostSlabRowsFields, {}));
static_assert(detail::are_named(std::span<const Output>(kFinishOutputs)));
static_assert(detail::count_members<CostSlabReport>() == std::size(kVisitResults));

}  // namespace

constinit const Operation kCostSlabRows = {
    .name = "cost_slab_rows",
    .help = "rows that the arrays of a slab hold: its own and the rows beside it",
    .fields = kCostSlabRowsFields,
    .results = kRowsResults,
    .defaults = &defaults_of<CostSlabRowsOptions>};

constinit const Operation kBeginCostSlab = {.name = "begin_cost_slab",
                                            .help = "visits a slab for the first time in a stage",
                                            .inputs = kCostSlabInputs,
                                            .fields = kCostSlabFields,
                                            .outputs = kKnownOutputs,
                                            .results = kVisitResults,
                                            .defaults = &defaults_of<CostSlabOptions>};

constinit const Operation kContinueCostSlab = {
    .name = "continue_cost_slab",
    .help = "visits a slab again, after rows beside it have changed",
    .inputs = kCostSlabInputs,
    .fields = kCostSlabFields,
    .outputs = kKnownOutputs,
    .results = kVisitResults,
    .defaults = &defaults_of<CostSlabOptions>};

constinit const Operation kFinishCostSlab = {.name = "finish_cost_slab",
                                             .help = "writes the outputs of a slab",
                                             .inputs = kCostSlabInputs,
                                             .fields = kCostSlabFields,
                                             .outputs = kFinishOutputs,
                                             .defaults = &defaults_of<CostSlabOptions>};

constinit const Operation kCostSlabQueue = {
    .name = "cost_slab_queue",
    .help = "says which slab is to be visited next in a stage",
    .role = Role::solver_only,
    .inputs = kQueueInputs,
    .defaults = &defaults_of<NoOptions>};

constinit const Operation kNextCostSlab = {.name = "next_cost_slab",
                                           .help = "takes the next slab of a queue",
                                           .role = Role::solver_function,
                                           .results = kNextResults,
                                           .defaults = &defaults_of<NoOptions>};

constinit const Operation kAddCostSlab = {.name = "add_cost_slab",
                                          .help = "enters the results of a visit into a queue",
                                          .role = Role::solver_function,
                                          .fields = kAddFields,
                                          .defaults = &defaults_of<AddCostSlabOptions>};

}  // namespace thiessen

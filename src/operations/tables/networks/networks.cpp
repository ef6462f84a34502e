// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/networks/networks.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/distances/cost_distance_fields.hpp"
#include "operations/tables/shared/join.hpp"

namespace thiessen {
namespace {

constexpr Input raster_of_places(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .one_of = name, .argument = name};
}
/// Points in the place of the raster `group`.
constexpr Input points_of_places(std::string_view name, std::string_view group,
                                 std::string_view help) {
  return {.name = name, .help = help, .kind = InputKind::points, .one_of = group};
}
constexpr Input labels_of_places(std::string_view name) {
  return {.name = name,
          .help = "labels of these points; those of equal labels are one place",
          .kind = InputKind::values};
}

constexpr Input kCostTableInputs[] = {
    input<&CostTableInputs::cost>(text::kCost),
    input<&CostTableInputs::stiffness>(text::kStiffness),
    input<&CostTableInputs::elevation>(text::kElevation),
    input<&CostTableInputs::origins>(raster_of_places(
        "origins", "raster: the cells of each label are a place where ways begin")),
    input<&CostTableInputs::origin_points>(points_of_places(
        "origin_points", "origins", "places where ways begin in cells, (points, axes)")),
    input<&CostTableInputs::origin_labels>(labels_of_places("origin_labels")),
    input<&CostTableInputs::destinations>(raster_of_places(
        "destinations", "raster: the cells of each label are a place where ways end")),
    input<&CostTableInputs::destination_points>(points_of_places(
        "destination_points", "destinations", "places where ways end in cells, (points, axes)")),
    input<&CostTableInputs::destination_labels>(labels_of_places("destination_labels")),
    input<&CostTableInputs::pairs>(
        {.name = "pairs",
         .help = "position of an origin and of a destination, (pairs, 2); by default all pairs",
         .kind = InputKind::indices}),
};

constexpr Input kNetworkInputs[] = {
    input<&NetworkInputs::cost>(text::kCost),
    input<&NetworkInputs::stiffness>(text::kStiffness),
    input<&NetworkInputs::elevation>(text::kElevation),
    input<&NetworkInputs::sites>(
        raster_of_places("sites", "raster: the cells of each label are a place")),
    input<&NetworkInputs::points>(
        points_of_places("points", "sites", "coordinates of places in cells, (points, axes)")),
    input<&NetworkInputs::point_labels>(labels_of_places("point_labels")),
};

constexpr Input kCorridorInputs[] = {
    input<&CorridorInputs::cost>(text::kCost),
    input<&CorridorInputs::stiffness>(text::kStiffness),
    input<&CorridorInputs::elevation>(text::kElevation),
    input<&CorridorInputs::first>(
        raster_of_places("first", "raster: its sites are where ways begin")),
    input<&CorridorInputs::first_points>(points_of_places(
        "first_points", "first", "points where ways begin in cells, (points, axes)")),
    input<&CorridorInputs::second>(
        raster_of_places("second", "raster: its sites are where ways end")),
    input<&CorridorInputs::second_points>(points_of_places(
        "second_points", "second", "points where ways end in cells, (points, axes)")),
};

/// Options of labels, which searches give their own; the type of costs, which is f64; and the
/// direction of walks, which is that of the ways.
constexpr std::string_view kOptionsOfSearches[] = {"walk_direction", "labels_carried", "unreached",
                                                   "nodata_label", "distance_type"};
constexpr auto kSearchFields = detail::without(kCostDistanceFields, kOptionsOfSearches);

constexpr Field kTableOwnFields[] = {
    field<&CostTableCallOptions::table, &CostTableOptions::paths>(
        {.name = "paths", .help = "also gives the ways themselves", .group = "Output"}),
};
constexpr auto kCostTableFields = detail::join(kTableOwnFields, kSearchFields);

constexpr std::string_view kWithinName[] = {"within"};
constexpr std::string_view kWithinPercentName[] = {"within_percent"};
constexpr Field kCorridorOwnFields[] = {
    field<&CorridorCallOptions::corridor, &CorridorOptions::within>(
        {.name = "within",
         .help = "cells of at most this excess cost are inside",
         .group = "Corridor",
         .unit = "costs",
         .if_missing = "none is",
         .range = at_least(0),
         .not_with = kWithinPercentName}),
    field<&CorridorCallOptions::corridor, &CorridorOptions::within_percent>(
        {.name = "within_percent",
         .help = "the same in percent of the least cost",
         .group = "Corridor",
         .if_missing = "none is",
         .range = at_least(0),
         .not_with = kWithinName}),
    field<&CorridorCallOptions::distance_type>(
        {.name = "distance_type", .help = "type of excess costs", .group = "Output"}),
};
constexpr auto kCorridorFields = detail::join(kCorridorOwnFields, kSearchFields);

constexpr Output kCorridorOutputs[] = {
    output<&CorridorOutputs::excess_cost>(
        {.name = "excess_cost",
         .help = "what the best way over the cell costs more than the best way of all",
         .subject = Subject::distance,
         .type = TypeRule::distance,
         .unreached = std::numeric_limits<double>::infinity(),
         .nodata = std::numeric_limits<double>::quiet_NaN()}),
    output<&CorridorOutputs::inside>({.name = "inside",
                                      .help = "1 in the cells that within or within_percent allow",
                                      .subject = Subject::none}),
};

constexpr ResultText kLengths = {.name = "lengths", .help = "length of each way on the map"};
constexpr ResultText kWayPoints = {
    .name = "points", .help = "first cell of each way in the list of cells, and their number"};
constexpr ResultText kWayCells = {.name = "cells",
                                  .help = "linear indices of the cells of ways, from end to end"};
constexpr ResultText kCellCosts = {
    .name = "cell_costs", .help = "cost of the way from its beginning to each of these cells"};

constexpr Result kCostTableResults[] = {
    result<&CostTable::origins>({.name = "origins", .help = "label of each origin, ascending"}),
    result<&CostTable::destinations>(
        {.name = "destinations", .help = "label of each destination, ascending"}),
    result<&CostTable::costs>(
        {.name = "costs", .help = "cost of each pair; infinity where there is no way"}),
    result<&CostTable::paths, &LeastCostPaths::lengths>(kLengths),
    result<&CostTable::paths, &LeastCostPaths::points>(kWayPoints),
    result<&CostTable::paths, &LeastCostPaths::cells>(kWayCells),
    result<&CostTable::paths, &LeastCostPaths::cell_costs>(kCellCosts),
};

constexpr Result kNetworkResults[] = {
    result<&LeastCostNetwork::labels>({.name = "labels", .help = "label of each place, ascending"}),
    result<&LeastCostNetwork::a>({.name = "a", .help = "lesser label of each edge, ascending"}),
    result<&LeastCostNetwork::b>({.name = "b", .help = "greater label of each edge"}),
    result<&LeastCostNetwork::costs>({.name = "costs", .help = "cost of the way of each edge"}),
    result<&LeastCostNetwork::in_tree>(
        {.name = "in_tree", .help = "1 in the minimum spanning tree, else 0"}),
    result<&LeastCostNetwork::paths, &LeastCostPaths::lengths>(kLengths),
    result<&LeastCostNetwork::paths, &LeastCostPaths::points>(kWayPoints),
    result<&LeastCostNetwork::paths, &LeastCostPaths::cells>(kWayCells),
    result<&LeastCostNetwork::paths, &LeastCostPaths::cell_costs>(kCellCosts),
};

constexpr Result kCorridorResults[] = {
    result<&CorridorReport::least_cost>({.name = "least_cost", .help = "cost of the best way"}),
};

static_assert(detail::are_sound(kCostTableInputs, kCostTableFields, {}));
static_assert(detail::are_sound(kNetworkInputs, kSearchFields, {}));
static_assert(detail::are_sound(kCorridorInputs, kCorridorFields, kCorridorOutputs));
// The pairs are an input.
static_assert(detail::count_members<CostTableOptions>() == std::size(kTableOwnFields) + 1);
static_assert(detail::count_members<CorridorOptions>() == std::size(kCorridorOwnFields) - 1);
static_assert(detail::count_members<CorridorOutputs>() == std::size(kCorridorOutputs));
static_assert(detail::count_members<CorridorReport>() == std::size(kCorridorResults));
// Paths have rows of their own.
static_assert(detail::count_members<CostTable>() - 1 + detail::count_members<LeastCostPaths>() ==
              std::size(kCostTableResults));
static_assert(detail::count_members<LeastCostNetwork>() - 1 +
                  detail::count_members<LeastCostPaths>() ==
              std::size(kNetworkResults));

}  // namespace

constinit const Operation kCostTable = {
    .name = "cost_table",
    .help = "costs of the ways from places to other places: an origin-destination table",
    .inputs = kCostTableInputs,
    .fields = kCostTableFields,
    .results = kCostTableResults,
    .defaults = &defaults_of<CostTableCallOptions>};

constinit const Operation kLeastCostNetwork = {
    .name = "least_cost_network",
    .help = "ways of least cost between neighbouring places, and their minimum spanning tree",
    .inputs = kNetworkInputs,
    .fields = kSearchFields,
    .results = kNetworkResults,
    .defaults = &defaults_of<CostDistanceOptions>};

constinit const Operation kCorridor = {
    .name = "corridor",
    .help = "how much more than the best way between two places a way over each cell costs",
    .inputs = kCorridorInputs,
    .fields = kCorridorFields,
    .outputs = kCorridorOutputs,
    .results = kCorridorResults,
    .defaults = &defaults_of<CorridorCallOptions>};

}  // namespace thiessen

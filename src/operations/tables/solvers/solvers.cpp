// SPDX-License-Identifier: Apache-2.0
#include "operations/tables/solvers/solvers.hpp"

#include "operations/checks/tables.hpp"
#include "operations/rows/operation.hpp"
#include "operations/rows/result_member.hpp"
#include "operations/tables/shared/options.hpp"

namespace thiessen {
namespace {

/// Linear indices of cells, or places in the list of points.
constexpr Input indices(std::string_view name, std::string_view help) {
  return {.name = name, .help = help, .kind = InputKind::indices, .is_required = true};
}
constexpr Input values(std::string_view name, std::string_view help, bool is_required) {
  return {.name = name, .help = help, .kind = InputKind::values, .is_required = is_required};
}

constexpr Input kPlaces = {.name = "points",
                           .help = "coordinates in cells, (points, axes)",
                           .kind = InputKind::points,
                           .is_required = true};
constexpr Input kStart = values("initial_cost", "cost with which paths start; only by cost", false);
constexpr Input kNewValues = values("values", "new values of these cells", true);

constexpr Input kAddPointsInputs[] = {
    input<&UpdateInputs::points>(kPlaces),
    input<&UpdateInputs::point_labels>(text::kPointLabels),
    input<&UpdateInputs::initial_cost>(kStart),
};

constexpr Input kMovePointsInputs[] = {
    input<&UpdateInputs::sites>(indices("sites", "positions in the list, each once")),
    input<&UpdateInputs::points>(kPlaces),
};

constexpr Input kAddSitesInputs[] = {
    input<&UpdateInputs::cells>(indices("cells", "cells that become sites, each once")),
    input<&UpdateInputs::labels>(values("labels", "their labels", false)),
    input<&UpdateInputs::initial_cost>(kStart),
};

constexpr Input kMoveSitesInputs[] = {
    input<&UpdateInputs::from>(indices("from", "cells of the sites that move, each once")),
    input<&UpdateInputs::to>(indices("to", "cells that they move to, each once")),
};

constexpr Input kRemoveSitesInputs[] = {
    input<&UpdateInputs::sites>(indices("sites", "sites that go: cells or positions, each once")),
};

constexpr Input kFindSitesInputs[] = {
    input<&UpdateInputs::sites>(
        {.name = "sites", .help = "sites: cells or positions", .kind = InputKind::indices}),
};

constexpr Input kUpdateInputs[] = {
    input<&UpdateInputs::cells>(indices("cells", "cells that change")),
    input<&UpdateInputs::values>(kNewValues),
};

constexpr Input kUpdateBoxInputs[] = {
    input<&UpdateInputs::values>(
        {.name = "values", .help = "new values of a box of cells", .is_required = true}),
};

constexpr Input kUpdateFacesInputs[] = {
    input<&UpdateInputs::blocked_faces>(
        {.name = "blocked_faces",
         .help = "new blocked faces of a box of cells, as of cost_distance",
         .is_required = true}),
};

constexpr Input kInitialCostInputs[] = {
    input<&UpdateInputs::sites>(indices("sites", "sites: cells or positions, each once")),
    input<&UpdateInputs::initial_cost>(
        values("initial_cost", "cost with which paths start at them", true)),
};

constexpr Field kUpdateBoxFields[] = {
    field<&UpdateBoxOptions::first>(
        {.name = "first", .help = "coordinates of the first cell of the box", .unit = "cells"}),
};

constexpr Result kAddPointsResults[] = {
    result<&AddPointsResults::first>(
        {.name = "first", .help = "position of the first of the new points"}),
};

constexpr Result kChangesResults[] = {
    result<&Changes::cells>(
        {.name = "cells", .help = "number of cells whose site or distance changed"}),
    result<&Changes::first>(
        {.name = "first",
         .help = "first cell of the box that holds them; empty if there are none"}),
    result<&Changes::last>(
        {.name = "last", .help = "last cell of the box that holds them; empty if there are none"}),
    result<&Changes::sites>(
        {.name = "sites", .help = "sites that gained or lost a cell, ascending"}),
};

constexpr Result kChangedCellsResults[] = {
    result<&ChangedCells::cell>(
        {.name = "cell", .help = "linear indices of the cells that changed, ascending"}),
    result<&ChangedCells::site_before>(
        {.name = "site_before",
         .help = "site index that each cell had before: -1 unreached, -2 nodata"}),
};

constexpr Result kSolverBytesResults[] = {
    result<&SolverBytesResults::bytes>(
        {.name = "bytes", .help = "memory that the solver holds, without that of the context"}),
};

constexpr Result kFindSitesResults[] = {
    result<&FindSitesResults::positions>(
        {.name = "positions", .help = "length of the list with its absent points, or cells"}),
    result<&FindSitesResults::present>(
        {.name = "present", .help = "1 for each of the sites that is there now, else 0"}),
};

static_assert(detail::are_sound(kAddPointsInputs, {}, {}));
static_assert(detail::are_sound(kMovePointsInputs, {}, {}));
static_assert(detail::are_sound(kAddSitesInputs, {}, {}));
static_assert(detail::are_sound(kUpdateBoxInputs, kUpdateBoxFields, {}));
static_assert(detail::are_sound(kUpdateFacesInputs, kUpdateBoxFields, {}));
static_assert(detail::count_members<Changes>() == std::size(kChangesResults));
// The cells have what keeps their memory besides.
static_assert(detail::count_members<ChangedCells>() == std::size(kChangedCellsResults) + 1);

/// An operation of solvers without options.
constexpr Operation on_solver(std::string_view name, std::string_view help,
                              std::span<const Input> inputs, std::span<const Result> results) {
  return {.name = name,
          .help = help,
          .role = Role::solver_function,
          .inputs = inputs,
          .results = results,
          .defaults = &defaults_of<NoOptions>};
}

}  // namespace

constinit const Operation kAddPoints = on_solver("add_points", "puts points at the end of the list",
                                                 kAddPointsInputs, kAddPointsResults);
constinit const Operation kMovePoints =
    on_solver("move_points", "moves points; an absent one comes back", kMovePointsInputs, {});
constinit const Operation kAddSites =
    on_solver("add_sites", "makes cells of a raster sites", kAddSitesInputs, {});
constinit const Operation kMoveSites =
    on_solver("move_sites", "moves sites of a raster to other cells", kMoveSitesInputs, {});
constinit const Operation kRemoveSites = on_solver(
    "remove_sites", "removes sites: points become absent, cells 0", kRemoveSitesInputs, {});
constinit const Operation kFindSites =
    on_solver("find_sites", "says which sites are there now", kFindSitesInputs, kFindSitesResults);
constinit const Operation kUpdateSites =
    on_solver("update_sites", "puts new values into cells of the sites", kUpdateInputs, {});
constinit const Operation kUpdateMap =
    on_solver("update_map", "puts new values into cells of the map", kUpdateInputs, {});
constinit const Operation kUpdateBox = {
    .name = "update_box",
    .help = "puts new values into a box of cells: of the sites, or by cost of the map",
    .role = Role::solver_function,
    .inputs = kUpdateBoxInputs,
    .fields = kUpdateBoxFields,
    .defaults = &defaults_of<UpdateBoxOptions>};
constinit const Operation kUpdateBlockedFaces = {
    .name = "update_blocked_faces",
    .help = "blocks and opens faces between cells of a box",
    .role = Role::solver_function,
    .inputs = kUpdateFacesInputs,
    .fields = kUpdateBoxFields,
    .defaults = &defaults_of<UpdateBoxOptions>};
constinit const Operation kSetInitialCost =
    on_solver("set_initial_cost", "sets the cost with which paths from some sites start",
              kInitialCostInputs, {});
constinit const Operation kSolve = on_solver(
    "solve", "brings the outputs up to date, and returns the changes", {}, kChangesResults);
constinit const Operation kEnqueue =
    on_solver("enqueue", "brings the outputs up to date without waiting for a device", {}, {});
constinit const Operation kChanges = on_solver(
    "changes", "waits, and returns the changes of the last solve or enqueue", {}, kChangesResults);
constinit const Operation kChangedCells = on_solver(
    "changed_cells", "cells that the last solve or enqueue changed", {}, kChangedCellsResults);
constinit const Operation kSolverBytes =
    on_solver("solver_bytes", "tells how much memory a solver holds", {}, kSolverBytesResults);

}  // namespace thiessen

// SPDX-License-Identifier: Apache-2.0
//
//   tiles          all searches by tiles: the linear methods do everything
//   patches        the choice of places with dots by their patches: sites are dots everywhere
//   lines first    in 3-D, before the far search where little is left: it always comes after it
//   lines last     … after the far search elsewhere: it always comes before it
//   all but far    all that the far search can do alone
//   passes         over tiles: the heap does everything
//   hand-over      from passes to the heap: passes do everything
#include "engines.hpp"

namespace thiessen::ablation {
namespace {

constexpr std::int64_t kNever = std::int64_t{1} << 40;

void leave_out_nothing(ContextState&) {}
/// The linear methods are the only ones without vectors.
void leave_out_vectors(ContextState& state) { state.instruction_sets = 0; }

void leave_out_dense(ContextState& state) { state.limits.dense_percent = {101, 101}; }
void leave_out_lists(ContextState& state) { state.limits.near_sites_per_tile = 0; }
void leave_out_windows(ContextState& state) {
  state.limits.distance_windows.reach = state.limits.site_windows.reach = {0, 0};
}
void leave_out_far(ContextState& state) { state.limits.far_reach = {0, 0}; }
void leave_out_lines(ContextState& state) { state.limits.line_work = -1; }
void leave_out_dots(ContextState& state) {
  leave_out_dense(state);
  leave_out_lists(state);
  state.limits.cells_for_tables = kNever;
}
void leave_out_near(ContextState& state) {
  leave_out_lists(state);
  leave_out_windows(state);
}

bool searches_tiles(const Stages& stages) {
  return stages.has("marks") || stages.has("near search") || stages.has("far search") ||
         stages.has("line search") || stages.has("boundary: marks");
}
/// Where the searches among dots do not come first, marks have a phase of their own.
bool searches_dots(const Stages& stages) {
  return stages.count("near search") > stages.count("marks");
}
bool searches_near(const Stages& stages) {
  return stages.has("near search") || stages.has("boundary: near search");
}
bool searches_far(const Stages& stages) { return stages.has("far search"); }
bool searches_lines(const Stages& stages) { return stages.has("line search"); }
bool searches_near_or_far(const Stages& stages) {
  return searches_near(stages) || searches_far(stages);
}
bool are_lines_first(const Stages& stages) {
  return searches_lines(stages) && stages.place_of("line search") < stages.place_of("far search");
}
bool is_far_first(const Stages& stages) {
  return searches_far(stages) && stages.place_of("far search") < stages.place_of("line search");
}
/// Where the lines leave nothing, or there is no far search, stages do not show which is first.
bool are_lines_not_first(const Stages& stages) {
  return !searches_far(stages) || is_far_first(stages);
}

constexpr Engine kOfSites[] = {
    {"nothing", leave_out_nothing},
    {"tiles", leave_out_vectors, searches_tiles,
     [](const Stages& stages) { return !searches_tiles(stages); }},
    {"dense", leave_out_dense, searches_dots,
     [](const Stages& stages) { return !stages.solved_by("dense"); }},
    {"lists", leave_out_lists, searches_dots},
    {"dense+lists", leave_out_dots, searches_dots,
     [](const Stages& stages) { return !stages.solved_by("dense"); }},
    {"patches",
     [](ContextState& state) {
       state.limits.cells_per_patch = {kNever, kNever};
     },
     searches_dots},
    {"windows", leave_out_windows, searches_near},
    {"lists+windows", leave_out_near, searches_near,
     [](const Stages& stages) { return !stages.solved_by("near"); }},
    {"far", leave_out_far, searches_far,
     [](const Stages& stages) { return !searches_far(stages); }},
    {"far: cubes", [](ContextState& state) { state.limits.far_sites_per_cube = kNever; },
     searches_far, nullptr, 3},
    {"far: sites sorted by counting",
     [](ContextState& state) {
       state.limits.far_counted_sites = {0, 0};
     },
     searches_far},
    {"far: inner sites dropped",
     [](ContextState& state) { state.limits.sites_per_full_unit = kNever; }, searches_far},
    {"lines", leave_out_lines, searches_lines,
     [](const Stages& stages) { return !searches_lines(stages); }},
    {"lines first", [](ContextState& state) { state.limits.line_leaves_per_open_leaf = kNever; },
     are_lines_first, are_lines_not_first, 3},
    {"lines last", [](ContextState& state) { state.limits.line_leaves_per_open_leaf = 0; },
     [](const Stages& stages) { return is_far_first(stages); }, nullptr, 3},
    {"windows+lines",
     [](ContextState& state) {
       leave_out_windows(state);
       leave_out_lines(state);
     },
     searches_near},
    {"far+lines",
     [](ContextState& state) {
       leave_out_far(state);
       leave_out_lines(state);
     },
     [](const Stages& stages) { return searches_far(stages) || searches_lines(stages); },
     [](const Stages& stages) { return !searches_far(stages) && !searches_lines(stages); }},
    {"all but far",
     [](ContextState& state) {
       leave_out_dots(state);
       leave_out_windows(state);
       leave_out_lines(state);
     },
     searches_near_or_far,
     [](const Stages& stages) {
       return !stages.solved_by("dense") && !stages.solved_by("near") && !searches_lines(stages);
     }},
    {"writing past caches", [](ContextState& state) { state.limits.cache_bytes = kNever; },
     searches_tiles},
};

constexpr Engine kOfEarth[] = {
    {"nothing", leave_out_nothing},
    {"vectors", leave_out_vectors},
};

constexpr Engine kOfCost[] = {
    {"nothing", leave_out_nothing},
    {"vectors", leave_out_vectors},
    {"passes", [](ContextState& state) { state.limits.cost_sweeps_per_tile = -1; }},
    {"hand-over to the heap",
     [](ContextState& state) { state.limits.cost_sweeps_per_tile = kNever; }},
    {"level ground", [](ContextState& state) { state.limits.cost_knows_level_ground = false; }},
    {"ranks by tiles", [](ContextState& state) { state.limits.cost_visits_per_tile = 0; },
     [](const Stages& stages) { return stages.has("labels"); }},
};

}  // namespace

std::span<const Engine> engines_of_sites() { return kOfSites; }
std::span<const Engine> engines_of_earth() { return kOfEarth; }
std::span<const Engine> engines_of_cost() { return kOfCost; }

}  // namespace thiessen::ablation

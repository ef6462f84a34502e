// SPDX-License-Identifier: Apache-2.0
#include "thiessen/placing.hpp"

#include <utility>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/changes.hpp"
#include "api/c/cost_distance.hpp"
#include "api/c/nearest_site.hpp"
#include "api/c/tables.hpp"

namespace {

using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::check_table;
using thiessen::c::column;
using thiessen::c::free_table;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_cost_options;
using thiessen::c::to_grid;
using thiessen::c::to_indices;
using thiessen::c::to_optional_view;
using thiessen::c::to_periodic;
using thiessen::c::to_spacing;
using thiessen::c::to_view;
using thiessen::c::write_struct;
using thiessen::c::write_table;

static_assert(static_cast<std::int32_t>(thiessen::RelaxEnd::energy) == THIESSEN_RELAX_ENERGY);

thiessen_relax_options relax_defaults() {
  const thiessen::RelaxOptions defaults;
  thiessen_relax_options options{};
  options.size = sizeof options;
  options.steps = defaults.steps;
  options.tolerance = defaults.tolerance;
  options.least_fall = defaults.least_fall;
  return options;
}

thiessen_farthest_options farthest_defaults() {
  const thiessen::FarthestOptions defaults;
  thiessen_farthest_options options{};
  options.size = sizeof options;
  options.count = defaults.count;
  options.within = defaults.within;
  return options;
}

thiessen::RelaxOptions to_cpp(const thiessen_relax_options& options, int rank) {
  return {.steps = options.steps,
          .tolerance = options.tolerance,
          .least_fall = options.least_fall,
          .periodic = to_periodic(options.periodic, rank)};
}

thiessen::FarthestOptions to_cpp(const thiessen_farthest_options& options, int rank) {
  return {.count = options.count,
          .within = options.within,
          .periodic = to_periodic(options.periodic, rank)};
}

/// A grid with the spacing of the options.
thiessen::Grid to_spaced_grid(std::int32_t rank, const std::int64_t* extents,
                              const double* spacing) {
  thiessen::Grid grid = to_grid(rank, extents);
  grid.spacing = to_spacing(spacing, rank);
  return grid;
}

void refuse_spacing(const double* spacing) {
  if (spacing != nullptr) thiessen::refuse("spacing is given in options; that of cost counts");
}

/// The columns that the tables of points and of cells have in common.
thiessen_relaxation to_c(const thiessen::Relaxation& done) {
  thiessen_relaxation table{};
  table.steps = static_cast<std::int64_t>(done.farthest_move.size());
  table.energy = column(done.energy);
  table.farthest_move = column(done.farthest_move);
  table.end = static_cast<std::int32_t>(done.end);
  return table;
}

/// What a thiessen_relaxation keeps: points or cells.
struct Relaxed {
  thiessen::RelaxedPoints points;
  thiessen::RelaxedCells cells;
};

thiessen_farthest_table to_table(const thiessen::FarthestSites& found) {
  thiessen_farthest_table table{};
  table.rows = static_cast<std::int64_t>(found.cells.size());
  table.cells = column(found.cells);
  table.distance = column(found.distance);
  table.radius = found.radius;
  return table;
}

}  // namespace

thiessen_status thiessen_relax_options_init(thiessen_relax_options* options, size_t size) {
  return at_boundary([&] { write_struct("options", options, size, relax_defaults()); });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_relax_sites(thiessen_context* context, const thiessen_array* points,
                                     int32_t rank, const int64_t* extents,
                                     const thiessen_relax_options* options,
                                     const thiessen_array* density, const thiessen_array* domain,
                                     thiessen_relaxation* relaxation) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("relaxation", relaxation);
    const auto own = read_struct("options", options, relax_defaults());
    const thiessen::Grid grid = to_spaced_grid(rank, extents, own.spacing);
    Relaxed found;
    found.points =
        relax_sites(where, to_view("points", required("points", points)), grid, to_cpp(own, rank),
                    to_optional_view("density", density), to_optional_view("domain", domain));
    write_table("relaxation", relaxation, std::move(found), [rank](const Relaxed& done) {
      thiessen_relaxation table = to_c(done.points.relaxation);
      table.sites = static_cast<std::int64_t>(done.points.coordinates.size()) / rank;
      table.coordinates = column(done.points.coordinates);
      return table;
    });
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_relax_cost_sites(thiessen_context* context, const thiessen_array* map,
                                          const int64_t* cells, int64_t count,
                                          const thiessen_cost_distance_options* cost,
                                          const thiessen_relax_options* options,
                                          const thiessen_array* density,
                                          thiessen_relaxation* relaxation) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("relaxation", relaxation);
    const auto own = read_struct("options", options, relax_defaults());
    refuse_spacing(own.spacing);
    const View<const void> view = to_view("map", required("map", map));
    Relaxed found;
    found.cells = relax_cost_sites(where, view, to_indices("cells", cells, count),
                                   to_cost_options(cost, view.rank()), to_cpp(own, view.rank()),
                                   to_optional_view("density", density));
    write_table("relaxation", relaxation, std::move(found), [](const Relaxed& done) {
      thiessen_relaxation table = to_c(done.cells.relaxation);
      table.sites = static_cast<std::int64_t>(done.cells.cells.size());
      table.cells = column(done.cells.cells);
      return table;
    });
  });
}

void thiessen_free_relaxation(thiessen_relaxation* relaxation) { free_table<Relaxed>(relaxation); }

thiessen_status thiessen_farthest_options_init(thiessen_farthest_options* options, size_t size) {
  return at_boundary([&] { write_struct("options", options, size, farthest_defaults()); });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_farthest_sites(thiessen_context* context, int32_t rank,
                                        const int64_t* extents,
                                        const thiessen_farthest_options* options,
                                        const thiessen_array* points, const thiessen_array* density,
                                        const thiessen_array* domain,
                                        thiessen_farthest_table* table) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("table", table);
    const auto own = read_struct("options", options, farthest_defaults());
    const thiessen::Grid grid = to_spaced_grid(rank, extents, own.spacing);
    write_table(
        "table", table,
        farthest_sites(where, grid, to_cpp(own, rank), to_optional_view("points", points),
                       to_optional_view("density", density), to_optional_view("domain", domain)),
        to_table);
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_farthest_cost_sites(thiessen_context* context, const thiessen_array* map,
                                             const thiessen_cost_distance_options* cost,
                                             const thiessen_farthest_options* options,
                                             const int64_t* cells, int64_t count,
                                             const thiessen_array* density,
                                             thiessen_farthest_table* table) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("table", table);
    const auto own = read_struct("options", options, farthest_defaults());
    refuse_spacing(own.spacing);
    const View<const void> view = to_view("map", required("map", map));
    write_table("table", table,
                farthest_cost_sites(where, view, to_cost_options(cost, view.rank()),
                                    to_cpp(own, view.rank()), to_indices("cells", cells, count),
                                    to_optional_view("density", density)),
                to_table);
  });
}

void thiessen_free_farthest_sites(thiessen_farthest_table* table) {
  free_table<thiessen::FarthestSites>(table);
}

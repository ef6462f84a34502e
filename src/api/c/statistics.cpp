// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/tables.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::check_size;
using thiessen::c::column;
using thiessen::c::free_table;
using thiessen::c::hand_over;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_spacing;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;

thiessen_site_statistics_options statistics_defaults() {
  thiessen_site_statistics_options options{};
  options.size = sizeof options;
  options.background = thiessen_value_i64(0);
  return options;
}

thiessen_adjacency_options adjacency_defaults() {
  thiessen_adjacency_options options{};
  options.size = sizeof options;
  options.connectivity = THIESSEN_FACES;
  options.background = thiessen_value_i64(0);
  return options;
}

thiessen::SiteFields to_fields(const thiessen_site_fields* given) {
  const auto fields = read_struct("fields", given, {});
  return {.field = to_view("field", fields.field),
          .distance = to_view("distance", fields.distance)};
}

thiessen::SiteStatisticsOptions to_options(const thiessen_site_statistics_options* given,
                                           int rank) {
  const auto options = read_struct("options", given, statistics_defaults());
  return {.spacing = to_spacing(options.spacing, rank),
          .background = to_value("background", options.background),
          .nodata = to_value("nodata", options.nodata)};
}

thiessen::AdjacencyOptions to_options(const thiessen_adjacency_options* given, int rank) {
  const auto options = read_struct("options", given, adjacency_defaults());
  return {.connectivity =
              to_enum("connectivity", options.connectivity, thiessen::Connectivity::knights),
          .spacing = to_spacing(options.spacing, rank),
          .background = to_value("background", options.background),
          .nodata = to_value("nodata", options.nodata)};
}

thiessen_site_statistics_table to_c(const thiessen::SiteStatistics& found,
                                    const thiessen::SiteFields& fields) {
  thiessen_site_statistics_table table{};
  table.rows = static_cast<std::int64_t>(found.cells.size());
  table.rank = found.rank;
  table.labels = found.labels.bytes();
  table.cells = column(found.cells);
  table.volume = column(found.volume);
  table.centroid = column(found.centroid);
  table.second_moments = column(found.second_moments);
  table.first = column(found.first);
  table.last = column(found.last);
  table.mass = column(found.mass, static_cast<bool>(fields.field));
  table.mass_centroid = column(found.mass_centroid, static_cast<bool>(fields.field));
  table.greatest_distance = column(found.greatest_distance, static_cast<bool>(fields.distance));
  table.mean_distance = column(found.mean_distance, static_cast<bool>(fields.distance));
  return table;
}

thiessen_adjacency_table to_c(const thiessen::Adjacency& found) {
  thiessen_adjacency_table table{};
  table.rows = static_cast<std::int64_t>(found.contacts.size());
  table.a = found.a.bytes();
  table.b = found.b.bytes();
  table.contacts = column(found.contacts);
  table.boundary = column(found.boundary);
  return table;
}

}  // namespace

thiessen_status thiessen_site_statistics_options_init(thiessen_site_statistics_options* options,
                                                      size_t size) {
  return at_boundary([&] { write_struct("options", options, size, statistics_defaults()); });
}

thiessen_status thiessen_site_statistics(thiessen_context* context, const thiessen_array* labels,
                                         const thiessen_site_fields* fields,
                                         const thiessen_site_statistics_options* options,
                                         thiessen_site_statistics_table* table) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const std::size_t size = required("table", table).size;
    check_size("table", size, sizeof *table);
    const thiessen::View<void> view = to_view("labels", required("labels", labels));
    const thiessen::SiteFields views = to_fields(fields);
    auto found = std::make_unique<thiessen::SiteStatistics>(
        thiessen::site_statistics(where, view, views, to_options(options, view.rank())));
    hand_over("table", table, size, to_c(*found, views), found);
  });
}

void thiessen_free_site_statistics(thiessen_site_statistics_table* table) {
  free_table<thiessen::SiteStatistics>(table);
}

thiessen_status thiessen_adjacency_options_init(thiessen_adjacency_options* options, size_t size) {
  return at_boundary([&] { write_struct("options", options, size, adjacency_defaults()); });
}

thiessen_status thiessen_adjacency(thiessen_context* context, const thiessen_array* labels,
                                   const thiessen_adjacency_options* options,
                                   thiessen_adjacency_table* table) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const std::size_t size = required("table", table).size;
    check_size("table", size, sizeof *table);
    const thiessen::View<void> view = to_view("labels", required("labels", labels));
    auto found = std::make_unique<thiessen::Adjacency>(
        thiessen::adjacency(where, view, to_options(options, view.rank())));
    hand_over("table", table, size, to_c(*found), found);
  });
}

void thiessen_free_adjacency(thiessen_adjacency_table* table) {
  free_table<thiessen::Adjacency>(table);
}

// SPDX-License-Identifier: Apache-2.0
#include "thiessen/statistics.hpp"

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/statistics.hpp"
#include "api/c/tables.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::check_table;
using thiessen::c::free_table;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_fields;
using thiessen::c::to_spacing;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;
using thiessen::c::write_table;

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
    check_table("table", table);
    const thiessen::View<void> view = to_view("labels", required("labels", labels));
    const thiessen::SiteFields views = to_fields(fields);
    write_table(table,
                thiessen::site_statistics(where, view, views, to_options(options, view.rank())));
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
    check_table("table", table);
    const thiessen::View<void> view = to_view("labels", required("labels", labels));
    write_table(table, thiessen::adjacency(where, view, to_options(options, view.rank())));
  });
}

void thiessen_free_adjacency(thiessen_adjacency_table* table) {
  free_table<thiessen::Adjacency>(table);
}

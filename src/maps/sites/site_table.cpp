// SPDX-License-Identifier: Apache-2.0
#include "maps/sites/site_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "io/raster/cell_values.hpp"
#include "io/raster/exact.hpp"
#include "maps/scale/numbers.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::maps {
namespace {

template <class T>
LabelValue to_value(T label) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<double>(label);
  if constexpr (std::is_unsigned_v<T>) return static_cast<std::uint64_t>(label);
  return static_cast<std::int64_t>(label);
}

template <class T>
const T* cells_of(const View<const void>& view) {
  return reinterpret_cast<const T*>(view.bytes());
}

/// The rows of a table of statistics, ascending by label.
std::vector<SiteRow> to_rows(const SiteStatistics& statistics) {
  std::vector<SiteRow> rows(statistics.cells.size());
  visit_element_type(statistics.labels.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* const labels = reinterpret_cast<const T*>(statistics.labels.bytes());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].label = to_value(labels[i]);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].cells = statistics.cells[i];
    if (!statistics.greatest_distance.empty())
      rows[i].greatest_distance = statistics.greatest_distance[i];
  }
  return rows;
}

/// The colours that the picture has for these labels.
void set_colours(Context& context, const RenderOptions& options, const Raster& labels,
                 std::vector<SiteRow>& rows) {
  if (rows.empty()) return;
  const auto count = static_cast<std::int64_t>(rows.size());
  const View<const void> row(labels.bytes(), labels.element_type(), {1, count});
  Array<std::uint8_t> pixels({1, count, 3});
  render(context, {.labels = row},
         {.edges = false, .marks = Marks::none, .unreached = options.unreached}, pixels.view());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint8_t* const pixel = pixels.data() + 3 * i;
    rows[i].colour = {pixel[0], pixel[1], pixel[2]};
  }
}

/// The number of the row of each cell and 1, where the rows ascend by label as `labels` do.
std::vector<std::uint32_t> find_rows(const View<const void>& cells, const Raster& labels,
                                     std::size_t rows) {
  std::vector<std::uint32_t> found(static_cast<std::size_t>(cells.extents().count()));
  visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* const first = reinterpret_cast<const T*>(labels.bytes());
    const T* const last = first + rows;
    const T* const cell = cells_of<T>(cells);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (i > 0 && cell[i] == cell[i - 1]) {
        found[i] = found[i - 1];
        continue;
      }
      const T* const place = std::lower_bound(first, last, cell[i]);
      if (place != last && *place == cell[i])
        found[i] = static_cast<std::uint32_t>(place - first) + 1;
    }
  });
  return found;
}

/// Sets the names, and moves rows to the order of the file of names.
void sort_by_name(const SiteNames& names, SiteTable& table) {
  const std::size_t count = table.rows.size();
  std::vector<std::size_t> order(count, count);  // unnamed ones come last
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    SiteRow& row = table.rows[i];
    const SiteNames::Name* const name = names.find(row.label);
    row.name = name == nullptr || name->text.empty() ? io::label_text(row.label) : name->text;
    places[i] = i;
    if (name != nullptr) order[i] = name->order;
  }
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
  std::vector<SiteRow> rows;
  std::vector<std::uint32_t> moved(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back(std::move(table.rows[places[i]]));
    moved[places[i] + 1] = static_cast<std::uint32_t>(i) + 1;
  }
  table.rows = std::move(rows);
  for (std::uint32_t& row : table.row_of_cell) row = moved[row];
}

/// The number of site cells of each row, and the last of them.
struct SiteCells {
  std::vector<std::int64_t> count, last;
};

SiteCells count_site_cells(const RenderInputs& inputs, const RenderOptions& options,
                           const SiteTable& table) {
  SiteCells sites{std::vector<std::int64_t>(table.rows.size()),
                  std::vector<std::int64_t>(table.rows.size())};
  if (!inputs.sites) return sites;
  visit_element_type(inputs.sites.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* const cell = cells_of<T>(inputs.sites);
    const auto nodata =
        options.site_nodata ? io::cast_exactly<T>(*options.site_nodata) : std::optional<T>();
    for (std::size_t i = 0; i < table.row_of_cell.size(); ++i) {
      const bool is_site = cell[i] != T{} && cell[i] == cell[i] && !(nodata && cell[i] == *nodata);
      if (!is_site || table.row_of_cell[i] == 0) continue;
      const std::size_t row = table.row_of_cell[i] - 1;
      ++sites.count[row];
      sites.last[row] = static_cast<std::int64_t>(i);
    }
  });
  return sites;
}

}  // namespace

SiteTable make_site_table(Context& context, const RenderInputs& inputs,
                          const RenderOptions& options, const SiteNames& names) {
  SiteTable table;
  if (!inputs.labels) return table;
  const SiteStatistics statistics =
      site_statistics(context, inputs.labels, {.distance = inputs.distance},
                      {.background = options.unreached, .nodata = options.label_nodata});
  table.rows = to_rows(statistics);
  set_colours(context, options, statistics.labels, table.rows);
  table.row_of_cell = find_rows(inputs.labels, statistics.labels, table.rows.size());
  sort_by_name(names, table);
  return table;
}

void find_places(Context& context, const RenderInputs& inputs, const RenderOptions& options,
                 SiteTable& table) {
  if (table.rows.empty()) return;
  const std::int64_t height = inputs.labels.extent(0);
  const std::int64_t width = inputs.labels.extent(1);
  Array<float> room(inputs.labels.extents());
  nearest_site(context, inputs.labels, {.distance_to = DistanceTo::boundary},
               {.distance = room.view()});
  std::vector<float> most(table.rows.size());
  for (std::int64_t y = 0, i = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x, ++i) {
      const std::uint32_t row = table.row_of_cell[static_cast<std::size_t>(i)];
      if (row == 0) continue;
      const auto end = static_cast<float>(std::min({y + 1, x + 1, height - y, width - x}));
      const float here = std::min(room.data()[i], end);
      if (here <= most[row - 1]) continue;
      most[row - 1] = here;
      table.rows[row - 1].y = static_cast<double>(y) + 0.5;
      table.rows[row - 1].x = static_cast<double>(x) + 0.5;
    }
  }
  const SiteCells sites = count_site_cells(inputs, options, table);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (sites.count[row] != 1) continue;
    table.rows[row].is_point = true;
    const std::int64_t y = sites.last[row] / width;
    table.rows[row].y = static_cast<double>(y) + 0.5;
    table.rows[row].x = static_cast<double>(sites.last[row] - y * width) + 0.5;
  }
}

}  // namespace thiessen::maps

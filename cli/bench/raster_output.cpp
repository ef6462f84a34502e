// SPDX-License-Identifier: Apache-2.0
#include "bench/raster_output.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "bench/line_plot.hpp"
#include "bench/measure.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

constexpr int kNameWidth = 44;

void print_cells(const std::string& name, const std::vector<std::string>& cells) {
  std::fprintf(stderr, "%-*s", kNameWidth, name.c_str());
  for (const std::string& cell : cells) std::fprintf(stderr, " %11s", cell.c_str());
  std::fputc('\n', stderr);
}

std::string time_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 100 ? "%.3g" : "%.1f", value);
  return text;
}

using HeadOf = std::function<std::string(const RasterResult&)>;

void print_ways(const std::vector<RasterResult>& results, const std::string& title,
                const HeadOf& head) {
  if (results.empty()) return;
  std::vector<std::string> heads;
  heads.reserve(results.size());
  for (const RasterResult& result : results) heads.push_back(head(result));
  print_cells(title, heads);
  for (std::size_t way = 0; way < results.front().times.size(); ++way) {
    std::vector<std::string> cells;
    std::vector<std::string> copies;
    bool has_copies = false;
    for (const RasterResult& result : results) {
      const RasterTime& time = result.times[way];
      cells.push_back(time.reason.empty() ? time_text(time.milliseconds) + (time.agrees ? "" : " !")
                                          : "-");
      copies.push_back(time.reason.empty() ? time_text(time.copies) : "-");
      has_copies |= time.copies > 0;
    }
    print_cells(results.front().times[way].way.name(), cells);
    if (has_copies) print_cells("  copies", copies);
  }
}

/// The document's figures, for the sizes that it has.
std::vector<std::string> of_document(const std::vector<RasterResult>& results,
                                     double DocumentRow::*column) {
  std::vector<std::string> cells;
  for (const RasterResult& result : results) {
    std::string cell = "-";
    for (const DocumentRow& row : kDocument)
      if (Extents{row.height, row.width} == result.extents && result.sites == kDocumentSites)
        cell = time_text(row.*column);
    cells.push_back(cell);
  }
  return cells;
}

/// The growth of the time of a way that was run in both cases.
std::optional<double> growth_of(const RasterTime& first, const RasterTime& last) {
  if (!first.reason.empty() || !last.reason.empty() || first.milliseconds <= 0) return std::nullopt;
  return last.milliseconds / first.milliseconds;
}

void print_growth_of(const std::vector<RasterResult>& results, const std::string& from,
                     const std::string& to, double factor) {
  std::fprintf(stderr, "\nfrom %s to %s, %.4g times as many: time grows by the factor\n",
               from.c_str(), to.c_str(), factor);
  for (std::size_t way = 0; way < results.front().times.size(); ++way)
    if (const auto growth = growth_of(results.front().times[way], results.back().times[way]))
      std::fprintf(stderr, "%-*s %11.4g\n", kNameWidth,
                   results.front().times[way].way.name().c_str(), *growth);
}

std::string cells_text(const RasterResult& result) {
  return std::to_string(result.extents.count()) + " cells";
}

std::string sites_text(const RasterResult& result) {
  return std::to_string(result.sites) + (result.sites == 1 ? " site" : " sites");
}

/// The ways by equation (2), each with its factor to the one by equation (3), which follows it. The
/// document says that the second is faster.
void print_allotments(const std::vector<RasterResult>& results, const HeadOf& head) {
  const auto is_contiguous = [](const RasterTime& time) {
    return time.way.allotment == Allotment::contiguous;
  };
  const auto& ways = results.front().times;
  for (auto way = ways.begin(); way != ways.end(); ++way) {
    if (!is_contiguous(*way)) continue;
    std::fprintf(stderr, "\nbrute-force, %s: contiguous takes", way->way.device.c_str());
    const auto place = way - ways.begin();
    for (const RasterResult& result : results)
      if (const auto factor = growth_of(result.times[static_cast<std::size_t>(place) + 1],
                                        result.times[static_cast<std::size_t>(place)]))
        std::fprintf(stderr, " %.3g (%s)", *factor, head(result).c_str());
    std::fprintf(stderr, " times as long as cyclic\n");
  }
}

using PlaceOf = std::function<double(const RasterResult&)>;

void add_ways(const std::vector<RasterResult>& results, const PlaceOf& place, LinePlot& plot) {
  if (results.empty()) return;
  for (std::size_t way = 0; way < results.front().times.size(); ++way) {
    if (!results.front().times[way].way.is_of_figure()) continue;
    LinePlot::Series series{results.front().times[way].way.name(), {}};
    for (const RasterResult& result : results)
      if (result.times[way].reason.empty())
        series.points.push_back({place(result), result.times[way].milliseconds});
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
}

void add_document(LinePlot& plot) {
  const auto add = [&](const std::string& name, double DocumentRow::*column) {
    LinePlot::Series series{"document: " + name, {}};
    for (const DocumentRow& row : kDocument)
      series.points.push_back({static_cast<double>(row.width * row.height) / 1e6, row.*column});
    plot.series.push_back(std::move(series));
  };
  add("scan", &DocumentRow::scan);
  add("dist. transform", &DocumentRow::distance_transform);
  add("GPU", &DocumentRow::gpu);
}

}  // namespace

void print_by_size(const std::vector<RasterResult>& results) {
  if (results.empty()) return;
  print_ways(results, "ms, " + sites_text(results.front()),
             [](const RasterResult& result) { return size_text(result.extents); });
  print_cells("document: scan", of_document(results, &DocumentRow::scan));
  print_cells("document: distance transform",
              of_document(results, &DocumentRow::distance_transform));
  print_cells("document: GPU", of_document(results, &DocumentRow::gpu));
  print_allotments(results, [](const RasterResult& result) { return size_text(result.extents); });
}

void print_by_sites(const std::vector<RasterResult>& results) {
  if (results.empty()) return;
  std::fputc('\n', stderr);
  print_ways(results, "ms, " + size_text(results.front().extents) + ", sites:",
             [](const RasterResult& result) { return std::to_string(result.sites); });
  print_allotments(results, sites_text);
}

void print_growth(const std::vector<RasterResult>& by_size,
                  const std::vector<RasterResult>& by_sites) {
  if (by_size.size() > 1)
    print_growth_of(by_size, cells_text(by_size.front()), cells_text(by_size.back()),
                    static_cast<double>(by_size.back().extents.count()) /
                        static_cast<double>(by_size.front().extents.count()));
  if (by_sites.size() > 1)
    print_growth_of(by_sites, sites_text(by_sites.front()), sites_text(by_sites.back()),
                    static_cast<double>(by_sites.back().sites) /
                        static_cast<double>(std::max<std::int64_t>(by_sites.front().sites, 1)));
}

std::vector<NamedPlot> plots_of(const std::vector<RasterResult>& by_size,
                                const std::vector<RasterResult>& by_sites) {
  std::vector<NamedPlot> plots;
  if (!by_size.empty()) {
    LinePlot plot{.title = "time in ms, " + sites_text(by_size.front()),
                  .x_label = "millions of cells",
                  .y_label = "time in ms",
                  .y_scale = LinePlot::Scale::decades,
                  .series = {}};
    if (by_size.front().sites == kDocumentSites) add_document(plot);
    add_ways(
        by_size,
        [](const RasterResult& result) {
          return static_cast<double>(result.extents.count()) / 1e6;
        },
        plot);
    plots.push_back({"time-by-size.svg", plot.svg()});
  }
  if (!by_sites.empty()) {
    LinePlot plot{.title = "time in ms, " + size_text(by_sites.front().extents),
                  .x_label = "sites",
                  .y_label = "time in ms",
                  .x_scale = LinePlot::Scale::decades,
                  .y_scale = LinePlot::Scale::decades,
                  .series = {}};
    add_ways(
        by_sites, [](const RasterResult& result) { return static_cast<double>(result.sites); },
        plot);
    plots.push_back({"time-by-sites.svg", plot.svg()});
  }
  return plots;
}

nlohmann::ordered_json to_json(const RasterResult& result) {
  nlohmann::ordered_json json{{"extents", {result.extents[0], result.extents[1]}},
                              {"sites", result.sites},
                              {"ways", nlohmann::ordered_json::array()}};
  for (const RasterTime& time : result.times) {
    nlohmann::ordered_json way{{"method", name_of(time.way.method)}, {"device", time.way.device}};
    if (time.way.threads > 0) way["threads"] = time.way.threads;
    if (time.way.allotment) way["allotment"] = name_of(*time.way.allotment);
    if (time.way.whole_raster) way["whole_raster"] = true;
    if (time.reason.empty()) {
      way["ms"] = time.milliseconds;
      way["copies_ms"] = time.copies;
      way["agrees"] = time.agrees;
    } else {
      way["reason"] = time.reason;
    }
    json["ways"].push_back(std::move(way));
  }
  return json;
}

nlohmann::ordered_json document_json() {
  nlohmann::ordered_json json{
      {"cpu", "Xeon E5-2609"}, {"gpu", "Tesla C2075"}, {"sites", kDocumentSites}};
  for (const DocumentRow& row : kDocument)
    json["table"].push_back({{"extents", {row.height, row.width}},
                             {"scan_ms", row.scan},
                             {"distance_transform_ms", row.distance_transform},
                             {"gpu_ms", row.gpu}});
  return json;
}

}  // namespace thiessen::cli

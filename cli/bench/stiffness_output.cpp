// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "bench/line_plot.hpp"
#include "bench/measure.hpp"
#include "bench/stiffness.hpp"
#include "thiessen/thiessen.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// The method "exact" has no iterations; only those of a GPU's method have active cells.
void print_time(const std::string& name, const StiffnessTime& time, std::int64_t cells) {
  std::string iterations = "-", active = "-", percent = "-";
  if (time.iterations > 0) iterations = std::to_string(time.iterations);
  if (time.active_cells > 0) {
    active = std::to_string(static_cast<std::int64_t>(time.active_cells));
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%",
                  100 * time.active_cells / static_cast<double>(cells));
    percent = text;
  }
  std::fprintf(stderr, "  %-30s %11s %13s %9s %12.4f %10.4f\n", name.c_str(), iterations.c_str(),
               active.c_str(), percent.c_str(), time.mean, time.deviation);
}

nlohmann::ordered_json time_json(const StiffnessTime& time) {
  nlohmann::ordered_json json{{"mean_ms", time.mean}, {"deviation_ms", time.deviation}};
  if (time.iterations > 0) json["iterations"] = time.iterations;
  if (time.active_cells > 0) json["active_cells"] = time.active_cells;
  return json;
}

bool is_sequential(const StiffnessRun& run) { return run.way.method == CostMethod::dijkstra; }

LinePlot speed_up_plot(const std::vector<StiffnessResult>& results, Material material,
                       const std::string& title) {
  LinePlot plot{.title = title + ": speed-up over the sequential method",
                .x_label = "cells",
                .y_label = "times faster",
                .x_scale = LinePlot::Scale::binary,
                .y_scale = LinePlot::Scale::decades,
                .series = {}};
  const auto add = [&plot](const std::string& name, const Extents& extents, double speed_up) {
    auto series = std::find_if(plot.series.begin(), plot.series.end(),
                               [&](const LinePlot::Series& each) { return each.name == name; });
    if (series == plot.series.end())
      series = plot.series.insert(series, LinePlot::Series{name, {}});
    series->points.push_back({static_cast<double>(extents.count()), speed_up});
  };
  for (const auto& [item, runs, carried_differing] : results) {
    if (item.material != material || !item.document) continue;
    for (const StiffnessRun& run : runs)
      if (!is_sequential(run))
        add(run.way.name(), item.extents, runs.front().time.mean / run.time.mean);
    add("document: GPU", item.extents, item.document->cpu.mean / item.document->gpu.mean);
  }
  return plot;
}

}  // namespace

std::string StiffnessWay::name() const {
  return std::string(name_of(method)) + ", " + device_text(device, threads);
}

std::vector<StiffnessCase> document_cases() {
  const auto row = [](Material material, std::int64_t width, std::int64_t height,
                      std::int64_t sites, DocumentFigures document) {
    // "the average of active threads […] per iteration is of only 100,000 / 54 = 1851"
    document.gpu.active_cells =
        static_cast<double>(width * height) / static_cast<double>(document.gpu.iterations);
    return StiffnessCase{material, {height, width}, sites, document};
  };
  return {
      row(Material::gradient, 32, 32, 5, {{5.35, 1.393, 1024}, {0.642, 0.002, 18}}),
      row(Material::gradient, 64, 32, 5, {{8.323, 2.668, 2048}, {1.164, 0.004, 32}}),
      row(Material::gradient, 64, 64, 5, {{17.561, 3.283, 4096}, {2.373, 0.01, 62}}),
      row(Material::uniform, 32, 32, 5, {{4.743, 1.144, 1024}, {0.707, 0.002, 20}}),
      row(Material::uniform, 64, 32, 5, {{7.671, 1.921, 2048}, {0.918, 0.006, 25}}),
      row(Material::uniform, 64, 64, 5, {{15.369, 3.485, 4096}, {1.743, 0.008, 46}}),
      row(Material::gradient, 100, 40, 10, {{14.45, 0.059, 4000}, {1.842, 0.007, 48}}),
      row(Material::gradient, 500, 200, 200, {{381.847, 5.222, 100000}, {9.585, 0.019, 54}}),
  };
}

void print(const std::vector<StiffnessResult>& results) {
  std::fprintf(stderr, "%-32s %11s %13s %9s %12s %10s\n", "", "iterations", "active cells",
               "of all", "mean ms", "deviation");
  for (const auto& [item, runs, carried_differing] : results) {
    const std::int64_t cells = item.extents.count();
    std::fprintf(stderr, "%s, %s, %lld sites\n", std::string(name_of(item.material)).c_str(),
                 size_text(item.extents).c_str(), static_cast<long long>(item.sites));
    for (const StiffnessRun& run : runs) print_time(run.way.name(), run.time, cells);
    if (carried_differing)
      std::fprintf(stderr, "  %-30s %11lld cells of %lld\n", "other labels if carried along",
                   static_cast<long long>(*carried_differing), static_cast<long long>(cells));
    if (!item.document) continue;
    print_time("Toss and Comba, i7-930", item.document->cpu, cells);
    print_time("Toss and Comba, GTX 480", item.document->gpu, cells);
  }
}

void print(const std::vector<LeftOut>& left_out) {
  for (const LeftOut& each : left_out)
    std::fprintf(stderr, "%s is left out on %s: %s\n", std::string(name_of(each.method)).c_str(),
                 each.device.c_str(), each.reason.c_str());
}

nlohmann::ordered_json to_json(const StiffnessResult& result) {
  const StiffnessCase& item = result.item;
  nlohmann::ordered_json json{{"map", name_of(item.material)},
                              {"extents", {item.extents[0], item.extents[1]}},
                              {"sites", item.sites},
                              {"ways", nlohmann::ordered_json::array()}};
  for (const StiffnessRun& run : result.runs) {
    nlohmann::ordered_json way{{"method", name_of(run.way.method)}, {"device", run.way.device}};
    if (run.way.threads > 0) way["threads"] = run.way.threads;
    way.update(time_json(run.time));
    json["ways"].push_back(std::move(way));
  }
  if (result.carried_differing) json["carried_differing"] = *result.carried_differing;
  if (item.document)
    json["document"] = {{"cpu", time_json(item.document->cpu)},
                        {"gpu", time_json(item.document->gpu)}};
  return json;
}

nlohmann::ordered_json to_json(const LeftOut& left_out) {
  return {{"method", name_of(left_out.method)},
          {"device", left_out.device},
          {"reason", left_out.reason}};
}

std::string speed_up_figure(const std::vector<StiffnessResult>& results) {
  return svg_of({speed_up_plot(results, Material::uniform, "(a) Uniform stiffness"),
                 speed_up_plot(results, Material::gradient, "(b) Gradient stiffness")});
}

MapFigure map_figure(Context& context, std::uint64_t seed) {
  constexpr std::int64_t kHeight = 200, kWidth = 500, kSites = 200;
  constexpr std::int64_t kScale = 3;  // pixels along a side of a cell
  Raster map = Raster::of<float>({kHeight, kWidth});
  Raster sites = Raster::of<std::int32_t>(map.extents());
  Raster labels = Raster::of<std::int32_t>(map.extents());
  material_map(context, map.view(), Material::gradient, seed);
  random_sites(context, sites.view(), kSites, seed);
  cost_distance(context, CostMap::stiffness(map.view()), sites.view(), {},
                {.labels = labels.view()});
  const Extents pixels{kHeight * kScale, kWidth * kScale, 3};
  MapFigure figure{Raster::of<std::uint8_t>(pixels), Raster::of<std::uint8_t>(pixels)};
  render(context, {.distance = map.view()}, {.mode = RenderMode::distance, .ramp = Ramp::grey},
         figure.map.view<std::uint8_t>());
  render(context, {.labels = labels.view()}, {}, figure.cells.view<std::uint8_t>());
  const std::int32_t* const site = sites.view<std::int32_t>().data();
  std::uint8_t* const cells = figure.cells.view<std::uint8_t>().data();
  for (std::int64_t y = 0; y < pixels[0]; ++y)
    for (std::int64_t x = 0; x < pixels[1]; ++x) {
      if (site[y / kScale * kWidth + x / kScale] == 0) continue;
      constexpr std::array<std::uint8_t, 3> kRed{255, 0, 0};
      std::copy(kRed.begin(), kRed.end(), cells + 3 * (y * pixels[1] + x));
    }
  return figure;
}

}  // namespace thiessen::cli

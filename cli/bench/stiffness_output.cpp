// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "bench/measure.hpp"
#include "bench/stiffness.hpp"

namespace thiessen::cli {
namespace {

/// Method exact has no iterations.
void print_time(const char* name, const StiffnessTime& time) {
  const std::string iterations = time.iterations > 0 ? std::to_string(time.iterations) : "-";
  std::fprintf(stderr, "  %-28s %11s %12.4f %10.4f\n", name, iterations.c_str(), time.mean,
               time.deviation);
}

nlohmann::ordered_json time_json(const StiffnessTime& time) {
  nlohmann::ordered_json json{{"mean_ms", time.mean}, {"deviation_ms", time.deviation}};
  if (time.iterations > 0) json["iterations"] = time.iterations;
  return json;
}

}  // namespace

std::vector<StiffnessCase> document_cases() {
  const auto row = [](const char* material, std::int64_t width, std::int64_t height,
                      std::int64_t sites, DocumentFigures document) {
    return StiffnessCase{material, {height, width}, sites, document};
  };
  return {
      row("gradient", 32, 32, 5, {{5.35, 1.393, 1024}, {0.642, 0.002, 18}}),
      row("gradient", 64, 32, 5, {{8.323, 2.668, 2048}, {1.164, 0.004, 32}}),
      row("gradient", 64, 64, 5, {{17.561, 3.283, 4096}, {2.373, 0.01, 62}}),
      row("uniform", 32, 32, 5, {{4.743, 1.144, 1024}, {0.707, 0.002, 20}}),
      row("uniform", 64, 32, 5, {{7.671, 1.921, 2048}, {0.918, 0.006, 25}}),
      row("uniform", 64, 64, 5, {{15.369, 3.485, 4096}, {1.743, 0.008, 46}}),
      row("gradient", 100, 40, 10, {{14.45, 0.059, 4000}, {1.842, 0.007, 48}}),
      row("gradient", 500, 200, 200, {{381.847, 5.222, 100000}, {9.585, 0.019, 54}}),
  };
}

void print(const std::vector<StiffnessResult>& results, const Context& context) {
  std::fprintf(stderr, "%-30s %11s %12s %10s\n", device_text(context).c_str(), "iterations",
               "mean ms", "deviation");
  for (const StiffnessResult& result : results) {
    const StiffnessCase& item = result.item;
    std::fprintf(stderr, "%s, %s, %lld sites\n", item.material.c_str(),
                 size_text(item.extents).c_str(), static_cast<long long>(item.sites));
    if (result.dijkstra) print_time("dijkstra (one thread)", *result.dijkstra);
    if (result.relaxation) print_time("relaxation", *result.relaxation);
    print_time("exact", result.exact);
    if (!item.document) continue;
    print_time("Toss and Comba, i7-930", item.document->cpu);
    print_time("Toss and Comba, GTX 480", item.document->gpu);
  }
}

nlohmann::ordered_json to_json(const StiffnessResult& result) {
  const StiffnessCase& item = result.item;
  nlohmann::ordered_json json{{"map", item.material},
                              {"extents", {item.extents[0], item.extents[1]}},
                              {"sites", item.sites}};
  if (result.dijkstra) json["dijkstra"] = time_json(*result.dijkstra);
  if (result.relaxation) json["relaxation"] = time_json(*result.relaxation);
  json["exact"] = time_json(result.exact);
  if (item.document)
    json["document"] = {{"cpu", time_json(item.document->cpu)},
                        {"gpu", time_json(item.document->gpu)}};
  return json;
}

LinePlot speed_up_plot(const std::vector<StiffnessResult>& results) {
  LinePlot plot{.title = "Speed-up over the sequential method",
                .x_label = "cells",
                .y_label = "times faster",
                .x_scale = LinePlot::Scale::binary,
                .y_scale = LinePlot::Scale::decades,
                .series = {}};
  for (const std::string material : {"uniform", "gradient"}) {
    LinePlot::Series exact{"exact, " + material, {}};
    LinePlot::Series relaxation{"relaxation, " + material, {}};
    LinePlot::Series document{"the document, " + material, {}};
    for (const StiffnessResult& result : results) {
      if (result.item.material != material || !result.item.document || !result.dijkstra) continue;
      const auto cells = static_cast<double>(result.item.extents.count());
      exact.points.push_back({cells, result.dijkstra->mean / result.exact.mean});
      relaxation.points.push_back({cells, result.dijkstra->mean / result.relaxation->mean});
      const DocumentFigures& theirs = *result.item.document;
      document.points.push_back({cells, theirs.cpu.mean / theirs.gpu.mean});
    }
    plot.series.insert(plot.series.end(), {exact, relaxation, document});
  }
  return plot;
}

}  // namespace thiessen::cli

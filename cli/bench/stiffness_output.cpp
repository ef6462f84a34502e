// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <utility>

#include "arguments.hpp"
#include "bench/measure.hpp"
#include "bench/stiffness.hpp"

namespace thiessen::cli {
namespace {

/// The method "exact" has no iterations.
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

LinePlot speed_up_plot(const std::vector<StiffnessResult>& results, Material material,
                       const std::string& title) {
  LinePlot::Series exact{"exact", {}}, relaxation{"relaxation", {}}, document{"document: GPU", {}};
  for (const StiffnessResult& result : results) {
    const StiffnessCase& item = result.item;
    if (item.material != material || !item.document || !result.dijkstra) continue;
    const auto cells = static_cast<double>(item.extents.count());
    const auto add = [cells](LinePlot::Series& series, double sequential, double mean) {
      series.points.push_back({cells, sequential / mean});
    };
    if (result.exact) add(exact, result.dijkstra->mean, result.exact->mean);
    if (result.relaxation) add(relaxation, result.dijkstra->mean, result.relaxation->mean);
    add(document, item.document->cpu.mean, item.document->gpu.mean);
  }
  LinePlot plot{.title = title + ": speed-up over the sequential method",
                .x_label = "cells",
                .y_label = "times faster",
                .x_scale = LinePlot::Scale::binary,
                .y_scale = LinePlot::Scale::decades,
                .series = {}};
  for (LinePlot::Series* const series : {&exact, &relaxation, &document})
    if (!series->points.empty()) plot.series.push_back(std::move(*series));
  return plot;
}

}  // namespace

std::vector<StiffnessCase> document_cases() {
  const auto row = [](Material material, std::int64_t width, std::int64_t height,
                      std::int64_t sites, DocumentFigures document) {
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

void print(const std::vector<StiffnessResult>& results, const Context& context) {
  std::fprintf(stderr, "%-30s %11s %12s %10s\n", device_text(context).c_str(), "iterations",
               "mean ms", "deviation");
  for (const StiffnessResult& result : results) {
    const StiffnessCase& item = result.item;
    std::fprintf(stderr, "%s, %s, %lld sites\n", std::string(name_of(item.material)).c_str(),
                 size_text(item.extents).c_str(), static_cast<long long>(item.sites));
    if (result.dijkstra) print_time("dijkstra (one thread)", *result.dijkstra);
    if (result.relaxation) print_time("relaxation", *result.relaxation);
    if (result.exact) print_time("exact", *result.exact);
    if (result.carried_differing)
      std::fprintf(stderr, "  %-28s %11lld cells of %lld\n", "other labels if carried along",
                   static_cast<long long>(*result.carried_differing),
                   static_cast<long long>(item.extents.count()));
    if (!item.document) continue;
    print_time("Toss and Comba, i7-930", item.document->cpu);
    print_time("Toss and Comba, GTX 480", item.document->gpu);
  }
}

void print(const std::vector<LeftOut>& left_out, const Context& context) {
  for (const LeftOut& each : left_out)
    std::fprintf(stderr, "%s is left out on %s: %s\n", std::string(name_of(each.method)).c_str(),
                 std::string(context.device()).c_str(), each.reason.c_str());
}

nlohmann::ordered_json to_json(const StiffnessResult& result) {
  const StiffnessCase& item = result.item;
  nlohmann::ordered_json json{{"map", name_of(item.material)},
                              {"extents", {item.extents[0], item.extents[1]}},
                              {"sites", item.sites}};
  if (result.dijkstra) json["dijkstra"] = time_json(*result.dijkstra);
  if (result.relaxation) json["relaxation"] = time_json(*result.relaxation);
  if (result.exact) json["exact"] = time_json(*result.exact);
  if (result.carried_differing) json["carried_differing"] = *result.carried_differing;
  if (item.document)
    json["document"] = {{"cpu", time_json(item.document->cpu)},
                        {"gpu", time_json(item.document->gpu)}};
  return json;
}

nlohmann::ordered_json to_json(const LeftOut& left_out) {
  return {{"method", name_of(left_out.method)}, {"reason", left_out.reason}};
}

std::vector<LinePlot> speed_up_plots(const std::vector<StiffnessResult>& results) {
  return {speed_up_plot(results, Material::uniform, "(a) Uniform stiffness"),
          speed_up_plot(results, Material::gradient, "(b) Gradient stiffness")};
}

}  // namespace thiessen::cli

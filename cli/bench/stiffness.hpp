// SPDX-License-Identifier: Apache-2.0
//
// What `bench stiffness` measures.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/line_plot.hpp"
#include "thiessen/context.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// A mean of milliseconds over some runs, and how often the raster was gone over.
struct StiffnessTime {
  double mean = 0;
  double deviation = 0;
  std::int64_t iterations = 0;
};

/// A row of table 1 of Toss and Comba: an Intel Core i7-930, and a GTX 480.
struct DocumentFigures {
  StiffnessTime cpu;
  StiffnessTime gpu;
};

struct StiffnessCase {
  std::string material;
  Extents extents;
  std::int64_t sites = 0;
  std::optional<DocumentFigures> document = std::nullopt;
};

struct StiffnessResult {
  StiffnessCase item;
  std::optional<StiffnessTime> dijkstra = std::nullopt;
  std::optional<StiffnessTime> relaxation = std::nullopt;
  StiffnessTime exact = {};
};

/// The rows of table 1.
std::vector<StiffnessCase> document_cases();

void print(const std::vector<StiffnessResult>& results, const Context& context);
nlohmann::ordered_json to_json(const StiffnessResult& result);

/// As figure 2 of the document: how many times faster than the sequential method, by cells.
LinePlot speed_up_plot(const std::vector<StiffnessResult>& results);

}  // namespace thiessen::cli

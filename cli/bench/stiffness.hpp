// SPDX-License-Identifier: Apache-2.0
//
// The measurements of `bench stiffness`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/line_plot.hpp"
#include "thiessen/context.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// The mean time of some runs in milliseconds, and the number of passes over the raster.
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
  Material material = Material::uniform;
  Extents extents;
  std::int64_t sites = 0;
  std::optional<DocumentFigures> document = std::nullopt;
};

struct StiffnessResult {
  StiffnessCase item;
  std::optional<StiffnessTime> dijkstra = std::nullopt;
  std::optional<StiffnessTime> relaxation = std::nullopt;
  std::optional<StiffnessTime> exact = std::nullopt;
  /// Cells whose label carried along, as the paper has it, is not the settled one.
  std::optional<std::int64_t> carried_differing = std::nullopt;
};

/// A method that the device lacks, in general or for these maps, and the reason.
struct LeftOut {
  CostMethod method = CostMethod::exact;
  std::string reason;
};

/// The rows of table 1.
std::vector<StiffnessCase> document_cases();

void print(const std::vector<StiffnessResult>& results, const Context& context);
void print(const std::vector<LeftOut>& left_out, const Context& context);
nlohmann::ordered_json to_json(const StiffnessResult& result);
nlohmann::ordered_json to_json(const LeftOut& left_out);

/// Plots like figure 2 of the document: the speed-up over the sequential method by cells, (a) on
/// uniform maps, (b) on gradients.
std::vector<LinePlot> speed_up_plots(const std::vector<StiffnessResult>& results);

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
//
// The measurements of `bench stiffness`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/plot_files.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// The mean time of some runs in milliseconds, and the passes over the raster.
struct StiffnessTime {
  double mean = 0;
  double deviation = 0;
  std::int64_t iterations = 0;  ///< 0: the method has none
  double active_cells = 0;      ///< mean of a pass; of the sequential method 1
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

/// A method on a device.
struct StiffnessWay {
  CostMethod method = CostMethod::exact;
  std::string device;
  int threads = 0;  ///< of the CPU; 0 for other devices

  /// "relaxation, cpu, 2 threads".
  std::string name() const;
};

struct StiffnessRun {
  StiffnessWay way;
  StiffnessTime time;
};

struct StiffnessResult {
  StiffnessCase item;
  std::vector<StiffnessRun> runs;  ///< the first, if any, is the sequential method
  /// Cells whose label carried along, as the paper has it, is not the settled one.
  std::optional<std::int64_t> carried_differing = std::nullopt;
};

/// A method that a device lacks, in general or for these maps, and the reason.
struct LeftOut {
  CostMethod method = CostMethod::exact;
  std::string device;
  std::string reason;
};

/// The rows of table 1.
std::vector<StiffnessCase> document_cases();

void print(const std::vector<StiffnessResult>& results);
void print(const std::vector<LeftOut>& left_out);
nlohmann::ordered_json to_json(const StiffnessResult& result);
nlohmann::ordered_json to_json(const LeftOut& left_out);

/// The document's figure 2: the speed-up over the sequential method by cells, (a) on uniform maps,
/// (b) on gradients.
std::string speed_up_figure(const std::vector<StiffnessResult>& results);

/// The document's figure 1, 500 x 200 cells and 200 sites, each cell 3 x 3 pixels: (a) the map, the
/// darker the softer; (b) its cells, with the sites in red.
struct MapFigure {
  Raster map, cells;
};
MapFigure map_figure(Context& context, std::uint64_t seed);

}  // namespace thiessen::cli

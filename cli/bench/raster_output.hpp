// SPDX-License-Identifier: Apache-2.0
//
// The output of `bench raster`: text and plots, with the figures of the document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/plot_files.hpp"
#include "bench/raster_case.hpp"

namespace thiessen::cli {

/// A row of the document's table 1, in milliseconds.
struct DocumentRow {
  std::int64_t width;
  std::int64_t height;
  double scan;
  double distance_transform;
  double gpu;
};

/// All rows have 100 sites, on a Xeon E5-2609 and a Tesla C2075.
inline constexpr std::int64_t kDocumentSites = 100;
inline constexpr DocumentRow kDocument[] = {{1000, 800, 126.4, 67.9, 109.1},
                                            {1500, 1000, 230.3, 117.7, 131.5},
                                            {2500, 2000, 746.8, 383.5, 147.7},
                                            {4000, 3000, 1718.6, 907.6, 177.1},
                                            {5000, 4000, 2777.8, 1494.2, 219}};

/// Prints on stderr a line for each way and a column for each case.
void print_by_size(const std::vector<RasterResult>& results);
void print_by_sites(const std::vector<RasterResult>& results);

/// Prints on stderr how times grow. The document claims that those of the GPU are linear in the
/// sites and do not depend on the raster.
void print_growth(const std::vector<RasterResult>& by_size,
                  const std::vector<RasterResult>& by_sites);

/// Plots like the document's figure 2, with its own lines; and time by number of sites.
std::vector<NamedPlot> plots_of(const std::vector<RasterResult>& by_size,
                                const std::vector<RasterResult>& by_sites);

nlohmann::ordered_json to_json(const RasterResult& result);
nlohmann::ordered_json document_json();

}  // namespace thiessen::cli

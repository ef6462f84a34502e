// SPDX-License-Identifier: Apache-2.0
#include "gdal_memory.hpp"
#include "io/table/vector_file.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thiessen;
  const fuzz::GdalMemoryFile file(data, size);
  try {
    // Half of the inputs take their labels from the field that the corpus has, the others from
    // none.
    const io::VectorFile layer(file.kPath, {.label_field = size % 2 == 0 ? "a" : ""});
    if (layer.has_points_only()) {
      const io::PointsFile points = layer.points();
      fuzz::use_cells(points.labels.bytes(), points.labels.size_bytes());
    }
    Grid grid{.extents = {8, 8}, .georeference = Georeference{.crs = layer.crs()}};
    const Raster burnt = layer.burn(grid);
    fuzz::use_cells(burnt.bytes(), burnt.size_bytes());
  } catch (const Error&) {
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "io/table/points_file.hpp"
#include "target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  thiessen::fuzz::read_bytes(data, size, [](thiessen::io::InputFile& file) {
    const thiessen::io::PointsFile points = thiessen::io::read_points(file, {});
    if (points.count() * points.axes != static_cast<std::int64_t>(points.coordinates.size()))
      __builtin_trap();
    thiessen::fuzz::use_cells(points.labels.bytes(), points.labels.size_bytes());
  });
  return 0;
}

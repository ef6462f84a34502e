// SPDX-License-Identifier: Apache-2.0
#include "maps/scale/world_file.hpp"

#include <array>

#include "io/files/lower_case.hpp"
#include "io/raster/cell_values.hpp"

namespace thiessen::maps {

std::filesystem::path world_file_of(std::filesystem::path picture) {
  const std::string suffix = io::lower_case(picture.extension().string());
  if (suffix == ".png") return picture.replace_extension(".pgw");
  if (suffix == ".tif" || suffix == ".tiff") return picture.replace_extension(".tfw");
  return picture.replace_extension(".wld");
}

std::string world_text(const Georeference& georeference, const Point& corner) {
  const std::array<double, 6>& t = georeference.transform;
  // The centre of the first pixel of the whole picture.
  const double column = 0.5 - corner.x;
  const double row = 0.5 - corner.y;
  const std::array<double, 6> lines{
      t[1], t[4], t[2], t[5], t[0] + column * t[1] + row * t[2], t[3] + column * t[4] + row * t[5]};
  std::string text;
  for (const double number : lines) text += io::label_text(number) + "\n";
  return text;
}

}  // namespace thiessen::maps

// SPDX-License-Identifier: Apache-2.0
#include "maps/lines/map_contours.hpp"

#include <array>

namespace thiessen::maps {

std::vector<ContourLine> map_contours(Context& context, const View<const void>& distance,
                                      double interval, std::int64_t step) {
  const std::array<std::int64_t, 2> cells{(distance.extent(0) + step - 1) / step,
                                          (distance.extent(1) + step - 1) / step};
  const View<const void> some(distance.bytes(), distance.element_type(), {cells[0], cells[1]},
                              {step * distance.stride(0), step * distance.stride(1)});
  const Contours contours = contour_lines(context, some, {.interval = interval});
  std::vector<ContourLine> lines;
  for (std::size_t i = 0; i < contours.levels.size(); ++i) {
    ContourLine& line = lines.emplace_back(ContourLine{contours.levels[i]});
    for (std::int64_t point = contours.points[i]; point < contours.points[i + 1]; ++point) {
      const double* const at = contours.coordinates.data() + 2 * point;
      const auto apart = static_cast<double>(step);
      line.points.push_back({at[1] * apart + 0.5, at[0] * apart + 0.5});
    }
  }
  return lines;
}

}  // namespace thiessen::maps

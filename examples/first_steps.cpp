// SPDX-License-Identifier: Apache-2.0
//
// The program of docs/first-steps.md, as it stands there.
// [example]
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thiessen/thiessen.hpp>
#include <vector>

int main() {
  const std::int64_t rows = 6, columns = 8;
  std::vector<std::uint8_t> stations(rows * columns);  // 0: no station
  stations[1 * columns + 1] = 3;                       // row 1, column 1
  stations[4 * columns + 6] = 5;

  std::vector<std::uint8_t> labels(stations.size());
  std::vector<float> metres(stations.size());

  thiessen::Context context;  // where calls run; keeps threads and memory for the next call
  thiessen::NearestSiteOptions options;
  options.spacing = {30.0, 30.0};
  thiessen::nearest_site(
      context, thiessen::View<const std::uint8_t>(stations.data(), {rows, columns}), options,
      {.labels = thiessen::View<std::uint8_t>(labels.data(), {rows, columns}),
       .distance = thiessen::View<float>(metres.data(), {rows, columns})});

  for (std::size_t cell = 0; cell < labels.size(); ++cell)
    std::printf("%d%c", labels[cell], (cell + 1) % columns == 0 ? '\n' : ' ');
  std::printf("%g m from the last cell to its station\n", metres.back());
}
// [example]

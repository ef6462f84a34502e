// SPDX-License-Identifier: Apache-2.0
//
// Runs a fixed case a number of times on one thread, for instructions.py to count its instructions.
//
// usage: bench_instructions CASE CALLS
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

struct Case {
  std::string_view name;
  thiessen::Extents extents;
  std::int64_t sites;
};

const std::array kCases = {
    Case{"few-sites", {512, 512}, 50},
    Case{"many-sites", {512, 512}, 26'000},
    Case{"volume", {64, 64, 64}, 2'600},
};

void run(const Case& item, int calls) {
  const auto cells = static_cast<std::size_t>(item.extents.count());
  std::vector<std::int32_t> sites(cells);
  std::vector<std::int32_t> labels(cells);
  std::vector<float> distance(cells);
  thiessen::Context context({.threads = 1});
  thiessen::random_sites(context, thiessen::View<std::int32_t>(sites.data(), item.extents),
                         item.sites, 1);
  for (int i = 0; i < calls; ++i) {
    thiessen::nearest_site(context, thiessen::View<const std::int32_t>(sites.data(), item.extents),
                           {},
                           {.labels = thiessen::View<std::int32_t>(labels.data(), item.extents),
                            .distance = thiessen::View<float>(distance.data(), item.extents)});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  for (const Case& item : kCases) {
    if (argc == 3 && item.name == arguments[1]) {
      run(item, std::atoi(arguments[2]));
      return 0;
    }
  }
  std::fputs("usage: bench_instructions few-sites|many-sites|volume CALLS\n", stderr);
  return 2;
}

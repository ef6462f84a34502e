// SPDX-License-Identifier: Apache-2.0
#include <thiessen/thiessen.hpp>
#include <vector>

int main() {
  const std::vector<std::uint8_t> sites = {0, 0, 7, 0, 0, 0};
  std::vector<std::uint8_t> labels(6);
  thiessen::Context context;
  thiessen::nearest_site(context, thiessen::View<const std::uint8_t>(sites.data(), {2, 3}), {},
                         {.labels = thiessen::View<std::uint8_t>(labels.data(), {2, 3})});
  return labels == std::vector<std::uint8_t>(6, 7) ? 0 : 1;
}

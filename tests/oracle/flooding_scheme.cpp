// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "oracle/flooding_oracle.hpp"

namespace thiessen::oracle {

FloodingScheme scheme_of(const std::string& method, std::int64_t longest, std::int64_t sites) {
  const auto part = [&](double of) {
    return std::max<std::int64_t>(std::llround(std::ceil(static_cast<double>(longest) / of)), 1);
  };
  FloodingScheme scheme{.noise = method == "jfa-noise" || method == "jfa-star" ? "mask" : "none"};
  std::vector<std::int64_t>& steps = scheme.steps;
  if (method == "jfa-plus") {
    scheme.noise = "in-place";
    for (int i = 1; steps.empty() || steps.back() > 1; i += 2) steps.push_back(part(std::exp2(i)));
  } else if (method == "jfa-star") {
    scheme.pattern = "circle";
    scheme.points = 12;
    const int l = sites <= 1       ? 0
                  : sites <= 8     ? 1
                  : sites <= 64    ? 2
                  : sites <= 1024  ? 3
                  : sites <= 65536 ? 4
                                   : 5;
    for (int i = 1; i <= l + 1 && (steps.empty() || steps.back() > 1); ++i)
      steps.push_back(part(std::pow(3, i)));
    steps.push_back(1);
  } else {
    std::vector<std::int64_t> halving{1};
    while (2 * halving.front() < longest) halving.insert(halving.begin(), 2 * halving.front());
    if (method == "1+jfa") steps = {1};
    steps.insert(steps.end(), halving.begin(), halving.end());
    if (method == "jfa2") steps.insert(steps.end(), halving.begin(), halving.end());
    if (method == "jfa+2") steps.push_back(2);
    if (method == "jfa+1" || method == "jfa+2") steps.push_back(1);
  }
  return scheme;
}

}  // namespace thiessen::oracle

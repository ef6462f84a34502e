// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "oracle/flooding_oracle.hpp"

namespace thiessen::oracle {
namespace {

using Steps = std::vector<std::int64_t>;

Steps steps_of(const std::string& rule, double longest) {
  Steps steps;
  if (rule == "pow2") {
    for (std::int64_t step = 1; steps.empty() || static_cast<double>(step) < longest; step *= 2)
      steps.insert(steps.begin(), step);
    return steps;
  }
  for (int i = 1; steps.empty() || steps.back() > 1; ++i) {
    const double step = rule == "half"      ? std::floor(longest / std::exp2(i))
                        : rule == "quarter" ? std::ceil(longest / std::exp2(2 * i - 1))
                                            : std::ceil(longest / std::pow(3, i));
    steps.push_back(std::max<std::int64_t>(std::llround(step), 1));
  }
  return steps;
}

std::int64_t log_star(double n) { return n > 1 ? 1 + log_star(std::log2(n)) : 0; }

/// How many steps of its rule a method does at most.
std::int64_t most_steps(const std::string& method, double longest, std::int64_t sites) {
  if (method == "jfa-star")
    return sites <= 1       ? 1
           : sites <= 8     ? 2
           : sites <= 64    ? 3
           : sites <= 1024  ? 4
           : sites <= 65536 ? 5
                            : 6;
  if (method == "jfa-star-paper")
    return std::max<std::int64_t>(log_star(static_cast<double>(sites)) - 1, 0);
  if (method == "jfa-star+1-paper") return log_star(static_cast<double>(sites));
  if (method == "jfa+-paper")
    return std::max<std::int64_t>(std::llround(std::ceil(std::log2(longest) / 2)), 1);
  return 64;
}

}  // namespace

FloodingScheme scheme_of(const std::string& method, std::int64_t longest, std::int64_t sites,
                         std::string rule) {
  const auto one_of = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), method) != names.end();
  };
  const bool star = one_of({"jfa-star", "jfa-star-paper", "jfa-star+1-paper"});
  const bool tutorial = one_of({"jfa-coeurjolly", "jfa-thrust"});
  const bool paper = method.ends_with("-paper");
  FloodingScheme scheme;
  if (star || method == "jfa-noise") scheme.noise = "mask";
  if (one_of({"jfa-plus", "jfa+-paper"})) scheme.noise = "in-place";
  if (star) scheme.pattern = paper ? "random-circle" : "circle";
  if (star) scheme.points = 12;
  scheme.ties = paper ? "last" : tutorial ? "first" : "index";
  if (rule.empty())
    rule = star ? "third" : method == "jfa-plus" ? "quarter" : paper || tutorial ? "half" : "pow2";
  const double p = static_cast<double>(longest);
  const Steps of_rule = steps_of(rule, p);
  Steps& steps = scheme.steps;
  steps = of_rule;
  steps.resize(std::min(steps.size(), static_cast<std::size_t>(most_steps(method, p, sites))));
  if (method == "1+jfa" || tutorial) steps.insert(steps.begin(), 1);
  if (method == "jfa2") steps.insert(steps.end(), of_rule.begin(), of_rule.end());
  if (method == "jfa+2") steps.push_back(2);
  if (star || one_of({"jfa+1", "jfa+2", "jfa+1-paper"})) steps.push_back(1);
  return scheme;
}

}  // namespace thiessen::oracle

// SPDX-License-Identifier: Apache-2.0
#include "support/support_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace thiessen::testing {
namespace {

/// The words of a text, which ends where a separator follows.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) found.push_back(word);
  return found;
}

/// By "device method rank-D metric": the names that are refused; "metric" if that is.
using Refusals = std::map<std::string, std::vector<std::string>>;

Refusals read_refusals() {
  Refusals found;
  std::ifstream file(support_table_file());
  EXPECT_TRUE(file.is_open()) << support_table_file();
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    const std::string head = line.substr(0, colon), answer = line.substr(colon + 2);
    const std::size_t metrics = head.rfind(' ') + 1;
    constexpr std::string_view kAllBut = "all but ";
    std::vector<std::string> refused;
    if (answer.starts_with(kAllBut)) refused = split(answer.substr(kAllBut.size()), ' ');
    if (answer.starts_with("refused")) refused = {"metric"};
    for (const std::string& metric : split(head.substr(metrics), ','))
      found[head.substr(0, metrics) + metric] = refused;
  }
  return found;
}

bool is_refused(std::string_view device, std::string_view method, int rank, std::string_view metric,
                const std::vector<std::string>& used) {
  static const Refusals kRefusals = read_refusals();
  const auto line = kRefusals.find(kind_of(device) + ' ' + std::string(method) + ' ' +
                                   std::to_string(rank) + "-D " + std::string(metric));
  if (line == kRefusals.end()) return false;
  const std::vector<std::string>& refused = line->second;
  return std::ranges::any_of(refused, [&](const std::string& name) {
    return name == "metric" || std::ranges::find(used, name) != used.end();
  });
}

}  // namespace

std::string support_table_file() {
  const char* const named = std::getenv("THIESSEN_SUPPORT_TABLE");
  return named == nullptr ? THIESSEN_SUPPORT_TABLE : named;
}

std::string kind_of(std::string_view device) {
  return std::string(device.substr(0, device.find(':')));
}

std::string pinned_lines(const std::string& kind) {
  std::ifstream file(support_table_file());
  std::string lines, line;
  while (std::getline(file, line))
    if (line.starts_with(kind + ' ')) lines += line + '\n';
  return lines;
}

bool is_wide(const std::vector<double>& spacing) {
  return std::ranges::any_of(spacing, [](double each) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", each);
    return std::strtod(text.data(), nullptr) != each;
  });
}

bool is_pinned_refusal(std::string_view device, int rank, const NearestSiteOptions& options,
                       const NearestSiteOutputs& out, std::vector<std::string> used) {
  const auto add = [&used](bool is_used, const char* name) {
    if (is_used) used.emplace_back(name);
  };
  add(static_cast<bool>(out.site_index), "site_index");
  add(static_cast<bool>(out.squared), "squared");
  add(static_cast<bool>(out.offset), "offset");
  add(static_cast<bool>(out.direction), "direction");
  add(static_cast<bool>(out.other_labels), "other_labels");
  add(static_cast<bool>(out.ties), "ties");
  add(options.ties_unreached, "ties_unreached");
  add(options.k > 0, "k");
  add(options.signed_distance, "signed_distance");
  add(options.distance_to == DistanceTo::zeros, "to_zeros");
  add(options.distance_to == DistanceTo::boundary, "to_boundary");
  add(std::isfinite(options.max_distance), "max_distance");
  add(std::ranges::any_of(options.spacing, [](double each) { return each != 1; }), "spacing");
  add(is_wide(options.spacing), "wide_spacing");
  add(std::ranges::find(options.periodic, true) != options.periodic.end(), "periodic");
  add(static_cast<bool>(options.metric_function), "metric_function");
  add(device.find(',') != std::string_view::npos, "slabs");  // a slab for each device
  return is_refused(device, name_of(options.method), rank, name_of(options.metric), used);
}

bool is_pinned_refusal(std::string_view device, int rank, CostMethod method,
                       const CostDistanceOptions& options) {
  std::vector<std::string> used;
  if (options.elevation) used.emplace_back("elevation");
  if (options.blocked_faces) used.emplace_back("blocked_faces");
  if (std::ranges::count(options.periodic, true) > 0) used.emplace_back("periodic");
  if (options.labels_carried) used.emplace_back("labels_carried=true");
  if (!options.spacing.empty()) used.emplace_back("spacing");
  return is_refused(device, "cost:" + std::string(name_of(method)), rank, name_of(options.metric),
                    used);
}

}  // namespace thiessen::testing

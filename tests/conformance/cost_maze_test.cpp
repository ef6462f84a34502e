// SPDX-License-Identifier: Apache-2.0
//
// One corridor that winds through the whole map, from a site at one end: the longest possible
// paths, which would exceed any fixed bound on the number of rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr float kUnreached = std::numeric_limits<float>::infinity();

/// Corridor and walls are one cell thick: rows of `width` cells, joined by one cell at the right
/// end and at the left end in turn.
class Corridor {
 public:
  Corridor(std::int64_t rows, std::int64_t width) : extents_{2 * rows - 1, width} {
    stiffness_.assign(static_cast<std::size_t>(extents_.count()), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
      const bool leftwards = row % 2 == 1;
      for (std::int64_t i = 0; i < width; ++i) add(2 * row, leftwards ? width - 1 - i : i);
      if (row + 1 < rows) add(2 * row + 1, leftwards ? 0 : width - 1);
    }
  }

  const Extents& extents() const { return extents_; }
  /// Its cells in the order of the way.
  const std::vector<std::int64_t>& way() const { return way_; }
  std::int64_t last() const { return way_.back(); }

  View<const float> map() const { return {stiffness_.data(), extents_}; }

  /// The costs of the cells with 4 neighbours, where every step is 1.
  std::vector<float> known_costs() const {
    std::vector<float> costs(stiffness_.size(), kUnreached);
    for (std::size_t i = 0; i < way_.size(); ++i)
      costs[static_cast<std::size_t>(way_[i])] = static_cast<float>(i);
    return costs;
  }

 private:
  void add(std::int64_t y, std::int64_t x) {
    way_.push_back(y * extents_[1] + x);
    stiffness_[static_cast<std::size_t>(way_.back())] = 1;
  }

  Extents extents_;
  std::vector<float> stiffness_;
  std::vector<std::int64_t> way_;
};

struct Answer {
  explicit Answer(std::size_t cells) : labels(cells), costs(cells), links(cells) {}

  std::vector<std::uint8_t> labels;
  std::vector<float> costs;
  std::vector<std::uint8_t> links;
  CostDistanceReport report;
};

Answer solve(const Corridor& corridor, Connectivity connectivity, const ContextOptions& where,
             CostMethod method) {
  const Extents& extents = corridor.extents();
  Answer answer(static_cast<std::size_t>(extents.count()));
  std::vector<std::uint8_t> sites(answer.labels.size());
  sites[0] = 7;
  CostDistanceOptions options;
  options.method = method;
  options.connectivity = connectivity;
  Context context(where);
  answer.report = cost_distance(context, CostMap::stiffness(corridor.map()),
                                View<const std::uint8_t>(sites.data(), extents), options,
                                {.labels = View<std::uint8_t>(answer.labels.data(), extents),
                                 .distance = View<float>(answer.costs.data(), extents),
                                 .back_link = View<std::uint8_t>(answer.links.data(), extents)});
  return answer;
}

/// Compares with one assertion, not one for each of many cells.
void expect_same(const Answer& found, const Answer& expected) {
  EXPECT_TRUE(found.labels == expected.labels) << "labels differ";
  EXPECT_TRUE(std::memcmp(found.costs.data(), expected.costs.data(),
                          expected.costs.size() * sizeof(float)) == 0)
      << "costs differ";
  EXPECT_TRUE(found.links == expected.links) << "back links differ";
}

void expect_known(const Answer& found, const Corridor& corridor) {
  EXPECT_TRUE(found.costs == corridor.known_costs()) << "costs are not the steps of the way";
  std::vector<std::int64_t> back = least_cost_path(
      View<const std::uint8_t>(found.links.data(), corridor.extents()), Connectivity::faces,
      {corridor.last() / corridor.extents()[1], corridor.last() % corridor.extents()[1]});
  std::reverse(back.begin(), back.end());
  EXPECT_TRUE(back == corridor.way()) << "the path is another one";
  for (std::size_t i = 0; i < found.labels.size(); ++i)
    if (found.labels[i] != (found.costs[i] < kUnreached ? 7 : 0)) FAIL() << "label of cell " << i;
}

/// All devices that can be used and have the method.
std::vector<std::string> devices_with(CostMethod method) {
  std::vector<std::string> names;
  for (const DeviceInfo& device : devices()) {
    if (!device.available) continue;
    for (const CostMethod each : device.cost_methods)
      if (each == method) names.push_back(device.name);
  }
  return names;
}

TEST(CostMaze, ThreeHundredThousandSteps) {
  const Corridor corridor(500, 600);
  ASSERT_GT(corridor.way().size(), 300'000u);
  for (const Connectivity connectivity : {Connectivity::faces, Connectivity::corners}) {
    SCOPED_TRACE(name_of(connectivity));
    const Answer truth = solve(corridor, connectivity, {.device = "cpu"}, CostMethod::dijkstra);
    if (connectivity == Connectivity::faces) expect_known(truth, corridor);
    for (const std::string& device : devices_with(CostMethod::exact))
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(device + ", threads " + std::to_string(threads));
        expect_same(solve(corridor, connectivity, {.device = device, .threads = threads},
                          CostMethod::exact),
                    truth);
      }
  }
}

// There are fewer cells, since each iteration looks at all of them.
TEST(CostMaze, RelaxationTakesAnIterationForEachStepAndOneMore) {
  const Corridor corridor(50, 60);
  const std::size_t steps = corridor.way().size() - 1;
  const Answer truth =
      solve(corridor, Connectivity::faces, {.device = "cpu"}, CostMethod::dijkstra);
  expect_known(truth, corridor);
  for (const std::string& device : devices_with(CostMethod::relaxation)) {
    SCOPED_TRACE(device);
    const Answer found = solve(corridor, Connectivity::faces, {.device = device, .threads = 2},
                               CostMethod::relaxation);
    expect_same(found, truth);
    EXPECT_EQ(found.report.active_cells, std::vector<std::int64_t>(steps + 1, 1));
  }
}

}  // namespace
}  // namespace thiessen

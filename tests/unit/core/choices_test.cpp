// SPDX-License-Identifier: Apache-2.0
//
// That every choice has a name of its own, by which it is found again, and other names find
// nothing.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

/// `last` is the last enumerator; `find` goes from names to choices.
template <class Choice, std::size_t kCount, class Find>
void expect_round_trips(const std::string_view (&names)[kCount], Choice last, const Find& find) {
  ASSERT_EQ(static_cast<std::size_t>(last) + 1, kCount) << "a name for each enumerator";
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto choice = static_cast<Choice>(i);
    EXPECT_EQ(name_of(choice), names[i]);
    EXPECT_EQ(find(name_of(choice)), choice) << names[i];
    EXPECT_TRUE(known.insert(names[i]).second) << names[i];
  }
  for (const std::string_view wrong : {"", "Exact", "euclidean ", "no such name"})
    EXPECT_FALSE(find(wrong)) << wrong;
  EXPECT_EQ(name_of(static_cast<Choice>(kCount)), "unknown");
}

TEST(Choices, AreFoundByTheirNames) {
  const auto by = [](auto find) { return [find](std::string_view name) { return find(name); }; };
  expect_round_trips(kMetricNames, Metric::great_circle, by(find_metric));
  expect_round_trips(kMethodNames, Method::jfa_star_one_paper, by(find_method));
  expect_round_trips(kCostMethodNames, CostMethod::eikonal, by(find_cost_method));
  expect_round_trips(kStepRuleNames, StepRule::third, by(find_step_rule));
  expect_round_trips(kAllotmentNames, Allotment::contiguous, by(find_allotment));
  expect_round_trips(kNoiseNames, Noise::mask, by(find_noise));
  expect_round_trips(kDistanceToNames, DistanceTo::boundary, by(find_distance_to));
  expect_round_trips(kEdgeWeightNames, EdgeWeight::cost, by(find_edge_weight));
  expect_round_trips(kWalkNames, Walk::table, by(find_walk));
  expect_round_trips(kWalkMapNames, WalkMap::adds, by(find_walk_map));
  expect_round_trips(kWalkDirectionNames, WalkDirection::to_site, by(find_walk_direction));
  expect_round_trips(kMaterialNames, Material::maze, by(find_material));
  expect_round_trips(kInstructionsNames, Instructions::best, by(find_instructions));
  expect_round_trips(kRenderModeNames, RenderMode::distance, by(find_render_mode));
  expect_round_trips(kRampNames, Ramp::cividis, by(find_ramp));
  expect_round_trips(kRampScaleNames, RampScale::log, by(find_ramp_scale));
  expect_round_trips(kMarksNames, Marks::outline, by(find_marks));
  expect_round_trips(kConnectivityNames, Connectivity::knights,
                     [](std::string_view name) { return find_connectivity(name); });
}

TEST(Choices, TakeThePapersNameOfAGradient) {
  static_assert(find_material("Degrade") == Material::gradient);
  static_assert(!find_material("degrade"));
}

TEST(Choices, MethodsHaveTheNamesThatUsersType) {
  static_assert(find_method("1+jfa") == Method::one_jfa);
  static_assert(find_method("jfa+1") == Method::jfa_one);
  static_assert(find_method("jfa+2") == Method::jfa_two);
  static_assert(find_method("jfa2") == Method::jfa2);
  static_assert(find_method("jfa+1-paper") == Method::jfa_one_paper);
  static_assert(find_method("jfa+-paper") == Method::jfa_plus_paper);
  static_assert(find_method("jfa-star-paper") == Method::jfa_star_paper);
  static_assert(find_method("jfa-star+1-paper") == Method::jfa_star_one_paper);
  static_assert(name_of(Method::circle_growing) == "circle-growing");
  static_assert(find_noise("in-place") == Noise::in_place);
}

/// What papers and other programs call them, and slips of the fingers.
TEST(Choices, AreGuessedFromOtherNames) {
  const std::pair<std::string_view, std::string_view> methods[] = {
      {"jfa-1", "1+jfa"},
      {"jfa*", "jfa-star"},
      {"jfa+", "jfa-plus"},
      {"scan", "brute-force"},
      {"distance-transform", "chamfer"},
      {"逐点法", "brute-force"},
      {"逐个空白栅格确定法", "brute-force"},
      {"代数距离变换法", "chamfer"},
      {"数学形态学距离变换法", "dilation"},
      {"邻域扩张", "expansion"},
      {"圆检测法", "circle-growing"},
      {"数学形态学", "dilation"},
      {"brute_force", "brute-force"},
      {"exactt", "exact"},
      {"", ""},
      {"nonsense", ""}};
  for (const auto& [word, name] : methods) EXPECT_EQ(likely_name(word, kMethodNames), name) << word;
  const std::pair<std::string_view, std::string_view> metrics[] = {{"city-block", "manhattan"},
                                                                   {"cityblock", "manhattan"},
                                                                   {"街区距离", "manhattan"},
                                                                   {"棋盘距离", "chessboard"},
                                                                   {"八角形距离", "octagonal"},
                                                                   {"manhatan", "manhattan"},
                                                                   {"euclid", "euclidean"},
                                                                   {"chamfer", ""},
                                                                   {"jfa*", ""}};
  for (const auto& [word, name] : metrics) EXPECT_EQ(likely_name(word, kMetricNames), name) << word;
}

TEST(LikelyNames, ADeviceThatThereIsNotIsNoOther) {
  constexpr std::string_view kDevices[] = {"auto", "cpu"};
  EXPECT_EQ(likely_name("gpu", kDevices), "");
  EXPECT_EQ(likely_name("cup", kDevices), "cpu");
}

TEST(Patterns, AreFoundByTheirNames) {
  for (const Pattern& pattern :
       {Pattern::square(), Pattern::circle(1), Pattern::circle(64), Pattern::random_circle(9)})
    EXPECT_EQ(find_pattern(name_of(pattern)), pattern) << name_of(pattern);
  EXPECT_EQ(name_of(Pattern{}), "square");
  EXPECT_EQ(name_of(Pattern::random_circle(9)), "random-circle:9");
}

TEST(Patterns, OtherNamesAreNone) {
  for (const std::string_view name :
       {"", "round", "circle", "circle:", "circle:0", "circle:65", "circle:-3", "circle:3x",
        "random-circle:", "random-circle: 3", "square:3", "circle:99999999999"})
    EXPECT_FALSE(find_pattern(name)) << name;
}

TEST(Connectivities, AreFoundByTheirNumberOfNeighbours) {
  for (const int rank : {2, 3})
    for (int neighbours = -1; neighbours <= 30; ++neighbours) {
      const auto found = find_connectivity(neighbours, rank);
      const bool exists = rank == 2 ? neighbours == 4 || neighbours == 8 || neighbours == 16
                                    : neighbours == 6 || neighbours == 18 || neighbours == 26;
      EXPECT_EQ(found.has_value(), exists) << neighbours << " in " << rank << "-D";
      if (found) {
        EXPECT_EQ(neighbours_of(*found, rank), neighbours);
      }
    }
  static_assert(neighbours_of(Connectivity{}, 2) == 8 && neighbours_of(Connectivity{}, 3) == 26);
  static_assert(neighbours_of(Connectivity::edges, 2) == 0);
  static_assert(neighbours_of(Connectivity::knights, 3) == 0);
}

}  // namespace
}  // namespace thiessen

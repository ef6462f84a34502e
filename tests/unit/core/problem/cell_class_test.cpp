// SPDX-License-Identifier: Apache-2.0
#include "core/problem/cell_class.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace thiessen {
namespace {

template <class T>
std::vector<int> classes_of(const std::vector<T>& cells, SiteRule rule) {
  rule.type = detail::element_type_of<T>();
  std::vector<std::uint8_t> classes(cells.size());
  classify(rule, cells.data(), static_cast<std::int64_t>(cells.size()), classes.data());
  return {classes.begin(), classes.end()};
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(CellClassTest, NonZeroCellsAreSites) {
  EXPECT_EQ(classes_of<std::int16_t>({0, 1, -5, 300}, {}), (std::vector<int>{0, 1, 1, 1}));
  EXPECT_EQ(classes_of<float>({0, -0.0f, kNan, 1e-40f, -2}, {}), (std::vector<int>{0, 0, 0, 1, 1}));
}

TEST(CellClassTest, NodataIsNeitherFreeNorSite) {
  SiteRule rule;
  rule.nodata = to_label_bits(std::int64_t{-1}, ElementType::i32, "nodata");
  EXPECT_EQ(classes_of<std::int32_t>({0, -1, 4}, rule), (std::vector<int>{0, 2, 1}));
  rule.nodata = to_label_bits(std::int64_t{0}, ElementType::f32, "nodata");
  EXPECT_EQ(classes_of<float>({0, -0.0f, 4, kNan}, rule), (std::vector<int>{2, 2, 1, 0}));
  rule.nodata = to_label_bits(std::numeric_limits<double>::quiet_NaN(), ElementType::f32, "nodata");
  EXPECT_EQ(classes_of<float>({0, kNan, 4}, rule), (std::vector<int>{0, 2, 1}));
}

TEST(CellClassTest, ValuesChooseTheSites) {
  SiteRule rule;
  rule.selection = SiteSelection::values;
  rule.values = {
      to_label_bits(std::int64_t{0}, ElementType::f32, "values"),
      to_label_bits(std::numeric_limits<double>::quiet_NaN(), ElementType::f32, "values")};
  EXPECT_EQ(classes_of<float>({0, -0.0f, 3, kNan}, rule), (std::vector<int>{1, 1, 0, 1}));
  rule.nodata = rule.values[1];
  EXPECT_EQ(classes_of<float>({0, -0.0f, 3, kNan}, rule), (std::vector<int>{1, 1, 0, 2}));
}

TEST(CellClassTest, AllOthersAreSites) {
  SiteRule rule;
  rule.selection = SiteSelection::others;
  rule.values = {to_label_bits(std::int64_t{-9999}, ElementType::i16, "nodata")};
  EXPECT_EQ(classes_of<std::int16_t>({0, -9999, 4}, rule), (std::vector<int>{1, 0, 1}));
  rule.complement = true;
  EXPECT_EQ(classes_of<std::int16_t>({0, -9999, 4}, rule), (std::vector<int>{0, 1, 0}));
  rule.complement = false;
  rule.values = {
      to_label_bits(std::numeric_limits<double>::quiet_NaN(), ElementType::f32, "nodata")};
  EXPECT_EQ(classes_of<float>({0, kNan, 4}, rule), (std::vector<int>{1, 0, 1}));
}

TEST(CellClassTest, AllCellsButNodata) {
  SiteRule rule;
  rule.selection = SiteSelection::all;
  rule.nodata = to_label_bits(std::int64_t{9}, ElementType::i16, "nodata");
  EXPECT_EQ(classes_of<std::int16_t>({0, 9, 4}, rule), (std::vector<int>{1, 2, 1}));
}

TEST(CellClassTest, ComplementTurnsEveryOtherCellIntoASite) {
  SiteRule rule;
  rule.nodata = to_label_bits(std::int64_t{9}, ElementType::u8, "nodata");
  rule.complement = true;
  EXPECT_EQ(classes_of<std::uint8_t>({0, 1, 9}, rule), (std::vector<int>{1, 0, 1}));
}

TEST(CellClassTest, ComparisonTakesTwoNanAsTheSame) {
  const std::vector<float> a = {1, kNan, kNan, 0};
  const std::vector<float> b = {1, kNan, 2, -0.0f};
  std::vector<std::uint8_t> same(4);
  compare_cells(ElementType::f32, a.data(), b.data(), 4, same.data());
  EXPECT_EQ(same, (std::vector<std::uint8_t>{1, 1, 0, 1}));
}

TEST(CellClassTest, AnyNonZeroByteIsTrue) {
  const std::uint8_t a[] = {0, 1, 2, 255};
  const std::uint8_t b[] = {0, 2, 1, 0};
  std::vector<std::uint8_t> same(4);
  compare_cells(ElementType::boolean, a, b, 4, same.data());
  EXPECT_EQ(same, (std::vector<std::uint8_t>{1, 1, 1, 0}));
}

}  // namespace
}  // namespace thiessen

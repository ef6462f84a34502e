// SPDX-License-Identifier: Apache-2.0
#include "core/base/label_bits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

template <class T>
T as(const LabelValue& value) {
  T element;
  const LabelBits bits = to_label_bits(value, detail::element_type_of<T>(), "nodata");
  std::memcpy(&element, bits.bytes.data(), sizeof element);
  return element;
}

TEST(LabelBitsTest, ValuesThatFit) {
  EXPECT_EQ(as<std::uint8_t>(std::int64_t{255}), 255);
  EXPECT_EQ(as<std::int8_t>(-128.0), -128);
  EXPECT_EQ(as<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(as<std::int64_t>(std::numeric_limits<std::int64_t>::min()),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(as<float>(std::int64_t{-9999}), -9999.0f);
  EXPECT_EQ(as<double>(0.1), 0.1);
  EXPECT_EQ(as<float>(std::numeric_limits<double>::infinity()),
            std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(as<float>(std::numeric_limits<double>::quiet_NaN())));
}

TEST(LabelBitsTest, ValuesThatDoNotFit) {
  const auto refused = [](const LabelValue& value, ElementType type) {
    EXPECT_THROW(to_label_bits(value, type, "nodata"), Error) << name_of(type);
  };
  refused(std::int64_t{256}, ElementType::u8);
  refused(std::int64_t{-1}, ElementType::u64);
  refused(1.5, ElementType::i32);
  refused(9223372036854775808.0, ElementType::i64);
  refused(std::numeric_limits<double>::quiet_NaN(), ElementType::i64);
  refused(0.1, ElementType::f32);
  refused((std::int64_t{1} << 53) + 1, ElementType::f64);
  refused(std::int64_t{(1 << 24) + 1}, ElementType::f32);
  refused(std::int64_t{2}, ElementType::boolean);
}

TEST(LabelBitsTest, MessageNamesArgumentValueAndType) {
  try {
    to_label_bits(std::int64_t{300}, ElementType::u8, "nodata");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "nodata = 300; must be a value of the sites' type u8");
  }
}

}  // namespace
}  // namespace thiessen

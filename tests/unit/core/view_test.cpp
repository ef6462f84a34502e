// SPDX-License-Identifier: Apache-2.0
#include "thiessen/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "thiessen/element_visit.hpp"
#include "thiessen/raster.hpp"

namespace thiessen {
namespace {

TEST(ElementTypes, SizesAndNames) {
  EXPECT_EQ(size_of(ElementType::boolean), 1u);
  EXPECT_EQ(size_of(ElementType::i16), 2u);
  EXPECT_EQ(size_of(ElementType::f32), 4u);
  EXPECT_EQ(size_of(ElementType::u64), 8u);
  EXPECT_EQ(name_of(ElementType::boolean), "bool");
  EXPECT_EQ(name_of(ElementType::f64), "f64");
}

TEST(ElementTypes, OfCppTypes) {
  EXPECT_EQ(detail::element_type_of<bool>(), ElementType::boolean);
  EXPECT_EQ(detail::element_type_of<const char>(), ElementType::i8);
  EXPECT_EQ(detail::element_type_of<unsigned long long>(), ElementType::u64);
  EXPECT_EQ(detail::element_type_of<long>(),
            sizeof(long) == 8 ? ElementType::i64 : ElementType::i32);  // Windows has the latter
  EXPECT_EQ(detail::element_type_of<float>(), ElementType::f32);
}

TEST(ElementTypes, VisitedAsTheTypeThatStandsForThem) {
  for (const ElementType type :
       {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16, ElementType::u32,
        ElementType::i32, ElementType::u64, ElementType::i64, ElementType::f32, ElementType::f64}) {
    const auto visited = visit_element_type(
        type, []<class T>(std::type_identity<T>) { return detail::element_type_of<T>(); });
    EXPECT_EQ(visited, type) << name_of(type);
  }
  EXPECT_TRUE(visit_element_type(ElementType::boolean, []<class T>(std::type_identity<T>) {
    return std::is_same_v<T, std::uint8_t>;
  }));
}

/// Cells are counted, also of empty extents; a count beyond 63 bits is refused.
TEST(ExtentsTest, Count) {
  EXPECT_EQ((Extents{3, 4, 5}).count(), 60);
  EXPECT_EQ((Extents{0, std::int64_t{1} << 40, std::int64_t{1} << 40}).count(), 0);
  EXPECT_THROW((Extents{std::int64_t{1} << 40, std::int64_t{1} << 40}).count(), Error);
}

TEST(ExtentsTest, RefusesNegativeSizesAndTooManyAxes) {
  EXPECT_THROW((Extents{3, -1}), Error);
  EXPECT_THROW((Extents{1, 1, 1, 1, 1, 1}), Error);
}

TEST(ViewTest, EmptyMeansNotWanted) {
  EXPECT_FALSE(View<void>());
  EXPECT_TRUE(View<float>(nullptr, Extents{0, 5}));
}

TEST(ViewTest, TypedViewConvertsAndIndexes) {
  std::vector<float> cells = {0, 1, 2, 3, 4, 5};
  const View<float> view(cells.data(), {2, 3});
  EXPECT_EQ(view(1, 2), 5);
  const View<const void> erased = View<void>(view);
  EXPECT_EQ(erased.element_type(), ElementType::f32);
  EXPECT_EQ(erased.extents(), (Extents{2, 3}));
  EXPECT_EQ(erased.stride(0), 12);
}

/// Negative strides turn a view round.
TEST(ViewTest, AnyStrides) {
  std::array<std::int16_t, 6> cells = {0, 1, 2, 3, 4, 5};
  const View<const std::int16_t> turned(cells.data() + 5, {2, 3}, {-6, -2});
  EXPECT_EQ(turned(0, 0), 5);
  EXPECT_EQ(turned(1, 2), 0);
}

TEST(RasterTest, HoldsWhatItSays) {
  Raster raster = Raster::of<std::uint16_t>({4, 5});
  EXPECT_EQ(raster.size_bytes(), 40u);
  raster.view<std::uint16_t>()(3, 4) = 7;
  EXPECT_EQ(std::as_const(raster).view<std::uint16_t>()(3, 4), 7);
  EXPECT_THROW(raster.view<float>(), Error);
}

TEST(RasterTest, OutOfMemoryNamesTheBytes) {
  try {
    const Raster raster = Raster::of<double>({std::int64_t{1} << 29, std::int64_t{1} << 29});
    FAIL() << "got 2^61 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("2305843009213693952 bytes"), std::string::npos);
  }
}

}  // namespace
}  // namespace thiessen

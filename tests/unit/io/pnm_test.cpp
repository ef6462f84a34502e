// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "test_files.hpp"

namespace thiessen::io {
namespace {

using namespace std::string_literals;

using PnmTest = FileTest;

TEST_F(PnmTest, EveryFormatIsRead) {
  const Raster bits = raster_of<bool>({2, 3}, {true, false, true, false, true, true});
  expect_same(read_raster(make_file("a", "P1\n3 2\n1 0 1\n0 1 1\n")).raster, bits);
  expect_same(read_raster(make_file("a", "P1 3 2 101011")).raster, bits);
  expect_same(read_raster(make_file("a", "P4\n3 2\n\xbf\x7f")).raster,
              bits);  // padding bits are set
  const Raster grey = raster_of<std::uint8_t>({2, 2}, {0, 7, 99, 255});
  expect_same(read_raster(make_file("a", "P2\n2 2\n255\n0 7 99 255\n")).raster, grey);
  expect_same(read_raster(make_file("a", "P5\n2 2\n255\n\0\7\x63\xff"s)).raster, grey);
  const Raster deep = raster_of<std::uint16_t>({1, 3}, {0, 258, 65535});
  expect_same(read_raster(make_file("a", "P2\n3 1\n65535\n0 258 65535\n")).raster, deep);
  expect_same(read_raster(make_file("a", "P5\n3 1\n65535\n\0\0\1\2\xff\xff"s)).raster, deep);
  const Raster colours = raster_of<std::uint32_t>({1, 2}, {0x010203, 0xff00fe});
  expect_same(read_raster(make_file("a", "P3\n2 1\n255\n1 2 3\n255 0 254\n")).raster, colours);
  expect_same(read_raster(make_file("a", "P6\n2 1\n255\n\1\2\3\xff\0\xfe"s)).raster, colours);
}

TEST_F(PnmTest, PackedBitsOfMoreThanAByte) {
  const Raster raster = read_raster(make_file("a", "P4 11 2\n\x80\x20\x01\x80"s)).raster;
  Raster expected = Raster::of<bool>({2, 11});
  for (std::int64_t i = 0; i < 22; ++i) {
    expected.view<bool>()(i / 11, i % 11) = i == 0 || i == 10 || i == 18 || i == 19;
  }
  expect_same(raster, expected);
}

TEST_F(PnmTest, CommentsAndWhiteSpaceAreSkipped) {
  const Raster grey = raster_of<std::uint8_t>({1, 2}, {'#', ' '});
  for (const char* const header :
       {"P5#magic\n2 1 255\n", "P5\n# made by\n#\n2#width\n1\n255 ", "P5\t2\v1\f255\r",
        "P5\n2 1\n# 9 9 9\r255\n", "P5 2 1 255# the line end belongs to the header\n",
        "P5\n  0002  1\r\n255\n"}) {
    expect_same(read_raster(make_file("a", std::string(header) + "# ")).raster, grey);
  }
  expect_same(read_raster(make_file("a", "P2 2 1 255 35 # no cell: 9\n\n\t32 # end")).raster, grey);
}

TEST_F(PnmTest, TheGreatestValueChoosesTheType) {
  EXPECT_EQ(read_raster(make_file("a", "P5 1 1 1\n\1")).raster.element_type(), ElementType::u8);
  EXPECT_EQ(read_raster(make_file("a", "P5 1 1 256\n\1\0"s)).raster.element_type(),
            ElementType::u16);
  EXPECT_EQ(read_raster(make_file("a", "P6 1 1 9\n\1\2\x09")).raster.view<std::uint32_t>()(0, 0),
            0x010209U);
}

TEST_F(PnmTest, ValuesAboveTheGreatestAreRefused) {
  expect_refused("P5 2 2 7\n\1\2\x08\1", {"value 8", "cell [1, 0]", "0 to 7"});
  expect_refused("P5 2 1 256\n\0\1\1\1"s, {"value 257", "cell [0, 1]", "0 to 256"});
  expect_refused("P2 2 1 7 1 70000 ", {"value 70000", "cell [0, 1]", "0 to 7"});
  expect_refused("P6 2 1 7\n\1\1\1\1\1\x09", {"value 9", "cell [0, 1]", "0 to 7"});
  expect_refused("P3 1 2 7 1 1 1 1 8 1 ", {"value 8", "cell [1, 0]"});
  const std::string many = "P5 1000 1000 9\n" + std::string(999'999, '\1') + "\x0a";
  expect_refused(many, {"value 10", "cell [999, 999]"});
}

TEST_F(PnmTest, BrokenHeadersAreRefused) {
  expect_refused("P5 0 3 255\n", {"0 x 3", "1 or more"});
  expect_refused("P5 3 0 255\n", {"3 x 0", "1 or more"});
  expect_refused("P5 -3 1 255\n", {"'-'", "width"});
  expect_refused("P5 3 x 255\n", {"'x'", "height"});
  expect_refused("P5 3 2x 255\n", {"'x'", "height"});
  expect_refused("P5 1 1 2\xff", {"'?'", "greatest value"});
  expect_refused("P5 1 1 0\n\1", {"greatest value 0", "1 to 65535"});
  expect_refused("P5 1 1 65536\n\1", {"greatest value 65536", "1 to 65535"});
  expect_refused("P6 1 1 256\n\1\1\1\1\1\1", {"greatest value 256", "at most 255"});
  expect_refused("P5 1 1", {"height"});
  expect_refused("P5 # a comment without an end", {"width"});
  expect_refused("P7\nWIDTH 1\n", {"none of NPY", "'P7?WIDTH'"});
  expect_refused("P55 1 1 255\n1", {"none of NPY"});
}

TEST_F(PnmTest, AbsurdSizesCostNoMemory) {
  expect_refused("P5 1073741825 1 255\n\1", {"1073741825", "1073741824"});
  expect_refused("P5 99999999999999999999999 1 255\n\1", {"width of more than 4294967295"});
  for (const char* const format : {"P2", "P3", "P5", "P6"}) {
    expect_refused(format + " 1073741824 1073741824 255\n1 "s,
                   {"1073741824 x 1073741824", "only 2"});
  }
  expect_refused("P1 1073741824 1073741824\n1", {"1152921504606846976 bytes", "only 1 "});
  expect_refused("P4 1073741824 1073741824\n1", {"144115188075855872 bytes", "only 1 "});
}

TEST_F(PnmTest, BrokenTextCellsAreRefused) {
  expect_refused("P1 2 1\n1 2", {"'2'", "a cell"});
  expect_refused("P2 2 1 255\n1 -2 ", {"'-'", "a value"});
  expect_refused("P2 2 1 255\n1 2.5 ", {"'.'", "a value"});
  expect_refused("P2 2 1 255\n1 99999999999999 ", {"a value of more than 4294967295"});
}

TEST_F(PnmTest, TruncatedFilesAreRefused) {
  for (const std::string& bytes :
       {"P1 9 2\n101010101\n010101010"s, "P2\n2 2\n255\n10 7 99 255\n"s, "P3 1 1 255\n100 2 3\n"s,
        "P4 9 2\n\x01\x80\x01\x80"s, "P5 2 2 255\n\1\2\3\4"s, "P5 2 1 65535\n\1\2\3\4"s,
        "P6 1 2 255\n\1\2\3\4\5\6"s}) {
    expect_no_prefix_is_read(bytes);
  }
}

TEST_F(PnmTest, MoreThanOneRasterIsRefused) {
  expect_refused("P5 1 1 255\n\1P5 1 1 255\n\1", {"goes on", "12 bytes"});
  expect_refused("P4 1 1\n\1\n", {"goes on", "1 byte"});
  expect_refused("P2 1 1 255\n1 P2 1 1 255\n1 ", {"'P'", "after the last cell"});
  expect_refused("P1 1 1\n10", {"'0'", "after the last cell"});
}

template <class T>
class PgmRoundTrip : public FileTest {};
using Integers = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t,
                                std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(PgmRoundTrip, Integers);

TYPED_TEST(PgmRoundTrip, IntegersComeBackAsU8OrU16) {
  using Stored = std::conditional_t<sizeof(TypeParam) == 1, std::uint8_t, std::uint16_t>;
  const auto greatest = static_cast<TypeParam>(
      std::min<std::uint64_t>(std::numeric_limits<Stored>::max(),
                              static_cast<std::uint64_t>(std::numeric_limits<TypeParam>::max())));
  const Raster raster = raster_of<TypeParam>({2, 2}, {0, 1, 100, greatest});
  const Raster expected = raster_of<Stored>({2, 2}, {0, 1, 100, static_cast<Stored>(greatest)});
  expect_same(read_raster(this->write("a.pgm", raster.view())).raster, expected);
  expect_same(read_raster(this->write("a.PNG", raster.view())).raster, expected);
}

TYPED_TEST(PgmRoundTrip, ValuesThatDoNotFitAreRefused) {
  const bool is_small = sizeof(TypeParam) == 1;
  Raster raster = raster_of<TypeParam>({2, 3}, {0, 1, 2, 3, 4, 5});
  TypeParam& cell = raster.view<TypeParam>()(1, 2);
  for (const auto bad :
       {std::numeric_limits<TypeParam>::min(), std::numeric_limits<TypeParam>::max()}) {
    if (std::in_range<std::uint16_t>(bad)) continue;
    cell = bad;
    for (const char* const name : {"a.pgm", "a.png"}) {
      const auto file = this->path(name);
      const std::string text = io_error_of([&] { this->write(name, raster.view()); });
      expect_words(text, {file.string(), "value " + std::to_string(bad), "cell [1, 2]",
                          is_small ? "0 to 255" : "0 to 65535"});
    }
  }
  EXPECT_EQ(this->entries(), 0);
}

/// Each format has exactly these bytes.
TEST_F(PnmTest, WrittenBytes) {
  const Raster grey = raster_of<std::uint8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(bytes_of(write("a.pgm", grey.view())), "P5\n3 2\n255\n\1\2\3\4\5\6");
  const Raster deep = raster_of<std::int64_t>({1, 2}, {1, 65535});
  EXPECT_EQ(bytes_of(write("a.pgm", deep.view())), "P5\n2 1\n65535\n\0\1\xff\xff"s);
  const Raster colours = raster_of<std::uint8_t>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(bytes_of(write("a.ppm", colours.view())), "P6\n2 1\n255\n\1\2\3\4\5\6");
  const std::vector<std::uint8_t> bytes = {0, 3};
  const View<const void> booleans(bytes.data(), ElementType::boolean, {1, 2});
  EXPECT_EQ(bytes_of(write("a.pgm", booleans)), "P5\n2 1\n255\n\0\1"s);
}

TEST_F(PnmTest, ViewsOfAnyStridesAreWritten) {
  const Raster grey = raster_of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const View<const std::int32_t> turned(grey.view<std::int32_t>().data() + 5, {3, 2}, {-4, -12});
  EXPECT_EQ(bytes_of(write("a.pgm", turned)), "P5\n2 3\n65535\n\0\6\0\3\0\5\0\2\0\4\0\1"s);
  const Raster planes = raster_of<std::uint8_t>({3, 1, 2}, {1, 4, 2, 5, 3, 6});
  const View<const std::uint8_t> mixed(planes.view<std::uint8_t>().data(), {1, 2, 3}, {2, 1, 2});
  EXPECT_EQ(bytes_of(write("a.ppm", mixed)), "P6\n2 1\n255\n\1\2\3\4\5\6");
}

TEST_F(PnmTest, WhatAFormatCannotHoldIsKnownBeforehand) {
  const auto refusal = [](const char* name, ElementType type, const Extents& extents) {
    return io_error_of([&] { require_writable(name, type, extents); });
  };
  expect_words(refusal("a.gif", ElementType::u8, {2, 2}), {"a.gif: ", "'.gif'", ".npy"});
  expect_words(refusal("a", ElementType::u8, {2, 2}), {"a: ", "''", ".npy"});
  expect_words(refusal("a.pgm", ElementType::f32, {2, 2}),
               {"a.pgm: ", "f32", "PGM holds integers"});
  expect_words(refusal("a.png", ElementType::f64, {2, 2}), {"f64", "or u8 extents (y, x, 3)"});
  expect_words(refusal("a.png", ElementType::u16, {2, 2, 3}), {"u16", "2 x 2 x 3"});
  expect_words(refusal("a.png", ElementType::u8, {2, 2, 2}), {"2 x 2 x 2"});
  expect_words(refusal("a.pgm", ElementType::u8, {2, 2, 3}), {"2 x 2 x 3", "two axes"});
  expect_words(refusal("a.ppm", ElementType::i32, {2, 2}), {"i32", "PPM holds u8 extents"});
  expect_words(refusal("a.ppm", ElementType::u8, {2}), {"2 cells"});
  expect_words(refusal("a.pgm", ElementType::u8, {0, 5}), {"0 x 5", "1 to 1073741824"});
  expect_words(refusal("a.png", ElementType::u8, {1, (1 << 30) + 1}), {"1073741825"});
  expect_words(refusal("a.npy", ElementType::u8, {}), {"without axes"});
  EXPECT_NO_THROW(require_writable("a.NPY", ElementType::f64, {1, 2, 3, 0}));
  EXPECT_NO_THROW(require_writable("a.Png", ElementType::boolean, {1, 2}));
}

TEST_F(PnmTest, WritingRefusesTheSameAndLeavesNothing) {
  const Raster floats = patterned(ElementType::f32, {2, 2});
  expect_words(io_error_of([&] { write("a.pgm", floats.view()); }), {"a.pgm", "f32"});
  const View<const void> elsewhere(floats.bytes(), ElementType::f32, {2, 2}, MemorySpace::cuda);
  expect_words(io_error_of([&] { write("a.npy", elsewhere); }), {"a.npy", "device memory"});
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace thiessen::io

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "io/table/points_file.hpp"
#include "test_files.hpp"

namespace thiessen::io {
namespace {

using namespace std::string_literals;

using Numbers = std::vector<double>;

class PointsTest : public FileTest {
 protected:
  PointsFile read(std::string_view text, const PointsOptions& options = {}) const {
    return read_points(make_file("points.csv", text), options);
  }

  void expect_points(std::string_view text, const Numbers& coordinates,
                     const PointsOptions& options = {}) const {
    SCOPED_TRACE(std::string(text));
    const PointsFile points = read(text, options);
    EXPECT_EQ(points.coordinates, coordinates);
    EXPECT_EQ(points.axes, options.axes.value_or(2));
  }

  template <class T>
  void expect_labels(std::string_view text, std::initializer_list<T> labels,
                     const PointsOptions& options = {}) const {
    SCOPED_TRACE(std::string(text));
    expect_same(read(text, options).labels,
                raster_of<T>({static_cast<std::int64_t>(labels.size())}, labels));
  }

  void expect_error(std::string_view text, std::initializer_list<std::string_view> words,
                    const PointsOptions& options = {}) const {
    SCOPED_TRACE(std::string(text.substr(0, 100)));
    const std::string error = io_error_of([&] { read(text, options); });
    EXPECT_TRUE(error.starts_with(path("points.csv").string() + ": ")) << error;
    EXPECT_LE(error.size(), 400U);
    expect_words(error, words);
  }
};

/// Commas, semicolons, tabs, spaces and quotes give the same points.
TEST_F(PointsTest, EverySeparator) {
  const Numbers expected{1, 2.5, -3, 4};
  for (const char* const text :
       {"1,2.5\n-3,4\n", "1;2.5\n-3;4\n", "1\t2.5\n-3\t4\n", "1 2.5\n-3 4\n",
        "  1   2.5  \n-3 \t 4", " 1 , 2.5 \n -3 ,\t4 ", "1\t 2.5\n -3\t4", "1 ; 2.5\n-3;4",
        "\"1\",\"2.5\"\n\"-3\" , \"4\"", "\"1\" \"2.5\"\n-3 \" 4 \"\n", "\"1\"\t\"2.5\"\n-3\t4"}) {
    expect_points(text, expected);
  }
}

TEST_F(PointsTest, LineEndsCommentsAndBlanks) {
  const Numbers expected{1, 2, 3, 4};
  for (const char* const text :
       {"1,2\n3,4", "1,2\r\n3,4\r\n",
        "\xef\xbb\xbf"
        "1,2\n3,4\n",
        "# x,y\n1,2\n\n  \t\n# 5,6\n3,4\n\n", "\n\n1,2\n  #, comment; with\tall\n3,4\n#",
        "1,2\n#"
        "\xff\xfe"
        "\n3,4",
        "x,y\r\n1,2\r\n3,4\r\n\r\n"}) {
    expect_points(text, expected);
  }
}

/// Signs, exponents and extreme values are read exactly.
TEST_F(PointsTest, Numbers) {
  expect_points("+1,-0.5\n1e3,+2.5E-1\n.5,5.\n-1e+2,007\n", {1, -0.5, 1000, 0.25, 0.5, 5, -100, 7});
  expect_points("0.1 1.7976931348623157e308\n4.9e-324 -0",
                {0.1, std::numeric_limits<double>::max(), 4.9e-324, -0.0});
}

TEST_F(PointsTest, TheLocaleDoesNotMatter) {
  // Not every machine has one with a decimal comma.
  for (const char* const name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  expect_points("1.5,2.5", {1.5, 2.5});
  std::setlocale(LC_ALL, "C");
}

TEST_F(PointsTest, ColumnsByPosition) {
  expect_points("1,2,3\n4,5,6", {1, 2, 4, 5});
  expect_labels<std::int32_t>("1,2,3\n4,5,6", {3, 6});
  expect_points("1,2,3\n4,5,6", {1, 2, 3, 4, 5, 6}, {.axes = 3});
  EXPECT_EQ(read("1,2,3\n4,5,6", {.axes = 3}).labels.extents().rank(), 0);
  const PointsFile points = read("1,2,3,4\n5,6,7,8");
  EXPECT_EQ(points.axes, 3);
  EXPECT_EQ(points.count(), 2);
  EXPECT_EQ(points.coordinates, (Numbers{1, 2, 3, 5, 6, 7}));
  expect_labels<std::int32_t>("1,2,3,4\n5,6,7,8", {4, 8});
  expect_labels<std::int32_t>("1,2,3,4", {4}, {.axes = 3});
  EXPECT_EQ(read("1,2").labels.extents().rank(), 0);
}

TEST_F(PointsTest, ColumnsByName) {
  expect_points("y,x\n1,2\n", {2, 1});
  expect_points("\"Lat\" ; \"LON\"\n1;2\n", {2, 1});
  expect_points("Northing\tEasting\n1\t2\n", {2, 1});
  expect_points("longitude latitude\n1 2\n", {1, 2});
  expect_points("POINT_X,POINT_Y\n1,2\n", {1, 2});
  expect_points(",xcoord,ycoord\n0,1,2\n1,3,4\n", {1, 2, 3, 4});
  expect_points("\txcoord\tycoord\n0\t1\t2\n", {1, 2});
  // Both pairs are there: the plane one is meant.
  expect_points("lat,lon,x,y\n1,2,3,4\n", {3, 4});
  // The contents of other columns do not matter.
  expect_points("name,x,y\n\"Paris, \"\"City\"\" of light\",1,2\n,3,4\n", {1, 2, 3, 4});
  expect_points("z,y,x\n1,2,3\n", {3, 2, 1}, {.axes = 3});
  expect_points("z,y,x\n1,2,3\n", {3, 2}, {.axes = 2});
  EXPECT_EQ(read("x,y,z\n1,2,3\n").axes, 3);
}

TEST_F(PointsTest, UnknownNamesLeaveThePositions) {
  expect_points("a,b\n1,2\n", {1, 2});
  expect_labels<std::int32_t>("a,b,c\n1,2,3\n", {3});
  expect_points("a,b,c\n1,2,3\n", {1, 2, 3}, {.axes = 3});
}

TEST_F(PointsTest, LabelsByName) {
  expect_labels<std::int32_t>("label,x,y\n7,1,2\n8,3,4\n", {7, 8});
  expect_labels<std::int32_t>("x,y,Id\n1,2,7\n", {7});
  expect_labels<std::int32_t>("id,x,y,value\n1,2,3,4\n", {4});
  expect_labels<std::int32_t>("x,y,population\n1,2,7\n", {7}, {.label_field = "Population"});
  expect_labels<std::int32_t>("x,y,z\n1,2,7\n", {7}, {.label_field = "z"});
  expect_labels<std::int32_t>("a,b,c\n1,2,7\n", {7}, {.label_field = "c"});
  EXPECT_EQ(read("x,y,population\n1,2,7\n").labels.extents().rank(), 0);
}

TEST_F(PointsTest, TheTypeThatHoldsAllLabels) {
  expect_labels<std::int32_t>("0,0,-2147483648\n0,0,+2147483647", {INT32_MIN, INT32_MAX});
  expect_labels<std::int64_t>("0,0,1\n0,0,2147483648", {1, 2147483648});
  expect_labels<std::int64_t>("0,0,-9223372036854775808", {INT64_MIN});
  expect_labels<std::uint64_t>("0,0,7\n0,0,18446744073709551615", {7, UINT64_MAX});
  expect_labels<double>("0,0,1\n0,0,2.5\n0,0,-3", {1, 2.5, -3});
  expect_labels<double>("0,0,1.0", {1});
  expect_labels<double>("0,0,9007199254740992\n0,0,0.5", {9007199254740992, 0.5});
  expect_labels<double>("0,0,-inf\n0,0,3", {-std::numeric_limits<double>::infinity(), 3});
}

TEST_F(PointsTest, LabelsThatNoTypeHolds) {
  expect_error("0,0,-1\n0,0,18446744073709551615", {"line 2", "negative", "2^63"});
  expect_error("0,0,18446744073709551615\n0,0,-1", {"line 2", "negative", "2^63"});
  expect_error("0,0,9007199254740993\n0,0,0.5", {"line 2", "2^53", "f64"});
  expect_error("0,0,0.5\n0,0,-9007199254740993", {"line 2", "2^53", "f64"});
  expect_error("0,0,0.5\n0,0,18446744073709551615", {"line 2", "2^53", "f64"});
  expect_error("0,0,18446744073709551616", {"line 1", "18446744073709551616", "64 bits"});
  expect_error("0,0,-9223372036854775809", {"line 1", "64 bits"});
  expect_error("0,0,1\n0,0,1e999", {"line 2", "'1e999'", "number"});
}

TEST_F(PointsTest, LabelsAreNumbers) {
  expect_error("1,2,3\n4,5,forest\n", {"line 2", "'forest'", "label is a number"});
  expect_error("1,2,forest\n", {"line 1", "'forest'", "label is a number"});
  expect_error("1,2,3\n4,5,\n", {"line 2", "''", "label is a number"});
}

TEST_F(PointsTest, PointsWithoutANameHaveTheirNumber) {
  const PointsFile points =
      read("x,y,a\n1,1,\n2,2,Mill\n3,3,7\n4,4,\"\"\n5,5,Mill\n", {.label_field = "a"});
  EXPECT_EQ(points.names, (std::vector<std::string>{"1", "Mill", "7", "4"}));
  EXPECT_EQ(points.unnamed, 2);
  expect_same(points.labels, raster_of<std::int32_t>({5}, {1, 2, 3, 4, 2}));
  expect_error("x,y,a\n1,1,3\n2,2,\n3,3,4\n", {"line 3 has no label"}, {.label_field = "a"});
}

TEST_F(PointsTest, TextIsUtf8) {
  expect_error("x,y,a\n1,1,B\xe4r\n", {"line 2", "not UTF-8: 'B?r'", "iconv"},
               {.label_field = "a"});
  expect_error("x,y,a\n1,1,\xc0\xaf\n", {"line 2", "not UTF-8"}, {.columns = true});
  expect_error("x,y,\xff\n1,1,a\n", {"line 1", "not UTF-8"}, {.columns = true});
  EXPECT_EQ(read("x,y,a\n1,1,B\xe4r\n").count(), 1);  // what is not read may be anything
}

TEST_F(PointsTest, CoordinatesAreFiniteNumbers) {
  expect_error("1,2\n# 3\n4,oak\n", {"line 3", "y 'oak'", "no number"});
  expect_error("1,2\n\n,4\n", {"line 3", "x ''", "no number"});
  expect_error("1,2,3,4\n1,2,0x10,4\n", {"line 2", "z '0x10'", "no number"});
  for (const char* const bad : {"nan", "NaN", "inf", "-inf", "Infinity"}) {
    expect_error("nan,1\n"s, {"line 1", "x 'nan'", "not finite"});
    expect_error("1,2\n3,"s + bad, {"line 2", bad, "not finite"});
  }
  for (const char* const bad : {"1e400", "1e-400", "1.5.2", "1 2", "--1", "+-1", "1e", "1f"}) {
    expect_error("1,2\n3,"s + bad, {"line 2", bad, "no number"});
  }
}

TEST_F(PointsTest, DecimalCommasAreNamed) {
  for (const char* const text :
       {"1,5;2,5\n", "x;y\n1,5;2,5\n", "1,5 2,5\n", "1,5\t2,5\n", "1 2\n1,5 2\n"}) {
    expect_error(text, {"line ", "with a point, not with a comma"});
  }
}

TEST_F(PointsTest, TheNumberOfColumns) {
  expect_error("1,2\n\n3,4,5\n", {"line 3 has 3 columns; line 1 has 2"});
  expect_error("x,y,label\n1,2\n", {"line 2 has 2 columns; line 1 has 3"});
  expect_error("1\n", {"line 1 has 1 column;", "x,y"});
  expect_error("1,2,3,4,5\n", {"line 1 has 5 columns", "x,y,z,label"});
  expect_error("1,2,3,4\n", {"line 1 has 4 columns", "x,y or x,y,label"}, {.axes = 2});
  expect_error("1,2\n", {"line 1 has 2 columns", "x,y,z"}, {.axes = 3});
  expect_error("a,b,c,d,e\n", {"line 1 has 5 columns"});
  expect_error("1,2,\n", {"line 1", "''"});
}

TEST_F(PointsTest, HeadersThatLeaveDoubts) {
  expect_error("x,b\n1,2\n", {"line 1", "'x'", "not two for x and y"});
  expect_error("id,a,b\n1,2,3\n", {"line 1", "'id'", "x and y"});
  expect_error("x,y,X\n1,2,3\n", {"line 1", "two columns 'x'"});
  expect_error("x,y\n1,2\n", {"line 1", "no z"}, {.axes = 3});
  expect_error("x,y\n1,2\n", {"line 1", "no column 'pop'"}, {.label_field = "pop"});
  expect_error("1,2,3\n", {"line 1", "no header", "'pop'"}, {.label_field = "pop"});
  expect_error("x,y\n1,2\n", {"line 1", "coordinate and the label"}, {.label_field = "x"});
  expect_error("a,b,c\n1,2,3\n", {"line 1", "coordinate and the label"}, {.label_field = "b"});
}

TEST_F(PointsTest, NoPointsAreNoError) {
  for (const char* const text : {"", "\n", "# nothing\n", "\xef\xbb\xbf"}) {
    expect_points(text, {});
    expect_points(text, {}, {.axes = 3});
    EXPECT_EQ(read(text).labels.extents().rank(), 0);
  }
  expect_points("x,y", {});
  expect_labels<std::int32_t>("x,y,label\n", {});
}

/// Quotes that are open or followed by text are refused with the line.
TEST_F(PointsTest, Quotes) {
  expect_error("\"1,2\n3,4\n", {"line 1", "inside of quotes"});
  expect_error("1,2\n\"3\"4,5\n", {"line 2", "after a quoted field", "'4,5'"});
  expect_error("1 2\n\"3\"4 5\n", {"line 2", "after a quoted field"});
  expect_error("1,2\n3,\"\n", {"line 2", "inside of quotes"});
  expect_error("1,2\n3,\"\"\"\n", {"line 2", "inside of quotes"});
  expect_error("1,2\n3,\"\"\n", {"line 2", "y ''"});
}

TEST_F(PointsTest, WhatIsNoTextIsRefused) {
  expect_error(
      "\xff\xfe"
      "1\0,\0"s,
      {"UTF-16"});
  expect_error("1,2\n3,\0004\n"s, {"line 2", "NUL"});
  expect_error("\x89PNG\r\n\x1a\n", {"line 1 has 1 column"});
  expect_error("\x93NUMPY\1\0v\0{'descr'"s, {"line 1", "NUL"});
  expect_error("1,2\r3,4\r", {"line 1"});
  expect_error("\x01\x02,\x03\n\x04,\x05\n", {"line 2", "'?'", "no number"});
}

TEST_F(PointsTest, LinesHaveALimit) {
  const std::string spaces(1 << 20, ' ');
  expect_points("1,2\n3," + spaces.substr(3) + "4\n5,6", {1, 2, 3, 4, 5, 6});
  expect_error("1,2\n3," + spaces + "4\n5,6", {"line 2", "longer than 1048576"});
  expect_error("1,2\n" + spaces + "3", {"line 2", "longer than 1048576"});
  expect_error("#" + std::string(5 << 20, ','), {"line 1", "longer than 1048576"});
}

TEST_F(PointsTest, ManyPointsAcrossBlocks) {
  constexpr int kPoints = 300'000;
  std::string text;
  for (int i = 0; i < kPoints; ++i) {
    text += std::to_string(i) + ".25," + std::to_string(-i) + "," + std::to_string(i % 7) + "\n";
  }
  const PointsFile points = read(text);
  ASSERT_EQ(points.count(), kPoints);
  const auto labels = points.labels.view<std::int32_t>();
  for (int i = 0; i < kPoints; ++i) {
    const auto first = static_cast<std::size_t>(2 * i);
    ASSERT_EQ(points.coordinates[first], i + 0.25);
    ASSERT_EQ(points.coordinates[first + 1], -i);
    ASSERT_EQ(labels(i), i % 7);
  }
}

TEST_F(PointsTest, FilesThatCannotBeRead) {
  expect_words(io_error_of([&] { read_points(path("missing.csv")); }), {"missing.csv", "opened"});
  expect_words(io_error_of([&] { read_points(path("")); }), {"cannot be read", "directory"});
}

TEST_F(PointsTest, AxesAreTwoOrThree) {
  try {
    read("1,2", {.axes = 4});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.what(), "axes = 4: must be 2 or 3"s);
  }
}

}  // namespace
}  // namespace thiessen::io

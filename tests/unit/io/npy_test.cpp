// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "test_files.hpp"

namespace thiessen::io {
namespace {

using namespace std::string_literals;

constexpr std::array kTypes = {ElementType::boolean, ElementType::u8,  ElementType::i8,
                               ElementType::u16,     ElementType::i16, ElementType::u32,
                               ElementType::i32,     ElementType::u64, ElementType::i64,
                               ElementType::f32,     ElementType::f64};

std::string npy(const std::string& dictionary, std::string_view data) {
  const auto length = dictionary.size();
  std::string bytes = "\x93NUMPY\x01\x00"s;
  bytes.push_back(static_cast<char>(length & 0xff));
  bytes.push_back(static_cast<char>(length >> 8));
  return bytes + dictionary + std::string(data);
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string npy(const std::string& descr, const std::string& shape, std::string_view data) {
  return npy(dictionary("'" + descr + "'", "False", shape), data);
}

std::string code_of(ElementType type) {
  return std::string(1, name_of(type)[0]) + std::to_string(size_of(type));
}

std::string shape_of(const Extents& extents) {
  std::string text = "(";
  for (int axis = 0; axis < extents.rank(); ++axis) text += std::to_string(extents[axis]) + ",";
  return text + ")";
}

/// The cells in another order and byte order, one by one: slow and plain.
std::string stored(const Raster& raster, bool fortran, bool big_endian) {
  const Extents& e = raster.extents();
  const bool flat = e.rank() == 2;
  const std::int64_t depth = flat ? 1 : e[0];
  const std::int64_t height = e[flat ? 0 : 1];
  const std::int64_t width = e[flat ? 1 : 2];
  const std::int64_t size = static_cast<std::int64_t>(size_of(raster.element_type()));
  const std::string_view cells = cells_of(raster);
  std::string data(cells.size(), '\0');
  for (std::int64_t z = 0; z < depth; ++z) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const std::int64_t from = (z * height + y) * width + x;
        const std::int64_t to = fortran ? (x * height + y) * depth + z : from;
        for (std::int64_t byte = 0; byte < size; ++byte) {
          const std::int64_t target = big_endian ? size - 1 - byte : byte;
          data[static_cast<std::size_t>(to * size + target)] =
              cells[static_cast<std::size_t>(from * size + byte)];
        }
      }
    }
  }
  return data;
}

using NpyTest = FileTest;

TEST_F(NpyTest, EveryTypeComesBack) {
  const std::vector<Extents> shapes = {{3, 5}, {2, 3, 4}, {0, 5},   {5, 0},  {4, 0, 2},
                                       {1, 1}, {1, 1, 1}, {1, 300}, {300, 1}};
  for (const ElementType type : kTypes) {
    for (const Extents& extents : shapes) {
      SCOPED_TRACE(std::string(name_of(type)) + " " + shape_of(extents));
      const Raster raster = patterned(type, extents);
      expect_same(read_raster(write("a.npy", raster.view())).raster, raster);
    }
  }
}

TEST_F(NpyTest, BothByteOrdersAndBothCellOrdersAreRead) {
  const std::vector<Extents> shapes = {{3, 5}, {70, 45}, {2, 3, 4}, {3, 40, 50}, {0, 5}, {4, 0, 2}};
  for (const ElementType type : kTypes) {
    for (const Extents& extents : shapes) {
      for (const bool fortran : {false, true}) {
        for (const bool big : {false, true}) {
          const std::string descr = (big ? ">" : "<") + code_of(type);
          SCOPED_TRACE(descr + shape_of(extents) + (fortran ? " Fortran" : " C"));
          const Raster raster = patterned(type, extents);
          const auto file = make_file(
              "a.npy",
              npy(dictionary("'" + descr + "'", fortran ? "True" : "False", shape_of(extents)),
                  stored(raster, fortran, big)));
          expect_same(read_raster(file).raster, raster);
        }
      }
    }
  }
}

TEST_F(NpyTest, FortranOrderOfSeveralPanels) {
  for (const Extents& extents : {Extents{70'000, 18}, Extents{300, 250, 18}}) {
    const Raster raster = patterned(ElementType::f64, extents);
    const auto file = make_file(
        "a.npy", npy(dictionary("'>f8'", "True", shape_of(extents)), stored(raster, true, true)));
    expect_same(read_raster(file).raster, raster);
  }
}

TEST_F(NpyTest, WrittenBytesAreThoseOfNumpy) {
  const Raster raster = raster_of<std::uint16_t>({2, 2}, {1, 2, 3, 0x0405});
  const std::string bytes = bytes_of(write("a.npy", raster.view()));
  const std::string text = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }";
  std::string expected = "\x93NUMPY\x01\x00\x76\x00"s + text;
  expected += std::string(127 - expected.size(), ' ') + "\n";
  EXPECT_EQ(bytes, expected + "\1\0\2\0\3\0\5\4"s);
}

TEST_F(NpyTest, OneAndFourAxesAreWritten) {
  std::vector<float> cells(24, 1.5F);
  const View<const float> line(cells.data(), {24});
  EXPECT_NE(bytes_of(write("a.npy", line)).find("'shape': (24,), }"), std::string::npos);
  const View<const float> four(cells.data(), {1, 2, 3, 4});
  EXPECT_NE(bytes_of(write("b.npy", four)).find("'shape': (1, 2, 3, 4), }"), std::string::npos);
}

TEST_F(NpyTest, CellsBeginAtAMultipleOf64Bytes) {
  for (const std::int64_t width : {1, 10, 100, 1'000, 10'000, 100'000}) {
    const Raster raster = patterned(ElementType::u8, {1, width});
    const auto size = bytes_of(write("a.npy", raster.view())).size();
    EXPECT_EQ((size - static_cast<std::size_t>(width)) % 64, 0U) << width;
  }
}

TEST_F(NpyTest, ViewsOfAnyStridesAreWritten) {
  const Raster whole = raster_of<std::int32_t>({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const auto* const cells = whole.view<std::int32_t>().data();
  const View<const std::int32_t> transposed(cells, {4, 3}, {4, 16});
  expect_same(read_raster(write("a.npy", transposed)).raster,
              raster_of<std::int32_t>({4, 3}, {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}));
  const View<const std::int32_t> reversed(cells + 11, {3, 4}, {-16, -4});
  expect_same(read_raster(write("b.npy", reversed)).raster,
              raster_of<std::int32_t>({3, 4}, {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  const View<const std::int32_t> padded(cells, {3, 2}, {16, 4});
  expect_same(read_raster(write("c.npy", padded)).raster,
              raster_of<std::int32_t>({3, 2}, {1, 2, 5, 6, 9, 10}));
  const View<const std::int32_t> repeated(cells + 4, {2, 2}, {0, 4});
  expect_same(read_raster(write("d.npy", repeated)).raster,
              raster_of<std::int32_t>({2, 2}, {5, 6, 5, 6}));
  const View<const std::int32_t> planes(cells + 8, {2, 2, 2}, {-16, 8, 4});
  expect_same(read_raster(write("e.npy", planes)).raster,
              raster_of<std::int32_t>({2, 2, 2}, {9, 10, 11, 12, 5, 6, 7, 8}));
}

TEST_F(NpyTest, StridedRowsOfMoreThanOneBufferAreWritten) {
  for (const ElementType type : kTypes) {
    const Raster raster = patterned(type, {300, 1'100});
    const auto size = static_cast<std::int64_t>(size_of(type));
    const View<const void> transposed(raster.bytes(), type, {1'100, 300}, {size, 1'100 * size});
    const Raster result = read_raster(write("a.npy", transposed)).raster;
    EXPECT_EQ(cells_of(result), stored(raster, true, false)) << name_of(type);
  }
}

TEST_F(NpyTest, BooleansBecomeZeroOrOne) {
  const std::array<std::uint8_t, 4> bytes = {0, 1, 2, 255};
  const View<const void> view(bytes.data(), ElementType::boolean, {2, 2});
  EXPECT_TRUE(bytes_of(write("a.npy", view)).ends_with("\0\1\1\1"s));
  const Raster raster = read_raster(make_file("b.npy", npy("|b1", "(2, 2)", "\0\1\2\xff"s))).raster;
  EXPECT_EQ(cells_of(raster), "\0\1\1\1"s);
}

TEST_F(NpyTest, HeadersOfOtherWritersAreRead) {
  const Raster expected = raster_of<std::uint8_t>({1, 2}, {7, 9});
  for (const std::string& text :
       {"{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|u1\"}"s,
        " { 'fortran_order' :False , 'descr':'u1','shape': ( 1L , 2L ) } \n"s,
        dictionary("'=u1'", "False", "(1, 2)"), dictionary("'<u1'", "True", "(1, 2)")}) {
    expect_same(read_raster(make_file("a.npy", npy(text, "\x07\x09"))).raster, expected);
  }
}

TEST_F(NpyTest, Versions2And3AreRead) {
  const std::string text = dictionary("'|u1'", "False", "(1, 2)");
  for (const char version : {'\2', '\3'}) {
    const std::string bytes = "\x93NUMPY"s + version + "\0"s + static_cast<char>(text.size()) +
                              "\0\0\0"s + text + "\x07\x09";
    expect_same(read_raster(make_file("a.npy", bytes)).raster,
                raster_of<std::uint8_t>({1, 2}, {7, 9}));
    expect_no_prefix_is_read(bytes);
  }
}

TEST_F(NpyTest, TruncatedFilesAreRefused) {
  expect_no_prefix_is_read(npy("<i4", "(2, 3)", std::string(24, '\1')));
  expect_no_prefix_is_read(npy(dictionary("'>f4'", "True", "(2, 1, 3)"), std::string(24, '\1')));
}

TEST_F(NpyTest, BytesAfterTheCellsAreRefused) {
  expect_refused(npy("<i4", "(2, 3)", std::string(25, '\1')), {"goes on", "1 byte;"});
  expect_refused(npy("<i4", "(0, 3)", "ab"), {"goes on", "2 bytes"});
}

TEST_F(NpyTest, ForeignCellsAreRefused) {
  const std::string data(64, '\0');
  expect_refused(npy("<c8", "(2, 2)", data), {"complex", "'<c8'", "f32 or f64"});
  expect_refused(npy("|O", "(2, 2)", data), {"Python objects", "'|O'"});
  expect_refused(npy("<U3", "(2, 2)", data), {"text", "'<U3'"});
  expect_refused(npy("|S3", "(2, 2)", data), {"text"});
  expect_refused(npy("<f2", "(2, 2)", data), {"floats", "'<f2'"});
  expect_refused(npy("<f16", "(2, 2)", data), {"floats", "'<f16'"});
  expect_refused(npy("<M8[s]", "(2, 2)", data), {"dates", "'<M8[s]'"});
  expect_refused(npy("|V4", "(2, 2)", data), {"structured"});
  expect_refused(npy(dictionary("[('a', '<f4')]", "False", "(2, 2)"), data),
                 {"structured", "[('a', '<f4')]"});
  for (const char* const descr : {"<i3", "|i4", "", "<", "f", "q4", "<i44", "<<i4", "i4 "}) {
    expect_refused(npy(descr, "(2, 2)", data), {"descr '" + std::string(descr) + "'"});
  }
}

TEST_F(NpyTest, ShapesThatAreNoRasterAreRefused) {
  expect_refused(npy("|u1", "()", "a"), {"0 axes", "2 or 3"});
  expect_refused(npy("|u1", "(3,)", "abc"), {"1 axis", "2 or 3"});
  expect_refused(npy("|u1", "(1, 1, 1, 1)", "a"), {"4 axes", "2 or 3"});
  expect_refused(npy("|u1", "(-1, 1)", "a"), {"size of an axis", "-1"});
  expect_refused(npy("|u1", "(99999999999999999999, 1)", "a"), {"size of an axis"});
  expect_refused(npy("|u1", "(1073741825, 0)", ""), {"1073741825", "1073741824"});
  expect_refused(npy("<f8", "(9223372036854775807, 2)", "a"), {"9223372036854775807"});
}

TEST_F(NpyTest, HugePromisesCostNoMemory) {
  expect_refused(npy("|u1", "(1073741824, 1073741824)", "a"),
                 {"1073741824 x 1073741824", "1152921504606846976 bytes", "only 1 follow"});
  expect_refused(npy("<f8", "(1073741824, 1073741824, 1073741824)", "a"), {"2^63"});
  expect_refused(npy("<f8", "(1073741824, 1073741824)", "a"), {"2^63"});
}

TEST_F(NpyTest, BrokenHeadersAreRefused) {
  expect_refused("\x93NUMPY\x04\x00"s, {"version 4"});
  expect_refused("\x93NUMPY\x01\x00\xff\xff{"s, {"65535 bytes", "only 1 follow"});
  expect_refused("\x93NUMPY\x02\x00\xff\xff\xff\xff{"s, {"4294967295 bytes"});
  expect_refused(npy("{'descr': '|u1', 'fortran_order': False}", "a"), {"not all of the keys"});
  expect_refused(npy("{}", ""), {"not all of the keys"});
  expect_refused(npy("", ""), {"no '{'", "at its end"});
  expect_refused(npy("garbage\n\x01\xff", ""), {"no '{' at 'garbage\?\?\?'"});
  expect_refused(npy("{'descr': '|u1', 'descr': '|u1'}", ""), {"repeated key 'descr'"});
  expect_refused(npy("{'colour': 3}", ""), {"unknown", "'colour'"});
  expect_refused(npy("{descr: 3}", ""), {"no string"});
  expect_refused(npy("{'descr", ""), {"no string"});
  expect_refused(npy(dictionary("'|u1'", "Maybe", "(1, 1)"), "a"), {"neither True nor False"});
  expect_refused(npy(dictionary("'|u1'", "False", "[1, 1]"), "a"), {"no '('"});
  expect_refused(npy(dictionary("'|u1'", "False", "(1 1)"), "a"), {"no ')'"});
  expect_refused(npy(dictionary("'|u1'", "False", "(1.5, 1)"), "a"), {"no ')'"});
  expect_refused(npy(dictionary("'|u1'", "False", "(1, 1)") + "x", "a"), {"text after its end"});
  expect_refused(npy(std::string(60'000, '('), ""), {"no '{'", "...'"});
}

TEST_F(NpyTest, NoChangeOfOneHeaderByteDoesHarm) {
  const std::string whole = npy("<i2", "(2, 3)", std::string(12, '\1'));
  for (std::size_t i = 0; i < whole.size() - 12; ++i) {
    for (int byte = 0; byte < 256; byte += 3) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(byte);
      try {
        EXPECT_EQ(read_raster(make_file("a.npy", bytes)).raster.size_bytes(), 12U);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
      }
    }
  }
}

/// A pipe under a name, filled by another thread.
class Pipe {
 public:
  explicit Pipe(std::string bytes) : bytes_(std::move(bytes)) {
    if (::pipe(ends_.data()) != 0) std::abort();
    writer_ = std::thread([this] {
      for (std::size_t done = 0; done < bytes_.size();) {
        const auto count = ::write(ends_[1], bytes_.data() + done, bytes_.size() - done);
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
      }
      ::close(ends_[1]);
    });
  }
  ~Pipe() {
    ::close(ends_[0]);
    writer_.join();
  }
  std::filesystem::path path() const { return "/dev/fd/" + std::to_string(ends_[0]); }

 private:
  std::string bytes_;
  std::array<int, 2> ends_{};
  std::thread writer_;
};

TEST_F(NpyTest, PipesAreRead) {
  const Raster raster = patterned(ElementType::u32, {1'000, 900});
  const std::string bytes = npy("<u4", "(1000, 900)", cells_of(raster));
  expect_same(read_raster(Pipe(bytes).path()).raster, raster);
}

TEST_F(NpyTest, PipesThatEndEarlyOrLateAreRefused) {
  const std::string bytes = npy("<u4", "(1000, 900)", std::string(3'599'999, 'a'));
  expect_words(io_error_of([&] { read_raster(Pipe(bytes).path()); }),
               {"/dev/fd/", "3600000 bytes", "only 3599999 follow"});
  expect_words(io_error_of([&] { read_raster(Pipe(bytes + "ab").path()); }), {"goes on", "1 byte"});
  expect_words(io_error_of([&] { read_raster(Pipe("").path()); }), {"is empty"});
  const std::string huge = npy("<u4", "(1000000, 1000000)", "abcd");
  expect_words(io_error_of([&] { read_raster(Pipe(huge).path()); }), {"only 4 follow"});
}

}  // namespace
}  // namespace thiessen::io

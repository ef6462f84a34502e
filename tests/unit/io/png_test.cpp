// SPDX-License-Identifier: Apache-2.0
//
// The files are made here, byte by byte and without libpng, so that reader and writer do not share
// a mistake.
#include "io/raster/formats/png.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "test_files.hpp"

namespace thiessen::io {
namespace {

using namespace std::string_literals;

constexpr int kGrey = 0;
constexpr int kRgb = 2;
constexpr int kPalette = 3;
constexpr int kGreyAlpha = 4;
constexpr int kRgba = 6;

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<char>(value >> shift & 0xff));
  return bytes;
}

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data +
         big_endian(crc_of(type + data));
}

/// A zlib stream that stores its bytes as they are.
std::string deflated(const std::string& raw) {
  std::string stream = "\x78\x01";
  for (std::size_t first = 0; first == 0 || first < raw.size(); first += 65535) {
    const std::string block = raw.substr(first, 65535);
    const auto low = static_cast<char>(block.size() & 0xff);
    const auto high = static_cast<char>(block.size() >> 8);
    stream += first + 65535 >= raw.size() ? '\1' : '\0';
    stream += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
    stream += block;
  }
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : raw) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return stream + big_endian(b << 16 | a);
}

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  int bits = 8;
  int colour = kGrey;
  bool interlaced = false;
};

std::string header_of(const Picture& picture) {
  const std::string details = {static_cast<char>(picture.bits), static_cast<char>(picture.colour),
                               '\0', '\0', static_cast<char>(picture.interlaced)};
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", big_endian(picture.width) + big_endian(picture.height) + details);
}

/// `rows`: a zero byte (no filter) and the samples of each row; `before`: chunks in front of them.
std::string png(const Picture& picture, const std::string& rows, const std::string& before = "") {
  return header_of(picture) + before + chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}

/// The seven passes of an interlaced picture whose cell [y, x] has the samples cell(y, x).
template <class Cell>
std::string passes_of(const Picture& picture, const Cell& cell) {
  struct Pass {
    std::uint32_t x, y, step_x, step_y;
  };
  constexpr Pass kPasses[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                              {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  std::string rows;
  for (const Pass& pass : kPasses) {
    if (pass.x >= picture.width) continue;
    for (std::uint32_t y = pass.y; y < picture.height; y += pass.step_y) {
      rows += '\0';
      for (std::uint32_t x = pass.x; x < picture.width; x += pass.step_x) rows += cell(y, x);
    }
  }
  return rows;
}

using PngTest = FileTest;

TEST_F(PngTest, GreyOfEveryDepthIsReadAsStored) {
  const auto read = [this](int bits, std::uint32_t width, const std::string& row) {
    return read_raster(make_file("a", png({width, 1, bits}, "\0"s + row))).raster;
  };
  expect_same(read(1, 3, "\xa0"), raster_of<bool>({1, 3}, {true, false, true}));
  expect_same(read(2, 4, "\x1b"), raster_of<std::uint8_t>({1, 4}, {0, 1, 2, 3}));
  expect_same(read(4, 3, "\x1f\x20"), raster_of<std::uint8_t>({1, 3}, {1, 15, 2}));
  expect_same(read(8, 2, "\1\xff"), raster_of<std::uint8_t>({1, 2}, {1, 255}));
  expect_same(read(16, 2, "\1\2\xff\xfe"), raster_of<std::uint16_t>({1, 2}, {258, 65534}));
}

TEST_F(PngTest, PalettesAreReadAsIndices) {
  const std::string palette = chunk("PLTE", std::string(12, '\x42'));
  const Picture small{4, 1, 2, kPalette};
  const Raster expected = raster_of<std::uint8_t>({1, 4}, {0, 1, 2, 3});
  expect_same(read_raster(make_file("a", png(small, "\0\x1b"s, palette))).raster, expected);
  const std::string clear = palette + chunk("tRNS", "\0\x80"s);
  expect_same(read_raster(make_file("a", png(small, "\0\x1b"s, clear))).raster, expected);
  const Picture bit{2, 1, 1, kPalette};
  expect_same(read_raster(make_file("a", png(bit, "\0\x40"s, palette))).raster,
              raster_of<std::uint8_t>({1, 2}, {0, 1}));
}

TEST_F(PngTest, RgbIsReadAsOneNumber) {
  const std::string bytes = png({2, 2, 8, kRgb}, "\0\1\2\3\xff\0\xfe\0\0\0\0\7\7\7"s);
  expect_same(read_raster(make_file("a", bytes)).raster,
              raster_of<std::uint32_t>({2, 2}, {0x010203, 0xff00fe, 0, 0x070707}));
}

TEST_F(PngTest, InterlacedPicturesAreRead) {
  for (const std::uint32_t width : {1U, 2U, 5U, 9U, 17U}) {
    for (const std::uint32_t height : {1U, 4U, 11U}) {
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
      const Picture rgb{width, height, 8, kRgb, true};
      const Raster colours =
          read_raster(
              make_file("a",
                        png(rgb, passes_of(rgb,
                                           [](auto y, auto x) {
                                             return big_endian(y * 100'000 + x * 300).substr(1);
                                           }))))
              .raster;
      const Picture deep{width, height, 16, kGrey, true};
      const Raster greys =
          read_raster(
              make_file("b", png(deep, passes_of(deep,
                                                 [](auto y, auto x) {
                                                   return big_endian(y * 1'000 + x * 7).substr(2);
                                                 }))))
              .raster;
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
          EXPECT_EQ(colours.view<std::uint32_t>()(y, x), y * 100'000 + x * 300);
          EXPECT_EQ(greys.view<std::uint16_t>()(y, x), y * 1'000 + x * 7);
        }
      }
    }
  }
}

TEST_F(PngTest, PicturesOfManyBlocksAreRead) {
  std::string rows;
  for (int y = 0; y < 300; ++y) rows += '\0' + std::string(1'000, static_cast<char>(y));
  const Raster raster = read_raster(make_file("a", png({1'000, 300}, rows))).raster;
  for (std::int64_t y = 0; y < 300; ++y) {
    EXPECT_EQ(raster.view<std::uint8_t>()(y, 999), static_cast<std::uint8_t>(y));
  }
}

TEST_F(PngTest, TransparencyIsRefusedWithAdvice) {
  expect_refused(png({1, 1, 8, kGreyAlpha}, "\0\1\2"s), {"alpha channel", "flatten"});
  expect_refused(png({1, 1, 8, kRgba}, "\0\1\2\3\4"s), {"alpha channel", "flatten"});
  expect_refused(png({1, 1, 16, kRgba}, "\0\1\2\3\4\1\2\3\4"s), {"alpha channel", "flatten"});
  expect_refused(png({1, 1}, "\0\1"s, chunk("tRNS", "\0\1"s)), {"tRNS", "flatten"});
  expect_refused(png({1, 1, 8, kRgb}, "\0\1\2\3"s, chunk("tRNS", "\0\1\0\1\0\1"s)),
                 {"tRNS", "flatten"});
}

TEST_F(PngTest, RgbOf16BitsIsRefused) {
  expect_refused(png({1, 1, 16, kRgb}, "\0\1\2\3\4\5\6"s), {"RGB of 16 bits"});
}

TEST_F(PngTest, AbsurdSizesCostNoMemory) {
  expect_refused(png({1 << 30, 1 << 30}, "\0\1"s), {"1073741824 x 1073741824 cells", "only"});
  expect_refused(png({1 << 30, 1 << 30, 8, kRgb, true}, "\0\1"s), {"1073741824 x 1073741824"});
  expect_refused(png({(1 << 30) + 1, 1}, "\0\1"s), {"1073741825", "1073741824"});
  expect_refused(png({0x80000000, 1}, "\0\1"s), {"damaged PNG"});
  expect_refused(png({0, 1}, "\0"s), {"damaged PNG"});
}

TEST_F(PngTest, DamagedFilesAreRefused) {
  expect_refused("This is a text, whatever its name says.\n", {"none of NPY", "'This is '"});
  expect_refused("\x89PNG\n\x1a\n  ", {"none of NPY", "'?PNG"});
  expect_refused(header_of({1, 1}) + chunk("IEND", ""), {"damaged PNG"});
  expect_refused(png({2, 2}, "\0\1\2"s), {"damaged PNG"});             // one row of two
  expect_refused(png({1, 1}, "\x09\1"s), {"damaged PNG"});             // unknown filter
  expect_refused(png({1, 1, 3}, "\0\1"s), {"damaged PNG"});            // bit depth
  expect_refused(png({1, 1, 8, kPalette}, "\0\1"s), {"damaged PNG"});  // no palette
  std::string bytes = png({1, 1}, "\0\1"s);
  bytes[bytes.size() - 14] ^= 1;  // in the check sum of IDAT
  expect_refused(bytes, {"damaged PNG", "CRC"});
}

TEST_F(PngTest, TruncatedFilesAreRefused) {
  expect_no_prefix_is_read(png({3, 2}, "\0\1\2\3\0\4\5\6"s, chunk("tEXt", "a\0b"s)));
  const Picture interlaced{5, 5, 8, kRgb, true};
  expect_no_prefix_is_read(
      png(interlaced, passes_of(interlaced, [](auto, auto) { return "abc"s; })));
}

TEST_F(PngTest, NoChangeOfOneByteDoesHarm) {
  const std::string whole = png({3, 2}, "\0\1\2\3\0\4\5\6"s);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ 1 << bit);
      expect_refused(bytes, {});
    }
  }
}

TEST_F(PngTest, RastersComeBack) {
  const Raster grey = patterned(ElementType::u8, {37, 53});
  expect_same(read_raster(write("a.png", grey.view())).raster, grey);
  const Raster deep = patterned(ElementType::u16, {37, 53});
  expect_same(read_raster(write("a.png", deep.view())).raster, deep);
  const Raster one = raster_of<std::int32_t>({1, 1}, {4'242});
  expect_same(read_raster(write("a.png", one.view())).raster,
              raster_of<std::uint16_t>({1, 1}, {4'242}));
  const Raster booleans = raster_of<bool>({1, 3}, {true, false, true});
  expect_same(read_raster(write("a.png", booleans.view())).raster,
              raster_of<std::uint8_t>({1, 3}, {1, 0, 1}));
  const Raster colours = raster_of<std::uint8_t>({1, 2, 3}, {1, 2, 3, 0xff, 0, 0xfe});
  expect_same(read_raster(write("a.png", colours.view())).raster,
              raster_of<std::uint32_t>({1, 2}, {0x010203, 0xff00fe}));
}

/// Four channels are colours with opacity, which our reader refuses.
TEST_F(PngTest, ColoursWithOpacityAreWritten) {
  const Raster pixels = Raster::of<std::uint8_t>({2, 3, 4});
  const std::vector<std::byte> bytes = encode_png(pixels.view());
  constexpr std::size_t kColourType = 25;
  EXPECT_EQ(bytes[kColourType], std::byte{6});
}

TEST_F(PngTest, ViewsOfAnyStridesAreWritten) {
  const Raster cells = raster_of<std::int64_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const View<const std::int64_t> turned(cells.view<std::int64_t>().data() + 5, {3, 2}, {-8, -24});
  expect_same(read_raster(write("a.png", turned)).raster,
              raster_of<std::uint16_t>({3, 2}, {6, 3, 5, 2, 4, 1}));
}

TEST_F(PngTest, AFullDiskIsReportedAsSuch) {
  std::filesystem::create_symlink("/dev/full", path("full.png"));
  const Raster raster = patterned(ElementType::u16, {2'000, 2'000});
  expect_words(io_error_of([&] { write("full.png", raster.view()); }),
               {"full.png: ", "No space left on device"});
}

}  // namespace
}  // namespace thiessen::io

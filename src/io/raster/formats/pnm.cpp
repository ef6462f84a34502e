// SPDX-License-Identifier: Apache-2.0
#include "io/raster/formats/pnm.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "io/files/byte_order.hpp"
#include "io/raster/formats/picture_rows.hpp"
#include "io/raster/raster_shape.hpp"

namespace thiessen::io {
namespace {

constexpr std::uint32_t kGreatestSample = 65535;
constexpr std::uint32_t kGreatestByte = 255;
constexpr std::size_t kChunkCells = std::size_t{1} << 16;

struct PnmHeader {
  bool text = false;           // P1 to P3: decimal numbers
  int components = 1;          // 3: red, green, blue
  std::uint32_t greatest = 1;  // greatest sample; 1 also for PBM
  bool bits = false;           // PBM
  Extents extents;

  ElementType type() const {
    if (bits) return ElementType::boolean;
    if (components == 3) return ElementType::u32;
    return greatest > kGreatestByte ? ElementType::u16 : ElementType::u8;
  }
  std::uint64_t sample_bytes() const { return greatest > kGreatestByte ? 2 : 1; }
};

bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(int c) { return c >= '0' && c <= '9'; }

/// The words of the header, and of the text formats.
class PnmText {
 public:
  explicit PnmText(InputFile& file) : file_(file) {}

  /// Reads a decimal number and the one white space that ends it; `what` names it in messages.
  std::uint32_t number(const char* what) {
    int c = skip_space();
    if (!is_digit(c)) refuse(what, c);
    std::uint64_t value = 0;
    for (; is_digit(c); c = next()) {
      value = 10 * value + static_cast<std::uint64_t>(c - '0');
      if (value > std::numeric_limits<std::uint32_t>::max()) {
        file_.fail(std::string("has ") + what + " of more than 4294967295");
      }
    }
    if (!is_space(c)) refuse(what, c);
    return static_cast<std::uint32_t>(value);
  }

  /// Reads a digit 0 or 1, with or without white space in front of it.
  bool bit() {
    const int c = skip_space();
    if (c != '0' && c != '1') refuse("a cell", c);
    return c == '1';
  }

  void require_end() {
    const int c = skip_space();
    if (c >= 0) refuse("white space after the last cell", c);
  }

 private:
  /// Reads the next character; a comment counts as the line end that closes it.
  int next() {
    int c = file_.get();
    if (c != '#') return c;
    while (c >= 0 && c != '\n' && c != '\r') c = file_.get();
    return c;
  }

  int skip_space() {
    int c = next();
    while (is_space(c)) c = next();
    return c;
  }

  [[noreturn]] void refuse(const char* what, int c) const {
    if (c < 0) file_.fail_short(std::string("ends where ") + what + " is expected, or inside it");
    const char found = static_cast<char>(c);
    file_.fail(excerpt({&found, 1}) + " stands where " + what + " is expected, or inside it");
  }

  InputFile& file_;
};

PnmHeader read_pnm_header(InputFile& file) {
  file.get();  // 'P', which the caller has seen
  const int format = file.get() - '0';
  PnmText text(file);
  PnmHeader header;
  header.text = format <= 3;
  header.bits = format == 1 || format == 4;
  header.components = format == 3 || format == 6 ? 3 : 1;
  const std::int64_t width = text.number("the width");
  const std::int64_t height = text.number("the height");
  if (width == 0 || height == 0) {
    file.fail("is " + std::to_string(width) + " x " + std::to_string(height) +
              " cells; width and height are 1 or more");
  }
  if (!header.bits) header.greatest = text.number("the greatest value");
  const std::int64_t sizes[] = {height, width};
  header.extents = checked_extents(file, sizes);
  return header;
}

void check_header(const InputFile& file, const PnmHeader& header) {
  if (header.greatest < 1 || header.greatest > kGreatestSample) {
    file.fail("has the greatest value " + std::to_string(header.greatest) +
              "; it must be 1 to 65535");
  }
  if (header.components == 3 && header.greatest > kGreatestByte) {
    file.fail("is a PPM with the greatest value " + std::to_string(header.greatest) +
              "; RGB has 8 bits a sample, so at most 255");
  }
}

/// The fewest bytes that the cells can take.
std::uint64_t least_bytes(const InputFile& file, const PnmHeader& header) {
  const auto height = static_cast<std::uint64_t>(header.extents[0]);
  const auto width = static_cast<std::uint64_t>(header.extents[1]);
  const auto components = static_cast<std::uint64_t>(header.components);
  if (header.bits && !header.text) return height * ((width + 7) / 8);
  if (header.bits) return height * width;
  // A number in text takes a digit and the white space after it.
  return checked_bytes(file, header.extents,
                       header.text ? 2 * components : components * header.sample_bytes());
}

/// Throws for the first of these samples that is greater than the header allows.
template <class Sample>
void check_samples(const InputFile& file, const PnmHeader& header, const Sample* samples,
                   std::size_t count, std::size_t first) {
  const auto greatest = static_cast<Sample>(header.greatest);
  const Sample* const bad =
      std::find_if(samples, samples + count, [=](Sample sample) { return sample > greatest; });
  if (bad == samples + count) return;
  const auto row = static_cast<std::size_t>(header.extents[1] * header.components);
  const std::size_t index = first + static_cast<std::size_t>(bad - samples);
  const std::size_t x = index % row / static_cast<std::size_t>(header.components);
  file.fail("has the value " + std::to_string(*bad) + " in cell [" + std::to_string(index / row) +
            ", " + std::to_string(x) + "]; its header allows 0 to " +
            std::to_string(header.greatest));
}

/// The source of samples, one chunk after the other.
class SampleReader {
 public:
  SampleReader(InputFile& file, const PnmHeader& header)
      : file_(file), header_(header), text_(file) {}

  /// The next `count` samples, checked.
  template <class Sample>
  void read(Sample* samples, std::size_t count) {
    if (header_.text) {
      read_text(samples, count);
    } else {
      auto* const bytes = reinterpret_cast<std::byte*>(samples);
      file_.read(bytes, count * sizeof(Sample));
      if (std::endian::native == std::endian::little) swap_bytes(bytes, count, sizeof(Sample));
      check_samples(file_, header_, samples, count, done_);
    }
    done_ += count;
  }

  void require_end() {
    if (header_.text) return text_.require_end();
    io::require_end(file_);
  }

 private:
  template <class Sample>
  void read_text(Sample* samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t value = text_.number("a value");
      check_samples(file_, header_, &value, 1, done_ + i);
      samples[i] = static_cast<Sample>(value);
    }
  }

  InputFile& file_;
  const PnmHeader& header_;
  PnmText text_;
  std::size_t done_ = 0;
};

template <class Sample>
void read_grey(InputFile& file, const PnmHeader& header, Raster& raster) {
  SampleReader reader(file, header);
  const std::size_t count = raster.size_bytes() / sizeof(Sample);
  auto* const cells = reinterpret_cast<Sample*>(raster.bytes());
  for (std::size_t first = 0; first < count; first += kChunkCells) {
    reader.read(cells + first, std::min(kChunkCells, count - first));
  }
  reader.require_end();
}

void read_colours(InputFile& file, const PnmHeader& header, Raster& raster) {
  SampleReader reader(file, header);
  const std::size_t count = raster.size_bytes() / sizeof(std::uint32_t);
  auto* const cells = reinterpret_cast<std::uint32_t*>(raster.bytes());
  std::vector<std::uint8_t> rgb(3 * std::min(kChunkCells, count));
  for (std::size_t first = 0; first < count; first += kChunkCells) {
    const std::size_t some = std::min(kChunkCells, count - first);
    reader.read(rgb.data(), 3 * some);
    for (std::size_t i = 0; i < some; ++i) {
      const std::uint8_t* const cell = &rgb[3 * i];
      cells[first + i] = std::uint32_t{cell[0]} << 16 | std::uint32_t{cell[1]} << 8 | cell[2];
    }
  }
  reader.require_end();
}

void read_text_bits(InputFile& file, Raster& raster) {
  PnmText text(file);
  std::generate_n(raster.bytes(), raster.size_bytes(), [&] { return std::byte{text.bit()}; });
  text.require_end();
}

/// Reads eight cells a byte, the first in the highest bit; every row begins with a new byte.
void read_packed_bits(InputFile& file, Raster& raster) {
  const auto width = static_cast<std::size_t>(raster.extents()[1]);
  std::vector<std::byte> row((width + 7) / 8);
  std::byte* cell = raster.bytes();
  for (std::int64_t y = 0; y < raster.extents()[0]; ++y) {
    file.read(row.data(), row.size());
    for (std::size_t x = 0; x < width; ++x) {
      *cell++ = (row[x / 8] >> (7 - x % 8)) & std::byte{1};
    }
  }
  require_end(file);
}

}  // namespace

Raster read_pnm(InputFile& file) {
  const PnmHeader header = read_pnm_header(file);
  check_header(file, header);
  require_data(file, header.extents, least_bytes(file, header));
  Raster raster(header.type(), header.extents);
  if (header.bits) {
    header.text ? read_text_bits(file, raster) : read_packed_bits(file, raster);
  } else if (header.components == 3) {
    read_colours(file, header, raster);
  } else if (header.type() == ElementType::u16) {
    read_grey<std::uint16_t>(file, header, raster);
  } else {
    read_grey<std::uint8_t>(file, header, raster);
  }
  return raster;
}

RasterLayout read_pnm_layout(InputFile& file) {
  const PnmHeader header = read_pnm_header(file);
  check_header(file, header);
  return {header.type(), header.extents};
}

void write_pnm(OutputFile& file, const View<const void>& raster, const WriteProgress& progress) {
  const std::size_t bytes = sample_bytes(raster.element_type());
  const std::string header = std::string(raster.rank() == 3 ? "P6" : "P5") + "\n" +
                             std::to_string(raster.extent(1)) + " " +
                             std::to_string(raster.extent(0)) + "\n" +
                             std::to_string(bytes == 1 ? kGreatestByte : kGreatestSample) + "\n";
  file.write(header.data(), header.size());
  std::vector<std::byte> row(samples_of_row(raster) * bytes);
  for (std::int64_t y = 0; y < raster.extent(0); ++y) {
    report_rows(progress, y, raster.extent(0));
    store_row(file.target(), raster, y, row.data());
    file.write(row.data(), row.size());
  }
}

}  // namespace thiessen::io

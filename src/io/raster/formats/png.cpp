// SPDX-License-Identifier: Apache-2.0
//
// PNG by libpng, which reports errors by longjmp: its calls stand where no destructor has to run.
#include "io/raster/formats/png.hpp"

#include <png.h>

#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/raster/formats/picture_rows.hpp"
#include "io/raster/raster_shape.hpp"

namespace thiessen::io {
namespace {

// Deflate turns at most 258 bytes into 2 bits.
constexpr std::uint64_t kBestCompression = 1032;
// For a picture of 10,000 cells the file is an eighth larger than at the default, 6, in a third of
// the time.
constexpr int kPngCompression = 3;

/// The report of libpng or of our callbacks before they jump out of libpng.
struct PngError {
  std::array<char, 160> message{};
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* const error = static_cast<PngError*>(png_get_error_ptr(png));
  std::snprintf(error->message.data(), error->message.size(), "%s", message);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

/// Does calls of libpng; false if one of them failed. libpng leaves by longjmp, so no object in
/// `calls` may have a destructor when libpng is called.
template <class Calls>
bool succeeds(png_structp png, const Calls& calls) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  calls();
  return true;
}

class Decoder {
 public:
  explicit Decoder(InputFile& file) : file_(file) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &error_, on_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      throw Error(ErrorCode::out_of_memory,
                  one_line(file.path().string()) + ": no memory for libpng");
    }
    png_set_read_fn(png_, this, on_read);
  }
  ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  Raster decode() {
    const RasterLayout layout = read_layout();
    require_plausible(layout.extents);
    Raster raster(layout.type, layout.extents);
    read_rows(raster);
    return raster;
  }

  RasterLayout read_layout() {
    read_header();
    const std::int64_t sizes[] = {png_get_image_height(png_, info_),
                                  png_get_image_width(png_, info_)};
    return {element_type(), checked_extents(file_, sizes)};
  }

 private:
  static void on_read(png_structp png, png_bytep bytes, std::size_t count) {
    auto* const self = static_cast<Decoder*>(png_get_io_ptr(png));
    if (!self->read(bytes, count)) png_error(png, "the file ends too early");
  }

  /// Keeps the exception, which must not pass through libpng.
  bool read(png_bytep bytes, std::size_t count) noexcept {
    try {
      ends_early_ = file_.read_some(reinterpret_cast<std::byte*>(bytes), count) < count;
      return !ends_early_;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  template <class Calls>
  void call(const Calls& calls) {
    if (succeeds(png_, calls)) return;
    if (failure_) std::rethrow_exception(failure_);
    const std::string problem = one_line(error_.message.data());
    if (ends_early_) file_.fail_short("is a PNG that ends too early");
    file_.fail("is a damaged PNG: " + problem);
  }

  void read_header() {
    call([this] {
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      // Texts, profiles and similar chunks are skipped: libpng would take as much memory as they
      // claim.
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_read_info(png_, info_);
    });
  }

  /// Throws for what no raster can hold.
  ElementType element_type() const {
    const int colour = png_get_color_type(png_, info_);
    const int bits = png_get_bit_depth(png_, info_);
    const bool is_palette = colour == PNG_COLOR_TYPE_PALETTE;
    if ((colour & PNG_COLOR_MASK_ALPHA) != 0) {
      file_.fail("is a PNG with an alpha channel; flatten it to grey or RGB");
    }
    // An index stays as it is, however transparent its colour.
    if (!is_palette && png_get_valid(png_, info_, PNG_INFO_tRNS) != 0) {
      file_.fail("is a PNG with a transparent colour (tRNS); flatten it to grey or RGB");
    }
    if (colour == PNG_COLOR_TYPE_RGB && bits == 16) {
      file_.fail("is a PNG with RGB of 16 bits a sample; RGB has 8, grey up to 16");
    }
    if (colour == PNG_COLOR_TYPE_RGB) return ElementType::u32;
    if (bits == 16) return ElementType::u16;
    return bits == 1 && !is_palette ? ElementType::boolean : ElementType::u8;
  }

  /// Throws if no compression fits so many cells into the bytes that follow.
  void require_plausible(const Extents& extents) {
    const std::uint64_t row = png_get_rowbytes(png_, info_);
    const std::uint64_t packed = row * static_cast<std::uint64_t>(extents[0]) / kBestCompression;
    require_data(file_, extents, packed);
  }

  /// Makes libpng turn rows of packed samples into rows of cells.
  void set_transforms() {
    constexpr bool kLittle = std::endian::native == std::endian::little;
    png_set_packing(png_);
    if (png_get_bit_depth(png_, info_) == 16 && kLittle) png_set_swap(png_);
    if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_RGB) {
      if (kLittle) png_set_bgr(png_);
      png_set_filler(png_, 0, kLittle ? PNG_FILLER_AFTER : PNG_FILLER_BEFORE);
    }
  }

  void read_rows(Raster& raster) {
    const auto height = static_cast<std::size_t>(raster.extents()[0]);
    const std::size_t row_bytes = raster.size_bytes() / height;
    auto* const first = reinterpret_cast<png_bytep>(raster.bytes());
    int passes = 1;
    call([this, row_bytes, &passes] {
      set_transforms();
      passes = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
      if (png_get_rowbytes(png_, info_) != row_bytes) png_error(png_, "rows of another length");
    });
    call([this, first, height, row_bytes, passes] {
      for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t y = 0; y < height; ++y) {
          png_read_row(png_, first + y * row_bytes, nullptr);
        }
      }
      png_read_end(png_, info_);
    });
  }

  InputFile& file_;
  PngError error_;
  std::exception_ptr failure_;
  bool ends_early_ = false;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

/// Takes the bytes of a file.
using Sink = std::function<void(const void* bytes, std::size_t count)>;

class Encoder {
 public:
  Encoder(std::filesystem::path name, Sink sink) : name_(std::move(name)), sink_(std::move(sink)) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &error_, on_error, on_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      throw Error(ErrorCode::out_of_memory, one_line(name_.string()) + ": no memory for libpng");
    }
    png_set_write_fn(png_, this, on_write, on_flush);
  }
  ~Encoder() { png_destroy_write_struct(&png_, &info_); }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  void encode(const View<const void>& raster, const WriteProgress& progress) {
    write_header(raster);
    std::vector<std::byte> row(samples_of_row(raster) * sample_bytes(raster.element_type()));
    call([this, &raster, &row, &progress] {
      for (std::int64_t y = 0; y < raster.extent(0); ++y) {
        report_rows(progress, y, raster.extent(0));
        store_row(name_, raster, y, row.data());
        png_write_row(png_, reinterpret_cast<png_const_bytep>(row.data()));
      }
      png_write_end(png_, info_);
    });
  }

 private:
  static void on_write(png_structp png, png_bytep bytes, std::size_t count) {
    auto* const self = static_cast<Encoder*>(png_get_io_ptr(png));
    if (!self->write(bytes, count)) png_error(png, "the file cannot be written");
  }

  static void on_flush(png_structp) {}

  /// Keeps the exception, which must not pass through libpng.
  bool write(png_const_bytep bytes, std::size_t count) noexcept {
    try {
      sink_(bytes, count);
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  template <class Calls>
  void call(const Calls& calls) {
    if (succeeds(png_, calls)) return;
    if (failure_) std::rethrow_exception(failure_);
    fail(name_, "cannot be encoded as PNG: " + one_line(error_.message.data()));
  }

  void write_header(const View<const void>& raster) {
    const auto height = static_cast<png_uint_32>(raster.extent(0));
    const auto width = static_cast<png_uint_32>(raster.extent(1));
    const int bits = 8 * static_cast<int>(sample_bytes(raster.element_type()));
    const int colour = raster.rank() < 3       ? PNG_COLOR_TYPE_GRAY
                       : raster.extent(2) == 4 ? PNG_COLOR_TYPE_RGBA
                                               : PNG_COLOR_TYPE_RGB;
    call([=, this] {
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      // Regions are flat: the cell above is the best guess, and trying other filters only costs
      // time.
      png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
      png_set_compression_level(png_, kPngCompression);
      png_set_IHDR(png_, info_, width, height, bits, colour, PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
    });
  }

  std::filesystem::path name_;
  Sink sink_;
  PngError error_;
  std::exception_ptr failure_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

Raster read_png(InputFile& file) { return Decoder(file).decode(); }

RasterLayout read_png_layout(InputFile& file) { return Decoder(file).read_layout(); }

void write_png(OutputFile& file, const View<const void>& raster, const WriteProgress& progress) {
  const auto sink = [&file](const void* bytes, std::size_t count) { file.write(bytes, count); };
  Encoder(file.target(), sink).encode(raster, progress);
}

std::vector<std::byte> encode_png(const View<const void>& raster) {
  std::vector<std::byte> file;
  const auto sink = [&file](const void* bytes, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(bytes);
    file.insert(file.end(), first, first + count);
  };
  Encoder("a picture", sink).encode(raster, {});
  return file;
}

}  // namespace thiessen::io

// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the file layer share: a folder for each test, files made of bytes, errors as
// text, a cancellation.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "io/raster/raster_file.hpp"
#include "thiessen/error.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

/// The exception of a progress callback in a test.
struct Cancelled {};

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string name = testing::TempDir() + "thiessen_io_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  ~FileTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  std::filesystem::path make_file(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::filesystem::path write(const std::string& name, const View<const void>& raster) const {
    OutputFile file(path(name), true);
    write_raster(file, raster);
    file.commit();
    return path(name);
  }

  /// Expects that reading these bytes is refused in one line that names the file and has all these
  /// words.
  void expect_refused(std::string_view bytes, std::initializer_list<std::string_view> words) const;

  /// Expects that reading fails wherever the file ends.
  void expect_no_prefix_is_read(const std::string& bytes) const;

 private:
  std::filesystem::path folder_;
};

/// The message of Error{io}; a failure of the test if there is none.
template <class Call>
std::string io_error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io) << error.what();
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_words(const std::string& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in: " << text;
  }
}

inline void FileTest::expect_refused(std::string_view bytes,
                                     std::initializer_list<std::string_view> words) const {
  const std::filesystem::path file = make_file("refused", bytes);
  const std::string text = io_error_of([&] { read_raster(file); });
  EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
  expect_words(text, words);
}

inline void FileTest::expect_no_prefix_is_read(const std::string& bytes) const {
  EXPECT_NO_THROW(read_raster(make_file("whole", bytes)));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    SCOPED_TRACE("the first " + std::to_string(length) + " bytes");
    expect_refused(std::string_view(bytes).substr(0, length), {});
  }
}

template <class T>
Raster raster_of(const Extents& extents, std::initializer_list<T> cells) {
  Raster raster = Raster::of<T>(extents);
  std::copy(cells.begin(), cells.end(), raster.view<T>().data());
  return raster;
}

/// Cells that differ from their neighbours in every byte.
inline Raster patterned(ElementType type, const Extents& extents) {
  Raster raster(type, extents);
  for (std::size_t i = 0; i < raster.size_bytes(); ++i) {
    const std::size_t value = i * 37 + i / 256;
    raster.bytes()[i] = static_cast<std::byte>(type == ElementType::boolean ? value % 2 : value);
  }
  return raster;
}

inline std::string_view cells_of(const Raster& raster) {
  return {reinterpret_cast<const char*>(raster.bytes()), raster.size_bytes()};
}

inline void expect_same(const Raster& actual, const Raster& expected) {
  EXPECT_EQ(actual.element_type(), expected.element_type());
  EXPECT_EQ(actual.extents(), expected.extents());
  EXPECT_EQ(cells_of(actual), cells_of(expected));
}

/// Files end after so many bytes, as on a full disk, until this goes out of scope.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace thiessen::io

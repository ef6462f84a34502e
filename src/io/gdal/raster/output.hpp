// SPDX-License-Identifier: Apache-2.0
//
// An OutputFile under a name that GDAL can open; only gdal_*.cpp include this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <string>

#include "io/files/output_file.hpp"

namespace thiessen::io {

/// GDAL reads and writes the file through this class, so that a full disk is noticed even if GDAL
/// ignores it, and no other file appears beside it: those that GDAL makes for itself lie there
/// without a name, and go with this object.
class GdalOutput {
 public:
  explicit GdalOutput(OutputFile& file);
  ~GdalOutput();
  GdalOutput(const GdalOutput&) = delete;
  GdalOutput& operator=(const GdalOutput&) = delete;

  const std::string& name() const noexcept { return name_; }
  OutputFile& file() const noexcept { return file_; }

  /// A file that GDAL makes beside this one, under the name of this one and a suffix; null if it is
  /// not there.
  OutputFile* find_beside(const std::string& suffix);
  OutputFile& make_beside(const std::string& suffix);
  bool remove_beside(const std::string& suffix);

  /// GDAL finds the last page of a TIFF by walking past all others, and does that for each new one.
  /// After this call, which follows the end of a page, it reads that the last page is the first,
  /// and chains the next one to it; the file stays as it is.
  void skip_pages();

  /// Puts that into what is read from this position on.
  void show_pages(std::uint64_t position, std::byte* bytes, std::size_t count) const;

  /// Keeps the current exception, which must not pass through GDAL.
  void keep_exception() noexcept;

  /// Throws what reading or writing has thrown.
  void rethrow();

 private:
  struct Beside {
    std::string suffix;
    OutputFile file;
  };

  template <class Offset>
  std::uint64_t last_page(std::uint64_t head_bytes);

  OutputFile& file_;
  std::string name_;
  std::array<std::byte, 8> last_page_{};  // as it stands in the head of the file,
  std::uint64_t page_place_ = 0;          // there,
  std::size_t page_bytes_ = 0;            // in so many bytes; 0: nothing is skipped
  std::list<Beside> beside_;
  std::exception_ptr failure_;
};

}  // namespace thiessen::io

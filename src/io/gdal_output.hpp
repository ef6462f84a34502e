// SPDX-License-Identifier: Apache-2.0
//
// An OutputFile under a name that GDAL can open; only gdal_*.cpp include this.
#pragma once

#include <exception>
#include <string>

#include "io/output_file.hpp"

namespace thiessen::io {

/// GDAL reads and writes the file through this class, so that a full disk is noticed even if GDAL
/// ignores it, and no other file appears beside it.
class GdalOutput {
 public:
  explicit GdalOutput(OutputFile& file);
  ~GdalOutput();
  GdalOutput(const GdalOutput&) = delete;
  GdalOutput& operator=(const GdalOutput&) = delete;

  const std::string& name() const noexcept { return name_; }
  OutputFile& file() const noexcept { return file_; }

  /// Keeps the current exception, which must not pass through GDAL.
  void keep_exception() noexcept;

  /// Throws what reading or writing has thrown.
  void rethrow();

 private:
  OutputFile& file_;
  std::string name_;
  std::exception_ptr failure_;
};

}  // namespace thiessen::io

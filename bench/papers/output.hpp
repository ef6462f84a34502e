// SPDX-License-Identifier: Apache-2.0
//
// What a measurement leaves: facts, tables, and the rasters of its figures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench.hpp"
#include "io/files/output_file.hpp"
#include "thiessen/view.hpp"

namespace thiessen::bench {

/// A row of a table: numbers and texts by column. Rows of one table need not have the same columns.
using Row = nlohmann::ordered_json;

/// "height" and "width".
Row row_of(const Extents& extents);
/// Those and "sites".
Row row_of(const Case& of);

/// The output of one command. With a folder it writes each table there as soon as that is whole, so
/// that work that is broken off leaves what was done; without one it prints all at the end.
class Output {
 public:
  /// Throws UsageError if the folder of --output cannot be made, or holds files without
  /// --overwrite.
  Output(const std::string& command, const Arguments& arguments);

  void fact(const std::string& name, Row value) { report_[name] = std::move(value); }
  void add(const std::string& table, Row row) {
    report_["tables"][table].push_back(std::move(row));
  }
  /// The rows of a table so far, none if there is no such table.
  Row rows(const std::string& table) const;

  bool has_folder() const { return !folder_.empty(); }
  /// Opens a file of the folder; commit() gives it its name.
  io::OutputFile open(const std::string& name) const;
  /// Writes a raster into the folder, if there is one.
  void write(const std::string& name, const View<const void>& raster) const;

  /// Says that these tables are whole.
  void save(const std::vector<std::string>& tables) const;
  /// Writes the report, or prints it.
  void finish();

  /// Tells on stderr that another case of so many begins.
  void begin_case(const std::string& name);
  void expect_cases(std::size_t count) { cases_ = count; }

 private:
  std::string text_of(const std::string& table) const;
  void write_text(const std::string& name, const std::string& text) const;

  std::filesystem::path folder_;
  bool overwrite_, json_, quiet_;
  Row report_;
  std::size_t cases_ = 0, case_ = 0;
};

}  // namespace thiessen::bench

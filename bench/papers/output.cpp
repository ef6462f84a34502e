// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "io/raster/raster_file.hpp"
#include "talk/interrupt.hpp"
#include "talk/report.hpp"
#include "words/arguments.hpp"

namespace thiessen::bench {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result(1, '"');
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  result.push_back('"');
  return result;
}

/// A value of a table as CSV has it: nothing for none, lists with blanks.
std::string field_of(const Row& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return quoted(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const Row& each : value) parts.push_back(each.dump());
  return CLI::detail::join(parts, " ");
}

fs::path make_folder(const Arguments& arguments) {
  const fs::path folder = arguments.folder;
  if (folder.empty()) return folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw cli::UsageError("--output " + folder.string() + ": cannot be made a folder");
  if (!arguments.overwrite && !fs::is_empty(folder))
    throw cli::UsageError("--output " + folder.string() +
                          ": holds files; --overwrite replaces those of the same names");
  return folder;
}

}  // namespace

Row row_of(const Extents& extents) { return {{"height", extents[0]}, {"width", extents[1]}}; }

Row row_of(const Case& of) {
  Row row = row_of(of.extents);
  row["sites"] = of.sites;
  return row;
}

Output::Output(const std::string& command, const Arguments& arguments)
    : folder_(make_folder(arguments)),
      overwrite_(arguments.overwrite),
      json_(arguments.json),
      quiet_(arguments.quiet) {
  report_ = {{"command", command}, {"version", THIESSEN_VERSION}};
}

Row Output::rows(const std::string& table) const {
  const Row tables = report_.value("tables", Row::object());
  return tables.value(table, Row::array());
}

io::OutputFile Output::open(const std::string& name) const {
  return io::OutputFile(folder_ / name, overwrite_, cli::throw_if_interrupted);
}

void Output::write(const std::string& name, const View<const void>& raster) const {
  if (!has_folder()) return;
  io::OutputFile file = open(name);
  io::write_raster(file, raster);
  file.commit();
}

void Output::write_text(const std::string& name, const std::string& text) const {
  io::OutputFile file = open(name);
  file.write(text.data(), text.size());
  file.commit();
}

std::string Output::text_of(const std::string& table) const {
  const Row all = rows(table);
  std::vector<std::string> columns;
  for (const Row& row : all)
    for (const auto& [column, value] : row.items())
      if (std::find(columns.begin(), columns.end(), column) == columns.end())
        columns.push_back(column);
  std::string text = CLI::detail::join(columns, ",") + "\n";
  for (const Row& row : all) {
    std::vector<std::string> fields;
    for (const std::string& column : columns) fields.push_back(field_of(row.value(column, Row())));
    text += CLI::detail::join(fields, ",") + "\n";
  }
  return text;
}

void Output::save(const std::vector<std::string>& tables) const {
  for (const std::string& table : tables)
    if (has_folder() && !rows(table).empty()) write_text(table + ".csv", text_of(table));
}

void Output::finish() {
  if (has_folder()) write_text("report.json", report_.dump(2) + "\n");
  if (json_) return cli::print_to_stdout(report_);
  if (has_folder()) return;
  for (const auto& [table, all] : report_["tables"].items())
    std::cout << "# " << table << "\n" << text_of(table) << "\n";
  cli::flush_stdout();
}

void Output::begin_case(const std::string& name) {
  cli::throw_if_interrupted();
  ++case_;
  if (!quiet_)
    std::fprintf(stderr, "%s: case %zu of %zu, %s\n", report_["command"].get<std::string>().c_str(),
                 case_, cases_, name.c_str());
}

}  // namespace thiessen::bench

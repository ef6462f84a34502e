// SPDX-License-Identifier: Apache-2.0
//
// The files of the outputs that the table of an operation has: their flags, and the rasters that
// become them.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/outputs.hpp"
#include "results/result_files.hpp"
#include "words/format_choice.hpp"

namespace thiessen::cli {

/// The words of the command line that name a file for each output.
class OutputFlags {
 public:
  explicit OutputFlags(std::span<const Output> outputs) : outputs_(outputs) {}
  OutputFlags(const OutputFlags&) = delete;

  void add_to(CLI::App& command);

  std::span<const Output> outputs() const { return outputs_; }
  /// The file of an output; empty if it is not wanted.
  const std::string& path(const Output& output) const;
  const std::string& path(std::string_view name) const;
  bool has(std::string_view name) const { return !path(name).empty(); }
  bool has_any(Subject subject) const;

  /// The outputs that are wanted, in the order of the table.
  std::vector<const Output*> given() const;
  /// Their files.
  std::vector<std::string> paths() const;
  /// "--labels, --distance": all flags, for a complaint.
  std::string names() const;

 private:
  std::span<const Output> outputs_;
  std::map<const Output*, std::string> paths_;
};

/// The words of the command line on the files of all outputs of a call.
struct FileArguments {
  explicit FileArguments(std::span<const Output> outputs) : files(outputs) {}

  OutputFlags files;
  std::string picture;
  std::string distance_type = "f32", output_nodata, unreached;
  FormatArguments format;
  bool keep_infinite = false, overwrite = false;
};

/// Adds `--picture`; `outputs` say which file each output goes to.
void add_output_flags(CLI::App& command, FileArguments& arguments);
/// Adds the flags that say how these files are: their types, nodata, format.
void add_file_flags(CLI::App& command, FileArguments& arguments, const char* distance_type_help,
                    const char* output_nodata_help);

/// How the outputs of a call become files.
struct OutputStyle {
  ResultShape shape;
  io::WriteOptions labels, distances, others;  ///< `nodata` of the last is the table's
};

/// The rasters of outputs, among the results of a command.
class OutputRasters {
 public:
  /// Promises the outputs that are wanted, or needed for something else. Throws UsageError.
  OutputRasters(const OutputFlags& flags, const OutputStyle& style,
                std::initializer_list<std::string_view> needed, FormatChoice& format,
                ResultFiles& files);

  /// Null if it is neither wanted nor needed.
  ResultFile* find(std::string_view name) const;
  /// The raster of an output that there is.
  View<const void> raster(std::string_view name) const;

  /// Empty views for what there is not.
  template <class Outputs>
  Outputs views() const {
    Outputs out;
    for (const auto& [output, file] : rasters_) output->set(&out, file->raster.view());
    return out;
  }

  /// What takes them by rows.
  std::vector<StreamedOutput> sinks(ResultFiles& files) const;

 private:
  std::vector<std::pair<const Output*, ResultFile*>> rasters_;
};

/// The value of a nodata cell in an output that is neither labels nor made by an option.
LabelValue nodata_of(const Output& output);

}  // namespace thiessen::cli

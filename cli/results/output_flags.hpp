// SPDX-License-Identifier: Apache-2.0
//
// The files of the outputs that the table of an operation has: their flags, and the rasters that
// become them.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/raster/azimuths.hpp"
#include "operations/outputs.hpp"
#include "results/result_files.hpp"
#include "talk/report.hpp"
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

  /// Whether labels are wanted. With `are_regions`, vector outputs are made of them.
  bool want_labels(bool are_regions) const {
    return are_regions || files.has("labels") || files.has("other_labels") || !picture.empty();
  }
};

/// Adds `--picture`; `outputs` say which file each output goes to.
void add_output_flags(CLI::App& command, FileArguments& arguments);
/// Adds the flags that say how these files are: their types, nodata, format.
void add_file_flags(CLI::App& command, FileArguments& arguments, const char* distance_type_help,
                    const char* output_nodata_help);

/// Throws UsageError for what there is not of the k nearest, if k is not 0.
void refuse_for_k(const FileArguments& arguments, std::int64_t k, bool for_features);

/// An output of one of the k nearest.
View<void> view_of_rank(const View<void>& output, std::int64_t rank);

/// Units, as far as they are known.
struct OutputUnits {
  std::string distance;
  std::string key = {};  ///< of weighted_distance
};

/// The results of a run: the rasters of its outputs, and a picture of them.
class RunResults {
 public:
  ResultFiles& files() { return files_; }

  /// The label of nodata cells, if there may be any and it differs from that of unreached ones.
  const std::optional<LabelValue>& nodata_label() const { return nodata_label_; }

  /// Tells it if it was chosen among those that no site has.
  void tell_nodata(const TalkArguments& talk, Report& report) const;

  /// What takes the outputs by rows; for a plan they need no open files.
  std::vector<StreamedOutput> sinks();

  /// Vector outputs are made of these regions, where they are needed: the site index of points, or
  /// their numbers from 1 on, else the labels.
  View<const void> regions() const { return raster(by_index_ ? "site_index" : "labels"); }
  View<const void> distance() const { return raster("distance"); }

  /// Makes azimuths on the map of directions, all of them without a number. May be empty.
  void turn_directions(const View<float>& rows) const;

 protected:
  RunResults(const FileArguments& arguments, const Sites& sites,
             std::optional<Georeference> georeference, int threads);

  /// Promises the outputs that are wanted, or needed for something else. Throws UsageError.
  void add_outputs(std::initializer_list<std::string_view> needed, const OutputUnits& units,
                   std::int64_t k = 0);
  /// Promises another raster in a file.
  ResultFile& add(const std::string& path, ElementType type, const Extents& extents,
                  io::WriteOptions options);
  /// Promises the picture, and a raster of marks of sites on it. Throws UsageError.
  void add_picture();
  /// Throws UsageError if no output is promised, or a flag of their format has no use; `others` are
  /// the flags of more outputs.
  void require_output(const std::string& others) const;

  /// Null if an output is neither wanted nor needed.
  ResultFile* find(std::string_view name) const;
  /// The raster of an output; empty if there is none.
  View<const void> raster(std::string_view name) const;
  /// Empty views for what there is not.
  template <class Outputs>
  Outputs views_of() const {
    Outputs out;
    for (const auto& [output, file] : rasters_) output->set(&out, file->raster.view());
    return out;
  }

  bool by_index_;  ///< whether regions are told by site indices, and not by labels
  bool is_nodata_spare_ = false;
  std::optional<LabelValue> nodata_label_;
  io::WriteOptions options_;  // shared by all files
  ResultFile *picture_ = nullptr, *marks_ = nullptr;

 private:
  const Sites& sites_;
  const FileArguments& arguments_;
  FormatChoice format_;
  ResultFiles files_;
  std::optional<io::Azimuths> azimuths_;  ///< where directions are none
  std::vector<std::pair<const Output*, ResultFile*>> rasters_;
};

/// The value of a nodata cell in an output that is neither labels nor made by an option.
LabelValue nodata_of(const Output& output);

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
#include "results/output_flags.hpp"

#include <algorithm>
#include <utility>

#include "inputs/sites/site_labels.hpp"
#include "thiessen/choices/float_type.hpp"
#include "words/arguments.hpp"
#include "words/flag_group.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

/// Pictures hold labels and small numbers, but no floats.
const char* formats_of(const Output& output) {
  const bool fits_pictures = output.type == TypeRule::labels ||
                             (output.type == TypeRule::fixed && output.element == ElementType::u8);
  return fits_pictures ? ": .tif .npy .png .pgm" : ": .tif .npy";
}

}  // namespace

void OutputFlags::add_to(CLI::App& command) {
  for (const Output& output : outputs_) {
    std::string help(output.help);
    help.front() = static_cast<char>(help.front() - 'a' + 'A');
    const std::string alias = output.alias.empty() ? "" : "," + flag_of(output.alias);
    FlagGroup(command, "Outputs")
        .output(flag_of(output.name) + alias, paths_[&output], help + formats_of(output));
  }
}

const std::string& OutputFlags::path(const Output& output) const {
  static const std::string kNone;
  const auto found = paths_.find(&output);
  return found == paths_.end() ? kNone : found->second;
}

const std::string& OutputFlags::path(std::string_view name) const {
  return path(*std::find_if(outputs_.begin(), outputs_.end(),
                            [&](const Output& output) { return output.name == name; }));
}

std::vector<const Output*> OutputFlags::given() const {
  std::vector<const Output*> given;
  for (const Output& output : outputs_)
    if (!path(output).empty()) given.push_back(&output);
  return given;
}

bool OutputFlags::has_any(Subject subject) const {
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const Output& output) {
    return output.subject == subject && !path(output).empty();
  });
}

std::vector<std::string> OutputFlags::paths() const {
  std::vector<std::string> paths;
  for (const Output* output : given()) paths.push_back(path(*output));
  return paths;
}

std::string OutputFlags::names() const {
  std::string names;
  for (const Output& output : outputs_) names += (names.empty() ? "" : ", ") + flag_of(output.name);
  return names;
}

void add_output_flags(CLI::App& command, FileArguments& arguments) {
  arguments.files.add_to(command);
  const FlagGroup outputs(command, "Outputs");
  outputs
      .flag("--keep-infinite", arguments.keep_infinite,
            "Unreached cells of a GeoTIFF of distances are +inf, not nodata (NaN)")
      ->needs(command.get_option("--distance"));
  outputs.output("--picture", arguments.picture,
                 "Coloured cells, sites black (2-D): .png .ppm .tif .npy");
}

void add_file_flags(CLI::App& command, FileArguments& arguments, const char* distance_type_help,
                    const char* output_nodata_help) {
  const FlagGroup outputs(command, "Outputs");
  outputs.option("--distance-type", arguments.distance_type, "TYPE", distance_type_help)
      ->capture_default_str()
      ->check(CLI::IsMember({"f32", "f64"}));
  outputs.word("--output-nodata", arguments.output_nodata, "V", output_nodata_help);
  add_format_flags(command, arguments.format);
  outputs.flag("--overwrite", arguments.overwrite,
               "Replace existing files. If two runs write at the same time, each file comes from "
               "one of them, but the set may come from both");
}

RunResults::RunResults(const FileArguments& arguments, const Sites& sites,
                       std::optional<Georeference> georeference, int threads)
    : by_index_(sites.are_points()),
      sites_(sites),
      arguments_(arguments),
      format_(arguments.format),
      files_(arguments.overwrite) {
  // On the Earth the library knows where north is.
  if (georeference && !sites.on_earth) azimuths_.emplace(georeference->transform);
  if (azimuths_ && azimuths_->are_directions()) azimuths_.reset();
  options_.georeference = std::move(georeference);
  options_.threads = threads;
}

void RunResults::turn_directions(const View<float>& rows) const {
  if (!rows || !azimuths_) return;
  std::transform(rows.data(), rows.data() + rows.extents().count(), rows.data(), *azimuths_);
}

void refuse_for_k(const FileArguments& arguments, std::int64_t k, bool for_features) {
  if (k == 0) return;
  const auto refuse = [&](const char* what) {
    throw UsageError("--k " + std::to_string(k) + " and " + what +
                     " are given; the k nearest are written as rasters of numbers alone");
  };
  if (for_features) refuse("vector outputs");
  if (!arguments.picture.empty()) refuse("--picture");
}

View<void> view_of_rank(const View<void>& output, std::int64_t rank) {
  std::vector<std::int64_t> sizes;
  View<void>::Strides strides{};
  for (int axis = 1; axis < output.rank(); ++axis) {
    sizes.push_back(output.extent(axis));
    strides[static_cast<std::size_t>(axis - 1)] = output.stride(axis);
  }
  return {output.bytes() + rank * output.stride(0), output.element_type(), Extents(sizes), strides};
}

void RunResults::tell_nodata(const TalkArguments& talk, Report& report) const {
  if (is_nodata_spare_) tell_spare_label(*nodata_label_, talk, report);
}

void RunResults::add_outputs(std::initializer_list<std::string_view> needed,
                             const OutputUnits& units, std::int64_t k) {
  const Extents& extents = sites_.extents();
  const ResultShape shape{.grid = {.extents = extents},
                          .rank = extents.rank(),
                          .k = k,
                          .labels = sites_.label_type(),
                          .distances = to_element_type(*find_float_type(arguments_.distance_type))};
  for (const Output& output : arguments_.files.outputs()) {
    const std::string& path = arguments_.files.path(output);
    const bool is_needed = std::find(needed.begin(), needed.end(), output.name) != needed.end();
    if (path.empty() && !is_needed) continue;
    io::WriteOptions options = options_;
    if (output.type == TypeRule::labels) {
      options.nodata = nodata_label_;
      options.names = sites_.names;
    } else {
      options.nodata = nodata_of(output);
    }
    if (output.type == TypeRule::distance) {
      options.infinite_is_nan = !arguments_.keep_infinite;
      options.unit = output.name == "weighted_distance" ? units.key : units.distance;
    }
    if (front_axes(output, k) > 0) options.bands = io::Bands::first;
    rasters_.emplace_back(
        &output, &add(path, type_of(output, shape), extents_of(output, extents, extents.rank(), k),
                      std::move(options)));
  }
}

ResultFile& RunResults::add(const std::string& path, ElementType type, const Extents& extents,
                            io::WriteOptions options) {
  if (!path.empty()) format_.set(path, options);
  return files_.add({path, type, extents, std::move(options)});
}

void RunResults::add_picture() {
  const Extents& extents = sites_.extents();
  require_picture_name(arguments_.picture);
  if (extents.rank() != 2)
    throw UsageError("--picture " + arguments_.picture + ": pictures are made of 2-D rasters only");
  io::WriteOptions options = options_;
  options.bands = io::Bands::last;
  picture_ = &add(arguments_.picture, ElementType::u8, {extents[0], extents[1], 3}, options);
}

void RunResults::require_output(const std::string& others) const {
  if (files_.empty())
    throw UsageError("no output: give at least one of " + arguments_.files.names() +
                     ", --picture, " + others + kVectorFlags);
  format_.require_use();
}

ResultFile* RunResults::find(std::string_view name) const {
  for (const auto& [output, file] : rasters_)
    if (output->name == name) return file;
  return nullptr;
}

View<const void> RunResults::raster(std::string_view name) const {
  const ResultFile* const file = find(name);
  return file == nullptr ? View<const void>() : file->raster.view();
}

std::vector<StreamedOutput> RunResults::sinks() {
  std::vector<StreamedOutput> sinks;
  for (const auto& [output, file] : rasters_)
    sinks.push_back({output->name, &files_.rows_of(*file)});
  return sinks;
}

LabelValue nodata_of(const Output& output) {
  const bool is_float = output.type == TypeRule::distance || output.element == ElementType::f32;
  if (is_float) return output.nodata;
  return static_cast<std::int64_t>(output.nodata);
}

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
#include "results/output_flags.hpp"

#include <algorithm>
#include <utility>

#include "words/arguments.hpp"
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
    const std::string flag =
        flag_of(output.name) + (output.alias.empty() ? "" : "," + flag_of(output.alias));
    command.add_option(flag, paths_[&output], help + formats_of(output))
        ->group("Outputs")
        ->type_name("FILE")
        ->check(check_output_name);
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
  add_keep_infinite_flag(command, *command.get_option("--distance"), arguments.keep_infinite);
  command
      .add_option("--picture", arguments.picture,
                  "Coloured cells, sites black (2-D): .png .ppm .tif .npy")
      ->group("Outputs")
      ->type_name("FILE")
      ->check(check_output_name);
}

void add_file_flags(CLI::App& command, FileArguments& arguments, const char* distance_type_help,
                    const char* output_nodata_help) {
  command.add_option("--distance-type", arguments.distance_type, distance_type_help)
      ->group("Outputs")
      ->type_name("TYPE")
      ->capture_default_str()
      ->check(CLI::IsMember({"f32", "f64"}));
  command.add_option("--output-nodata", arguments.output_nodata, output_nodata_help)
      ->group("Outputs")
      ->type_name("V")
      ->check(check_word);
  add_format_flags(command, arguments.format);
  command
      .add_flag("--overwrite", arguments.overwrite,
                "Replace files that exist; of two runs at the same time each file is that of one, "
                "the set perhaps of both")
      ->group("Outputs");
}

OutputRasters::OutputRasters(const OutputFlags& flags, const OutputStyle& style,
                             std::initializer_list<std::string_view> needed, FormatChoice& format,
                             ResultFiles& files) {
  for (const Output& output : flags.outputs()) {
    const std::string& path = flags.path(output);
    const bool is_needed = std::find(needed.begin(), needed.end(), output.name) != needed.end();
    if (path.empty() && !is_needed) continue;
    io::WriteOptions options = output.type == TypeRule::labels     ? style.labels
                               : output.type == TypeRule::distance ? style.distances
                                                                   : style.others;
    if (output.type != TypeRule::labels) options.nodata = nodata_of(output);
    if (front_axes(output, style.shape.k) > 0) options.bands = io::Bands::first;
    if (!path.empty()) format.set(path, options);
    ResultFile file{path, type_of(output, style.shape),
                    extents_of(output, style.shape.grid.extents, style.shape.rank, style.shape.k),
                    std::move(options)};
    rasters_.emplace_back(&output, &files.add(std::move(file)));
  }
}

ResultFile* OutputRasters::find(std::string_view name) const {
  for (const auto& [output, file] : rasters_)
    if (output->name == name) return file;
  return nullptr;
}

View<const void> OutputRasters::raster(std::string_view name) const {
  return std::as_const(find(name)->raster).view();
}

std::vector<StreamedOutput> OutputRasters::sinks(ResultFiles& files) const {
  std::vector<StreamedOutput> sinks;
  for (const auto& [output, file] : rasters_)
    sinks.push_back({output->name, &files.rows_of(*file)});
  return sinks;
}

LabelValue nodata_of(const Output& output) {
  const bool is_float = output.type == TypeRule::distance || output.element == ElementType::f32;
  if (is_float) return output.nodata;
  return static_cast<std::int64_t>(output.nodata);
}

}  // namespace thiessen::cli

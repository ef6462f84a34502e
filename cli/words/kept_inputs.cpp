// SPDX-License-Identifier: Apache-2.0
#include "words/kept_inputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/raster/file_part.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Identifies a file, whatever its name.
using Identity = std::pair<dev_t, ino_t>;

/// Empty for anything but a regular file or a folder: a device may well be read and written.
std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  return Identity(status.st_dev, status.st_ino);
}

struct NamedFiles {
  std::vector<std::string> inputs, outputs, folders;
};

NamedFiles files_of(const CLI::App& command) {
  NamedFiles files;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (option->get_type_name() == "DIR") files.folders.push_back(option->results().back());
    const bool has_field = option->get_type_name() == "FILE:FIELD";
    if (option->get_type_name() != "FILE" && !has_field) continue;
    const std::string& group = option->get_group();
    const bool written = group == "Outputs" || group == "Output" || group == "Vector outputs";
    for (const std::string& name : option->results()) {
      const std::string own = has_field ? name.substr(0, name.rfind(':')) : name;
      if (written)
        files.outputs.push_back(name);
      else
        files.inputs.push_back(as_usage_error([&] { return io::part_of(own).file.string(); }));
    }
  }
  return files;
}

struct Existing {
  std::string name;
  Identity identity;
};

bool is_given(const CLI::App& command, const char* flag) {
  const CLI::Option* const option = command.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

/// Standard input can be read but once, and standard output takes one thing.
void require_one_use_of_streams(const CLI::App& command, const NamedFiles& files) {
  if (std::count(files.inputs.begin(), files.inputs.end(), input_name("-")) > 1)
    throw UsageError("-: standard input can be read only once, and several inputs name it");
  if (std::count(files.outputs.begin(), files.outputs.end(), "-") == 0) return;
  for (const char* flag : {"--json", "--verify"})
    if (is_given(command, flag))
      throw UsageError(std::string(flag) +
                       ": its report goes to standard output, which is an output (-)");
  if (::isatty(STDOUT_FILENO) == 1)
    throw UsageError("-: standard output is a terminal; send it to a file or a pipe");
}

/// Whether an input lies in the folder of an output.
bool is_inside(const std::string& input, const std::string& folder) {
  std::error_code none;
  const auto inner = std::filesystem::canonical(input, none)
                         .lexically_relative(std::filesystem::canonical(folder, none));
  return std::filesystem::is_directory(folder, none) && !inner.empty() && *inner.begin() != "..";
}

void require_apart(const std::vector<Existing>& outputs, const std::string& input) {
  for (const Existing& output : outputs)
    if (is_inside(input, output.name))
      throw UsageError(output.name + ": holds the input " + input +
                       "; an output needs a file of its own");
  for (const std::filesystem::path& file : io::files_of_input(input)) {
    const std::optional<Identity> identity = identity_of(file.string());
    for (const Existing& output : outputs) {
      if (identity != output.identity) continue;
      throw UsageError(output.name + ": is " +
                       (file.string() == input ? "the input " : "read by the input ") + input +
                       "; an output needs a file of its own");
    }
  }
}

/// Names of GDAL's own file systems (/vsis3/a/b.tif) are for inputs.
void require_local(const std::vector<std::string>& outputs) {
  std::error_code none;
  for (const std::string& name : outputs)
    if (name.starts_with("/vsi") &&
        !std::filesystem::exists(std::filesystem::path(name).parent_path(), none))
      throw UsageError(name + ": an output is written to a local file; copy it there");
}

}  // namespace

void require_outputs_apart(const CLI::App& command) {
  const NamedFiles files = files_of(command);
  require_one_use_of_streams(command, files);
  require_local(files.outputs);
  require_local(files.folders);
  std::vector<Existing> outputs;
  for (const std::string& name : files.outputs)
    if (const auto identity = identity_of(name)) outputs.push_back({name, *identity});
  if (outputs.empty()) return;
  for (const std::string& input : files.inputs) require_apart(outputs, input);
}

}  // namespace thiessen::cli

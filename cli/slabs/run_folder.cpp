// SPDX-License-Identifier: Apache-2.0
#include "slabs/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <vector>

#include "io/files/input_files.hpp"
#include "io/files/output_file.hpp"
#include "slabs/ranks.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kRun = "run.json";
constexpr const char* kLock = "lock";

/// Flags that change neither results nor slabs.
bool is_beside_the_point(const std::string& name) {
  constexpr std::array<std::string_view, 8> kNames = {"--resume",   "--overwrite",  "--threads",
                                                      "--timing",   "--json",       "--quiet",
                                                      "--progress", "--no-progress"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Path, size and time of the last change of all files that are read for an input.
json describe_input(const std::string& name) {
  json files = json::array();
  for (const fs::path& file : as_usage([&] { return io::files_of_input(name); })) {
    std::error_code none;
    const auto size = fs::file_size(file, none);
    const auto time = fs::last_write_time(file, none).time_since_epoch().count();
    files.push_back({{"file", fs::absolute(file, none).lexically_normal().string()},
                     {"size", size},
                     {"changed", time}});
  }
  return files;
}

json describe_run(const CLI::App& command) {
  json run;
  run["version"] = THIESSEN_VERSION;
  run["command"] = command.get_name();
  run["folder"] = fs::current_path().string();
  run["arguments"] = json::object();
  run["inputs"] = json::object();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || is_beside_the_point(option->get_name())) continue;
    run["arguments"][option->get_name()] = option->results();
    const bool written = option->get_group() == "Outputs" || option->get_group() == "Output";
    if (option->get_type_name() != "FILE" || written) continue;
    for (const std::string& name : option->results()) run["inputs"][name] = describe_input(name);
  }
  return run;
}

/// The first key in which two objects differ; empty if there is none.
std::string first_difference(const json& a, const json& b) {
  for (const auto& [key, value] : a.items())
    if (!b.contains(key) || b[key] != value) return key;
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) return key;
  return "";
}

}  // namespace

RunFolder::RunFolder(const MemoryArguments& arguments) : folder_(arguments.resume) {
  std::error_code problem;
  is_new_ = fs::create_directory(folder_, problem);
  if (problem || !fs::is_directory(folder_)) refuse("is no folder, and cannot become one");
  if (!is_new_ && !fs::exists(path(kRun)) && !fs::exists(path(kLock)) && !fs::is_empty(folder_))
    refuse("holds other files; it must be empty, or that of an interrupted run");
  lock();
  run_ = describe_run(*arguments.command);
  std::ifstream file(path(kRun));
  if (!file) return;
  const json before = json::parse(file, nullptr, false);
  if (before.is_discarded() || !before.contains("rows")) refuse("has a damaged file run.json");
  compare(before);
  run_ = before;
}

RunFolder::~RunFolder() {
  std::error_code none;
  if (lock_ >= 0 && !fs::exists(path(kRun), none)) {  // nothing is kept
    fs::remove(path(kLock), none);
    if (is_new_) fs::remove(folder_, none);
  }
  if (lock_ >= 0) ::close(lock_);
}

void RunFolder::refuse(const std::string& reason) const {
  throw UsageError("--resume " + folder_.string() + ": " + reason);
}

void RunFolder::lock() {
  lock_ = ::open(path(kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) refuse("cannot be written");
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) refuse("is being used by another run");
}

void RunFolder::compare(const json& run) const {
  if (run["version"] != run_["version"])
    refuse("holds a run of version " + run["version"].dump() + "; remove it to begin anew");
  for (const char* const key : {"command", "folder"})
    if (run[key] != run_[key])
      refuse("holds a run of another " + std::string(key) + ", " + run[key].dump() +
             "; remove it to begin anew");
  const std::string flag = first_difference(run["arguments"], run_["arguments"]);
  if (!flag.empty())
    refuse("holds a run with another " + flag + "; give the same, or remove it to begin anew");
  const std::string input = first_difference(run["inputs"], run_["inputs"]);
  if (!input.empty())
    refuse("holds a run on " + input +
           " as it was before: it has changed since then; remove the folder to begin anew");
}

std::optional<std::int64_t> RunFolder::rows() const {
  if (!run_.contains("rows")) return std::nullopt;
  return run_["rows"].get<std::int64_t>();
}

void RunFolder::begin(std::int64_t rows) {
  if (run_.contains("rows")) return;
  run_["rows"] = rows;
  const std::string text = run_.dump(1) + "\n";
  keep(kRun, std::as_bytes(std::span(text)));
}

void RunFolder::keep(const std::string& name, std::span<const std::byte> bytes) const {
  io::OutputFile file(path(name), true);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

void RunFolder::remove(const std::function<bool(const std::string& name)>& is_kept) const {
  std::error_code none;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, none))
    if (is_kept(entry.path().filename().string())) files.push_back(entry.path());
  for (const fs::path& file : files) fs::remove(file, none);
  fs::remove(path(kRun), none);
  fs::remove(path(kLock), none);
  fs::remove(folder_, none);  // not if other files are in it
}

std::unique_ptr<RunFolder> open_folder(const MemoryArguments& arguments) {
  if (arguments.resume.empty() || arguments.dry_run || ranks().are_many()) return nullptr;
  return std::make_unique<RunFolder>(arguments);
}

}  // namespace thiessen::cli

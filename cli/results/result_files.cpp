// SPDX-License-Identifier: Apache-2.0
#include "results/result_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/lower_case.hpp"
#include "io/files/output_format.hpp"
#include "io/table/feature_file.hpp"
#include "results/warnings.hpp"
#include "slabs/ranked_rows.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/interrupt.hpp"
#include "words/arguments.hpp"
#include "words/memory.hpp"

namespace thiessen::cli {
namespace {

/// The file that this name finally leads to, also by a link to a file that does not exist yet.
std::filesystem::path real_path(const std::string& name) {
  constexpr int kMostLinks = 40;  // as the kernel
  std::error_code none;
  std::filesystem::path path = std::filesystem::absolute(name, none);
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, none); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  return std::filesystem::weakly_canonical(path, none);
}

/// The axis of the rows or planes of a result.
int row_axis_of(const ResultFile& result) {
  return result.options.bands == io::Bands::first ? 1 : 0;
}

/// Where the ranks put their rows, if there are many and the file has a place for each cell.
std::optional<io::RowLayout> shared_layout(const ResultFile& result) {
  if (!ranks().are_many()) return std::nullopt;
  return io::row_layout(result.path, result.type, result.extents, result.options);
}

}  // namespace

void require_picture_name(const std::string& path) {
  constexpr std::array<std::string_view, 5> kSuffixes = {".png", ".ppm", ".tif", ".tiff", ".npy"};
  const std::string suffix = io::lower_case(std::filesystem::path(path).extension().string());
  if (std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end()) return;
  throw UsageError(path +
                   ": a coloured picture is written as .png, .ppm, .tif, .tiff, or .npy (bytes of "
                   "the extents y, x, 3)");
}

ResultFile& ResultFiles::add(ResultFile result) {
  if (!result.path.empty()) {
    as_usage_error(
        [&] { io::require_writable(result.path, result.type, result.extents, result.options); });
    claim_name(result.path);
  }
  Entry& entry = results_.emplace_back(Entry{std::move(result)});
  entry.rows = std::make_unique<Rows>(*this, entry);
  return entry.result;
}

void ResultFiles::claim_name(const std::string& path) {
  const std::filesystem::path real = real_path(path);
  if (std::find(taken_.begin(), taken_.end(), real) != taken_.end())
    throw UsageError(path + ": is given for two outputs; each needs a file of its own");
  taken_.push_back(real);
}

io::OutputFile& ResultFiles::add_other(const std::string& path, io::Writers writers) {
  claim_name(path);
  return others_.emplace_back(path, overwrite_, throw_if_interrupted, writers);
}

io::OutputFile& ResultFiles::add_features(const std::string& path, bool with_geometry) {
  as_usage_error([&] { io::require_feature_file(path, with_geometry); });
  return add_other(path, io::Writers::library);
}

void ResultFiles::warn(Warnings& warnings) const {
  for (const Entry& entry : results_) {
    const ResultFile& result = entry.result;
    const std::size_t count = result.options.names.size();
    if (result.path.empty() || count <= io::kMostNames) continue;
    if (io::output_format(result.path, result.options.format).format == io::Format::geotiff)
      warnings.add({"names_left_out", static_cast<std::int64_t>(count),
                    result.path + ": its labels have " + std::to_string(count) +
                        " names, more than the " + std::to_string(io::kMostNames) +
                        " that are written beside it; --table has them all"});
  }
}

void ResultFiles::reserve(std::int64_t cells, std::size_t scratch_per_cell,
                          const std::string& cause) {
  require_memory(cells, scratch_per_cell + bytes_per_cell(cells), cause);
  for (Entry& entry : results_) {
    ResultFile& result = entry.result;
    if (!result.path.empty()) open(entry, io::writers_of(result.path, result.options));
    result.raster = Raster(result.type, result.extents);
  }
}

/// Opens the file of a result and, if its values have names, the file of those.
void ResultFiles::open(Entry& entry, io::Writers writers) const {
  const ResultFile& result = entry.result;
  entry.file.emplace(result.path, overwrite_, throw_if_interrupted, writers);
  const std::string names = io::attribute_table_of(result.path, result.options);
  if (names.empty()) return;
  entry.names.emplace(result.path + ".aux.xml", overwrite_, throw_if_interrupted);
  entry.names->write(names.data(), names.size());
}

void ResultFiles::write(Progress& progress) {
  progress.stage("write", 1);
  double total = 0, done = 0;
  for (const Entry& entry : results_)
    if (entry.file) total += static_cast<double>(entry.result.raster.size_bytes());
  for (Entry& entry : results_) {
    if (!entry.file) continue;
    const double first = done / total;
    done += static_cast<double>(entry.result.raster.size_bytes());
    entry.result.options.progress = progress.checkpoint(first, done / total);
    io::write_raster(*entry.file, std::as_const(entry.result.raster).view(), entry.result.options);
  }
  commit();
  progress.finish();
}

void ResultFiles::commit() {
  std::vector<io::OutputFile*> files;
  for (Entry& entry : results_) {
    if (entry.file) files.push_back(&*entry.file);
    if (entry.names) files.push_back(&*entry.names);
  }
  for (io::OutputFile& other : others_) files.push_back(&other);
  io::commit_all(files, throw_if_interrupted);
}

std::size_t ResultFiles::bytes_per_cell(std::int64_t cells) const {
  std::size_t bytes = 0;
  for (const Entry& entry : results_) {
    const std::int64_t components = entry.result.extents.count() / std::max<std::int64_t>(cells, 1);
    bytes += size_of(entry.result.type) * static_cast<std::size_t>(components);
  }
  return bytes;
}

void ResultFiles::open_rows(std::vector<Part> parts) {
  parts_ = std::move(parts);
  for (Entry& entry : results_) {
    const ResultFile& result = entry.result;
    if (result.path.empty() || ranks().rank() > 0) continue;
    open(entry,
         shared_layout(result) ? io::Writers::many : io::writers_of(result.path, result.options));
  }
}

void ResultFiles::share_rows() {
  // All names are known before any file is open, so that whoever survives removes all files.
  std::vector<std::string> names;
  for (const Entry& entry : results_) {
    const bool is_shared = !entry.result.path.empty() && shared_layout(entry.result);
    names.push_back(
        is_shared ? broadcast_from_first_rank(entry.file ? entry.file->hidden_name().string() : "")
                  : "");
    if (!names.back().empty()) remove_on_signal(names.back());
  }
  // A pipe has no hidden name, and is written in order.
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) results_[i].shared = ranks().open(names[i]);
}

std::unique_ptr<io::RowWriter> ResultFiles::make_writer(Entry& entry) const {
  const ResultFile& result = entry.result;
  const auto rank = static_cast<std::size_t>(ranks().rank());
  if (entry.shared)
    return std::make_unique<SharedRows>(*entry.shared, *shared_layout(result), parts_[rank].first);
  if (rank > 0)
    return std::make_unique<KeptRows>(result.path, row_axis_of(result), throw_if_interrupted);
  return io::write_rows(*entry.file, result.type, result.extents, result.options);
}

void ResultFiles::receive(Entry& entry) const {
  if (entry.shared || ranks().rank() > 0) return;
  const ResultFile& result = entry.result;
  receive_rows(*entry.writer,
               {result.type, result.extents, row_axis_of(result), parts_, throw_if_interrupted});
}

RowSink& ResultFiles::rows_of(const ResultFile& result) {
  return *std::find_if(results_.begin(), results_.end(), [&](const Entry& entry) {
            return &entry.result == &result;
          })->rows;
}

ElementType ResultFiles::Rows::element_type() const { return entry_.result.type; }

void ResultFiles::Rows::write(const SlabRows&, const View<const void>& cells) {
  if (!entry_.writer) entry_.writer = files_.make_writer(entry_);
  entry_.writer->write(cells);
}

void ResultFiles::Rows::finish() {
  if (!entry_.writer) entry_.writer = files_.make_writer(entry_);  // a rank may have no rows
  files_.receive(entry_);
  entry_.writer->finish();
  entry_.writer.reset();
  if (entry_.file) entry_.file->close();
}

void ResultFiles::Rows::abandon() noexcept { entry_.writer.reset(); }

nlohmann::ordered_json ResultFiles::names() const {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const Entry& entry : results_)
    if (entry.file) names.push_back(entry.file->target().string());
  for (const io::OutputFile& other : others_) names.push_back(other.target().string());
  return names;
}

}  // namespace thiessen::cli

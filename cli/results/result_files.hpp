// SPDX-License-Identifier: Apache-2.0
//
// The rasters that a command computes, and their files.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "io/files/output_file.hpp"
#include "io/raster/raster_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "slabs/ranks.hpp"
#include "talk/progress.hpp"
#include "thiessen/slabs/stream.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

class Warnings;

/// A raster to compute, and its file.
struct ResultFile {
  std::string path;  ///< empty: needed, but not written
  ElementType type = ElementType::u8;
  Extents extents = {};
  io::WriteOptions options = {};
  Raster raster = {};
};

/// The rasters that vector outputs are made of, which are needed whether they are written or not.
struct VectorNeeds {
  bool regions = false;  ///< the site index of points, the labels of other sites
  bool distance = false;

  bool any() const { return regions || distance; }
};
/// The flags of vector outputs, for a complaint.
inline constexpr const char* kVectorFlags =
    "--polygons, --edges, --table, --adjacency, --contours-to";

/// Throws UsageError if no picture can be written under this name.
void require_picture_name(const std::string& path);

/// All results of one run: first promised, then given memory and files together, then written
/// together.
class ResultFiles {
 public:
  explicit ResultFiles(bool overwrite) : overwrite_(overwrite) {}

  /// Promises a result. The reference stays valid. Throws UsageError for a path that cannot hold it
  /// or belongs to another result.
  ResultFile& add(ResultFile result);

  bool empty() const { return results_.empty(); }

  /// Opens another output of the run, whose contents are written before write() is called: that
  /// gives it its name, too. Throws UsageError if another one already goes to that file: one of the
  /// two would be lost.
  io::OutputFile& add_other(const std::string& path, io::Writers writers);

  /// The same of a vector layer or, without geometry, a table. Throws UsageError for a name that is
  /// none.
  io::OutputFile& add_features(const std::string& path, bool with_geometry);

  /// Warns of names of values that are not written, as there are too many.
  void warn(Warnings& warnings) const;

  /// Allocates the rasters and opens the files, if there is memory for them and for so many more
  /// bytes a cell. `cause`: see require_memory().
  void reserve(std::int64_t cells, std::size_t scratch_per_cell, const std::string& cause = {});

  /// First writes the contents of all files, then gives all of them their names. The last stage of
  /// `progress`.
  void write(Progress& progress);

  /// Instead of reserve() and write(), where results come by rows: opens the files, which must be
  /// written by rows. `parts` are those of the ranks, whose files the first rank opens.
  void open_rows(std::vector<Part> parts);

  /// With many ranks: all open the files that they write together.
  void share_rows();

  /// What takes the rows of a result, into its file. Valid as long as this.
  RowSink& rows_of(const ResultFile& result);

  /// Gives all files their names, whose rows are written. The first rank does that for all.
  void commit();

  /// Bytes a cell of all results.
  std::size_t bytes_per_cell(std::int64_t cells) const;

  nlohmann::ordered_json names() const;

 private:
  struct Entry;

  /// Writes the rows of a result on the thread of a stream.
  class Rows final : public RowSink {
   public:
    Rows(const ResultFiles& files, Entry& entry) : files_(files), entry_(entry) {}
    ElementType element_type() const override;
    void write(const SlabRows& rows, const View<const void>& cells) override;
    void finish() override;
    void abandon() noexcept override;

   private:
    const ResultFiles& files_;
    Entry& entry_;
  };

  struct Entry {
    ResultFile result;
    std::optional<io::OutputFile> file = std::nullopt;
    std::optional<io::OutputFile> names = std::nullopt;  // of its values
    std::unique_ptr<SharedFile> shared = nullptr;        // with other ranks
    std::unique_ptr<io::RowWriter> writer = nullptr;     // it lives on the thread of a stream
    std::unique_ptr<Rows> rows = nullptr;
  };

  void claim_name(const std::string& path);
  void open(Entry& entry, io::Writers writers) const;
  std::unique_ptr<io::RowWriter> make_writer(Entry& entry) const;
  void receive(Entry& entry) const;

  bool overwrite_;
  std::vector<std::filesystem::path> taken_;  // files of outputs
  std::vector<Part> parts_;
  std::deque<Entry> results_;
  std::deque<io::OutputFile> others_;
};

}  // namespace thiessen::cli

// SPDX-License-Identifier: Apache-2.0
//
// What only jump flooding has: pictures of its passes, and its errors.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "inputs/sites/site_input.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct FloodingArguments {
  std::string frames;
  bool verify = false;
};

void add_flooding_flags(CLI::App& command, FloodingArguments& arguments);

/// Whether a method is one of jump flooding.
bool is_flooding(Method method);

/// --seed goes to the method too where it takes one, and must be of use to somebody.
void set_flooding(const FloodingArguments& arguments, const SiteArguments& sites,
                  NearestSiteOptions& options);

/// The memory of Frames and verify().
std::size_t bytes_per_cell(const FloodingArguments& arguments);

/// Writes pass after pass into the folder of --frames: pass-00.png is the start.
class Frames {
 public:
  /// Throws UsageError if there can be no pictures.
  Frames(const FloodingArguments& arguments, const Sites& sites, bool overwrite,
         const Context& context);

  explicit operator bool() const { return !folder_.empty(); }
  void write(const FloodingPass& pass);

 private:
  void make_folder() const;
  void gather_labels(const View<const std::int64_t>& site_index);

  std::string folder_;
  const Sites& sites_;
  bool overwrite_;
  Context painter_;
  Raster labels_;
  Raster picture_;
};

/// The answer of a method against the exact one.
struct Verification {
  Comparison comparison;
  /// The greatest difference, in cells (of the finest axis), between the distance of a cell's site
  /// and that of the nearest site.
  double largest_error = 0;

  /// The number of cells whose site is farther than the nearest one.
  std::int64_t wrong() const { return comparison.differing - comparison.ties; }
};

/// If --verify is given, runs the method again, and the exact one; the exact one runs on the CPU if
/// the device does not have it.
std::optional<Verification> verify(const FloodingArguments& arguments, Context& context,
                                   const Sites& sites, const NearestSiteOptions& options);

nlohmann::ordered_json to_json(const Verification& verification);

/// Prints it on stderr.
void print(const Verification& verification);

}  // namespace thiessen::cli

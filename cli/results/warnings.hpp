// SPDX-License-Identifier: Apache-2.0
//
// The warnings of a command for input that is allowed, but hardly meant: its own and those of the
// library, in one form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "talk/report.hpp"
#include "thiessen/context.hpp"

namespace thiessen::cli {

class Warnings {
 public:
  explicit Warnings(const TalkArguments& talk) : strict_(talk.strict), quiet_(talk.quiet) {}

  /// Throws UsageError with --strict, like the next three functions.
  void add(CommandWarning warning);
  /// Adds what reading the sites showed, and those of --values that no cell holds.
  void add(const Sites& sites);
  /// Adds the warnings of the last call of the library, with the name of the sites and, if known,
  /// the cause.
  void add(const Context& context, const Sites& sites);
  void add(const Warning& warning, const Sites& sites);

  /// Tells them on stderr unless --quiet is given, and as the list `warnings` of the report.
  void tell(Report& report) const;

 private:
  bool strict_, quiet_;
  std::vector<CommandWarning> all_;
};

/// Looks whether a raster has free cells where its file has a nodata value that the call does not
/// heed; where the call does, the library looks.
class UnheededNodata {
 public:
  /// `options` are those of the call, which say which cells are sites.
  UnheededNodata(const NearestSiteOptions& options, const Sites& sites);

  /// Takes all cells, in any number of pieces.
  void look_at(const View<const void>& cells);
  /// Warns if no rank has seen a free cell. All ranks call it, and the first one warns.
  void warn(Warnings& warnings) const;

 private:
  const NearestSiteOptions& options_;
  const Sites& sites_;
  std::optional<LabelValue> nodata_;
  std::uint8_t kinds_ = 0;
};

/// The same for a raster in memory; `options` need not say which cells are sites.
void warn_of_unheeded_nodata(NearestSiteOptions options, const Sites& sites, Warnings& warnings);

}  // namespace thiessen::cli

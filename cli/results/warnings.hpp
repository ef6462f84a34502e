// SPDX-License-Identifier: Apache-2.0
//
// The warnings of a command for input that is allowed, but hardly meant: its own and those of the
// library, in one form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/site_input.hpp"
#include "talk/report.hpp"
#include "thiessen/context.hpp"

namespace thiessen::cli {

/// The nodata value of sites, where it matters for a call whether a cell is free: distances lead
/// there, unless they are those within sites or between them.
std::optional<LabelValue> nodata_beside_free_cells(const NearestSiteOptions& options,
                                                   const Sites& sites);

class Warnings {
 public:
  explicit Warnings(const TalkArguments& talk) : strict_(talk.strict), quiet_(talk.quiet) {}

  /// Throws UsageError with --strict, like the next two functions.
  void add(CommandWarning warning);
  /// Adds what reading the sites showed, and those of --values that no cell holds.
  void add(const Sites& sites);
  /// Adds the warnings of the last call of the library, with the name of the sites and, if known,
  /// the cause.
  void add(const Context& context, const Sites& sites);

  /// Adds that there is no free cell, if the kinds of all cells say so; `options` say whether
  /// nodata cells lie in the domain.
  void add(std::uint8_t kinds, const NearestSiteOptions& options, const Sites& sites);
  /// The same for a raster in memory whose nodata value is not heeded; where it is, the library
  /// warns.
  void add_of_unheeded_nodata(NearestSiteOptions options, const Sites& sites);

  /// Tells them on stderr unless --quiet is given, and as the list `warnings` of the report.
  void tell(Report& report) const;

 private:
  bool strict_, quiet_;
  std::vector<CommandWarning> all_;
};

}  // namespace thiessen::cli

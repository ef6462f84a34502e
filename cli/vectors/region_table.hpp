// SPDX-License-Identifier: Apache-2.0
//
// The regions of the sites of a run as rows of a table, with what their cells hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/table/feature_file.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/site_features.hpp"

namespace thiessen::cli {

/// A row for each point, or for each label that has cells, with columns for what identifies it.
class RegionTable {
 public:
  /// `sums`: the files of --sum-of.
  RegionTable(Context& context, const FeatureInputs& inputs, const std::vector<std::string>& sums);

  std::int64_t rows() const { return rows_; }

  /// The row of a region: of a point by its place in the list, else of a label.
  std::int64_t row_of(const Raster& regions, std::int64_t i) const;

  /// site_index (of points), label, name (if sites have names); `suffix` ends the names.
  std::vector<io::Column> keys(const std::string& suffix = "") const;
  /// cells, area, x, y, greatest_distance, mean_distance, and the sums.
  std::vector<io::Column> measures() const;
  /// The fields of the sites' own file.
  std::vector<io::Column> attributes() const;

 private:
  void count(Context& context);
  void sum(Context& context, const std::string& path);
  void append(const std::string& name, const std::vector<double>& of_regions);
  void find_attributes();

  const FeatureInputs& inputs_;
  SiteStatistics statistics_;
  std::int64_t rows_ = 0;
  std::vector<std::int64_t> row_of_region_;  ///< of each row of the statistics
  std::map<std::string, std::int64_t> row_of_label_;
  std::vector<io::Column> measures_;
  std::vector<std::int64_t> attribute_rows_;  ///< of each row in the sites' own file; -1: none
};

}  // namespace thiessen::cli

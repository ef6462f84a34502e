// SPDX-License-Identifier: Apache-2.0
//
// Names of labels, from a file.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "thiessen/labels.hpp"

namespace thiessen::maps {

/// A file of names, and where in it they are; empty: what its reader looks for.
struct NamesFile {
  std::string file, layer, label_field, name_field;
};

/// Names by label, and their order in the file.
class SiteNames {
 public:
  struct Name {
    std::string text;
    std::size_t order = 0;
  };

  SiteNames() = default;

  /// Reads a table of text (CSV, TSV, TXT) as those of points are: a header names the columns label
  /// (or value, class, id, fid, cat) and name, in any order and case, and others are left out;
  /// without one, two columns are label,name. A label column that is asked for and has no name
  /// beside it has the names itself, of labels 1, 2, … by first appearance. Or a vector layer: its
  /// features have labels as if they were sites, and the field name. Or a raster whose values have
  /// names, see read_value_names(). The first name of a label counts. Throws Error{io} naming file
  /// and line: no such columns or fields; a label that is not a number; a name that is not UTF-8 or
  /// has control characters.
  explicit SiteNames(const NamesFile& arguments);

  /// The names that a raster has for its values; none if it has none.
  static SiteNames of_values(const std::string& file);

  /// The name of a label; null if the file has none.
  const Name* find(const LabelValue& label) const;

 private:
  void read_table(const NamesFile& arguments);
  void read_layer(const NamesFile& arguments);
  void add(const LabelValue& label, std::string name);

  std::map<std::string, Name> names_;  // by the text of the label
};

}  // namespace thiessen::maps

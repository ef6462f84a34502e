// SPDX-License-Identifier: Apache-2.0
#include "ways/pair_list.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

#include "inputs/sites/site_keys.hpp"
#include "io/files/input_file.hpp"
#include "io/table/text_table.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Where the places of a table's words stand in the order of labels.
class Positions {
 public:
  Positions(const Sites& sites, const Raster& labels) {
    const io::Column column = label_column("", labels);
    for (std::int64_t row = 0; row < labels.extents()[0]; ++row) {
      rows_[label_text(labels, row)] = row;
      if (sites.names.empty()) continue;
      const std::int64_t label = column.integers[static_cast<std::size_t>(row)];
      if (label >= 1 && label <= static_cast<std::int64_t>(sites.names.size()))
        rows_[sites.names[static_cast<std::size_t>(label) - 1]] = row;
    }
  }

  std::optional<std::int64_t> find(const std::string& word) const {
    const auto found = rows_.find(word);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string, std::int64_t> rows_;
};

}  // namespace

std::vector<std::int64_t> read_pairs(const std::string& path, const Sites& sites,
                                     const Raster& origins, const Sites& places,
                                     const Raster& destinations) {
  const Positions from(sites, origins), to(places, destinations);
  std::vector<std::int64_t> pairs;
  as_usage_error([&] {
    io::InputFile file(path);
    io::TextLines lines(file);
    std::vector<std::string_view> fields;
    std::optional<io::FieldSplitter> splitter;
    std::string_view line;
    while (lines.next(line)) {
      const bool is_first = !splitter;
      if (is_first) splitter.emplace(lines, io::separator_of(line));
      splitter->split(line, fields);
      if (fields.size() < 2) lines.fail("has one field; must have the two ends of a way");
      const std::string a = lines.text_of(fields[0]), b = lines.text_of(fields[1]);
      const auto origin = from.find(a), destination = to.find(b);
      if (origin && destination)
        pairs.insert(pairs.end(), {*origin, *destination});
      else if (!is_first || origin || destination)
        lines.fail("has the " + std::string(origin ? "place " + b : "site " + a) +
                   "; must be a label or a name of " + (origin ? places.name : sites.name));
    }
    if (pairs.empty()) file.fail("has no pair");
  });
  return pairs;
}

}  // namespace thiessen::cli

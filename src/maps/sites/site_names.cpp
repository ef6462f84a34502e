// SPDX-License-Identifier: Apache-2.0
#include "maps/sites/site_names.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/files/lower_case.hpp"
#include "io/files/utf8.hpp"
#include "io/raster/cell_values.hpp"
#include "io/raster/file_part.hpp"
#include "io/table/site_file.hpp"
#include "io/table/text_table.hpp"
#include "io/table/vector_file.hpp"
#include "maps/scale/numbers.hpp"

namespace thiessen::maps {
namespace {

using Fields = std::vector<std::string_view>;

struct Columns {
  std::size_t label = 0;
  std::size_t name = 1;
  std::size_t count = 2;
};

std::optional<LabelValue> to_label(std::string_view text) {
  if (const auto whole = io::to_number<std::int64_t>(text)) return *whole;
  if (const auto large = io::to_number<std::uint64_t>(text)) return *large;
  if (const auto real = io::to_number<double>(text)) return *real;
  return std::nullopt;
}

/// The same text for the same number: of the real ones, whole ones as if they were integers.
std::string key_of(const LabelValue& label) {
  constexpr double kExact = 0x1p53;
  const double* const real = std::get_if<double>(&label);
  if (real != nullptr && *real == std::floor(*real) && std::fabs(*real) <= kExact)
    return io::label_text(static_cast<std::int64_t>(*real));
  return io::label_text(label);
}

/// Whether the first line names columns: no field of it is a number.
bool is_header(const Fields& fields) {
  return std::none_of(fields.begin(), fields.end(),
                      [](std::string_view field) { return to_label(field).has_value(); });
}

/// The place of the first of these names in a header.
std::optional<std::size_t> find_column(const Fields& fields,
                                       const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (io::lower_case(std::string(fields[i])) == io::lower_case(name)) return i;
  return std::nullopt;
}

Columns columns_of(const io::TextLines& lines, const Fields& fields, const NamesFile& arguments) {
  std::vector<std::string> labels{"label", "value", "class", "id", "fid", "cat"};
  std::vector<std::string> names{"name"};
  if (!arguments.label_field.empty()) labels = {arguments.label_field};
  if (!arguments.name_field.empty()) names = {arguments.name_field};
  const auto label = find_column(fields, labels);
  auto name = find_column(fields, names);
  // Labels may be names themselves, as those of points.
  if (!name && arguments.name_field.empty() && !arguments.label_field.empty()) name = label;
  if (!label || !name)
    lines.fail("must name the columns " + io::excerpt(labels.front()) + " and " +
               io::excerpt(names.front()) + ", or be a label and a name");
  return {*label, *name, fields.size()};
}

}  // namespace

SiteNames::SiteNames(const NamesFile& arguments) {
  const io::SiteFileKind kind = io::kind_of(arguments.file);
  if (kind == io::SiteFileKind::raster)
    *this = of_values(arguments.file);
  else if (kind == io::SiteFileKind::points)
    read_table(arguments);
  else
    read_layer(arguments);
  if (kind == io::SiteFileKind::raster && names_.empty())
    io::fail(arguments.file,
             "is a raster whose values have no names; they come from a table of text or a vector "
             "layer, too");
}

SiteNames SiteNames::of_values(const std::string& file) {
  SiteNames names;
  std::int64_t value = 0;
  for (const std::string& name : io::read_value_names(file))
    names.add(++value, io::in_one_line(name));
  return names;
}

void SiteNames::read_layer(const NamesFile& arguments) {
  const io::VectorFile file(arguments.file,
                            {.layer = arguments.layer, .label_field = arguments.label_field});
  std::string field = arguments.name_field;
  if (field.empty()) field = file.names().empty() ? "name" : arguments.label_field;
  for (auto& [label, name] : file.labelled_texts(field)) {
    if (!io::is_plain_text(name))
      io::fail(arguments.file, "has a name with control characters: " + io::excerpt(name));
    add(label, std::move(name));
  }
}

void SiteNames::read_table(const NamesFile& arguments) {
  const io::FilePart part = io::part_of(arguments.file);
  io::refuse_layer(part, "a table of text");
  io::refuse_band(part, "a table of text");
  io::InputFile file(part.file);
  io::TextLines lines(file);
  Columns columns;
  std::optional<io::FieldSplitter> splitter;
  Fields fields;
  std::map<std::string, std::int64_t> numbers;  // of labels that are names
  std::int64_t last = 0;                        // the last of them, and of points without one
  for (std::string_view line; lines.next(line);) {
    const bool first = !splitter;
    if (first) splitter.emplace(lines, io::separator_of(line));
    splitter->split(line, fields);
    if (first && is_header(fields)) {
      columns = columns_of(lines, fields, arguments);
      continue;
    }
    if (fields.size() != columns.count)
      lines.fail("has " + std::to_string(fields.size()) + " columns; must have " +
                 std::to_string(columns.count));
    std::string name = io::unquoted(fields[columns.name]);
    if (!io::is_plain_text(name)) lines.fail("has a name that is no text in UTF-8");
    std::optional<LabelValue> label = to_label(fields[columns.label]);
    if (columns.label == columns.name) {
      const std::int64_t number =
          name.empty() ? last + 1 : numbers.try_emplace(name, last + 1).first->second;
      last = std::max(last, number);
      label = number;
    }
    if (!label)
      lines.fail("has the label " + io::excerpt(fields[columns.label]) + "; a label is a number");
    add(*label, std::move(name));
  }
}

void SiteNames::add(const LabelValue& label, std::string name) {
  names_.emplace(key_of(label), Name{std::move(name), names_.size()});
}

const SiteNames::Name* SiteNames::find(const LabelValue& label) const {
  const auto found = names_.find(key_of(label));
  return found == names_.end() ? nullptr : &found->second;
}

}  // namespace thiessen::maps

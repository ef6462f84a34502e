// SPDX-License-Identifier: Apache-2.0
#include "io/table/points_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/files/lower_case.hpp"
#include "io/raster/file_part.hpp"
#include "io/table/label_column.hpp"
#include "io/table/text_table.hpp"

namespace thiessen::io {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kPairs = {
    {{"x", "y"},
     {"easting", "northing"},
     {"lon", "lat"},
     {"long", "lat"},
     {"longitude", "latitude"},
     {"xcoord", "ycoord"},
     {"point_x", "point_y"}}};
constexpr std::string_view kThird = "z";
constexpr std::array<std::string_view, 6> kLabels = {"label", "value", "class", "id", "fid", "cat"};
constexpr std::array<char, 3> kAxisNames = {'x', 'y', 'z'};

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char left, char right) { return lower_case(left) == lower_case(right); });
}

/// The roles of the columns.
struct Columns {
  std::size_t count = 0;
  std::vector<std::size_t> coordinates;
  std::optional<std::size_t> label;
  bool degrees = false;
};

/// The names of columns in the first line.
class ColumnNames {
 public:
  ColumnNames(const TextLines& lines, const Fields& names, const PointsOptions& options)
      : lines_(lines), names_(names), options_(options) {}

  static bool is_header(const Fields& fields) {
    return std::none_of(fields.begin(), fields.end(), [](std::string_view field) {
      return (!field.empty() &&
              std::string_view("+-.0123456789").find(field[0]) != std::string_view::npos) ||
             to_number<double>(field);
    });
  }

  /// Empty if the names give no columns.
  std::optional<Columns> columns() const {
    Columns columns{names_.size(), {}, std::nullopt, false};
    for (const auto& [x, y] : kPairs) {
      if (!find(x) || !find(y)) continue;
      columns.coordinates = {*find(x), *find(y)};
      columns.degrees = x.starts_with("lon");
      break;
    }
    if (columns.coordinates.empty()) {
      refuse_lone_names();
      return std::nullopt;
    }
    const std::optional<std::size_t> z = find(kThird);
    if (options_.axes == 3 && !z) lines_.fail("names columns x and y, but no z");
    const bool is_label = !options_.label_field.empty() && same_name(options_.label_field, kThird);
    if (z && options_.axes != 2 && (!is_label || options_.axes)) columns.coordinates.push_back(*z);
    columns.label = label();
    return columns;
  }

  std::optional<std::size_t> label() const {
    if (!options_.label_field.empty()) return named_label();
    for (const std::string_view name : kLabels) {
      if (const auto column = find(name)) return column;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::size_t> find(std::string_view name) const {
    const auto same = [&](std::string_view other) { return same_name(name, other); };
    const auto first = std::find_if(names_.begin(), names_.end(), same);
    if (first == names_.end()) return std::nullopt;
    if (std::any_of(first + 1, names_.end(), same)) {
      lines_.fail("names two columns " + excerpt(name));
    }
    return static_cast<std::size_t>(first - names_.begin());
  }

  std::size_t named_label() const {
    if (const auto column = find(options_.label_field)) return *column;
    lines_.fail("names no column " + excerpt(options_.label_field));
  }

  /// Refuses names of which we know some, but not both coordinates: they may mean anything.
  void refuse_lone_names() const {
    const auto refuse = [&](std::string_view name) {
      if (find(name)) {
        lines_.fail("names a column " + excerpt(name) + ", but not two for x and y");
      }
    };
    for (const auto& [x, y] : kPairs) {
      refuse(x);
      refuse(y);
    }
    refuse(kThird);
    std::for_each(kLabels.begin(), kLabels.end(), refuse);
  }

  const TextLines& lines_;
  const Fields& names_;
  const PointsOptions& options_;
};

/// Chooses columns only by their number.
Columns columns_by_position(const TextLines& lines, std::size_t count,
                            const PointsOptions& options) {
  const bool three = options.axes ? *options.axes == 3 : count == 4;
  const std::size_t axes = three ? 3 : 2;
  if (count < axes || count > axes + 1) {
    lines.fail("has " + std::to_string(count) + (count == 1 ? " column" : " columns") +
               "; a point is " +
               (!options.axes ? "x,y or x,y,label or x,y,z,label"
                : three       ? "x,y,z or x,y,z,label here"
                              : "x,y or x,y,label here"));
  }
  Columns columns{count, {0, 1}, std::nullopt, false};
  if (three) columns.coordinates.push_back(2);
  if (count > axes) columns.label = axes;
  return columns;
}

/// Numbers names 1, 2, … by first appearance; an empty one becomes the number of its point.
void number_names(const std::vector<std::string>& texts, PointsFile& points) {
  std::unordered_map<std::string_view, std::int64_t> numbers;
  points.labels = Raster::of<std::int32_t>({static_cast<std::int64_t>(texts.size())});
  std::int32_t* label = points.labels.view<std::int32_t>().data();
  for (const std::string& text : texts) {
    const auto next = static_cast<std::int64_t>(points.names.size()) + 1;
    const bool is_unnamed = text.empty();
    points.unnamed += is_unnamed ? 1 : 0;
    const std::int64_t number = is_unnamed ? next : numbers.try_emplace(text, next).first->second;
    if (number == next) points.names.push_back(is_unnamed ? std::to_string(next) : text);
    *label++ = static_cast<std::int32_t>(number);
  }
}

/// A column of whole numbers if all texts are, else of real ones if all are, else of text.
Column to_column(std::string name, std::vector<std::string> texts) {
  Column column{.name = std::move(name)};
  bool whole = true, real = true;
  for (const std::string& text : texts) {
    column.missing.push_back(text.empty());
    if (text.empty()) continue;
    whole = whole && to_number<std::int64_t>(text);
    real = real && to_number<double>(text);
  }
  if (whole) {
    column.kind = ColumnKind::integer;
    for (const std::string& text : texts)
      column.integers.push_back(to_number<std::int64_t>(text).value_or(0));
  } else if (real) {
    column.kind = ColumnKind::real;
    for (const std::string& text : texts)
      column.reals.push_back(to_number<double>(text).value_or(0));
  } else {
    column.texts = std::move(texts);
  }
  return column;
}

class PointsReader {
 public:
  PointsReader(InputFile& file, const PointsOptions& options)
      : options_(options), lines_(file), labels_(lines_) {}

  PointsFile read() {
    PointsFile points;
    points.axes = options_.axes.value_or(2);
    std::string_view line;
    if (lines_.next(line)) read_table(line, points);
    if (are_names_)
      number_names(label_texts_, points);
    else if (without_label_ > 0)
      lines_.fail_at(without_label_, "has no label");
    else if (columns_.label)
      points.labels = labels_.finish();
    for (std::size_t i = 0; i < other_names_.size(); ++i)
      points.columns.push_back(to_column(other_names_[i], std::move(other_texts_[i])));
    return points;
  }

 private:
  void read_table(std::string_view line, PointsFile& points) {
    separator_ = separator_of(line);
    const FieldSplitter splitter(lines_, separator_);
    Fields fields;
    splitter.split(line, fields);
    first_line_ = lines_.number();
    bool more = true;
    if (choose_columns(fields)) {
      more = lines_.next(line);
      // A file with only a header is a list without points. But any line of words looks like a
      // header.
      if (!more && !names_known_) lines_.fail("names no columns x and y, and no point follows");
    }
    points.axes = static_cast<int>(columns_.coordinates.size());
    points.degrees = columns_.degrees;
    for (; more; more = lines_.next(line)) {
      splitter.split(line, fields);
      add_point(fields, points.coordinates);
    }
  }

  /// Chooses columns from the first line; true if it is a header.
  bool choose_columns(const Fields& fields) {
    const bool has_header = ColumnNames::is_header(fields);
    if (!has_header && !options_.label_field.empty()) {
      lines_.fail("is no header, which would name the column " + excerpt(options_.label_field));
    }
    const ColumnNames header(lines_, fields, options_);
    const std::optional<Columns> named = has_header ? header.columns() : std::nullopt;
    names_known_ = named.has_value();
    columns_ = named ? *named : columns_by_position(lines_, fields.size(), options_);
    if (!named && !options_.label_field.empty()) columns_.label = header.label();
    for (const std::size_t column : columns_.coordinates) {
      if (columns_.label == column) lines_.fail("makes one column a coordinate and the label");
    }
    if (options_.columns && named) list_others(fields);
    return has_header;
  }

  /// Chooses the columns that are neither coordinates nor labels.
  void list_others(const Fields& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto& taken = columns_.coordinates;
      if (columns_.label == i || std::find(taken.begin(), taken.end(), i) != taken.end()) continue;
      others_.push_back(i);
      other_names_.push_back(lines_.text_of(names[i]));
    }
    other_texts_.resize(others_.size());
  }

  void add_point(const Fields& fields, std::vector<double>& coordinates) {
    if (fields.size() != columns_.count) {
      lines_.fail("has " + std::to_string(fields.size()) +
                  (fields.size() == 1 ? " column" : " columns") + "; line " +
                  std::to_string(first_line_) + " has " + std::to_string(columns_.count));
    }
    for (std::size_t axis = 0; axis < columns_.coordinates.size(); ++axis) {
      coordinates.push_back(coordinate(fields[columns_.coordinates[axis]], kAxisNames[axis]));
    }
    if (columns_.label) add_label(fields[*columns_.label]);
    for (std::size_t i = 0; i < others_.size(); ++i)
      other_texts_[i].push_back(lines_.text_of(fields[others_[i]]));
  }

  /// Labels of a column that the user has named may be names.
  void add_label(std::string_view field) {
    if (options_.label_field.empty()) return labels_.add(field);
    if (field.empty() && without_label_ == 0) without_label_ = lines_.number();
    are_names_ = are_names_ || (!field.empty() && !to_number<double>(field));
    if (!are_names_ && !field.empty()) labels_.add(field);
    label_texts_.push_back(lines_.text_of(field));
  }

  double coordinate(std::string_view field, char axis) const {
    const auto number = to_number<double>(field);
    if (number && std::isfinite(*number)) return *number;
    lines_.fail(std::string("has the ") + axis + " " + excerpt(field) +
                (number ? ", which is not finite" : ", which is no number that a double holds") +
                hint(field));
  }

  /// A hint for a field that a comma for a decimal point has left.
  std::string hint(std::string_view field) const {
    const bool suspect = separator_ == ',' ? field.find_first_of(" \t") != std::string_view::npos
                                           : field.find(',') != std::string_view::npos;
    return suspect ? "; decimals are read with a point, not with a comma" : "";
  }

  const PointsOptions& options_;
  TextLines lines_;
  LabelColumn labels_;
  Columns columns_;
  char separator_ = ',';
  std::uint64_t first_line_ = 0;
  bool names_known_ = false;
  bool are_names_ = false;
  std::uint64_t without_label_ = 0;  // the first such line; 0: none
  std::vector<std::string> label_texts_;
  std::vector<std::size_t> others_;
  std::vector<std::string> other_names_;
  std::vector<std::vector<std::string>> other_texts_;
};

}  // namespace

PointsFile read_points(const std::filesystem::path& name, const PointsOptions& options) {
  const FilePart part = part_of(name);
  refuse_layer(part, "a table of text");
  refuse_band(part, "a table of text");
  InputFile file(part.file, options.progress);
  return read_points(file, options);
}

PointsFile read_points(InputFile& file, const PointsOptions& options) {
  if (options.axes && *options.axes != 2 && *options.axes != 3) {
    throw Error(ErrorCode::invalid_argument,
                "axes = " + std::to_string(*options.axes) + ": must be 2 or 3");
  }
  try {
    return PointsReader(file, options).read();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                one_line(file.path().string()) + ": no memory for its points");
  }
}

}  // namespace thiessen::io

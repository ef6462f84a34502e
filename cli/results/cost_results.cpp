// SPDX-License-Identifier: Apache-2.0
#include "results/cost_results.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include "inputs/sites/site_labels.hpp"
#include "io/raster/cell_values.hpp"
#include "slabs/file_rows.hpp"
#include "thiessen/choices/float_type.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Whether labels are wanted. With `are_regions`, vector outputs are made of them.
bool wants_labels(const CostResultArguments& arguments, bool are_regions) {
  return are_regions || arguments.files.has("labels") || arguments.files.has("other_labels") ||
         !arguments.picture.empty();
}

/// The value of nodata cells in the labels: --output-nodata, else that of the map or the elevation,
/// unless it is the label of a site.
std::optional<LabelValue> label_nodata(const CostResultArguments& arguments,
                                       const CostInput& input) {
  const auto given = parse_other_label("--output-nodata", arguments.output_nodata, input.sites);
  const std::optional<LabelValue>& nodata = input.nodata();
  if (given || !nodata) return given;
  const bool is_free = io::can_hold(input.sites.label_type(), *nodata) && !input.nodata_is_label;
  return is_free ? nodata : std::nullopt;
}

}  // namespace

void add_cost_result_flags(CLI::App& command, CostResultArguments& arguments) {
  add_output_flags(command, arguments);
  command.add_option("--write-map", arguments.map, "The map itself: .tif .npy")
      ->group("Outputs")
      ->type_name("FILE")
      ->check(check_output_name);
  add_path_flags(command, arguments.paths);
  add_file_flags(command, arguments, "f32 or f64: computed in, too",
                 "Label of nodata cells (default: the map's own where a label can be that and no "
                 "site has it, else that of unreached cells)");
}

CostResults::CostResults(const CostResultArguments& arguments, const CostInput& input,
                         RowSource* cells, int threads, const VectorNeeds& needs)
    : extents_(input.sites.extents()),
      format_(arguments.format),
      are_points_(input.sites.are_points()),
      nodata_label_(label_nodata(arguments, input)),
      files_(arguments.overwrite) {
  if (!nodata_label_ && input.sites.domain && input.sites.numbered)
    nodata_label_ = std::int64_t{-1};
  is_nodata_spare_ = !nodata_label_ && input.sites.domain &&
                     wants_labels(arguments, needs.regions && !are_points_);
  if (is_nodata_spare_)
    nodata_label_ =
        spare_label(input.sites, cells, label_of_unreached(arguments.unreached, input.sites));
  options_.georeference = input.grid.georeference;
  options_.threads = threads;
  const bool picture = !arguments.picture.empty(), lines = arguments.paths.are_lines();
  if (picture) require_picture_name(arguments.picture);
  if (picture && extents_.rank() != 2)
    throw UsageError("--picture " + arguments.picture + ": pictures are made of 2-D rasters only");
  OutputStyle style{
      .shape = {.grid = {.extents = extents_},
                .rank = extents_.rank(),
                .labels = input.sites.label_type(),
                .distances = to_element_type(*find_float_type(arguments.distance_type))},
      .labels = options_,
      .distances = options_,
      .others = options_};
  style.labels.nodata = nodata_label_;
  style.labels.names = input.sites.names;
  style.distances.infinite_is_nan = !arguments.keep_infinite;
  if (input.is_walk()) style.distances.unit = "s";
  const bool regions = needs.regions || lines;
  outputs_.emplace(
      arguments.files, style,
      std::initializer_list<std::string_view>{picture || (regions && !are_points_) ? "labels" : "",
                                              picture || needs.distance || lines ? "distance" : "",
                                              regions && are_points_ ? "site_index" : "",
                                              arguments.paths.are_given() ? "back_link" : ""},
      format_, files_);
  if (!arguments.map.empty() && input.map.extents().rank() == 0)
    throw UsageError("--write-map " + arguments.map + ": there is no map besides the elevation");
  if (!arguments.map.empty()) add_map(arguments.map, input);
  if (picture) add_picture(arguments.picture);
  if (files_.empty())
    throw UsageError("no output: give at least one of " + arguments.files.names() +
                     ", --picture, --write-map, --paths, " + kVectorFlags);
  format_.require_use();
}

void CostResults::add_map(const std::string& path, const CostInput& input) {
  io::WriteOptions options = options_;
  options.nodata = input.nodata_of_map();
  format_.set(path, options);
  map_ = &files_.add({path, input.map.element_type(), extents_, std::move(options)});
}

void CostResults::add_picture(const std::string& path) {
  io::WriteOptions options = options_;
  options.bands = io::Bands::last;
  format_.set(path, options);
  picture_ = &files_.add({path, ElementType::u8, {extents_[0], extents_[1], 3}, options});
  marks_ = &files_.add({"", ElementType::u8, extents_, {}});
}

void CostResults::tell_nodata(const TalkArguments& talk, Report& report) const {
  if (is_nodata_spare_) tell_spare_label(*nodata_label_, talk, report);
}

View<const void> CostResults::regions() const {
  const char* const name = are_points_ ? "site_index" : "labels";
  return outputs_->find(name) == nullptr ? View<const void>() : outputs_->raster(name);
}

PathRasters CostResults::path_rasters() const {
  const ResultFile& links = *outputs_->find("back_link");
  return {.back_link = links.raster.view<std::uint8_t>(),
          .regions = regions(),
          .distance = outputs_->find("distance") == nullptr ? View<const void>() : distance()};
}

void CostResults::mark_outside(const View<const void>& mask,
                               const CostDistanceOutputs& rows) const {
  for (const Output& output : kCostDistanceOutputs) {
    const View<void> cells = output.get(&rows);
    const bool are_labels = output.type == TypeRule::labels;
    if (!cells || (are_labels && !nodata_label_)) continue;
    io::put_where(cells, are_labels ? *nodata_label_ : nodata_of(output), mask, std::int64_t{0});
  }
}

void CostResults::finish(Context& context, const CostInput& input,
                         const CostDistanceOptions& options) {
  if (map_ != nullptr)
    std::memcpy(map_->raster.bytes(), input.map.bytes(), map_->raster.size_bytes());
  if (picture_ != nullptr) paint(context, options);
}

void CostResults::paint(Context& context, const CostDistanceOptions& options) {
  auto* const marks = reinterpret_cast<std::uint8_t*>(marks_->raster.bytes());
  std::fill_n(marks, marks_->raster.size_bytes(), std::uint8_t{0});
  // Marks are where the distance is 0, that is at sites that are not ignored; initial costs do not
  // move them.
  const View<const void> distance = this->distance();
  for (std::int64_t i = 0; i < extents_.count(); ++i) {
    const double own = distance.element_type() == ElementType::f32
                           ? reinterpret_cast<const float*>(distance.bytes())[i]
                           : reinterpret_cast<const double*>(distance.bytes())[i];
    marks[i] = own == 0 ? 1 : 0;
  }
  RenderOptions look{.label_nodata = options.nodata_label, .unreached = options.unreached};
  render(context,
         {.labels = outputs_->raster("labels"),
          .distance = distance,
          .sites = std::as_const(marks_->raster).view()},
         look, picture_->raster.view<std::uint8_t>());
}

}  // namespace thiessen::cli

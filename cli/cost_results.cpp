// SPDX-License-Identifier: Apache-2.0
#include "cost_results.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include "arguments.hpp"
#include "cell_values.hpp"
#include "site_labels.hpp"

namespace thiessen::cli {
namespace {

/// Whether labels are wanted. With `are_regions`, vector outputs are made of them.
bool wants_labels(const CostResultArguments& arguments, bool are_regions) {
  return are_regions || !arguments.labels.empty() || !arguments.other_labels.empty() ||
         !arguments.picture.empty();
}

/// The value of nodata cells in the labels: --output-nodata, else that of the map or the elevation,
/// unless it is the label of a site.
std::optional<LabelValue> label_nodata(const CostResultArguments& arguments,
                                       const CostInput& input) {
  const auto given = parse_other_label("--output-nodata", arguments.output_nodata, input.sites);
  const std::optional<LabelValue>& nodata = input.nodata();
  if (given || !nodata) return given;
  const bool is_free = can_hold(input.sites.label_type(), *nodata) && !input.nodata_is_label &&
                       !has_label(input.sites, *nodata);
  return is_free ? nodata : std::nullopt;
}

}  // namespace

void add_cost_result_flags(CLI::App& command, CostResultArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* help) {
    return command.add_option(flag, value, help)
        ->group("Outputs")
        ->type_name("FILE")
        ->check(check_output_name);
  };
  option("--labels,--allocation", arguments.labels,
         "Label of the site with the least cost: .tif .npy .png .pgm");
  auto* distance = option("--distance", arguments.distance, "That cost: .tif .npy");
  add_keep_infinite_flag(command, *distance, arguments.keep_infinite);
  option("--site-index", arguments.site_index,
         "Linear index of its cell, or its place in the list of points: .tif .npy");
  option("--back-link", arguments.back_link,
         "Which neighbour comes next on the way back, 0 at the site: .tif .npy .png .pgm");
  option("--other-labels", arguments.other_labels,
         "Label of the site with the least cost among those of another label: .tif .npy .png .pgm");
  option("--other-distance", arguments.other_distance, "That cost: .tif .npy");
  option("--other-site-index", arguments.other_site_index,
         "Linear index of its cell, or its place in the list of points: .tif .npy");
  option("--picture", arguments.picture, "Coloured cells, sites black (2-D): .png .ppm .tif .npy");
  option("--write-map", arguments.map, "The map itself: .tif .npy");
  add_path_flags(command, arguments.paths);
  command.add_option("--distance-type", arguments.distance_type, "f32 or f64: computed in, too")
      ->group("Outputs")
      ->type_name("TYPE")
      ->capture_default_str()
      ->check(CLI::IsMember({"f32", "f64"}));
  command
      .add_option("--output-nodata", arguments.output_nodata,
                  "Label of nodata cells (default: the map's own where a label can be that and no "
                  "site has it, else that of unreached cells)")
      ->group("Outputs")
      ->type_name("V")
      ->check(check_word);
  add_format_flags(command, arguments.format);
  command
      .add_flag("--overwrite", arguments.overwrite,
                "Replace files that exist; of two runs at the same time each file is that of one, "
                "the set perhaps of both")
      ->group("Outputs");
}

CostResults::CostResults(const CostResultArguments& arguments, const CostInput& input, int threads,
                         const VectorNeeds& needs)
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
    nodata_label_ = spare_label(input.sites, label_of_unreached(arguments.unreached, input.sites));
  options_.georeference = input.grid.georeference;
  options_.threads = threads;
  const bool picture = !arguments.picture.empty(), lines = arguments.paths.are_lines();
  if (picture) require_picture_name(arguments.picture);
  if (picture && extents_.rank() != 2)
    throw UsageError("--picture " + arguments.picture + ": pictures are made of 2-D rasters only");
  const auto with_nodata = [&](const std::optional<LabelValue>& value) {
    io::WriteOptions options = options_;
    options.nodata = value;
    return options;
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const ElementType distance =
      arguments.distance_type == "f64" ? ElementType::f64 : ElementType::f32;
  io::WriteOptions labels = with_nodata(nodata_label_);
  labels.names = input.sites.names;
  labels_ = add(arguments.labels, input.sites.label_type(), labels,
                picture || ((needs.regions || lines) && !are_points_));
  io::WriteOptions distances = with_nodata(kNaN);
  distances.infinite_is_nan = !arguments.keep_infinite;
  if (input.is_walk()) distances.unit = "s";
  distance_ = add(arguments.distance, distance, distances, picture || needs.distance || lines);
  site_index_ = add(arguments.site_index, ElementType::i64, with_nodata(kNodata),
                    (needs.regions || lines) && are_points_);
  back_link_ = add(arguments.back_link, ElementType::u8, with_nodata(std::int64_t{kBackLinkNodata}),
                   arguments.paths.are_given());
  other_labels_ = add(arguments.other_labels, input.sites.label_type(), labels);
  other_distance_ = add(arguments.other_distance, distance, distances);
  other_site_index_ = add(arguments.other_site_index, ElementType::i64, with_nodata(kNodata));
  if (!arguments.map.empty() && input.map.extents().rank() == 0)
    throw UsageError("--write-map " + arguments.map + ": there is no map besides the elevation");
  map_ = add(arguments.map, input.map.element_type(), with_nodata(input.nodata_of_map()));
  if (picture) add_picture(arguments.picture);
  if (files_.empty())
    throw UsageError(
        "no output: give at least one of --labels, --distance, --site-index, --back-link, "
        "--other-labels, --other-distance, --other-site-index, --picture, --write-map, --paths, "
        "--polygons, --edges, --table, --adjacency, --contours-to");
  format_.require_use();
}

ResultFile* CostResults::add(const std::string& path, ElementType type, io::WriteOptions options,
                             bool needed) {
  if (path.empty() && !needed) return nullptr;
  if (!path.empty()) format_.set(path, options);
  return &files_.add({path, type, extents_, std::move(options)});
}

void CostResults::add_picture(const std::string& path) {
  io::WriteOptions options = options_;
  options.bands = io::Bands::last;
  format_.set(path, options);
  picture_ = &files_.add({path, ElementType::u8, {extents_[0], extents_[1], 3}, options});
  marks_ = add("", ElementType::u8, {}, true);
}

void CostResults::tell_nodata(const TalkArguments& talk, Report& report) const {
  if (is_nodata_spare_) tell_spare_label(*nodata_label_, talk, report);
}

CostDistanceOutputs CostResults::views() {
  return {.labels = view_of<void>(labels_),
          .site_index = view_of<std::int64_t>(site_index_),
          .distance = view_of<void>(distance_),
          .back_link = view_of<std::uint8_t>(back_link_),
          .other_labels = view_of<void>(other_labels_),
          .other_site_index = view_of<std::int64_t>(other_site_index_),
          .other_distance = view_of<void>(other_distance_)};
}

View<const void> CostResults::regions() const {
  const ResultFile* const result = are_points_ ? site_index_ : labels_;
  return result == nullptr ? View<const void>() : result->raster.view();
}

PathRasters CostResults::path_rasters() const {
  return {.back_link = std::as_const(back_link_->raster).view<std::uint8_t>(),
          .regions = regions(),
          .distance = distance_ == nullptr ? View<const void>() : distance()};
}

void CostResults::mark_outside(const Raster& mask) {
  const auto mark = [&](ResultFile* result, const LabelValue& value) {
    if (result != nullptr) put_where(result->raster.view(), value, mask.view(), std::int64_t{0});
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (ResultFile* labels : {labels_, other_labels_})
    if (nodata_label_) mark(labels, *nodata_label_);
  for (ResultFile* distance : {distance_, other_distance_}) mark(distance, kNaN);
  for (ResultFile* index : {site_index_, other_site_index_}) mark(index, kNodata);
  mark(back_link_, std::int64_t{kBackLinkNodata});
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
  const View<void> distance = distance_->raster.view();
  for (std::int64_t i = 0; i < extents_.count(); ++i) {
    const double own = distance.element_type() == ElementType::f32
                           ? reinterpret_cast<const float*>(distance.bytes())[i]
                           : reinterpret_cast<const double*>(distance.bytes())[i];
    marks[i] = own == 0 ? 1 : 0;
  }
  RenderOptions look{.label_nodata = options.nodata_label, .unreached = options.unreached};
  render(context,
         {.labels = labels_->raster.view(),
          .distance = distance_->raster.view(),
          .sites = std::as_const(marks_->raster).view()},
         look, picture_->raster.view<std::uint8_t>());
}

}  // namespace thiessen::cli

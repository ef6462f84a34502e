// SPDX-License-Identifier: Apache-2.0
#include "results/cost_results.hpp"

#include <algorithm>
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
#include "words/flag_group.hpp"

namespace thiessen::cli {
namespace {

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
  FlagGroup(command, "Outputs").output("--write-map", arguments.map, "The map itself: .tif .npy");
  add_path_flags(command, arguments.paths);
  add_file_flags(command, arguments, "f32 or f64: computed in, too",
                 "Label of nodata cells (default: the map's own where a label can have it and no "
                 "site has it, else the label of unreached cells)");
}

// NOLINTNEXTLINE(readability-function-size): what is wanted of what
CostResults::CostResults(const CostResultArguments& arguments, const CostDistanceOptions& options,
                         const CostInput& input, RowSource* cells, int threads,
                         const VectorNeeds& needs)
    : RunResults(arguments, input.sites, input.grid.georeference, threads),
      extents_(input.sites.extents()),
      k_(options.k) {
  refuse_for_k(arguments, k_, needs.any() || arguments.paths.are_given());
  nodata_label_ = label_nodata(arguments, input);
  if (!nodata_label_ && input.sites.domain && input.sites.numbered)
    nodata_label_ = std::int64_t{-1};
  is_nodata_spare_ =
      !nodata_label_ && input.sites.domain && arguments.want_labels(needs.regions && !by_index_);
  if (is_nodata_spare_)
    nodata_label_ =
        spare_label(input.sites, cells, label_of_unreached(arguments.unreached, input.sites));
  const bool picture = !arguments.picture.empty(), lines = arguments.paths.are_lines_to_sites();
  const bool regions = needs.regions || lines, fronts = lines && input.has_fronts;
  add_outputs({picture || (regions && !by_index_) ? "labels" : "",
               picture || needs.distance || lines ? "distance" : "",
               (regions && by_index_) || fronts ? "site_index" : "",
               arguments.paths.lead_to_sites() ? "back_link" : "", fronts ? "direction" : ""},
              {.distance = input.unit}, k_);
  if (!arguments.map.empty()) {
    if (input.map.extents().rank() == 0)
      throw UsageError("--write-map " + arguments.map + ": there is no map besides the elevation");
    io::WriteOptions of_map = options_;
    of_map.nodata = input.nodata_of_map();
    map_ = &add(arguments.map, input.map.element_type(), input.sites.extents(), of_map);
  }
  if (picture) {
    add_picture();
    marks_ = &files().add({"", ElementType::u8, input.sites.extents(), {}});
  }
  if (!arguments.has_ways)
    require_output("--write-map, --paths, --cost-table, --network, --corridor, ");
}

ResultFile& CostResults::add_costs(const std::string& path, FloatType type) {
  io::WriteOptions options = options_;
  options.nodata = std::numeric_limits<double>::quiet_NaN();
  return add(path, to_element_type(type), extents_, options);
}

PathRasters CostResults::path_rasters() const {
  PathRasters rasters{.back_link = find("back_link")->raster.view<std::uint8_t>(),
                      .regions = regions(),
                      .distance = distance()};
  if (const ResultFile* const file = find("direction"))
    rasters.direction = file->raster.view<float>();
  if (const ResultFile* const file = find("site_index"))
    rasters.site_index = file->raster.view<std::int64_t>();
  return rasters;
}

void CostResults::mark_outside(const View<const void>& mask,
                               const CostDistanceOutputs& rows) const {
  for (const Output& output : kCostDistanceOutputs) {
    const View<void> cells = output.get(&rows);
    const bool are_labels = output.type == TypeRule::labels;
    if (!cells || (are_labels && !nodata_label_)) continue;
    const LabelValue value = are_labels ? *nodata_label_ : nodata_of(output);
    for (std::int64_t rank = 0; rank < std::max<std::int64_t>(k_, 1); ++rank)
      io::replace_where(k_ == 0 ? cells : view_of_rank(cells, rank), value, mask, std::int64_t{0});
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
  for (std::int64_t i = 0; i < distance.extents().count(); ++i) {
    const double own = distance.element_type() == ElementType::f32
                           ? reinterpret_cast<const float*>(distance.bytes())[i]
                           : reinterpret_cast<const double*>(distance.bytes())[i];
    marks[i] = own == 0 ? 1 : 0;
  }
  RenderOptions look{.label_nodata = options.nodata_label, .unreached = options.unreached};
  render(context,
         {.labels = raster("labels"),
          .distance = distance,
          .sites = std::as_const(marks_->raster).view()},
         look, picture_->raster.view<std::uint8_t>());
}

}  // namespace thiessen::cli

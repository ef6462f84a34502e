// SPDX-License-Identifier: Apache-2.0
#include "results/nearest_site_results.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "inputs/sites/site_labels.hpp"
#include "io/raster/cell_values.hpp"
#include "slabs/slab_plan.hpp"
#include "thiessen/choices/float_type.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {
namespace {

/// Whether sites have labels of their own, and labels of cells outside of a domain are wanted. With
/// `are_regions`, vector outputs are made of them.
bool wants_label_outside(const ResultArguments& arguments, const Sites& sites, bool are_regions) {
  return arguments.want_labels(are_regions) && arguments.output_nodata.empty() &&
         sites.domain.extents().rank() > 0 && !sites.numbered && !sites.nodata;
}

/// The value of nodata cells in the labels: --output-nodata, else that of the sites, else -1
/// outside of a domain if labels are numbers, else one that is `spare`.
std::optional<LabelValue> label_nodata(const ResultArguments& arguments, const Sites& sites,
                                       RowSource* cells, bool is_spare) {
  const auto given = parse_other_label("--output-nodata", arguments.output_nodata, sites);
  if (given || sites.domain.extents().rank() == 0) return given ? given : sites.nodata;
  if (sites.numbered) return std::int64_t{-1};
  if (is_spare) return spare_label(sites, cells, label_of_unreached(arguments.unreached, sites));
  return sites.nodata;
}

/// Marks the cells that hold one of the values of --values, or all that are not nodata.
void mark_values(const Sites& sites, Raster& marks) {
  if (sites.values.empty()) {
    std::fill_n(marks.bytes(), marks.size_bytes(), std::byte{1});
    if (sites.nodata)
      io::replace_where(marks.view(), std::int64_t{0}, sites.raster.view(), *sites.nodata);
  }
  for (const LabelValue& value : sites.values)
    if (io::can_hold(sites.raster.element_type(), value))
      io::replace_where(marks.view(), std::int64_t{1}, sites.raster.view(), value);
}

}  // namespace

void add_result_flags(CLI::App& command, ResultArguments& arguments) {
  add_output_flags(command, arguments);
  add_file_flags(command, arguments, "f32 or f64",
                 "Label of nodata cells (default: the sites' own, else one that no site has)");
}

NearestSiteResults::NearestSiteResults(const ResultArguments& arguments,
                                       const NearestSiteOptions& options, const Sites& sites,
                                       RowSource* cells, int threads, const VectorNeeds& needs)
    : RunResults(arguments, sites, sites.grid.georeference, threads),
      k_(options.k),
      numbers_points_(needs.regions && by_index_ && !sites.point_labels &&
                      sites.label_type() == ElementType::i32 && !arguments.files.has("labels") &&
                      !arguments.files.has("site_index") && arguments.picture.empty() &&
                      !options.ties_unreached) {
  is_nodata_spare_ = wants_label_outside(arguments, sites, needs.regions && !by_index_);
  nodata_label_ = label_nodata(arguments, sites, cells, is_nodata_spare_);
  refuse_for_k(arguments, k_, needs.any());
  by_index_ = by_index_ && !numbers_points_;
  const bool picture = !arguments.picture.empty();
  add_outputs(
      {picture || (needs.regions && !by_index_) ? "labels" : "",
       picture || needs.distance ? "distance" : "", needs.regions && by_index_ ? "site_index" : ""},
      {sites.metrics.empty() ? sites.unit : "",
       options.weighting == Weighting::additive ? sites.unit : ""},
      k_);
  if (picture) add_picture();
  if (picture &&
      (sites.are_points() || !sites.values.empty() || sites.zero_is_site || sites.free_nodata))
    marks_ = &files().add({"", ElementType::u8, sites.extents(), {}});
  require_output("");
}

void NearestSiteResults::mark_nodata(const Sites& sites, const View<const void>& cells,
                                     const NearestSiteOutputs& rows) {
  if (!sites.nodata || sites.free_nodata || nodata_label_ == sites.nodata) return;
  for (std::int64_t rank = 0; k_ > 0 && rows.labels && rank < k_; ++rank)
    io::replace_where(view_of_rank(rows.labels, rank), *nodata_label_, cells, *sites.nodata);
  if (k_ > 0) return;
  if (rows.labels) io::replace_where(rows.labels, *nodata_label_, cells, *sites.nodata);
  if (rows.other_labels) io::replace_where(rows.other_labels, *nodata_label_, cells, *sites.nodata);
}

void NearestSiteResults::mark_sites(const Sites& sites) {
  Raster& marks = marks_->raster;
  std::fill_n(marks.bytes(), marks.size_bytes(), std::byte{0});
  if (sites.are_points())
    mark_points(sites, marks.view<std::uint8_t>());
  else
    mark_values(sites, marks);
}

bool NearestSiteResults::paint(Context& context, const Sites& sites, const LabelValue& unreached) {
  if (picture_ == nullptr) return false;
  RenderOptions look{.label_nodata = nodata_label_, .unreached = unreached};
  RenderInputs inputs{.labels = raster("labels"), .distance = distance()};
  if (marks_ != nullptr) {
    mark_sites(sites);
    inputs.sites = std::as_const(marks_->raster).view();
  } else {
    inputs.sites = sites.raster.view();
    look.site_nodata = sites.nodata;
  }
  render(context, inputs, look, picture_->raster.view<std::uint8_t>());
  return true;
}

}  // namespace thiessen::cli

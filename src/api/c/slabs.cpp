// SPDX-License-Identifier: Apache-2.0
#include "thiessen/slabs.h"

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/nearest_site.hpp"
#include "api/c/slab_bytes.hpp"
#include "thiessen/slabs.hpp"

namespace {

using thiessen::SlabPlace;
using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::from_bytes;
using thiessen::c::required;
using thiessen::c::to_bytes;
using thiessen::c::to_domain;
using thiessen::c::to_options;
using thiessen::c::to_outputs;
using thiessen::c::to_place;
using thiessen::c::to_points;
using thiessen::c::to_view;

}  // namespace

void thiessen_free_bytes(thiessen_bytes* bytes) {
  if (bytes == nullptr) return;
  delete[] bytes->data;
  *bytes = {nullptr, 0};
}

thiessen_status thiessen_summarise_slab(thiessen_context* context, const thiessen_array* cells,
                                        const thiessen_slab* slab,
                                        const thiessen_nearest_site_options* options,
                                        thiessen_bytes* summary) {
  return at_boundary([&] {
    required("summary", summary) = {nullptr, 0};
    thiessen::Context& where = required("context", context).context;
    const View<const void> view = to_view("cells", required("cells", cells));
    *summary = from_bytes(thiessen::slab_bytes(
        thiessen::summarise_slab(where, view, to_place(slab), to_options(options, view.rank()))));
  });
}

thiessen_status thiessen_join_slabs(const thiessen_bytes* upper, const thiessen_bytes* lower,
                                    thiessen_bytes* joined) {
  return at_boundary([&] {
    required("joined", joined) = {nullptr, 0};
    *joined = from_bytes(thiessen::slab_bytes(
        thiessen::join_slabs(thiessen::slab_summary(to_bytes("upper", upper)),
                             thiessen::slab_summary(to_bytes("lower", lower)))));
  });
}

thiessen_status thiessen_combine_slabs(const thiessen_bytes* summaries, size_t count,
                                       const thiessen_slab* slab,
                                       const thiessen_nearest_site_options* options,
                                       thiessen_bytes* neighbours) {
  return at_boundary([&] {
    if (count == 0) return;
    thiessen::c::combine_bytes(
        summaries, count, slab, &required("neighbours", neighbours), &thiessen::slab_summary,
        [&](const auto& all, const thiessen::Extents& raster) {
          return thiessen::combine_slabs(all, raster, to_options(options, raster.rank()));
        });
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_finish_slab(thiessen_context* context, const thiessen_array* cells,
                                     const thiessen_slab* slab,
                                     const thiessen_nearest_site_options* options,
                                     const thiessen_bytes* neighbours,
                                     const thiessen_nearest_site_outputs* outputs,
                                     const thiessen_array* domain) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const View<const void> view = to_view("cells", required("cells", cells));
    thiessen::finish_slab(where, view, to_place(slab), to_options(options, view.rank()),
                          thiessen::slab_neighbours(to_bytes("neighbours", neighbours)),
                          to_outputs(outputs), to_domain(domain));
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_voronoi_slab(thiessen_context* context, const thiessen_points* points,
                                      const thiessen_slab* slab, int64_t count,
                                      const thiessen_nearest_site_options* options,
                                      const thiessen_nearest_site_outputs* outputs,
                                      const thiessen_array* domain) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    const SlabPlace place = to_place(slab);
    thiessen::voronoi_slab(where, to_points(points), {.extents = place.raster}, place.first, count,
                           to_options(options, place.raster.rank()), to_outputs(outputs),
                           to_domain(domain));
  });
}

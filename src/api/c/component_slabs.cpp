// SPDX-License-Identifier: Apache-2.0
#include "thiessen/component_slabs.hpp"

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/components.hpp"
#include "api/c/slab_bytes.hpp"
#include "thiessen/slabs.h"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::from_bytes;
using thiessen::c::required;
using thiessen::c::to_bytes;
using thiessen::c::to_view;

}  // namespace

thiessen_status thiessen_summarise_components(thiessen_context* context,
                                              const thiessen_array* image,
                                              const thiessen_components_options* options,
                                              const thiessen_array* labels,
                                              thiessen_bytes* summary) {
  return at_boundary([&] {
    required("summary", summary) = {nullptr, 0};
    *summary = from_bytes(thiessen::slab_bytes(thiessen::summarise_components(
        required("context", context).context, to_view("image", required("image", image)),
        thiessen::c::to_options(options), to_view("labels", required("labels", labels)))));
  });
}

thiessen_status thiessen_combine_components(const thiessen_bytes* summaries, size_t count,
                                            const thiessen_slab* slab,
                                            const thiessen_components_options* options,
                                            thiessen_bytes* numbers) {
  return at_boundary([&] {
    if (count == 0) return;
    thiessen::c::combine_bytes(
        summaries, count, slab, &required("numbers", numbers), &thiessen::components_summary,
        [&](const auto& all, const thiessen::Extents& raster) {
          return thiessen::combine_components(all, raster, thiessen::c::to_options(options));
        });
  });
}

thiessen_status thiessen_number_components(const thiessen_bytes* numbers,
                                           const thiessen_array* labels, int64_t* count) {
  return at_boundary([&] {
    const auto own = thiessen::component_numbers(to_bytes("numbers", numbers));
    thiessen::number_components(own, to_view("labels", required("labels", labels)));
    if (count != nullptr) *count = own.all;
  });
}

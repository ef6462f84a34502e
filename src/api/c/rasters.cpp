// SPDX-License-Identifier: Apache-2.0
#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/components.hpp"
#include "thiessen/random_sites.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;

static_assert(static_cast<std::int32_t>(thiessen::Connectivity::knights) == THIESSEN_KNIGHTS);

thiessen_components_options components_defaults() {
  thiessen_components_options options{};
  options.size = sizeof options;
  return options;
}

}  // namespace

thiessen::ComponentsOptions thiessen::c::to_options(const thiessen_components_options* given) {
  const auto options = read_struct("options", given, components_defaults());
  return {.connectivity =
              to_enum("connectivity", options.connectivity, thiessen::Connectivity::knights),
          .nodata = to_value("nodata", options.nodata)};
}

thiessen_status thiessen_components_options_init(thiessen_components_options* options,
                                                 size_t size) {
  return at_boundary([&] { write_struct("options", options, size, components_defaults()); });
}

thiessen_status thiessen_connected_components(thiessen_context* context,
                                              const thiessen_array* image,
                                              const thiessen_components_options* options,
                                              const thiessen_array* labels, int64_t* count) {
  return at_boundary([&] {
    const std::int64_t components = thiessen::connected_components(
        required("context", context).context, to_view("image", required("image", image)),
        thiessen::c::to_options(options), to_view("labels", required("labels", labels)));
    if (count != nullptr) *count = components;
  });
}

thiessen_status thiessen_random_sites(thiessen_context* context, const thiessen_array* sites,
                                      int64_t count, uint64_t seed) {
  return at_boundary([&] {
    thiessen::random_sites(required("context", context).context,
                           to_view("sites", required("sites", sites)), count, seed);
  });
}

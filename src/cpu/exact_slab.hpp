// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/slabs/slab.hpp"

namespace thiessen::cpu {

/// The stages of the method "exact" for slabs, as SlabEntry has them.
void summarise_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const View<const void>& sites, SlabFaces& faces);
void finish_slab(ContextState& state, const Problem& problem, const SlabMaps& slab,
                 const ProblemViews& views);

}  // namespace thiessen::cpu

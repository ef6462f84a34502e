// SPDX-License-Identifier: Apache-2.0
//
// Everything that thiessen offers to C++ programs.
#pragma once

#include "thiessen/changes.hpp"
#include "thiessen/choice.hpp"
#include "thiessen/compare.hpp"
#include "thiessen/components.hpp"
#include "thiessen/connectivity.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/devices.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/error.hpp"
#include "thiessen/flooding.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/method.hpp"
#include "thiessen/metric.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/nearest_site_solver.hpp"
#include "thiessen/random_sites.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/raster_methods.hpp"
#include "thiessen/render.hpp"
#include "thiessen/view.hpp"
#include "thiessen/warning.hpp"

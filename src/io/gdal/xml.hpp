// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cpl_minixml.h>

#include <memory>

namespace thiessen::io {

struct DestroyXml {
  void operator()(CPLXMLNode* node) const noexcept { CPLDestroyXMLNode(node); }
};

/// A tree of XML by GDAL's reader.
using Xml = std::unique_ptr<CPLXMLNode, DestroyXml>;

}  // namespace thiessen::io

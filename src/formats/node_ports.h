// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which port is which when a saved graph is read: what the writer said, else what the prototype of the
// operator makes of their number. Used by the graph reader.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/attribute.h"
#include "ir/node.h"

namespace foothold {

struct PortName {
  std::string name;
  std::string group;
  PortKind kind = PortKind::kRequired;
};

// Takes what is said about ports out of the attributes. Throws kInvalidParam if it contradicts `count`.
std::vector<PortName> TakeInputNames(const std::string& type, Attributes& attributes, std::size_t count);
std::vector<PortName> TakeOutputNames(const std::string& type, Attributes& attributes, std::size_t count);
// The same for subgraphs; the kind is not used.
std::vector<PortName> TakeSubgraphNames(const std::string& type, Attributes& attributes, std::size_t count);

}  // namespace foothold

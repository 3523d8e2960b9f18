// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which function imports which ONNX operator. A file of `maps` registers its functions at load time:
//
//   void MapLeakyRelu(NodeImport& node) { ... }
//   const RegisterMapping leaky_relu("LeakyRelu", MapLeakyRelu);
//
// Any thread after that.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace foothold::onnx {

class NodeImport;

// Versions of the default domain that mappings were written for. Files of later ones are refused node by
// node.
inline constexpr int kNewestOpset = 23;

using MapFunction = void (*)(NodeImport& node);

struct Mapping {
  std::string op;  // of the default domain
  MapFunction map;
  int since;  // the first version
  int until;  // the last version
};

// Null: there is none.
const Mapping* FindMapping(std::string_view domain, std::string_view op, int version);
// By name, then version.
std::vector<Mapping> AllMappings();

class RegisterMapping {
 public:
  RegisterMapping(const char* op, MapFunction map, int since = 1, int until = kNewestOpset);
  // The same function for several operators.
  RegisterMapping(std::initializer_list<const char*> ops, MapFunction map, int since = 1,
                  int until = kNewestOpset);
};

}  // namespace foothold::onnx

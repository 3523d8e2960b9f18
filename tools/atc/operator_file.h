// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The JSON file of `atc --singleop`: an array of operators with the descriptions of their tensors and
// attributes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/attr_value.h"
#include "graph/tensor.h"

namespace foothold::atc {

struct OperatorEntry {
  std::string type;
  std::vector<ge::TensorDesc> inputs, outputs;  // an optional input that is not there has an undefined type
  std::vector<std::pair<std::string, ge::AttrValue>> attributes;
};

// Throws CannotConvert with the place in the file, what was expected and what was found.
std::vector<OperatorEntry> ReadOperators(const std::string& path);

}  // namespace foothold::atc

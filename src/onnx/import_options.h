// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the program says with a model: the parser's options. Values; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "onnx/reader_interface.h"

namespace foothold::onnx {

struct ImportOptions {
  std::string graph_name;
  std::vector<InputShape> input_shapes;
  std::vector<std::string> input_order;   // names; empty: as in the model
  std::vector<std::string> half_inputs;   // names of inputs the program gives as float16
  std::vector<std::string> output_names;  // "node:index" or names of values; empty: as in the model
};

// `texts` by the names of ge::ir_option. Throws E10001-like errors that name option and part; options that
// say nothing to this parser get a warning.
ImportOptions ParseOptions(const std::map<std::string, std::string>& texts);

}  // namespace foothold::onnx

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is run of a sample: every type with every form, and with the first form all layouts and numbers that
// are none.
#pragma once

#include <string>
#include <vector>

#include "samples/sample.h"

namespace samples {

struct Case {
  const Sample* sample = nullptr;
  Form form;  // with the settings of all forms
  aclDataType type = ACL_FLOAT;
  std::vector<nn::Layout> layouts;  // by input
  nn::Layout out = nn::Layout::kContiguous;
  bool special = false;  // infinities, NaN and both zeros among the elements

  std::string Text() const;
  std::vector<aclDataType> InputTypes() const;
  aclDataType OutputType(std::size_t output) const;
  std::vector<nn::Tensor> MakeInputs() const;
  std::vector<Block> Expected(const std::vector<nn::Tensor>& inputs) const;
  void ExpectResult(std::size_t output, const Values& found, const Block& expected) const;
};

// Of an operator of graphs, or of functions. `types` where the sample names none.
std::vector<Case> CasesOf(const Sample& sample, const std::vector<aclDataType>& types);

}  // namespace samples

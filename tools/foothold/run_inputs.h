// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What `foothold run` feeds a model: arrays from files where some are given, random numbers elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foothold/run_model.h"

namespace foothold::run {

struct InputChoice {
  std::vector<std::string> named;       // "name=file"
  std::vector<std::string> positional;  // files, in the order of the inputs
  std::vector<std::string> shapes;      // "name:1,3,224,224"
  std::vector<std::string> ranges;      // "name:-1,1", or "-1,1" for all
  std::uint64_t seed = 0;
};

struct ChosenInput {
  TensorValue value;
  std::string origin;  // for people: a file, or how it was made
};

// One for each input. Throws an Error that names the input, what it takes and what was given.
std::vector<ChosenInput> ChooseInputs(const std::vector<ModelTensor>& inputs, const InputChoice& choice);

// The tensor a user means: by its name, by the part of it after the last colon, or by its number.
std::size_t FindTensor(const std::vector<ModelTensor>& tensors, const std::string& name, const char* kind);

}  // namespace foothold::run

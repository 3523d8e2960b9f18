// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one kind of call needs, prepared: the program, and which tensors of the call its inputs and outputs
// are. Kept for the next call of the kind. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/late_number.h"
#include "calls/call_form.h"

namespace foothold::aclnn {

// A part of the values that come with a call.
struct FormValue {
  LateNumber number;                     // of an array the place of it alone
  DataType type = DataType::kUndefined;  // of the elements
  std::size_t offset = 0, bytes = 0;
};

// A tensor by its number in the call: in the order of parameters, lists flattened.
struct FormTensor {
  ArgumentPlace place;
  Direction direction = Direction::kIn;
};

struct Form final : CallForm {
  std::string Describe() const override { return function->name; }
  std::string InputName(std::size_t index) const override { return NameOf(input_places[index]); }
  std::string OutputName(std::size_t index) const override { return NameOf(output_places[index]); }
  std::string NameOf(ArgumentPlace place) const;

  const Function* function = nullptr;
  std::vector<FormTensor> tensors;
  std::vector<FormValue> values;
  std::size_t value_bytes = 0;
  std::vector<ArgumentPlace> input_places, output_places;  // of the program
  bool ends_on_default_stream = false;                     // before a call that names no stream returns
};

}  // namespace foothold::aclnn

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One ONNX operator as a model of its own: tensors in, attributes, and the tensors that have to come out.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "onnx/model_maker.h"

namespace foothold {

// Numbers of an ONNX type; as an input given when the model is run, unless it is a constant of the model.
struct Numbers {
  int type = 0;  // 0: an input that is left out
  Shape shape;
  std::vector<double> values;
  bool constant = false;
};

Numbers Float(const Shape& shape, const std::vector<double>& values);
Numbers Int64(const Shape& shape, const std::vector<double>& values);
Numbers Of(int type, const Shape& shape, const std::vector<double>& values);
Numbers Const(Numbers numbers);
inline Numbers None() {
  return {};
}

// What is set at the node.
using SetAttributes = std::function<void(::onnx::NodeProto&)>;
const SetAttributes kPlain;
SetAttributes With(const char* name, std::int64_t value);
SetAttributes With(const char* name, const Shape& values);
SetAttributes WithText(const char* name, const char* value);
SetAttributes All(const std::vector<SetAttributes>& parts);

struct OperatorCase {
  std::string what;
  std::string op;
  std::pair<int, int> opsets;  // the first and the last it is run with
  std::vector<Numbers> inputs;
  SetAttributes attributes;
  std::vector<Numbers> outputs;
  double tolerance = 1e-5;
};

// One that has to be refused, with a text that has `part` in it.
struct RefusedCase {
  std::string op;
  std::pair<int, int> opsets;
  std::vector<Numbers> inputs;
  SetAttributes attributes;
  std::string part;
};

void PrintTo(const OperatorCase& each, std::ostream* out);
void PrintTo(const RefusedCase& each, std::ostream* out);

// The node is named "node", its inputs a, b, c ... and its outputs u, v, w ...
ModelMaker ModelOf(const std::string& op, int opset, const std::vector<Numbers>& inputs,
                   const SetAttributes& attributes, const std::vector<Numbers>& outputs);
// What differs first; empty: nothing.
std::string RunCase(const OperatorCase& each, int opset);

}  // namespace foothold

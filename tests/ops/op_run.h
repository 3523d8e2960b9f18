// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs one operator on given tensors, for tests of operators:
//
//   const auto y = OpRun("Softmax").In("x", Floats({2, 3}, {...})).Attr("axes", Ints{-1}).Out("y").Run();
//   EXPECT_EQ(y.dims(), (Dims{2, 3}));
//
// Inputs are constants, as when a compiler folds them; Late() gives an input whose value is only there when
// the kernel runs.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "ir/tensor_value.h"

namespace foothold {

class OpRun {
 public:
  explicit OpRun(const std::string& type, const std::string& name = "op");

  OpRun& In(const std::string& port, TensorValue value);
  OpRun& Late(const std::string& port, TensorValue value);
  // A late value of which the operator reads a view.
  OpRun& View(const std::string& port, TensorValue value, StridedView view);
  OpRun& NoInput(const std::string& port);  // an optional port that is not connected
  OpRun& Attr(const std::string& name, Attribute value);
  OpRun& Out(const std::string& port);

  // Infer, lower and run. Throws what they throw.
  std::vector<TensorValue> RunAll();
  TensorValue Run() { return RunAll().at(0); }

  Node& node() { return node_; }

 private:
  OpRun& Connect(const std::string& port, TensorValue value, bool known);

  Graph graph_;
  Node& node_;
  std::vector<TensorValue> values_;  // by input port
  std::vector<bool> given_, known_;
};

using Ints = std::vector<std::int64_t>;

// Values of a type, converted from the numbers given: Tensor(DataType::kFloat16, {2}, {1, 2.5}).
TensorValue Tensor(DataType type, const Dims& dims, const std::vector<double>& values,
                   Format format = Format::kNd);
inline TensorValue Floats(const Dims& dims, const std::vector<double>& values, Format format = Format::kNd) {
  return Tensor(DataType::kFloat, dims, values, format);
}
inline TensorValue Int32s(const Dims& dims, const std::vector<double>& values) {
  return Tensor(DataType::kInt32, dims, values);
}
// Numbers in [-1, 1) that are the same every time.
TensorValue Random(DataType type, const Dims& dims, unsigned seed, Format format = Format::kNd);
// All elements, as double.
std::vector<double> Numbers(const TensorValue& value);
// Element-wise |a - b| <= tolerance * max(1, |b|); NaN equals NaN, infinities must be the same.
void ExpectNear(const TensorValue& found, const std::vector<double>& expected, double tolerance = 1e-6);

}  // namespace foothold

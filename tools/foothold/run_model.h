// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A model of `foothold run`, loaded and run by the functions of the public API as a program would: an .onnx
// file is compiled in memory first, after that there is no difference. One thread.
#pragma once

#include <acl/acl_mdl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foothold/model_buffers.h"
#include "ir/tensor_value.h"

namespace foothold::run {

struct ModelTensor {
  std::string name;
  TensorType type;  // -1 where the run decides
  Dims usual;       // what to take where nobody says: the largest gear, else 1 for open dimensions
};

class RunModel {
 public:
  // Starts the runtime too. Runs are dumped to the folder `dump`, if there is one. Throws an Error with what
  // the library says.
  explicit RunModel(const std::string& path, const std::string& dump = {});
  ~RunModel();
  RunModel(const RunModel&) = delete;
  RunModel& operator=(const RunModel&) = delete;

  const std::vector<ModelTensor>& inputs() const { return inputs_; }
  const std::vector<ModelTensor>& outputs() const { return outputs_; }

  // One for each input, with all dimensions known. Copied.
  void SetInputs(const std::vector<TensorValue>& values);
  void Execute();
  // What the last run gave.
  std::vector<TensorValue> Outputs() const;

 private:
  enum class Gears { kNone, kBatch, kImage, kDims };

  void StartDump(const std::string& folder);
  void LoadOnnx(const std::string& path);
  void Describe();
  void DescribeGears(const aclmdlDesc* desc);
  void SetUsual(const Dims& open);
  void ChooseGear(const std::vector<TensorValue>& values);

  std::uint32_t id_ = 0;
  bool dumps_ = false;
  std::vector<ModelTensor> inputs_, outputs_;
  std::vector<std::size_t> output_bytes_;  // at most; 0: only a run knows
  Gears gears_ = Gears::kNone;
  std::optional<ModelBuffers> in_, out_;
};

}  // namespace foothold::run

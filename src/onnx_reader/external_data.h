// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors that stand in files beside the model. A model may name files of its own folder and below only.
// Used by the tensor reader. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <string>

#include "base/data_file.h"

namespace foothold::onnx {

// The bytes of one tensor, which were there when it was found.
struct ExternalTensor {
  DataFile file;
  std::size_t offset, size;
  std::string name, location;  // for messages

  // All of them. Throws kInvalidFile if they are gone.
  void Read(std::byte* to) const;
};

class ExternalData {
 public:
  // `model_path` is empty for a model in memory, which can have no files beside it.
  explicit ExternalData(const std::string& model_path);

  // Throws kInvalidFile if the file is missing, too short for `size` bytes or outside the folder, naming
  // tensor and file; nothing is allocated before that is known.
  ExternalTensor Find(const ::onnx::TensorProto& tensor, std::size_t size) const;

 private:
  DataFile Open(const std::string& tensor, const std::string& location) const;

  std::string folder_;  // absolute, without links; empty: none
};

}  // namespace foothold::onnx

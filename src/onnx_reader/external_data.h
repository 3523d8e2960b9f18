// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors that stand in files beside the model. A model may name files of its own folder and below only.
// Used by the tensor reader. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <string>

namespace foothold::onnx {

class ExternalData {
 public:
  // `model_path` is empty for a model in memory, which can have no files beside it.
  explicit ExternalData(const std::string& model_path);

  // Reads exactly `size` bytes into `to`. Throws kInvalidFile if the file is missing, too short or outside
  // the folder, naming tensor and file; nothing is allocated before that is known.
  void Read(const ::onnx::TensorProto& tensor, std::byte* to, std::size_t size) const;
  // The same checks without reading.
  void Check(const ::onnx::TensorProto& tensor, std::size_t size) const;

 private:
  struct Place {
    std::string path;
    std::size_t offset = 0;
  };
  Place Find(const ::onnx::TensorProto& tensor, std::size_t size) const;
  std::string Resolve(const std::string& tensor, const std::string& location) const;

  std::string folder_;  // absolute, without links; empty: none
};

}  // namespace foothold::onnx

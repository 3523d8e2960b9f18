// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors and types of ONNX messages as values of ours. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "onnx/reader_interface.h"
#include "onnx_reader/external_data.h"
#include "onnx_reader/weight_cut.h"

namespace foothold::onnx {

// Throws kFeatureUnsupported for a number that is no type we know, naming `what`.
DataType ToDataType(int onnx_type, const std::string& what);

ValueType ToValueType(const ::onnx::TypeProto& type);
::onnx::TypeProto ToTypeProto(const ValueType& type);

class TensorReader {
 public:
  // `model_bytes`: what was read for the model, external data aside.
  TensorReader(const ReadRequest& request, ExternalData external, std::size_t model_bytes)
      : request_(request), external_(std::move(external)), given_(model_bytes) {}

  // Throws kParseFile if the data is not as long as type and dimensions say, or if all tensors together are
  // much larger than what was read for them; nothing is allocated before. A tensor of strings comes without
  // data.
  TensorValue Read(const ::onnx::TensorProto& tensor);
  TensorValue Read(const ::onnx::SparseTensorProto& tensor);
  // Of a tensor whose data is not in its message.
  TensorValue Read(const ::onnx::TensorProto& tensor, const ModelSource& source, const WeightPlace& place);

 private:
  void Count(std::size_t size, const std::string& name);
  TensorValue Allocate(TensorType type, std::size_t size, const std::string& name);

  const ReadRequest& request_;
  ExternalData external_;
  std::size_t given_;      // bytes of the model and of external data so far
  std::size_t taken_ = 0;  // bytes of all tensors so far
};

}  // namespace foothold::onnx

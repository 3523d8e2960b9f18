// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors and types of ONNX messages as values of ours. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "onnx/reader_interface.h"
#include "onnx_reader/external_data.h"

namespace foothold::onnx {

// Throws kFeatureUnsupported for a number that is no type we know, naming `what`.
DataType ToDataType(int onnx_type, const std::string& what);

ValueType ToValueType(const ::onnx::TypeProto& type);
::onnx::TypeProto ToTypeProto(const ValueType& type);

class TensorReader {
 public:
  TensorReader(const ReadRequest& request, ExternalData external)
      : request_(request), external_(std::move(external)) {}

  // Throws kParseFile if the data is not as long as type and dimensions say; nothing is allocated before.
  // A tensor of strings comes without data.
  TensorValue Read(const ::onnx::TensorProto& tensor) const;
  TensorValue Read(const ::onnx::SparseTensorProto& tensor) const;

 private:
  TensorValue Allocate(TensorType type, std::size_t size) const;

  const ReadRequest& request_;
  ExternalData external_;
};

}  // namespace foothold::onnx

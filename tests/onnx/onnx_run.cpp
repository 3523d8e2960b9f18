// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/onnx_run.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/half.h"
#include "ge/ge_api.h"
#include "parser/onnx_parser.h"

namespace foothold {
namespace {

using Proto = ::onnx::TensorProto;
using Bytes = std::vector<std::uint8_t>;

constexpr double kRelative = 1e-3, kAbsolute = 1e-7;

ge::DataType TypeOf(const Proto& tensor) {
  switch (tensor.data_type()) {
    case Proto::FLOAT:
      return ge::DT_FLOAT;
    case Proto::UINT8:
      return ge::DT_UINT8;
    case Proto::INT8:
      return ge::DT_INT8;
    case Proto::UINT16:
      return ge::DT_UINT16;
    case Proto::INT16:
      return ge::DT_INT16;
    case Proto::INT32:
      return ge::DT_INT32;
    case Proto::INT64:
      return ge::DT_INT64;
    case Proto::BOOL:
      return ge::DT_BOOL;
    case Proto::FLOAT16:
      return ge::DT_FLOAT16;
    case Proto::DOUBLE:
      return ge::DT_DOUBLE;
    case Proto::UINT32:
      return ge::DT_UINT32;
    case Proto::UINT64:
      return ge::DT_UINT64;
    case Proto::BFLOAT16:
      return ge::DT_BF16;
    default:
      throw std::runtime_error("a tensor of type " + std::to_string(tensor.data_type()));
  }
}

template <typename T, typename List>
Bytes BytesOf(const List& list) {
  Bytes bytes;
  for (const auto value : list) {
    const T element = static_cast<T>(value);
    const auto* first = reinterpret_cast<const std::uint8_t*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
  return bytes;
}

Bytes DataOf(const Proto& tensor) {
  if (tensor.has_raw_data()) return {tensor.raw_data().begin(), tensor.raw_data().end()};
  switch (tensor.data_type()) {
    case Proto::FLOAT:
      return BytesOf<float>(tensor.float_data());
    case Proto::DOUBLE:
      return BytesOf<double>(tensor.double_data());
    case Proto::INT64:
      return BytesOf<std::int64_t>(tensor.int64_data());
    case Proto::UINT64:
      return BytesOf<std::uint64_t>(tensor.uint64_data());
    case Proto::UINT32:
      return BytesOf<std::uint32_t>(tensor.uint64_data());
    case Proto::INT32:
      return BytesOf<std::int32_t>(tensor.int32_data());
    case Proto::INT16:
    case Proto::UINT16:
    case Proto::FLOAT16:
    case Proto::BFLOAT16:
      return BytesOf<std::uint16_t>(tensor.int32_data());
    default:
      return BytesOf<std::uint8_t>(tensor.int32_data());
  }
}

// What the model says a tensor file holds. The suite stores bfloat16 as uint16.
ge::Tensor ReadTensor(const std::string& path, int declared) {
  std::ifstream file(path, std::ios::binary);
  Proto tensor;
  if (!tensor.ParseFromIstream(&file) || tensor.data_type() == Proto::UNDEFINED)
    throw std::runtime_error(path + " is no tensor");
  if (declared == Proto::BFLOAT16 && tensor.data_type() == Proto::UINT16) tensor.set_data_type(declared);
  const std::vector<std::int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  return ge::Tensor(ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, TypeOf(tensor)), DataOf(tensor));
}

std::vector<int> Declared(const google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& values) {
  std::vector<int> types;
  for (const auto& value : values)
    types.push_back(value.type().tensor_type().elem_type());
  return types;
}

template <typename T>
double Element(const ge::Tensor& tensor, std::size_t i) {
  T value;
  std::memcpy(&value, tensor.GetData() + i * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

double Element(const ge::Tensor& tensor, std::size_t i) {
  switch (tensor.GetTensorDesc().GetDataType()) {
    case ge::DT_FLOAT:
      return Element<float>(tensor, i);
    case ge::DT_DOUBLE:
      return Element<double>(tensor, i);
    case ge::DT_INT64:
      return Element<std::int64_t>(tensor, i);
    case ge::DT_UINT64:
      return Element<std::uint64_t>(tensor, i);
    case ge::DT_INT32:
      return Element<std::int32_t>(tensor, i);
    case ge::DT_UINT32:
      return Element<std::uint32_t>(tensor, i);
    case ge::DT_INT16:
      return Element<std::int16_t>(tensor, i);
    case ge::DT_UINT16:
      return Element<std::uint16_t>(tensor, i);
    case ge::DT_INT8:
      return Element<std::int8_t>(tensor, i);
    case ge::DT_FLOAT16: {
      Half value;
      std::memcpy(&value.bits, tensor.GetData() + i * 2, 2);
      return static_cast<double>(static_cast<float>(value));
    }
    case ge::DT_BF16: {
      Bfloat16 value;
      std::memcpy(&value.bits, tensor.GetData() + i * 2, 2);
      return static_cast<double>(static_cast<float>(value));
    }
    default:
      return Element<std::uint8_t>(tensor, i);
  }
}

bool IsClose(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (std::isinf(expected) || std::isinf(found)) return expected == found;
  return std::fabs(expected - found) <= kAbsolute + kRelative * std::fabs(expected);
}

std::string TextOf(const std::vector<std::int64_t>& dims) {
  std::string text;
  for (const std::int64_t dim : dims)
    text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "[" + text + "]";
}

ge::Session& TheSession() {
  static ge::Session session{std::map<ge::AscendString, ge::AscendString>{}};
  return session;
}

void Require(std::uint32_t status, const char* call) {
  if (status == ge::SUCCESS) return;
  const std::string text = ge::GEGetErrorMsg();
  throw std::runtime_error(text.empty() ? std::string(call) + " failed without a message" : text);
}

}  // namespace

std::vector<ge::Tensor> ReadTensors(const std::string& folder, const std::string& stem,
                                    const std::vector<int>& declared) {
  std::vector<ge::Tensor> tensors;
  for (int i = 0;; ++i) {
    const std::string path = folder + "/" + stem + "_" + std::to_string(i) + ".pb";
    if (!std::filesystem::exists(path)) return tensors;
    const auto index = static_cast<std::size_t>(i);
    tensors.push_back(ReadTensor(path, index < declared.size() ? declared[index] : Proto::UNDEFINED));
  }
}

std::string Difference(const ge::Tensor& expected, const ge::Tensor& found) {
  const ge::TensorDesc want = expected.GetTensorDesc(), have = found.GetTensorDesc();
  if (want.GetDataType() != have.GetDataType())
    return "type " + std::to_string(have.GetDataType()) + ", expected " + std::to_string(want.GetDataType());
  if (want.GetShape().GetDims() != have.GetShape().GetDims())
    return "shape " + TextOf(have.GetShape().GetDims()) + ", expected " + TextOf(want.GetShape().GetDims());
  if (expected.GetSize() != found.GetSize())
    return std::to_string(found.GetSize()) + " bytes, expected " + std::to_string(expected.GetSize());
  std::size_t count = 1;
  for (const std::int64_t dim : want.GetShape().GetDims())
    count *= static_cast<std::size_t>(dim);
  for (std::size_t i = 0; i < count; ++i)
    if (!IsClose(Element(expected, i), Element(found, i)))
      return "element " + std::to_string(i) + " is " + std::to_string(Element(found, i)) + ", expected " +
             std::to_string(Element(expected, i));
  return {};
}

std::vector<ge::Tensor> RunOnnxModel(const std::string& path, const std::vector<ge::Tensor>& inputs) {
  static std::uint32_t next_id = 0;
  ge::Graph graph("model");
  (void)ge::GEGetErrorMsg();
  Require(ge::aclgrphParseONNX(path.c_str(), {}, graph), "aclgrphParseONNX");
  const std::uint32_t id = ++next_id;
  Require(TheSession().AddGraph(id, graph), "AddGraph");
  std::vector<ge::Tensor> outputs;
  const ge::Status status = TheSession().RunGraph(id, inputs, outputs);
  const std::string text = status == ge::SUCCESS ? "" : ge::GEGetErrorMsg();
  Require(TheSession().RemoveGraph(id), "RemoveGraph");
  if (status != ge::SUCCESS)
    throw std::runtime_error(text.empty() ? "RunGraph failed without a message" : text);
  return outputs;
}

std::string RunOnnxCase(const std::string& folder) {
  try {
    ::onnx::ModelProto model;
    std::ifstream file(folder + "/model.onnx", std::ios::binary);
    model.ParseFromIstream(&file);
    const auto inputs = ReadTensors(folder + "/test_data_set_0", "input", Declared(model.graph().input()));
    const auto expected =
        ReadTensors(folder + "/test_data_set_0", "output", Declared(model.graph().output()));
    const auto found = RunOnnxModel(folder + "/model.onnx", inputs);
    if (found.size() != expected.size())
      return std::to_string(found.size()) + " outputs, expected " + std::to_string(expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      if (const std::string difference = Difference(expected[i], found[i]); !difference.empty())
        return "output " + std::to_string(i) + ": " + difference;
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace foothold

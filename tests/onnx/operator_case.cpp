// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/operator_case.h"

#include <cmath>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

namespace foothold {
namespace {

using Proto = ::onnx::TensorProto;

template <typename T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Numbers that halves have exactly, infinities and NaN.
std::uint16_t HalfOf(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
  const auto bits = static_cast<std::uint16_t>(std::ldexp(fraction, 11));
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | (bits & 0x3ff));
}

double FromHalf(std::uint16_t half) {
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  const int exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0x1f) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint16_t UpperHalf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<std::uint16_t>(bits >> 16);
}

float FromUpperHalf(std::uint16_t half) {
  const std::uint32_t bits = std::uint32_t{half} << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

struct Kind {
  ge::DataType type;
  void (*append)(std::string&, double);
  double (*at)(const std::uint8_t*, std::size_t);
};

template <typename T>
Kind Plain(ge::DataType type) {
  return {type, [](std::string& bytes, double value) { Append(bytes, static_cast<T>(value)); },
          [](const std::uint8_t* data, std::size_t i) {
            T value;
            std::memcpy(&value, data + i * sizeof(T), sizeof(T));
            return static_cast<double>(value);
          }};
}

const Kind& KindOf(int type) {
  static const std::map<int, Kind> kinds = {
      {Proto::FLOAT, Plain<float>(ge::DT_FLOAT)},
      {Proto::DOUBLE, Plain<double>(ge::DT_DOUBLE)},
      {Proto::INT8, Plain<std::int8_t>(ge::DT_INT8)},
      {Proto::UINT8, Plain<std::uint8_t>(ge::DT_UINT8)},
      {Proto::INT16, Plain<std::int16_t>(ge::DT_INT16)},
      {Proto::UINT16, Plain<std::uint16_t>(ge::DT_UINT16)},
      {Proto::INT32, Plain<std::int32_t>(ge::DT_INT32)},
      {Proto::UINT32, Plain<std::uint32_t>(ge::DT_UINT32)},
      {Proto::INT64, Plain<std::int64_t>(ge::DT_INT64)},
      {Proto::BOOL, Plain<bool>(ge::DT_BOOL)},
      {Proto::FLOAT16,
       {ge::DT_FLOAT16, [](std::string& bytes, double value) { Append(bytes, HalfOf(value)); },
        [](const std::uint8_t* data, std::size_t i) {
          std::uint16_t half;
          std::memcpy(&half, data + 2 * i, 2);
          return FromHalf(half);
        }}},
      {Proto::BFLOAT16,
       {ge::DT_BF16,
        [](std::string& bytes, double value) { Append(bytes, UpperHalf(static_cast<float>(value))); },
        [](const std::uint8_t* data, std::size_t i) {
          std::uint16_t half;
          std::memcpy(&half, data + 2 * i, 2);
          return static_cast<double>(FromUpperHalf(half));
        }}}};
  return kinds.at(type);
}

std::string BytesOf(const Numbers& numbers) {
  std::string bytes;
  for (const double value : numbers.values)
    KindOf(numbers.type).append(bytes, value);
  return bytes;
}

ge::Tensor TensorOf(const Numbers& numbers) {
  const std::string bytes = BytesOf(numbers);
  return ge::Tensor(ge::TensorDesc(ge::Shape(numbers.shape), ge::FORMAT_ND, KindOf(numbers.type).type),
                    reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void AddConstant(ModelMaker& model, const std::string& name, const Numbers& numbers) {
  Proto& tensor = *model.graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(numbers.type);
  for (const std::int64_t dim : numbers.shape)
    tensor.add_dims(dim);
  tensor.set_raw_data(BytesOf(numbers));
}

bool Near(double found, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

std::string TextOf(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t dim : shape)
    text += std::to_string(dim) + " ";
  return text + "]";
}

std::string Compare(const ge::Tensor& found, const Numbers& expected, double tolerance) {
  const ge::TensorDesc desc = found.GetTensorDesc();
  if (desc.GetDataType() != KindOf(expected.type).type)
    return Text("is of type ", desc.GetDataType(), ", not ", KindOf(expected.type).type);
  const Shape dims = desc.GetShape().GetDims();
  if (dims != expected.shape) return "has the shape " + TextOf(dims) + ", not " + TextOf(expected.shape);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double value = KindOf(expected.type).at(found.GetData(), i);
    if (!Near(value, expected.values[i], tolerance))
      return Text("has ", value, " at ", i, ", not ", expected.values[i]);
  }
  return {};
}

}  // namespace

Numbers Of(int type, const Shape& shape, const std::vector<double>& values) {
  return {type, shape, values, false};
}
Numbers Float(const Shape& shape, const std::vector<double>& values) {
  return Of(Proto::FLOAT, shape, values);
}
Numbers Int64(const Shape& shape, const std::vector<double>& values) {
  return Of(Proto::INT64, shape, values);
}
Numbers Const(Numbers numbers) {
  numbers.constant = true;
  return numbers;
}

void PrintTo(const OperatorCase& each, std::ostream* out) {
  *out << each.op << " " << each.what;
}
void PrintTo(const RefusedCase& each, std::ostream* out) {
  *out << each.op << ": " << each.part;
}

SetAttributes With(const char* name, std::int64_t value) {
  return [name, value](::onnx::NodeProto& node) { SetInt(node, name, value); };
}
SetAttributes With(const char* name, const Shape& values) {
  return [name, values](::onnx::NodeProto& node) { SetInts(node, name, values); };
}
SetAttributes WithText(const char* name, const char* value) {
  return [name, value](::onnx::NodeProto& node) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::STRING);
    attribute.set_s(value);
  };
}
SetAttributes All(const std::vector<SetAttributes>& parts) {
  return [parts](::onnx::NodeProto& node) {
    for (const SetAttributes& part : parts)
      part(node);
  };
}

ModelMaker ModelOf(const std::string& op, int opset, const std::vector<Numbers>& inputs,
                   const SetAttributes& attributes, const std::vector<Numbers>& outputs) {
  ModelMaker model(opset);
  model.model().set_ir_version(opset < 19 ? 8 : opset < 21 ? 9 : 10);
  std::vector<std::string> names, results;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    names.emplace_back(inputs[i].type == 0 ? std::string() : std::string(1, static_cast<char>('a' + i)));
    if (inputs[i].type == 0) continue;
    if (inputs[i].constant)
      AddConstant(model, names.back(), inputs[i]);
    else
      model.Input(names.back(), inputs[i].shape, inputs[i].type);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    results.emplace_back(1, static_cast<char>('u' + i));
    model.Output(results.back(), outputs[i].type);
  }
  ::onnx::NodeProto& node = model.Node(op, names, results);
  node.set_name("node");
  if (attributes) attributes(node);
  return model;
}

std::string RunCase(const OperatorCase& each, int opset) try {
  ModelMaker model = ModelOf(each.op, opset, each.inputs, each.attributes, each.outputs);
  std::vector<ge::Tensor> given;
  for (const Numbers& input : each.inputs)
    if (input.type != 0 && !input.constant) given.push_back(TensorOf(input));
  const std::vector<ge::Tensor> found = RunModel(model, given);
  if (found.size() != each.outputs.size()) return Text("there are ", found.size(), " outputs");
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const std::string difference = Compare(found[i], each.outputs[i], each.tolerance);
        !difference.empty())
      return Text("output ", i, " ", difference);
  return {};
} catch (const std::runtime_error& error) {
  return error.what();
}

}  // namespace foothold

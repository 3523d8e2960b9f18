// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_call.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "single_op/key_bytes.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

void AppendTensor(std::string& key, const TensorDesc& desc) {
  AppendPlain(key, desc.type());
  AppendPlain(key, desc.format);
  AppendPlain(key, desc.storage_format.value_or(desc.format));
  AppendText(key, desc.name);
  AppendText(key, desc.dynamic_input);
}

void AppendDims(std::string& key, const std::vector<std::int64_t>& dims) {
  AppendPlain(key, dims.size());
  for (const std::int64_t dim : dims)
    AppendPlain(key, dim);
}

void AppendInput(std::string& key, const TensorDesc& desc) {
  AppendTensor(key, desc);
  AppendDims(key, desc.shape().dims());
  AppendDims(key, desc.storage_shape ? desc.storage_shape->dims() : desc.shape().dims());
  const auto& bytes = desc.constant();
  AppendText(key, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  AppendPlain(key, desc.shape_ranges().size());
  for (const auto& [low, high] : desc.shape_ranges()) {
    AppendPlain(key, low);
    AppendPlain(key, high);
  }
}

std::string ToString(const std::vector<const TensorDesc*>& tensors) {
  std::string text;
  for (const TensorDesc* desc : tensors) {
    if (!text.empty()) text += ", ";
    text += IsAbsent(*desc)
                ? "nothing"
                : foothold::ToString(TensorType{desc->type(), desc->format, desc->shape().dims()});
  }
  return text;
}

}  // namespace

const Attributes& OpCall::attribute_values() const {
  static const Attributes none;
  return attributes == nullptr ? none : attributes->values();
}

bool HasOpenInputs(const OpCall& call) {
  return std::any_of(call.inputs.begin(), call.inputs.end(), [](const TensorDesc* desc) {
    return !IsAbsent(*desc) && !HasConstant(*desc) && !IsStatic(desc->shape().dims());
  });
}

TensorType TypeOf(const TensorDesc& desc) {
  const Format stored = desc.storage_format.value_or(desc.format);
  const bool reordered = stored != desc.format && stored != Format::kNd && desc.format != Format::kNd;
  const bool padded = desc.storage_shape && desc.storage_shape->elements() != desc.shape().elements();
  if (reordered || padded)
    Fail(kFeatureUnsupported,
         "a tensor of format {} {} is stored in format {} {}; single operators take tensors as they are",
         static_cast<int>(desc.format), foothold::ToString(desc.shape().dims()), static_cast<int>(stored),
         foothold::ToString(desc.storage_shape.value_or(desc.shape()).dims()));
  return {desc.type(), desc.format == Format::kUndefined ? Format::kNd : desc.format, desc.shape().dims()};
}

TensorValue ConstantOf(const TensorDesc& desc) {
  TensorValue value(TypeOf(desc));
  const auto& bytes = desc.constant();
  if (bytes.size() < value.size())
    Fail(kOpInputNotMatch, "a constant {} takes {} bytes, and aclSetTensorConst was given {}",
         foothold::ToString(value.type()), value.size(), bytes.size());
  if (value.size() > 0) std::memcpy(value.mutable_data(), bytes.data(), value.size());
  return value;
}

std::string KeyOf(const OpCall& call) {
  std::string key;
  key.reserve(256);
  AppendText(key, call.type);
  AppendPlain(key, call.inputs.size());
  for (const TensorDesc* desc : call.inputs)
    AppendInput(key, *desc);
  AppendPlain(key, call.outputs.size());
  for (const TensorDesc* desc : call.outputs)
    AppendTensor(key, *desc);
  if (call.attributes != nullptr) key += call.attributes->key();
  return key;
}

std::string ToString(const OpCall& call) {
  return fmt::format("{}({})", call.type, ToString(call.inputs));
}

}  // namespace foothold

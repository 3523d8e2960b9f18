// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes that are equal for calls which the same compiled operator serves. Sizes of outputs follow from
// the rest. Any thread.
#pragma once

#include "base/key_bytes.h"
#include "calls/call_cache.h"
#include "single_op/op_call.h"

namespace foothold {

template <typename Sink>
void AppendTensor(Sink& key, const TensorDesc& desc) {
  AppendPlain(key, desc.type());
  AppendPlain(key, desc.format);
  AppendPlain(key, desc.storage_format.value_or(desc.format));
  AppendText(key, desc.name);
  AppendText(key, desc.dynamic_input);
}

template <typename Sink>
void AppendDims(Sink& key, const std::vector<std::int64_t>& dims) {
  AppendPlain(key, dims.size());
  key.append(reinterpret_cast<const char*>(dims.data()), dims.size() * sizeof dims[0]);
}

template <typename Sink>
void AppendInput(Sink& key, const TensorDesc& desc) {
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

template <typename Sink>
void AppendKey(Sink& key, const OpCall& call) {
  AppendText(key, call.type);
  AppendPlain(key, call.inputs.size());
  for (const TensorDesc* desc : call.inputs)
    AppendInput(key, *desc);
  AppendPlain(key, call.outputs.size());
  for (const TensorDesc* desc : call.outputs)
    AppendTensor(key, *desc);
  if (call.attributes != nullptr) key.append(call.attributes->key().data(), call.attributes->key().size());
}

// Equal for equal keys. Only of what most calls differ in: whoever finds one compares the rest.
inline std::uint64_t HashOf(const OpCall& call) {
  KeyHash hash;
  hash.append(call.type.data(), call.type.size());
  for (const TensorDesc* desc : call.inputs) {
    AppendPlain(hash, desc->type());
    AppendDims(hash, desc->shape().dims());
    const auto& constant = desc->constant();
    hash.append(reinterpret_cast<const char*>(constant.data()), constant.size());
  }
  if (call.attributes != nullptr) hash.append(call.attributes->key().data(), call.attributes->key().size());
  return hash.value();
}

template <typename Value>
using OpCache = CallCache<Value, OpCall>;

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/type_table.h"

#include "onnx_reader/tensor_reader.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

template <typename T>
void Append(std::string& key, char what, const T& value) {
  key.push_back(what);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendText(std::string& key, char what, const std::string& text) {
  Append(key, what, text.size());
  key += text;
}

void AppendDim(std::string& key, const pb::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value())
    Append(key, 'v', dim.dim_value());
  else
    AppendText(key, 'p', dim.dim_param());
  if (dim.has_denotation()) AppendText(key, 'd', dim.denotation());
}

// Nothing for sequences and the like, of which there are few.
void WriteKey(std::string& key, const pb::TypeProto& type) {
  key = type.value_case() == pb::TypeProto::VALUE_NOT_SET && !type.has_denotation() ? "unknown" : "";
  if (!type.has_tensor_type()) return;
  Append(key, 't', type.tensor_type().elem_type());
  if (type.has_denotation()) AppendText(key, 'd', type.denotation());
  if (!type.tensor_type().has_shape()) return;
  key.push_back('s');
  for (const auto& dim : type.tensor_type().shape().dim())
    AppendDim(key, dim);
}

void WriteKey(std::string& key, const TensorValue& value) {
  key.clear();
  Append(key, 'c', value.type().type);
  for (const std::int64_t dim : value.dims())
    Append(key, 'v', dim);
}

}  // namespace

const KnownType* TypeTable::FindKey() const {
  const KnownType* const* found = key_.empty() ? nullptr : by_key_.Find(key_);
  return found == nullptr ? nullptr : *found;
}

const KnownType& TypeTable::Add(pb::TypeProto type) {
  ValueType value = ToValueType(type);
  const KnownType& added = types_.emplace_back(KnownType{std::move(type), std::move(value)});
  if (!key_.empty()) by_key_.Insert(keys_.emplace_back(key_), &added);
  return added;
}

const KnownType& TypeTable::Keep(pb::TypeProto type) {
  WriteKey(key_, type);
  const KnownType* const known = FindKey();
  return known == nullptr ? Add(std::move(type)) : *known;
}

const KnownType& TypeTable::TypeOf(const TensorValue& value) {
  WriteKey(key_, value);
  const KnownType* const known = FindKey();
  if (known != nullptr) return *known;
  return Add(ToTypeProto({ValueType::Kind::kTensor, value.type().type, value.dims()}));
}

}  // namespace foothold::onnx

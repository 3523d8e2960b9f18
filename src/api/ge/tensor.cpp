// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <utility>

#include "api/ge/graph_guard.h"
#include "api/ge/tensor_impl.h"
#include "base/held_locks.h"
#include "ir/stored_weight.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::FromPublic;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::kInvalidParam;
using foothold::PortDesc;
using foothold::SharedBytes;
using foothold::ToPublic;

// A tensor about which nothing has been said.
PortDesc Undescribed() {
  PortDesc desc;
  desc.type = foothold::DataType::kUndefined;
  desc.format = FromPublic(FORMAT_RESERVED);
  desc.placement = kPlacementEnd;
  return desc;
}

std::shared_ptr<TensorImpl> MakeTensor(PortDesc desc) {
  return GuardGraphValue("Tensor", [&] {
    auto made = std::make_shared<TensorImpl>();
    made->desc = std::move(desc);
    return made;
  });
}

std::byte* AsBytes(uint8_t* data) {
  return reinterpret_cast<std::byte*>(data);
}

void CheckBytes(const void* data, size_t size) {
  if (data == nullptr && size > 0) Fail(kInvalidParam, "data is null, but {} bytes are announced", size);
}

void CopyIn(TensorImpl& tensor, const void* data, size_t size) {
  CheckBytes(data, size);
  SharedBytes bytes = foothold::AllocateBytes(size);
  if (size > 0) std::memcpy(bytes.get(), data, size);
  tensor.data = std::move(bytes);
  tensor.size = size;
}

void Adopt(TensorImpl& tensor, uint8_t* data, size_t size, const Tensor::DeleteFunc& deleter) {
  CheckBytes(data, size);
  tensor.data = data == nullptr ? nullptr : SharedBytes(AsBytes(data), [deleter](std::byte* bytes) {
    foothold::EnterProgram("the deleter of a tensor");
    if (deleter) deleter(reinterpret_cast<uint8_t*>(bytes));
  });
  tensor.size = size;
}

void AdoptVector(TensorImpl& tensor, std::vector<uint8_t>&& data) {
  auto owner = std::make_shared<std::vector<uint8_t>>(std::move(data));
  tensor.size = owner->size();
  tensor.data = SharedBytes(owner, AsBytes(owner->data()));
}

// Heads first, then every text with its NUL.
void CopyStrings(TensorImpl& tensor, const std::vector<AscendString>& texts) {
  size_t size = texts.size() * sizeof(StringHead);
  for (const AscendString& text : texts)
    size += text.GetLength() + 1;
  SharedBytes bytes = foothold::AllocateBytes(size);
  auto* head = reinterpret_cast<StringHead*>(bytes.get());
  size_t offset = texts.size() * sizeof(StringHead);
  for (const AscendString& text : texts) {
    *head++ = {static_cast<int64_t>(offset), static_cast<int64_t>(text.GetLength())};
    std::memcpy(bytes.get() + offset, text.GetString(), text.GetLength() + 1);
    offset += text.GetLength() + 1;
  }
  tensor.data = std::move(bytes);
  tensor.size = size;
}

}  // namespace

const TensorImpl& TensorImpl::Read(const Tensor& tensor) {
  static const TensorImpl* const defaults = new TensorImpl{Undescribed(), nullptr, 0};
  return tensor.impl_ == nullptr ? *defaults : *tensor.impl_;
}

TensorImpl& TensorImpl::Edit(Tensor& tensor) {
  if (tensor.impl_ == nullptr) tensor.impl_ = std::make_shared<TensorImpl>(Read(tensor));
  return *tensor.impl_;
}

Tensor TensorImpl::Make(const foothold::TensorValue& value) {
  auto made = std::make_shared<TensorImpl>();
  static_cast<foothold::TensorType&>(made->desc) = value.type();
  KeepWeight(value);
  made->data = value.shared_data();
  made->size = value.size();
  return Tensor(std::move(made));
}

Tensor TensorImpl::Make(const foothold::TensorType& type) {
  auto made = std::make_shared<TensorImpl>();
  static_cast<foothold::TensorType&>(made->desc) = type;
  made->size = foothold::ByteSize(type);
  made->data = foothold::AllocateBytes(made->size);
  return Tensor(std::move(made));
}

Tensor::Tensor() : impl_(MakeTensor(Undescribed())) {}

Tensor::Tensor(const TensorDesc& tensor_desc) : impl_(MakeTensor(FromPublic(tensor_desc))) {}

Tensor::Tensor(const TensorDesc& tensor_desc, const std::vector<uint8_t>& data) : Tensor(tensor_desc) {
  (void)SetData(data);
}

Tensor::Tensor(const TensorDesc& tensor_desc, const uint8_t* data, size_t size) : Tensor(tensor_desc) {
  (void)SetData(data, size);
}

Tensor::Tensor(TensorDesc&& tensor_desc, std::vector<uint8_t>&& data) : Tensor(tensor_desc) {
  (void)SetData(std::move(data));
}

TensorDesc Tensor::GetTensorDesc() const {
  return ToPublic(TensorImpl::Read(*this).desc);
}

graphStatus Tensor::SetTensorDesc(const TensorDesc& tensor_desc) {
  return GuardGraph("Tensor::SetTensorDesc", [&] { TensorImpl::Edit(*this).desc = FromPublic(tensor_desc); });
}

const uint8_t* Tensor::GetData() const {
  return reinterpret_cast<const uint8_t*>(TensorImpl::Read(*this).data.get());
}

uint8_t* Tensor::GetData() {
  return const_cast<uint8_t*>(std::as_const(*this).GetData());
}

size_t Tensor::GetSize() const {
  return TensorImpl::Read(*this).size;
}

std::unique_ptr<uint8_t[], Tensor::DeleteFunc> Tensor::ResetData() {
  using Handed = std::unique_ptr<uint8_t[], Tensor::DeleteFunc>;
  return GuardGraphValue("Tensor::ResetData", [&] {
    TensorImpl& tensor = TensorImpl::Edit(*this);
    auto* const data = reinterpret_cast<uint8_t*>(tensor.data.get());
    // Attributes and other tensors may share the bytes, so the caller gets a share and the way to end it.
    Handed handed(data, [share = tensor.data](uint8_t*) mutable { share.reset(); });
    tensor.data.reset();
    tensor.size = 0;
    return handed;
  });
}

graphStatus Tensor::ResetData(uint8_t* data, size_t size, const Tensor::DeleteFunc& deleter_func) {
  return GuardGraph("Tensor::ResetData", [&] { Adopt(TensorImpl::Edit(*this), data, size, deleter_func); });
}

graphStatus Tensor::SetData(std::vector<uint8_t>&& data) {
  return GuardGraph("Tensor::SetData", [&] { AdoptVector(TensorImpl::Edit(*this), std::move(data)); });
}

graphStatus Tensor::SetData(const std::vector<uint8_t>& data) {
  return SetData(data.data(), data.size());
}

graphStatus Tensor::SetData(const uint8_t* data, size_t size) {
  return GuardGraph("Tensor::SetData", [&] { CopyIn(TensorImpl::Edit(*this), data, size); });
}

graphStatus Tensor::SetData(const char_t* data) {
  return GuardGraph("Tensor::SetData", [&] {
    CheckBytes(data, 1);
    CopyStrings(TensorImpl::Edit(*this), {AscendString(data)});
  });
}

graphStatus Tensor::SetData(const std::vector<AscendString>& datas) {
  return GuardGraph("Tensor::SetData", [&] { CopyStrings(TensorImpl::Edit(*this), datas); });
}

graphStatus Tensor::SetData(uint8_t* data, size_t size, const Tensor::DeleteFunc& deleter_func) {
  return GuardGraph("Tensor::SetData", [&] { Adopt(TensorImpl::Edit(*this), data, size, deleter_func); });
}

graphStatus Tensor::IsValid() {
  return GuardGraph("Tensor::IsValid", [&] {
    const TensorImpl& tensor = TensorImpl::Read(*this);
    const DataType type = ToPublic(tensor.desc.type);
    if (GetSizeByDataType(type) < 0 || !foothold::IsStatic(tensor.desc.dims)) return;
    const int64_t needed = GetSizeInBytes(foothold::ElementCount(tensor.desc.dims), type);
    if (needed != static_cast<int64_t>(tensor.size))
      Fail(kInvalidParam, "{} needs {} bytes, but the tensor has {}", foothold::ToString(tensor.desc), needed,
           tensor.size);
  });
}

Tensor Tensor::Clone() const {
  return GuardGraphValue("Tensor::Clone", [&] {
    const TensorImpl& from = TensorImpl::Read(*this);
    Tensor copy;
    TensorImpl::Edit(copy).desc = from.desc;
    CopyIn(TensorImpl::Edit(copy), from.data.get(), from.size);
    return copy;
  });
}

}  // namespace ge

namespace foothold {

TensorValue FromPublic(const ge::Tensor& tensor) {
  const ge::TensorImpl& from = ge::TensorImpl::Read(tensor);
  return TensorValue(from.desc, from.data, from.size);
}

ge::Tensor ToPublic(const TensorValue& value) {
  return ge::TensorImpl::Make(value);
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "api/ge/graph_guard.h"
#include "api/ge/tensor_impl.h"
#include "ge/ge_continuous_tensor_list_api.h"

namespace ge {

struct ContinuousTensorList::Impl {
  std::vector<TensorDesc> descs;
  std::vector<Tensor> tensors;  // into the block
  foothold::SharedBytes block;
  size_t bytes = 0;
};

namespace {

constexpr size_t kAlignment = foothold::kTensorAlignment;

size_t Rounded(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

ContinuousTensorList::ContinuousTensorList(const std::vector<TensorDesc>& tensor_desc_list) {
  (void)foothold::GuardGraph("ContinuousTensorList::ContinuousTensorList",
                             [&] { Ensure().descs = tensor_desc_list; });
}

ContinuousTensorList::~ContinuousTensorList() = default;

ContinuousTensorList::Impl& ContinuousTensorList::Ensure() {
  if (impl_ == nullptr) impl_ = std::make_shared<Impl>();
  return *impl_;
}

graphStatus ContinuousTensorList::Initialize() {
  return foothold::GuardGraph("ContinuousTensorList::Initialize", [&] {
    Impl& impl = Ensure();
    if (impl.block) foothold::Fail(foothold::kInvalidParam, "the list has its block already");
    std::vector<foothold::TensorType> types;
    size_t bytes = 0;
    for (const TensorDesc& desc : impl.descs) {
      types.push_back(foothold::FromPublic(desc));
      bytes += Rounded(ByteSize(types.back()));
    }
    foothold::SharedBytes block = foothold::AllocateBytes(std::max(bytes, kAlignment));
    std::fill_n(block.get(), bytes, std::byte{0});
    std::vector<Tensor> tensors;
    size_t offset = 0;
    for (const foothold::TensorType& type : types) {
      const foothold::SharedBytes part(block, block.get() + offset);
      tensors.push_back(foothold::ToPublic(foothold::TensorValue(type, part, ByteSize(type))));
      offset += Rounded(ByteSize(type));
    }
    impl.tensors = std::move(tensors);
    impl.block = std::move(block);
    impl.bytes = bytes;
  });
}

graphStatus ContinuousTensorList::Finalize() {
  return foothold::GuardGraph("ContinuousTensorList::Finalize", [&] {
    Impl& impl = Ensure();
    impl.tensors.clear();
    impl.block = nullptr;
    impl.bytes = 0;
  });
}

const std::vector<TensorDesc>& ContinuousTensorList::GetTensorDescList() const {
  static const auto* const none = new std::vector<TensorDesc>;
  return impl_ == nullptr ? *none : impl_->descs;
}

const std::vector<Tensor>& ContinuousTensorList::GetTensorList() const {
  static const auto* const none = new std::vector<Tensor>;
  return impl_ == nullptr ? *none : impl_->tensors;
}

std::vector<uint8_t*> ContinuousTensorList::GetDataList() const {
  std::vector<uint8_t*> addresses;
  for (const Tensor& tensor : GetTensorList())
    addresses.push_back(const_cast<uint8_t*>(tensor.GetData()));
  return addresses;
}

std::vector<size_t> ContinuousTensorList::GetSizeList() const {
  std::vector<size_t> sizes;
  for (const Tensor& tensor : GetTensorList())
    sizes.push_back(tensor.GetSize());
  return sizes;
}

size_t ContinuousTensorList::GetBufferSize() const {
  return impl_ == nullptr ? 0 : impl_->bytes;
}

const void* ContinuousTensorList::GetBuffer() const {
  return impl_ == nullptr ? nullptr : impl_->block.get();
}

}  // namespace ge

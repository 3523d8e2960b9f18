// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/form_key.h"

#include <algorithm>

#include "aclnn/types.h"
#include "aclnn/view.h"

namespace foothold::aclnn {
namespace {

constexpr std::int64_t kNothing = -2;  // no type has this number

void AppendExtents(FormKey& key, const Extents& extents) {
  AppendPlain(key, extents.size());
  key.append(reinterpret_cast<const char*>(extents.begin()), extents.size() * sizeof(std::int64_t));
}

// In one piece. Strides that mean nothing are equal. `more`: another follows for the same tensor.
void AppendView(FormKey& key, const Tensor& tensor, bool more) {
  std::int64_t numbers[2 + 2 * Extents::kMost];
  const std::size_t rank = tensor.dims.size();
  const bool contiguous = IsContiguous(tensor.dims, tensor.strides);
  numbers[0] = static_cast<std::int64_t>(tensor.type) << 32 | static_cast<std::uint32_t>(tensor.format);
  numbers[1] = static_cast<std::int64_t>(rank) << 2 | (more ? 2 : 0) | (contiguous ? 1 : 0);
  std::copy_n(tensor.dims.begin(), Extents::kMost, numbers + 2);
  std::size_t count = 2 + rank;
  for (std::size_t i = 0; i < rank && !contiguous; ++i)
    numbers[count++] = tensor.dims[i] == 1 ? 0 : tensor.strides[i];
  key.AppendFirst(numbers, count);
  if (tensor.format != Format::kNd) AppendExtents(key, tensor.storage);
  if (IsPrivateLayout(tensor.format)) AppendExtents(key, tensor.strides);  // they say what the layout is of
}

// Of one that a run told the size of, both count: what it holds, and what it has room for.
void AppendTensor(FormKey& key, const Tensor& tensor) {
  AppendView(key, tensor, tensor.told != nullptr);
  if (tensor.told) AppendView(key, CurrentView(tensor), false);
}

void AppendHandle(FormKey& key, const void* handle) {
  if (handle == nullptr) return AppendPlain(key, kNothing);
  AppendTensor(key, Tensors::Get().Find(handle));
}

void AppendScalar(FormKey& key, const void* handle) {
  const Scalar& scalar = Scalars::Get().Find(handle);
  AppendPlain(key, scalar.type);
  key.append(reinterpret_cast<const char*>(scalar.bytes.data()), scalar.bytes.size());
}

template <typename T>
void AppendArray(FormKey& key, const std::vector<T>& values) {
  AppendPlain(key, values.size());
  if (!values.empty()) key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void AppendArgument(FormKey& key, Kind kind, const Argument& argument) {
  const void* handle = argument.pointer;
  if (handle == nullptr && kind < Kind::kInteger) return AppendPlain(key, kNothing);
  switch (kind) {
    case Kind::kTensor:
      return AppendHandle(key, handle);
    case Kind::kTensorList: {
      const HandleList& list = TensorLists::Get().Find(handle);
      AppendPlain(key, list.size());
      for (const void* member : list)
        AppendHandle(key, member);
      return;
    }
    case Kind::kScalar:
      return AppendScalar(key, handle);
    case Kind::kScalarList: {
      const HandleList& list = ScalarLists::Get().Find(handle);
      AppendPlain(key, list.size());
      for (const void* member : list)
        AppendScalar(key, member);
      return;
    }
    case Kind::kInts:
      return AppendArray(key, IntArrays::Get().Find(handle));
    case Kind::kFloats:
      return AppendArray(key, FloatArrays::Get().Find(handle));
    case Kind::kBools:
      return AppendArray(key, BoolArrays::Get().Find(handle));
    case Kind::kText:
      return AppendText(key, handle == nullptr ? "" : static_cast<const char*>(handle));
    case Kind::kSeed:
      return;
    default:
      return AppendPlain(key, argument.integer);
  }
}

}  // namespace

void FormKey::AppendMore(const char* bytes, std::size_t count) {
  if (more_.empty()) more_.assign(room_.data(), size_);
  more_.append(bytes, count);
}

void AppendArguments(FormKey& key, const Arguments& arguments) {
  AppendPlain(key, std::int64_t{arguments.function().id});
  for (std::size_t i = 0; i < arguments.size(); ++i)
    AppendArgument(key, arguments.parameter(i).kind, arguments.argument(i));
}

}  // namespace foothold::aclnn

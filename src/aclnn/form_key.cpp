// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/form_key.h"

#include <cstring>

#include "aclnn/view.h"

namespace foothold::aclnn {
namespace {

class KeyWriter {
 public:
  explicit KeyWriter(FormKey& key) : key_(key) {}
  void append(const char* bytes, std::size_t count) { key_.bytes.append(bytes, bytes + count); }

 private:
  FormKey& key_;
};

void AppendExtents(KeyWriter& key, const Extents& extents) {
  AppendPlain(key, extents.size());
  key.append(reinterpret_cast<const char*>(extents.begin()), extents.size() * sizeof(std::int64_t));
}

// Strides that mean nothing are equal.
void AppendView(KeyWriter& key, const Tensor& tensor) {
  AppendPlain(key, (static_cast<std::int64_t>(tensor.type) << 32) | static_cast<int>(tensor.format));
  AppendExtents(key, tensor.dims);
  if (IsContiguous(tensor.dims, tensor.strides)) {
    AppendPlain(key, std::int64_t{-1});
  } else {
    for (std::size_t i = 0; i < tensor.dims.size(); ++i)
      AppendPlain(key, tensor.dims[i] == 1 ? 0 : tensor.strides[i]);
  }
  if (tensor.format != Format::kNd) AppendExtents(key, tensor.storage);
}

void AppendTensor(KeyWriter& key, const Tensor& tensor) {
  tensor.told ? AppendView(key, CurrentView(tensor)) : AppendView(key, tensor);
}

void AppendHandle(KeyWriter& key, const void* handle) {
  AppendPlain(key, std::int64_t{handle != nullptr});
  if (handle != nullptr) AppendTensor(key, Tensors::Get().Find(handle));
}

void AppendScalar(KeyWriter& key, const void* handle) {
  const Scalar& scalar = Scalars::Get().Find(handle);
  AppendPlain(key, scalar.type);
  key.append(reinterpret_cast<const char*>(scalar.bytes.data()), scalar.bytes.size());
}

template <typename T>
void AppendArray(KeyWriter& key, const std::vector<T>& values) {
  AppendPlain(key, values.size());
  key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void AppendArgument(KeyWriter& key, Kind kind, const Argument& argument) {
  const void* handle = argument.pointer;
  if (handle == nullptr && kind < Kind::kInteger) return AppendPlain(key, std::int64_t{-2});
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
    default:
      return AppendPlain(key, argument.integer);
  }
}

}  // namespace

void AppendArguments(FormKey& key, const Arguments& arguments) {
  KeyWriter writer(key);
  AppendPlain(writer, std::int64_t{arguments.function().id});
  for (std::size_t i = 0; i < arguments.size(); ++i)
    AppendArgument(writer, arguments.parameter(i).kind, arguments.argument(i));
}

}  // namespace foothold::aclnn

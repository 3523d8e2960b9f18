// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/form_key.h"

#include <algorithm>

#include "aclnn/types.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

constexpr std::int64_t kNothing = -2;  // no type has this number

void AppendExtents(CallKey& key, const Extents& extents) {
  AppendPlain(key, extents.size());
  key.append(reinterpret_cast<const char*>(extents.begin()), extents.size() * sizeof(std::int64_t));
}

// In one piece. Strides that mean nothing are equal. `more`: another follows for the same tensor.
void AppendView(CallKey& key, const Tensor& tensor, bool more) {
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
void AppendTensor(CallKey& key, const Tensor& tensor) {
  AppendView(key, tensor, tensor.told != nullptr);
  if (tensor.told) AppendView(key, CurrentView(tensor), false);
}

void AppendHandle(CallKey& key, const void* handle) {
  if (handle == nullptr) return AppendPlain(key, kNothing);
  AppendTensor(key, Tensors::Get().Find(handle));
}

const Scalar& ScalarAt(const void* handle) {
  return Scalars::Get().Find(handle);
}

void AppendBytes(CallKey& key, const Scalar& scalar) {
  key.append(reinterpret_cast<const char*>(scalar.bytes.data()), scalar.bytes.size());
}

template <typename T>
void AppendValues(CallKey& key, const std::vector<T>& values) {
  if (!values.empty()) key.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
void AppendArray(CallKey& key, const std::vector<T>& values) {
  AppendPlain(key, values.size());
  AppendValues(key, values);
}

void AppendArgument(CallKey& key, Kind kind, const Argument& argument) {
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
      return AppendPlain(key, ScalarAt(handle).type);
    case Kind::kScalarList: {
      const HandleList& list = ScalarLists::Get().Find(handle);
      AppendPlain(key, list.size());
      for (const void* member : list)
        AppendPlain(key, ScalarAt(member).type);
      return;
    }
    case Kind::kInts:
      return AppendPlain(key, IntArrays::Get().Find(handle).size());
    case Kind::kFloats:
      return AppendArray(key, FloatArrays::Get().Find(handle));
    case Kind::kBools:
      return AppendArray(key, BoolArrays::Get().Find(handle));
    case Kind::kText:
      return AppendText(key, handle == nullptr ? "" : static_cast<const char*>(handle));
    case Kind::kSeed:
    case Kind::kReal:
      return;
    default:
      return AppendPlain(key, argument.integer);
  }
}

// All that a mapping reads as it is.
void AppendNumbers(CallKey& key, Kind kind, const Argument& argument) {
  switch (kind) {
    case Kind::kScalar:
      return AppendBytes(key, ScalarAt(argument.pointer));
    case Kind::kScalarList:
      for (const void* member : ScalarLists::Get().Find(argument.pointer))
        AppendBytes(key, ScalarAt(member));
      return;
    case Kind::kInts:
      return AppendValues(key, IntArrays::Get().Find(argument.pointer));
    default:
      return AppendPlain(key, argument.integer);  // the bytes of a floating-point one as well
  }
}

bool IsThere(const Arguments& arguments, ArgumentPlace place) {
  const Kind kind = arguments.parameter(place.parameter).kind;
  const bool is_object = kind == Kind::kScalar || kind == Kind::kScalarList || kind == Kind::kInts;
  return !is_object || arguments.argument(place.parameter).pointer != nullptr;
}

std::size_t MembersOf(const Arguments& arguments, ArgumentPlace place) {
  if (place.member != ArgumentPlace::kAllMembers) return 1;
  return ScalarLists::Get().Find(arguments.argument(place.parameter).pointer).size();
}

// The answer, by members of a list.
void AppendAnswers(CallKey& key, const Arguments& arguments, const Asked& asked) {
  const LateNumber& all = asked.about;
  const std::size_t count = std::max(MembersOf(arguments, all.first), MembersOf(arguments, all.second));
  for (std::size_t i = 0; i < count; ++i) {
    LateNumber one = all;
    for (ArgumentPlace* const place : {&one.first, &one.second})
      if (place->member == ArgumentPlace::kAllMembers) place->member = static_cast<std::uint16_t>(i);
    AppendPlain(key, asked.question(ValueOf(one, arguments)));
  }
}

void AppendAsked(CallKey& key, const Arguments& arguments, const Asked& asked) {
  const bool there = IsThere(arguments, asked.about.first) && IsThere(arguments, asked.about.second);
  AppendPlain(key, there);
  if (!there) return;
  if (asked.question != nullptr) return AppendAnswers(key, arguments, asked);
  const std::size_t parameter = asked.about.first.parameter;
  AppendNumbers(key, arguments.parameter(parameter).kind, arguments.argument(parameter));
}

}  // namespace

void AppendArguments(CallKey& key, const Arguments& arguments, const AskedList& asked) {
  AppendPlain(key, std::int64_t{arguments.function().id});
  for (std::size_t i = 0; i < arguments.size(); ++i)
    AppendArgument(key, arguments.parameter(i).kind, arguments.argument(i));
  AppendPlain(key, asked.size());
  for (const Asked& one : asked)
    AppendAsked(key, arguments, one);
}

}  // namespace foothold::aclnn

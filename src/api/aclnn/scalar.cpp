// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Scalars, arrays and lists of aclnn. Values are copied; lists own their members.
#include <cstring>

#include "aclnn/acl_meta.h"
#include "aclnn/checked_calls.h"
#include "aclnn/objects.h"
#include "api/guard.h"
#include "check/check.h"

using namespace foothold;
using namespace foothold::aclnn;

namespace {

aclnn::Scalar MakeScalar(const void* value, aclDataType dataType) {
  CheckNotNull(value, "value", kParamNull);
  aclnn::Scalar scalar{static_cast<DataType>(dataType)};
  const int bits = BitsPerElement(scalar.type).value_or(0);
  if (bits < 8 || bits > 128)
    Fail(kParamInvalid, "there are no scalars of data type {}", static_cast<int>(dataType));
  std::memcpy(scalar.bytes.data(), value, static_cast<std::size_t>(bits) / 8);
  return scalar;
}

template <typename To, typename From>
std::vector<To> CopyValues(const From* values, std::uint64_t count) {
  constexpr std::uint64_t kMost = 1U << 24;
  if (count > 0) CheckNotNull(values, "value", kParamNull);
  if (count > kMost) Fail(kParamInvalid, "size is {}; there are {} values at most", count, kMost);
  return std::vector<To>(values, values + count);
}

// Members that do not exist are refused; in lists of tensors one may be null.
template <typename Objects, typename Member>
HandleList CopyHandles(const Member* const* members, std::uint64_t count, bool may_be_null) {
  HandleList list = CopyValues<const void*>(members, count);
  for (const void* member : list)
    if (member != nullptr || !may_be_null) Objects::Get().Find(member);
  return list;
}

template <typename Objects>
void Size(const void* handle, std::uint64_t* size) {
  const auto& values = Objects::Get().Find(handle);
  *CheckNotNull(size, "size", kParamNull) = values.size();
}

// A member that the program destroyed itself is gone already.
template <typename Lists, typename Members>
void DestroyList(const void* handle) {
  const HandleList members = Lists::Get().Find(handle);
  Lists::Get().Remove(handle);
  for (const void* member : members) {
    if (Members::Get().FindOrNull(member) != nullptr)
      Members::Get().Remove(member);
    else if (check::On())
      LookAtLostMember(member);
  }
}

}  // namespace

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return GuardValue(FOOTHOLD_CALL(value, dataType), static_cast<aclScalar*>(nullptr),
                    [&] { return static_cast<aclScalar*>(Scalars::Get().Add(MakeScalar(value, dataType))); });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return Guard(FOOTHOLD_RELEASE(scalar), [&] { Scalars::Get().Remove(scalar); });
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return GuardValue(FOOTHOLD_CALL(value, size), static_cast<aclIntArray*>(nullptr), [&] {
    return static_cast<aclIntArray*>(IntArrays::Get().Add(CopyValues<std::int64_t>(value, size)));
  });
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return Guard(FOOTHOLD_RELEASE(array), [&] { IntArrays::Get().Remove(array); });
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return Guard(FOOTHOLD_CALL(array, size), [&] { Size<IntArrays>(array, size); });
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return GuardValue(FOOTHOLD_CALL(value, size), static_cast<aclFloatArray*>(nullptr), [&] {
    return static_cast<aclFloatArray*>(FloatArrays::Get().Add(CopyValues<float>(value, size)));
  });
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return Guard(FOOTHOLD_RELEASE(array), [&] { FloatArrays::Get().Remove(array); });
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return Guard(FOOTHOLD_CALL(array, size), [&] { Size<FloatArrays>(array, size); });
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return GuardValue(FOOTHOLD_CALL(value, size), static_cast<aclBoolArray*>(nullptr), [&] {
    return static_cast<aclBoolArray*>(BoolArrays::Get().Add(CopyValues<std::uint8_t>(value, size)));
  });
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return Guard(FOOTHOLD_RELEASE(array), [&] { BoolArrays::Get().Remove(array); });
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return Guard(FOOTHOLD_CALL(array, size), [&] { Size<BoolArrays>(array, size); });
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return GuardValue(FOOTHOLD_CALL(value, size), static_cast<aclTensorList*>(nullptr), [&] {
    return static_cast<aclTensorList*>(TensorLists::Get().Add(CopyHandles<Tensors>(value, size, true)));
  });
}

aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  return Guard(FOOTHOLD_RELEASE(array), [&] { DestroyList<TensorLists, Tensors>(array); });
}

aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return Guard(FOOTHOLD_CALL(tensorList, size), [&] { Size<TensorLists>(tensorList, size); });
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return GuardValue(FOOTHOLD_CALL(value, size), static_cast<aclScalarList*>(nullptr), [&] {
    return static_cast<aclScalarList*>(ScalarLists::Get().Add(CopyHandles<Scalars>(value, size, false)));
  });
}

aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  return Guard(FOOTHOLD_RELEASE(array), [&] { DestroyList<ScalarLists, Scalars>(array); });
}

aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return Guard(FOOTHOLD_CALL(scalarList, size), [&] { Size<ScalarLists>(scalarList, size); });
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of aclnn: views of device memory.
#include <span>

#include "aclnn/acl_meta.h"
#include "aclnn/objects.h"
#include "api/guard.h"

using namespace foothold;
using namespace foothold::aclnn;

namespace {

void ReadExtents(const std::int64_t* values, std::uint64_t count, const char* name, Extents& to) {
  if (count > 0) CheckNotNull(values, name, kParamNull);
  if (count > Extents::kMost)
    Fail(kParamInvalid, "{} has {} entries; there are {} at most", name, count, Extents::kMost);
  for (std::uint64_t i = 0; i < count; ++i)
    if (values[i] < 0) Fail(kParamInvalid, "entry {} of {} is {}, which is negative", i, name, values[i]);
  to.Assign(std::span(values, count));
}

// The product and the span have to be numbers that fit, in bytes of the largest elements.
void CheckSize(const Tensor& tensor) {
  constexpr std::int64_t kMost = INT64_MAX / 16;
  std::int64_t count = 1, last = tensor.offset;
  bool fits = last < kMost;
  for (std::size_t i = 0; i < tensor.dims.size() && fits; ++i) {
    std::int64_t step = 0;
    const std::int64_t stride = tensor.dims[i] > 1 ? tensor.strides[i] : 0;
    fits = !__builtin_mul_overflow(count, std::max<std::int64_t>(tensor.dims[i], 1), &count) &&
           !__builtin_mul_overflow(std::max<std::int64_t>(tensor.dims[i] - 1, 0), stride, &step) &&
           !__builtin_add_overflow(last, step, &last) && last < kMost && count <= kMost;
  }
  if (!fits) Fail(kParamInvalid, "the view has more elements than memory can have");
}

void FillTensor(Tensor& tensor, const std::int64_t* viewDims, std::uint64_t viewDimsNum, aclDataType dataType,
                const std::int64_t* stride, std::int64_t offset, aclFormat format,
                const std::int64_t* storageDims, std::uint64_t storageDimsNum, void* tensorData) {
  tensor.type = static_cast<DataType>(dataType);
  tensor.format = static_cast<Format>(format);
  ReadExtents(viewDims, viewDimsNum, "viewDims", tensor.dims);
  tensor.offset = offset;
  tensor.data = tensorData;
  const bool known = dataType == ACL_DT_UNDEFINED || BitsPerElement(tensor.type).has_value();
  if (!known) Fail(kParamInvalid, "{} is no data type", static_cast<int>(dataType));
  if (offset < 0) Fail(kParamInvalid, "offset is {}, which is negative", offset);
  if (storageDims != nullptr) ReadExtents(storageDims, storageDimsNum, "storageDims", tensor.storage);
  tensor.strides = tensor.dims;
  std::int64_t next = 1;
  for (std::size_t i = tensor.dims.size(); i-- > 0; next = std::max<std::int64_t>(next, 1)) {
    tensor.strides[i] = next;
    if (__builtin_mul_overflow(next, tensor.dims[i], &next)) Fail(kParamInvalid, "the view is too large");
  }
  // Of dimensions of size 1 they may be anything.
  for (std::size_t i = 0; stride != nullptr && i < tensor.dims.size(); ++i) {
    if (stride[i] < 0 && tensor.dims[i] > 1)
      Fail(kParamInvalid, "stride {} is {}, which is negative", i, stride[i]);
    tensor.strides[i] = stride[i];
  }
  CheckSize(tensor);
}

// Callers free it with delete[].
void GiveList(const Extents& values, std::int64_t** list, std::uint64_t* count) {
  CheckNotNull(list, "the list", kParamNull);
  CheckNotNull(count, "the number", kParamNull);
  auto copy = std::make_unique<std::int64_t[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  *list = copy.release();
  *count = values.size();
}

}  // namespace

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  return GuardValue(FOOTHOLD_CALL(viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                                  storageDimsNum, tensorData),
                    static_cast<aclTensor*>(nullptr), [&] {
                      return static_cast<aclTensor*>(Tensors::Get().Make([&](Tensor& tensor) {
                        FillTensor(tensor, viewDims, viewDimsNum, dataType, stride, offset, format,
                                   storageDims, storageDimsNum, tensorData);
                      }));
                    });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return Guard(FOOTHOLD_RELEASE(tensor), [&] { Tensors::Get().Remove(tensor); });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset, aclFormat format,
                          const int64_t* storageDims, uint64_t storageDimsNum, void* tensorDataAddr) {
  return Guard(FOOTHOLD_CALL(tensor, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                             storageDimsNum, tensorDataAddr),
               [&] {
                 Tensor& object = Tensors::Get().Find(tensor);
                 Tensor made;
                 FillTensor(made, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims,
                            storageDimsNum, tensorDataAddr);
                 object = std::move(made);
               });
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return Guard(FOOTHOLD_CALL(tensor, viewDims, viewDimsNum),
               [&] { GiveList(CurrentView(Tensors::Get().Find(tensor)).dims, viewDims, viewDimsNum); });
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum) {
  return Guard(FOOTHOLD_CALL(tensor, storageDims, storageDimsNum),
               [&] { GiveList(Tensors::Get().Find(tensor).storage, storageDims, storageDimsNum); });
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue, uint64_t* stridesNum) {
  return Guard(FOOTHOLD_CALL(tensor, stridesValue, stridesNum),
               [&] { GiveList(CurrentView(Tensors::Get().Find(tensor)).strides, stridesValue, stridesNum); });
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return Guard(FOOTHOLD_CALL(tensor, offset), [&] {
    const Tensor& object = Tensors::Get().Find(tensor);
    *CheckNotNull(offset, "offset", kParamNull) = object.offset;
  });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return Guard(FOOTHOLD_CALL(tensor, format), [&] {
    const Tensor& object = Tensors::Get().Find(tensor);
    *CheckNotNull(format, "format", kParamNull) = static_cast<aclFormat>(object.format);
  });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return Guard(FOOTHOLD_CALL(tensor, dataType), [&] {
    const Tensor& object = Tensors::Get().Find(tensor);
    *CheckNotNull(dataType, "dataType", kParamNull) = static_cast<aclDataType>(object.type);
  });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return Guard(FOOTHOLD_CALL(tensor, addr), [&] {
    const Tensor& object = Tensors::Get().Find(tensor);
    *CheckNotNull(addr, "addr", kParamNull) = object.data;
  });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return Guard(FOOTHOLD_CALL(tensor, addr), [&] {
    Tensor& object = Tensors::Get().Find(tensor);
    object.data = CheckNotNull(addr, "addr", kParamNull);
  });
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <vector>

#include "acl/acl_base.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "base/layout_change.h"
#include "base/tensor_desc.h"

using namespace foothold;

namespace {

TensorDesc& Find(const aclTensorDesc* desc) {
  return TensorDescs::Get().Find(desc);
}

std::vector<Range> Ranges(size_t count, const int64_t (*pairs)[2], const char* name) {
  if (count > 0) CheckNotNull(pairs, name, kInvalidParam);
  if (count > static_cast<size_t>(Shape::kMaxRank))
    Fail(kInvalidParam, "{} ranges; at most {} are expected", count, Shape::kMaxRank);
  std::vector<Range> ranges;
  for (size_t i = 0; i < count; ++i)
    ranges.emplace_back(pairs[i][0], pairs[i][1]);
  return ranges;
}

}  // namespace

size_t aclDataTypeSize(aclDataType dataType) {
  return GuardValue(FOOTHOLD_CALL(dataType), size_t{0}, [&] {
    const auto type = static_cast<DataType>(dataType);
    if (!BitsPerElement(type)) Fail(kInvalidParam, "{} is no data type", static_cast<int>(dataType));
    return BytesPerElement(type);
  });
}

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims, aclFormat format) {
  return GuardValue(
      FOOTHOLD_CALL(dataType, numDims, dims, format), static_cast<aclTensorDesc*>(nullptr), [&] {
        TensorDesc desc(static_cast<DataType>(dataType), static_cast<Format>(format), Shape(numDims, dims));
        return static_cast<aclTensorDesc*>(TensorDescs::Get().Add(std::move(desc)));
      });
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  Guard(FOOTHOLD_RELEASE(desc), [&] {
    const std::vector<void*> followers = std::move(Find(desc).followers);
    TensorDescs::Get().Remove(desc);
    for (void* follower : followers)
      TensorDescs::Get().Remove(follower);
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), ACL_DT_UNDEFINED,
                    [&] { return static_cast<aclDataType>(Find(desc).type()); });
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), ACL_FORMAT_UNDEFINED,
                    [&] { return static_cast<aclFormat>(Find(desc).format); });
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), size_t{0}, [&] { return Find(desc).bytes(); });
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), size_t{0}, [&] { return Find(desc).elements(); });
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), size_t{0}, [&] {
    const Shape& shape = Find(desc).shape();
    return shape.rank_known() ? shape.rank() : size_t{ACL_UNKNOWN_RANK};
  });
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return Guard(FOOTHOLD_CALL(desc, index, dimSize), [&] {
    CheckNotNull(dimSize, "dimSize", kInvalidParam);
    *dimSize = Find(desc).shape().dim(index);
  });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(desc, index), int64_t{-1}, [&] { return Find(desc).shape().dim(index); });
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  return Guard(FOOTHOLD_CALL(desc, index, dimRangeNum, dimRange), [&] {
    CheckNotNull(dimRange, "dimRange", kInvalidParam);
    if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM)
      Fail(kInvalidParam, "dimRange has room for {} numbers; a range is {}", dimRangeNum,
           ACL_TENSOR_SHAPE_RANGE_NUM);
    const auto [low, high] = Find(desc).ShapeRange(index);
    dimRange[0] = low;
    dimRange[1] = high;
  });
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), "", [&] { return Find(desc).name.c_str(); });
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  return GuardValue(FOOTHOLD_CALL(desc), static_cast<void*>(nullptr), [&] { return Find(desc).address; });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  return GuardValue(FOOTHOLD_CALL(desc, index), static_cast<aclTensorDesc*>(nullptr), [&] {
    const std::vector<void*>& followers = Find(desc).followers;
    if (index == 0) return desc;
    if (index > followers.size())
      Fail(kInvalidParam, "description {} of an array of {}", index, followers.size() + 1);
    return static_cast<aclTensorDesc*>(followers[index - 1]);
  });
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  Guard(FOOTHOLD_CALL(desc, name), [&] { Find(desc).name = CheckNotNull(name, "name", kInvalidParam); });
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return Guard(FOOTHOLD_CALL(desc, format), [&] { Find(desc).storage_format = static_cast<Format>(format); });
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard(FOOTHOLD_CALL(desc, numDims, dims), [&] { Find(desc).storage_shape = Shape(numDims, dims); });
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return Guard(FOOTHOLD_CALL(desc, format), [&] { Find(desc).storage_format = static_cast<Format>(format); });
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard(FOOTHOLD_CALL(desc, numDims, dims), [&] { Find(desc).storage_shape = Shape(numDims, dims); });
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return Guard(FOOTHOLD_CALL(desc, format), [&] { Find(desc).format = static_cast<Format>(format); });
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return Guard(FOOTHOLD_CALL(desc, numDims, dims), [&] { Find(desc).SetShape(Shape(numDims, dims)); });
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  return Guard(FOOTHOLD_CALL(desc, dimsCount, dimsRange),
               [&] { Find(desc).SetShapeRanges(Ranges(dimsCount, dimsRange, "dimsRange")); });
}

FOOTHOLD_WITHOUT_EFFECT(aclSetTensorValueRange);
aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]) {
  return Guard(FOOTHOLD_CALL(desc, valueCount, valueRange), [&] {
    Find(desc).SetValueRanges(Ranges(valueCount, valueRange, "valueRange"));
    WarnOnce("aclSetTensorValueRange",
             "aclSetTensorValueRange has no effect here: nothing is compiled for ranges of values");
  });
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  return Guard(FOOTHOLD_CALL(desc, dynamicInputName), [&] {
    Find(desc).dynamic_input = CheckNotNull(dynamicInputName, "dynamicInputName", kInvalidParam);
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  return Guard(FOOTHOLD_CALL(desc, dataBuffer, length), [&] {
    CheckNotNull(dataBuffer, "dataBuffer", kInvalidParam);
    if (length == 0) Fail(kInvalidParam, "length is 0; a constant has at least one byte");
    Find(desc).SetConstant(dataBuffer, length);
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  return Guard(FOOTHOLD_CALL(desc, memType), [&] {
    if (memType < ACL_MEMTYPE_DEVICE || memType > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT)
      Fail(kInvalidParam, "{} is no placement; expected 0 (device), 1 (host) or 2 (host, shape free)",
           static_cast<int>(memType));
    Find(desc).placement = static_cast<Placement>(memType);
  });
}

// A description of its own: type and name are those of the other, shape and format the changed ones.
aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat,
                                  aclTensorDesc** dstDesc) {
  return Guard(FOOTHOLD_CALL(srcDesc, dstFormat, dstDesc), [&] {
    const TensorDesc& from = TensorDescs::Get().Find(srcDesc);
    CheckNotNull(dstDesc, "dstDesc", kInvalidParam);
    const auto format = static_cast<Format>(dstFormat);
    TensorDesc to(from.type(), format, ChangeLayout(from.shape(), from.type(), from.format, format));
    to.name = from.name;
    *dstDesc = static_cast<aclTensorDesc*>(TensorDescs::Get().Add(std::move(to)));
  });
}

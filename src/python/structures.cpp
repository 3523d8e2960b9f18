// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/structures.h"

#include <algorithm>
#include <cstring>

namespace foothold {
namespace {

template <std::size_t N>
Object Text(const char (&text)[N]) {
  return FromText({text, strnlen(text, N)});
}

template <typename T, std::size_t N>
Object First(const T (&values)[N], std::size_t count) {
  const Object list = NewList();
  for (std::size_t i = 0; i < std::min(count, N); ++i)
    Append(list, ToPython(values[i]));
  return list;
}

template <typename T, std::size_t N>
Object FirstPairs(const T (&values)[N][2], std::size_t count) {
  const Object list = NewList();
  for (std::size_t i = 0; i < std::min(count, N); ++i)
    Append(list, First(values[i], 2));
  return list;
}

PyObject* Member(PyObject* dict, const char* key) {
  PyObject* const found = PyDict_GetItemString(dict, key);
  if (found == nullptr) throw BadArgument(std::string("needs the key '") + key + "'");
  return found;
}

template <typename T>
void ReadMember(PyObject* dict, const char* key, T* value) {
  Argument<T> member;
  member.Read(Member(dict, key));
  *value = member.Pass();
}

Object AippDims(const aclAippDims& dims) {
  const Object dict = NewDict();
  SetItem(dict, "srcDims", Structure<aclmdlIODims>::ToPython(dims.srcDims));
  SetItem(dict, "srcSize", ::foothold::ToPython(dims.srcSize));
  SetItem(dict, "aippOutdims", Structure<aclmdlIODims>::ToPython(dims.aippOutdims));
  SetItem(dict, "aippOutSize", ::foothold::ToPython(dims.aippOutSize));
  return dict;
}

}  // namespace

Object Structure<aclmdlIODims>::ToPython(const aclmdlIODims& dims) {
  const Object dict = NewDict();
  SetItem(dict, "name", Text(dims.name));
  SetItem(dict, "dimCount", ::foothold::ToPython(dims.dimCount));
  SetItem(dict, "dims", First(dims.dims, dims.dimCount));
  return dict;
}

aclmdlIODims Structure<aclmdlIODims>::FromPython(PyObject* object) {
  aclmdlIODims dims = {};
  ReadMember(object, "dimCount", &dims.dimCount);
  Argument<std::vector<std::int64_t>> values;
  values.Read(Member(object, "dims"));
  if (values.value.size() > std::size(dims.dims) || dims.dimCount > values.value.size())
    throw BadArgument("has a 'dimCount' of " + std::to_string(dims.dimCount) + " and " +
                      std::to_string(values.value.size()) + " 'dims', at most 128");
  std::copy(values.value.begin(), values.value.end(), dims.dims);
  return dims;
}

Object Structure<aclmdlIODimsRange>::ToPython(const aclmdlIODimsRange& range) {
  const Object dict = NewDict();
  SetItem(dict, "rangeCount", ::foothold::ToPython(range.rangeCount));
  SetItem(dict, "range", FirstPairs(range.range, range.rangeCount));
  return dict;
}

Object Structure<aclmdlBatch>::ToPython(const aclmdlBatch& batch) {
  const Object dict = NewDict();
  SetItem(dict, "batchCount", ::foothold::ToPython(batch.batchCount));
  SetItem(dict, "batch", First(batch.batch, batch.batchCount));
  return dict;
}

Object Structure<aclmdlHW>::ToPython(const aclmdlHW& sizes) {
  const Object dict = NewDict();
  SetItem(dict, "hwCount", ::foothold::ToPython(sizes.hwCount));
  SetItem(dict, "hw", FirstPairs(sizes.hw, sizes.hwCount));
  return dict;
}

Object Structure<aclCANNPackageVersion>::ToPython(const aclCANNPackageVersion& version) {
  const Object dict = NewDict();
  SetItem(dict, "version", Text(version.version));
  SetItem(dict, "majorVersion", Text(version.majorVersion));
  SetItem(dict, "minorVersion", Text(version.minorVersion));
  SetItem(dict, "releaseVersion", Text(version.releaseVersion));
  SetItem(dict, "patchVersion", Text(version.patchVersion));
  return dict;
}

Object Structure<aclrtUtilizationInfo>::ToPython(const aclrtUtilizationInfo& rates) {
  const Object dict = NewDict();
  SetItem(dict, "cubeUtilization", ::foothold::ToPython(rates.cubeUtilization));
  SetItem(dict, "vectorUtilization", ::foothold::ToPython(rates.vectorUtilization));
  SetItem(dict, "aicpuUtilization", ::foothold::ToPython(rates.aicpuUtilization));
  SetItem(dict, "memoryUtilization", ::foothold::ToPython(rates.memoryUtilization));
  return dict;
}

Object Structure<aclrtPhysicalMemProp>::ToPython(const aclrtPhysicalMemProp& property) {
  const Object location = NewDict(), dict = NewDict();
  SetItem(location, "id", ::foothold::ToPython(property.location.id));
  SetItem(location, "type", ::foothold::ToPython(property.location.type));
  SetItem(dict, "handleType", ::foothold::ToPython(property.handleType));
  SetItem(dict, "allocationType", ::foothold::ToPython(property.allocationType));
  SetItem(dict, "memAttr", ::foothold::ToPython(property.memAttr));
  SetItem(dict, "location", location);
  SetItem(dict, "reserve", ::foothold::ToPython(property.reserve));
  return dict;
}

aclrtPhysicalMemProp Structure<aclrtPhysicalMemProp>::FromPython(PyObject* object) {
  aclrtPhysicalMemProp property = {};
  ReadMember(object, "handleType", &property.handleType);
  ReadMember(object, "allocationType", &property.allocationType);
  ReadMember(object, "memAttr", &property.memAttr);
  ReadMember(object, "reserve", &property.reserve);
  PyObject* const location = Member(object, "location");
  if (!PyDict_Check(location)) RefuseArgument("a dict under 'location'", location);
  ReadMember(location, "id", &property.location.id);
  ReadMember(location, "type", &property.location.type);
  return property;
}

#define FOOTHOLD_MEMBER(name) SetItem(dict, #name, ::foothold::ToPython(info.name))

Object Structure<aclAippInfo>::ToPython(const aclAippInfo& info) {
  const Object dict = NewDict();
  FOOTHOLD_MEMBER(inputFormat);
  FOOTHOLD_MEMBER(srcImageSizeW);
  FOOTHOLD_MEMBER(srcImageSizeH);
  FOOTHOLD_MEMBER(cropSwitch);
  FOOTHOLD_MEMBER(loadStartPosW);
  FOOTHOLD_MEMBER(loadStartPosH);
  FOOTHOLD_MEMBER(cropSizeW);
  FOOTHOLD_MEMBER(cropSizeH);
  FOOTHOLD_MEMBER(resizeSwitch);
  FOOTHOLD_MEMBER(resizeOutputW);
  FOOTHOLD_MEMBER(resizeOutputH);
  FOOTHOLD_MEMBER(paddingSwitch);
  FOOTHOLD_MEMBER(leftPaddingSize);
  FOOTHOLD_MEMBER(rightPaddingSize);
  FOOTHOLD_MEMBER(topPaddingSize);
  FOOTHOLD_MEMBER(bottomPaddingSize);
  FOOTHOLD_MEMBER(cscSwitch);
  FOOTHOLD_MEMBER(rbuvSwapSwitch);
  FOOTHOLD_MEMBER(axSwapSwitch);
  FOOTHOLD_MEMBER(singleLineMode);
  FOOTHOLD_MEMBER(matrixR0C0);
  FOOTHOLD_MEMBER(matrixR0C1);
  FOOTHOLD_MEMBER(matrixR0C2);
  FOOTHOLD_MEMBER(matrixR1C0);
  FOOTHOLD_MEMBER(matrixR1C1);
  FOOTHOLD_MEMBER(matrixR1C2);
  FOOTHOLD_MEMBER(matrixR2C0);
  FOOTHOLD_MEMBER(matrixR2C1);
  FOOTHOLD_MEMBER(matrixR2C2);
  FOOTHOLD_MEMBER(outputBias0);
  FOOTHOLD_MEMBER(outputBias1);
  FOOTHOLD_MEMBER(outputBias2);
  FOOTHOLD_MEMBER(inputBias0);
  FOOTHOLD_MEMBER(inputBias1);
  FOOTHOLD_MEMBER(inputBias2);
  FOOTHOLD_MEMBER(meanChn0);
  FOOTHOLD_MEMBER(meanChn1);
  FOOTHOLD_MEMBER(meanChn2);
  FOOTHOLD_MEMBER(meanChn3);
  FOOTHOLD_MEMBER(minChn0);
  FOOTHOLD_MEMBER(minChn1);
  FOOTHOLD_MEMBER(minChn2);
  FOOTHOLD_MEMBER(minChn3);
  FOOTHOLD_MEMBER(varReciChn0);
  FOOTHOLD_MEMBER(varReciChn1);
  FOOTHOLD_MEMBER(varReciChn2);
  FOOTHOLD_MEMBER(varReciChn3);
  FOOTHOLD_MEMBER(srcFormat);
  FOOTHOLD_MEMBER(srcDatatype);
  FOOTHOLD_MEMBER(srcDimNum);
  FOOTHOLD_MEMBER(shapeCount);
  const Object shapes = NewList();
  for (std::size_t i = 0; i < std::min<std::size_t>(info.shapeCount, std::size(info.outDims)); ++i)
    Append(shapes, AippDims(info.outDims[i]));
  SetItem(dict, "outDims", shapes);
  return dict;
}

}  // namespace foothold

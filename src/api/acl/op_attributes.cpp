// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_attributes.h"
#include "acl/acl_op.h"
#include "api/guard.h"

namespace foothold {
namespace {

void Set(aclopAttr* attr, const char* name, Attribute value) {
  OpAttributes& attributes = OpAttributeSets::Get().Find(attr);
  if (*CheckNotNull(name, "attrName", kInvalidParam) == '\0') Fail(kInvalidParam, "attrName is empty");
  attributes.Set(name, std::move(value));
}

// A list of no values needs no array.
template <typename To, typename From>
std::vector<To> ReadList(int count, const From* values) {
  if (count < 0) Fail(kInvalidParam, "the number of values is {}", count);
  if (count > 0) CheckNotNull(values, "values", kInvalidParam);
  std::vector<To> list;
  for (int i = 0; i < count; ++i)
    list.push_back(static_cast<To>(values[i]));
  return list;
}

std::vector<std::string> ReadTexts(int count, const char* const* values) {
  std::vector<std::string> texts;
  for (const char* text : ReadList<const char*>(count, values))
    texts.emplace_back(CheckNotNull(text, "a text in values", kInvalidParam));
  return texts;
}

std::vector<std::vector<std::int64_t>> ReadLists(int count, const int* sizes, const int64_t* const* values) {
  const std::vector<int> lengths = ReadList<int>(count, sizes);
  const auto arrays = ReadList<const int64_t*>(count, values);
  std::vector<std::vector<std::int64_t>> lists;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    lists.push_back(ReadList<std::int64_t>(lengths[i], arrays[i]));
  return lists;
}

DataType ReadType(aclDataType type) {
  if (!BitsPerElement(static_cast<DataType>(type)))
    Fail(kInvalidParam, "{} is no data type", static_cast<int>(type));
  return static_cast<DataType>(type);
}

std::vector<DataType> ReadTypes(int count, const aclDataType* values) {
  std::vector<DataType> types;
  for (const aclDataType type : ReadList<aclDataType>(count, values))
    types.push_back(ReadType(type));
  return types;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclopAttr* aclopCreateAttr() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclopAttr*>(nullptr),
                    [&] { return static_cast<aclopAttr*>(OpAttributeSets::Get().Add({})); });
}

void aclopDestroyAttr(const aclopAttr* attr) {
  Guard(FOOTHOLD_RELEASE(attr), [&] { OpAttributeSets::Get().Remove(attr); });
}

aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return Guard(FOOTHOLD_CALL(attr, attrName, attrValue), [&] { Set(attr, attrName, attrValue != 0); });
}

aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return Guard(FOOTHOLD_CALL(attr, attrName, attrValue),
               [&] { Set(attr, attrName, std::int64_t{attrValue}); });
}

aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return Guard(FOOTHOLD_CALL(attr, attrName, attrValue), [&] { Set(attr, attrName, attrValue); });
}

aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  return Guard(FOOTHOLD_CALL(attr, attrName, attrValue), [&] {
    Set(attr, attrName, std::string(CheckNotNull(attrValue, "attrValue", kInvalidParam)));
  });
}

aclError aclopSetAttrDataType(aclopAttr* attr, const char* attrName, aclDataType attrValue) {
  return Guard(FOOTHOLD_CALL(attr, attrName, attrValue), [&] { Set(attr, attrName, ReadType(attrValue)); });
}

aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues, const uint8_t* values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numValues, values),
               [&] { Set(attr, attrName, ReadList<bool>(numValues, values)); });
}

aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues, const int64_t* values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numValues, values),
               [&] { Set(attr, attrName, ReadList<std::int64_t>(numValues, values)); });
}

aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues, const float* values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numValues, values),
               [&] { Set(attr, attrName, ReadList<float>(numValues, values)); });
}

aclError aclopSetAttrListString(aclopAttr* attr, const char* attrName, int numValues, const char** values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numValues, values),
               [&] { Set(attr, attrName, ReadTexts(numValues, values)); });
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* attrName, int numValues,
                                  const aclDataType* values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numValues, values),
               [&] { Set(attr, attrName, ReadTypes(numValues, values)); });
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* attrName, int numLists, const int* numValues,
                                 const int64_t* const* values) {
  return Guard(FOOTHOLD_CALL(attr, attrName, numLists, numValues, values),
               [&] { Set(attr, attrName, ReadLists(numLists, numValues, values)); });
}

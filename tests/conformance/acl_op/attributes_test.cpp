// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/acl_op/op_fixture.h"

namespace {

TEST(OperatorAttributes, TakeValuesOfEveryKind) {
  const Attributes attributes;
  const uint8_t bools[] = {1, 0};
  const int64_t ints[] = {1, 2, 3};
  const float floats[] = {0.5f};
  const char* texts[] = {"a", "b"};
  const aclDataType types[] = {ACL_FLOAT, ACL_INT8};
  const int counts[] = {2, 0};
  const int64_t* lists[] = {ints, nullptr};
  EXPECT_OK(aclopSetAttrBool(attributes, "bool", 1));
  EXPECT_OK(aclopSetAttrInt(attributes, "int", -7));
  EXPECT_OK(aclopSetAttrFloat(attributes, "float", 1.5f));
  EXPECT_OK(aclopSetAttrString(attributes, "text", ""));
  EXPECT_OK(aclopSetAttrDataType(attributes, "type", ACL_BF16));
  EXPECT_OK(aclopSetAttrListBool(attributes, "bools", 2, bools));
  EXPECT_OK(aclopSetAttrListInt(attributes, "ints", 3, ints));
  EXPECT_OK(aclopSetAttrListInt(attributes, "none", 0, nullptr));
  EXPECT_OK(aclopSetAttrListFloat(attributes, "floats", 1, floats));
  EXPECT_OK(aclopSetAttrListString(attributes, "texts", 2, texts));
  EXPECT_OK(aclopSetAttrListDataType(attributes, "types", 2, types));
  EXPECT_OK(aclopSetAttrListListInt(attributes, "lists", 2, counts, lists));
}

TEST(OperatorAttributes, RefuseWhatIsNoValue) {
  const Attributes attributes;
  const char* texts[] = {nullptr};
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "set of operator attributes must not be null",
                  aclopSetAttrInt(nullptr, "x", 1));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "attrName", aclopSetAttrInt(attributes, nullptr, 1));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "attrName is empty", aclopSetAttrInt(attributes, "", 1));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "attrValue", aclopSetAttrString(attributes, "x", nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "values", aclopSetAttrListInt(attributes, "x", 1, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "-1", aclopSetAttrListFloat(attributes, "x", -1, nullptr));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "text", aclopSetAttrListString(attributes, "x", 1, texts));
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "12345 is no data type",
                  aclopSetAttrDataType(attributes, "x", static_cast<aclDataType>(12345)));
}

TEST(OperatorAttributes, AreToldFromOtherHandles) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "data buffer",
                  aclopSetAttrInt(reinterpret_cast<aclopAttr*>(buffer), "x", 1));
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  aclopAttr* attributes = aclopCreateAttr();
  aclopDestroyAttr(attributes);
  EXPECT_OP_FAILS(ACL_ERROR_INVALID_PARAM, "was destroyed", aclopSetAttrInt(attributes, "x", 1));
}

TEST(OperatorAttributes, KeepTheLastValueAndDecideWhatRuns) {
  const Session session;
  const auto x = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
  const auto y = OpTensor::Room<float>({1, 2}, 2);
  const int64_t rows[] = {0}, columns[] = {1};
  const Attributes attributes;
  EXPECT_OK(aclopSetAttrListInt(attributes, "axes", 1, columns));
  EXPECT_OK(aclopSetAttrListInt(attributes, "axes", 1, rows));
  EXPECT_OK(aclopSetAttrBool(attributes, "keep_dims", 1));
  EXPECT_OK(Op("ReduceSumD", {x}, {y}, attributes).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{4, 6}));
  const auto z = OpTensor::Room<float>({2, 1}, 2);
  EXPECT_OK(aclopSetAttrListInt(attributes, "axes", 1, columns));
  EXPECT_OK(Op("ReduceSumD", {x}, {z}, attributes).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(z->Read<float>(2), (FloatList{3, 7}));
}

TEST(OperatorAttributes, HaveToBeOfTheKindTheOperatorDeclares) {
  const Session session;
  const auto x = OpTensor::Of<float>({2}, {1, 2});
  const auto y = OpTensor::Room<float>({2}, 2);
  const Attributes attributes;
  EXPECT_OK(aclopSetAttrString(attributes, "negative_slope", "much"));
  EXPECT_OP_FAILS(ACL_ERROR_OP_ATTR_NOT_MATCH, "negative_slope",
                  Op("LeakyRelu", {x}, {y}, attributes).CompileAndExecute());
  const auto z = OpTensor::Room<int32_t>({2}, 2);
  EXPECT_OP_FAILS(ACL_ERROR_OP_ATTR_NOT_MATCH, "dst_type", Op("Cast", {x}, {z}).CompileAndExecute());
  const Attributes to;
  EXPECT_OK(aclopSetAttrDataType(to, "dst_type", ACL_INT32));
  EXPECT_OK(Op("Cast", {x}, {z}, to).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(z->Read<int32_t>(2), (std::vector<int32_t>{1, 2}));
}

TEST(OperatorAttributes, ThatAnOperatorDoesNotHaveAreIgnored) {
  const Session session;
  const auto x = OpTensor::Of<float>({2}, {-1, 2});
  const auto y = OpTensor::Room<float>({2}, 2);
  const Attributes attributes;
  EXPECT_OK(aclopSetAttrInt(attributes, "_performance_prior", 1));
  EXPECT_OK(Op("Relu", {x}, {y}, attributes).CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(y->Read<float>(2), (FloatList{0, 2}));
}

}  // namespace

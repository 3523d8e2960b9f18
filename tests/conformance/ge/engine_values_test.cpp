// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <thread>

#include "ge/ge_allocator.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"
#include "graph/operator_factory.h"

namespace {

GE_ERRORNO(1, 1, 0, 8, 4, MY_STATUS, 77, "my status");

TEST(GeStatus, IsMadeOfItsFields) {
  EXPECT_EQ(MY_STATUS, 0x50104000U + 77U);
  EXPECT_EQ(ge::StatusFactory::Instance()->GetErrDesc(MY_STATUS), "my status");
}

TEST(GeStatus, HasTexts) {
  ge::StatusFactory& factory = *ge::StatusFactory::Instance();
  EXPECT_EQ(factory.GetErrDesc(ge::SUCCESS), "success");
  EXPECT_NE(factory.GetErrDesc(ge::END_OF_SEQUENCE), "");
  EXPECT_EQ(factory.GetErrDesc(12345), "");
  factory.RegisterErrorNo(12346, "first");
  factory.RegisterErrorNo(12346, std::string("second"));
  EXPECT_EQ(factory.GetErrDescV2(12346), "first");
}

class Pool : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t size) override { return new ge::MemBlock(*this, nullptr, size); }
  void Free(ge::MemBlock* block) override {
    ++freed;
    delete block;
  }
  int freed = 0;
};

TEST(GeMemBlock, GoesBackWithItsLastUser) {
  Pool pool;
  ge::MemBlock* block = pool.MallocAdvise(8, nullptr);
  EXPECT_EQ(block->GetSize(), 8U);
  EXPECT_EQ(block->AddCount(), 2U);
  block->Free();
  EXPECT_EQ(pool.freed, 0);
  EXPECT_EQ(block->GetCount(), 1U);
  block->Free();
  EXPECT_EQ(pool.freed, 1);
}

TEST(GeMessages, AreReadOnce) {
  (void)ge::GEGetErrorMsg();
  EXPECT_EQ(ge::GEGetErrorMsg(), "");
  EXPECT_EQ(ge::Shape().SetDim(3, 1), ge::GRAPH_FAILED);
  const std::string text = ge::GEGetErrorMsgV3().GetString();
  EXPECT_EQ(text.rfind("E10060: Shape::SetDim failed", 0), 0U) << text;
  EXPECT_EQ(ge::GEGetErrorMsgV2(), "");
  EXPECT_EQ(ge::GEGetWarningMsg(), "");
}

TEST(GeMessages, BelongToTheirThread) {
  (void)ge::GEGetErrorMsg();
  std::thread([] { EXPECT_EQ(ge::Shape().SetDim(3, 1), ge::GRAPH_FAILED); }).join();
  EXPECT_EQ(ge::GEGetErrorMsg(), "");
}

TEST(GeOperatorFactory, KnowsTheBuiltInTypes) {
  EXPECT_TRUE(ge::OperatorFactory::IsExistOp("Add"));
  EXPECT_FALSE(ge::OperatorFactory::IsExistOp("NoSuchOperator"));
  EXPECT_FALSE(ge::OperatorFactory::IsExistOp(static_cast<const char*>(nullptr)));
  std::vector<std::string> types;
  EXPECT_EQ(ge::OperatorFactory::GetOpsTypeList(types), ge::GRAPH_SUCCESS);
  EXPECT_GT(types.size(), 1000U);
  const ge::Operator op = ge::OperatorFactory::CreateOperator("sum", "Add");
  EXPECT_EQ(op.GetName(), "sum");
  EXPECT_EQ(op.GetInputsSize(), 2U);
}

TEST(GeOperatorFactory, AnswersUnknownTypesWithAnEmptyOperator) {
  (void)ge::GEGetErrorMsg();
  EXPECT_TRUE(ge::OperatorFactory::CreateOperator("x", "NoSuchOperator").IsEmpty());
  EXPECT_EQ(ge::GEGetErrorMsg().rfind("E10501: ", 0), 0U);
}

TEST(GeOperatorFactory, UsesTheFirstCreatorOfAType) {
  const ge::OperatorCreatorRegister first("FactoryTestType", [](const ge::AscendString& name) {
    return ge::Operator(name.GetString(), "FactoryTestType");
  });
  const ge::OperatorCreatorRegister second("FactoryTestType",
                                           [](const ge::AscendString&) { return ge::Operator(); });
  EXPECT_TRUE(ge::OperatorFactory::IsExistOp("FactoryTestType"));
  EXPECT_EQ(ge::OperatorFactory::CreateOperator("mine", "FactoryTestType").GetName(), "mine");
}

TEST(GeOperatorFactory, UsesTheFunctionsOfAType) {
  const ge::InferShapeFuncRegister infer("FactoryTestInferred", [](ge::Operator& op) {
    op.SetAttr("inferred", true);
    return ge::GRAPH_SUCCESS;
  });
  const ge::VerifyFuncRegister verify("FactoryTestInferred", [](ge::Operator& op) {
    bool inferred = false;
    return op.GetAttr("inferred", inferred);
  });
  ge::Operator op("x", "FactoryTestInferred");
  EXPECT_EQ(op.VerifyAllAttr(), ge::GRAPH_FAILED);
  EXPECT_EQ(op.InferShapeAndType(), ge::GRAPH_SUCCESS);
  EXPECT_EQ(op.VerifyAllAttr(), ge::GRAPH_SUCCESS);
}

}  // namespace

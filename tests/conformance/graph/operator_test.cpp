// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/operator.h"

#include <gtest/gtest.h>

#include "ge/ge_api.h"
#include "graph/inference_context.h"

namespace {

using ge::AscendString;
using ge::AttrValue;
using ge::Operator;
using ge::Shape;
using ge::Tensor;
using ge::TensorDesc;

// Reaches what only classes of operators may call.
class Custom : public Operator {
 public:
  explicit Custom(const char* name) : Operator(name, "OperatorTestType") {
    InputRegister("x");
    OptionalInputRegister("w");
    DynamicInputRegister("more", 0);
    OutputRegister("y");
    AttrRegister("alpha", 0.5F);
    RequiredAttrRegister("size");
    SubgraphRegister("body", false);
  }
  using Operator::DynamicInputRegister;
  using Operator::DynamicInputRegisterByIndex;
  using Operator::DynamicOutputRegister;
  using Operator::InferFuncRegister;
  using Operator::InputRegister;
  using Operator::SetInput;
  using Operator::SetSubgraphBuilder;
  using Operator::SubgraphCountRegister;
  using Operator::VerifierFuncRegister;
};

std::string Errors() {
  return ge::GEGetErrorMsg();
}

TEST(GeOperator, IsEmptyWithoutAType) {
  Operator op;
  EXPECT_TRUE(op.IsEmpty());
  AscendString name;
  EXPECT_EQ(op.GetName(name), ge::GRAPH_FAILED);
  EXPECT_EQ(op.GetInputsSize(), 0U);
  op.SetInput("x", op).SetAttr("a", 1).AddControlInput(op);
  EXPECT_TRUE(Operator(static_cast<const char*>(nullptr)).IsEmpty());
  EXPECT_NE(Errors(), "");
}

TEST(GeOperator, TakesItsPortsAndDefaultsFromThePrototype) {
  const Operator op("conv", "Conv2D");
  EXPECT_EQ(op.GetOpType(), "Conv2D");
  EXPECT_EQ(op.GetInputsSize(), 4U);
  EXPECT_EQ(op.GetOutputsSize(), 1U);
  std::string format;
  EXPECT_EQ(op.GetAttr(std::string("data_format"), format), ge::GRAPH_SUCCESS);
  EXPECT_EQ(format, "NHWC");
  std::vector<int64_t> strides;
  EXPECT_EQ(op.GetAttr("strides", strides), ge::GRAPH_FAILED) << "required, not set";
}

TEST(GeOperator, WithoutANameGetsOneOfItsOwn) {
  const Operator first("Relu");
  const Operator second("Relu");
  EXPECT_NE(first.GetName(), second.GetName());
  EXPECT_EQ(first.GetName().rfind("Relu_", 0), 0U);
}

TEST(GeOperator, CopiesStandForTheSameOperator) {
  Operator op("relu", "Relu");
  Operator copy = op;
  copy.SetAttr("note", "mine");
  AscendString note;
  EXPECT_EQ(op.GetAttr("note", note), ge::GRAPH_SUCCESS);
  EXPECT_EQ(note, "mine");
}

TEST(GeOperator, DeclaresPortsOnce) {
  Custom op("custom");
  EXPECT_EQ(op.GetInputsSize(), 2U);
  op.InputRegister("x");
  EXPECT_EQ(op.GetInputsSize(), 2U);
  EXPECT_EQ(op.GetDynamicInputNum("more"), 0);
  EXPECT_EQ(op.GetDynamicInputNum("none"), -1);
  EXPECT_EQ(op.GetDynamicOutputNum("none"), 0);
}

TEST(GeOperator, NumbersInstancesOfDynamicPorts) {
  Custom op("custom");
  op.DynamicInputRegister("more", 2);
  op.DynamicInputRegisterByIndex("front", 2, 0);
  op.DynamicOutputRegister("out", 3);
  EXPECT_EQ(op.GetDynamicInputNum("more"), 2);
  EXPECT_EQ(op.GetInputsSize(), 6U);
  EXPECT_EQ(op.GetDynamicOutputNum("out"), 3);
  TensorDesc desc(Shape({7}));
  EXPECT_EQ(op.UpdateDynamicInputDesc("front", 1, desc), ge::GRAPH_SUCCESS);
  EXPECT_EQ(op.GetInputDesc(1).GetShape().GetDim(0), 7);
  EXPECT_EQ(op.GetInputDescByName("front1").GetShape().GetDim(0), 7);
  EXPECT_EQ(op.UpdateDynamicOutputDesc("out", 3, desc), ge::GRAPH_FAILED);
  EXPECT_EQ(op.GetDynamicOutputDesc("out", 0).GetDataType(), ge::DT_FLOAT);
  op.DynamicInputRegister("more", 4000000000U);
  EXPECT_EQ(op.GetDynamicInputNum("more"), 2);
}

TEST(GeOperator, SeesTheDescriptionOfItsSource) {
  Operator data("x", "Data");
  EXPECT_EQ(data.UpdateOutputDesc("y", TensorDesc(Shape({2, 3}), ge::FORMAT_ND, ge::DT_INT8)),
            ge::GRAPH_SUCCESS);
  Operator relu("relu", "Relu");
  relu.SetInput("x", data);
  EXPECT_EQ(relu.GetInputDesc(0).GetDataType(), ge::DT_INT8);
  EXPECT_EQ(relu.UpdateInputDesc("x", TensorDesc(Shape({6}))), ge::GRAPH_SUCCESS);
  EXPECT_EQ(relu.GetInputDesc(std::string("x")).GetShape().GetDimNum(), 1U);
}

TEST(GeOperator, RefusesLinksThatDoNotExist) {
  Operator data("x", "Data");
  Operator relu("relu", "Relu");
  (void)Errors();
  EXPECT_EQ(&relu.SetInput("nowhere", data), &relu);
  EXPECT_NE(Errors().find("has no input 'nowhere'"), std::string::npos);
  relu.SetInput("x", data, "nothing");
  relu.SetInput("x", data, 5U);
  relu.SetInput(3U, data, 0U);
  relu.SetInput("x", Operator());
  EXPECT_EQ(relu.TryGetInputDesc("nowhere", *std::make_unique<TensorDesc>()), ge::GRAPH_FAILED);
  EXPECT_EQ(relu.UpdateInputDesc("nowhere", TensorDesc()), ge::GRAPH_FAILED);
  EXPECT_EQ(relu.GetInputDescByName("nowhere").GetFormat(), ge::FORMAT_ND);
  EXPECT_NE(Errors(), "");
}

TEST(GeOperator, KnowsWhichOptionalInputsAreSet) {
  Custom op("custom");
  TensorDesc desc;
  EXPECT_EQ(op.TryGetInputDesc("w", desc), ge::GRAPH_FAILED);
  EXPECT_EQ(op.TryGetInputDesc("x", desc), ge::GRAPH_SUCCESS);
  op.SetInput("w", Operator("x", "Data"));
  EXPECT_EQ(op.TryGetInputDesc("w", desc), ge::GRAPH_SUCCESS);
}

TEST(GeOperator, LinksInstancesByIndex) {
  Custom op("custom");
  op.DynamicInputRegister("more", 2);
  Operator data("x", "Data");
  EXPECT_EQ(data.UpdateOutputDesc("y", TensorDesc(Shape({4}))), ge::GRAPH_SUCCESS);
  op.SetInput("more", 1U, data);
  EXPECT_EQ(op.GetDynamicInputDesc("more", 1).GetShape().GetDim(0), 4);
  op.BreakConnect();
  EXPECT_EQ(op.GetDynamicInputDesc("more", 1).GetShape().GetDimNum(), 0U);
}

TEST(GeOperator, ReadsConstantsAtItsInputs) {
  Operator constant("c", "Const");
  constant.SetAttr("value", Tensor(TensorDesc(Shape({2}), ge::FORMAT_ND, ge::DT_UINT8), {5, 6}));
  Operator relu("relu", "Relu");
  Tensor value;
  EXPECT_EQ(relu.GetInputConstData("x", value), ge::GRAPH_FAILED);
  relu.SetInput("x", constant);
  ASSERT_EQ(relu.GetInputConstData("x", value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(value.GetData()[1], 6);
}

template <typename T>
void KeepsAttribute(const T& value, const char* kind) {
  Operator op("relu", "Relu");
  op.SetAttr("a", value);
  T read = T();
  ASSERT_EQ(op.GetAttr("a", read), ge::GRAPH_SUCCESS) << kind;
  EXPECT_EQ(read, value);
  std::map<AscendString, AscendString> kinds;
  EXPECT_EQ(op.GetAllAttrNamesAndTypes(kinds), ge::GRAPH_SUCCESS);
  EXPECT_EQ(kinds["a"], kind);
}

TEST(GeOperator, KeepsAttributesOfAllKinds) {
  KeepsAttribute<int64_t>(-5, "VT_INT");
  KeepsAttribute<int32_t>(-5, "VT_INT");
  KeepsAttribute<uint32_t>(5, "VT_INT");
  KeepsAttribute<float>(0.5F, "VT_FLOAT");
  KeepsAttribute<bool>(true, "VT_BOOL");
  KeepsAttribute<AscendString>("text", "VT_STRING");
  KeepsAttribute<ge::DataType>(ge::DT_BF16, "VT_DATA_TYPE");
  KeepsAttribute<std::vector<uint8_t>>({1, 2}, "VT_BYTES");
  KeepsAttribute<std::vector<int64_t>>({1, 2}, "VT_LIST_INT");
  KeepsAttribute<std::vector<int32_t>>({1, -2}, "VT_LIST_INT");
  KeepsAttribute<std::vector<uint32_t>>({1, 2}, "VT_LIST_INT");
  KeepsAttribute<std::vector<float>>({1, 2}, "VT_LIST_FLOAT");
  KeepsAttribute<std::vector<bool>>({true, false}, "VT_LIST_BOOL");
  KeepsAttribute<std::vector<AscendString>>({"a", "b"}, "VT_LIST_STRING");
  KeepsAttribute<std::vector<ge::DataType>>({ge::DT_INT4, ge::DT_UNDEFINED}, "VT_LIST_DATA_TYPE");
  KeepsAttribute<std::vector<std::vector<int64_t>>>({{1}, {}, {2, 3}}, "VT_LIST_LIST_INT");
}

TEST(GeOperator, KeepsTensorsAndAnyValues) {
  Operator op("relu", "Relu");
  op.SetAttr("list", std::vector<Tensor>(2, Tensor(TensorDesc(Shape({1}), ge::FORMAT_ND, ge::DT_INT8), {7})));
  std::vector<Tensor> tensors;
  ASSERT_EQ(op.GetAttr("list", tensors), ge::GRAPH_SUCCESS);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[1].GetData()[0], 7);
  AttrValue any;
  ASSERT_EQ(any.SetAttrValue(std::vector<float>{1.5F}), ge::GRAPH_SUCCESS);
  op.SetAttr("any", any);
  AttrValue back;
  ASSERT_EQ(op.GetAttr("any", back), ge::GRAPH_SUCCESS);
  std::vector<float> floats;
  EXPECT_EQ(back.GetAttrValue(floats), ge::GRAPH_SUCCESS);
  EXPECT_EQ(floats, std::vector<float>{1.5F});
}

TEST(GeOperator, RefusesAnotherKindForAnAttribute) {
  Operator op("relu", "Relu");
  op.SetAttr("a", int64_t{1}).SetAttr("a", "text");
  int64_t value = 0;
  EXPECT_EQ(op.GetAttr("a", value), ge::GRAPH_SUCCESS);
  float other = 3;
  EXPECT_EQ(op.GetAttr("a", other), ge::GRAPH_FAILED);
  EXPECT_EQ(other, 3);
  EXPECT_EQ(op.GetAttr("b", other), ge::GRAPH_FAILED);
  Operator softmax("s", "SoftmaxV2");
  softmax.SetAttr("axes", int64_t{1});
  std::vector<int64_t> axes;
  EXPECT_EQ(softmax.GetAttr("axes", axes), ge::GRAPH_SUCCESS) << "still the declared list";
}

TEST(GeOperator, DoesNotCutNumbersOff) {
  Operator op("relu", "Relu");
  op.SetAttr("big", int64_t{1} << 40);
  int32_t small = 1;
  EXPECT_EQ(op.GetAttr("big", small), ge::GRAPH_FAILED);
  EXPECT_EQ(small, 1);
  op.SetAttr("negative", -1);
  uint32_t positive = 1;
  EXPECT_EQ(op.GetAttr("negative", positive), ge::GRAPH_FAILED);
}

TEST(GeOperator, KeepsAttributesOfPorts) {
  Operator op("add", "Add");
  op.SetInputAttr(1, "a", int64_t{4}).SetInputAttr("x2", "b", "text").SetOutputAttr("y", "c", true);
  int64_t number = 0;
  EXPECT_EQ(op.GetInputAttr("x2", "a", number), ge::GRAPH_SUCCESS);
  EXPECT_EQ(number, 4);
  AscendString text;
  EXPECT_EQ(op.GetInputAttr(1, "b", text), ge::GRAPH_SUCCESS);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(op.UpdateOutputDesc("y", TensorDesc(Shape({1}))), ge::GRAPH_SUCCESS);
  bool flag = false;
  EXPECT_EQ(op.GetOutputAttr(0, "c", flag), ge::GRAPH_SUCCESS) << "descriptions come and go";
  EXPECT_TRUE(flag);
  EXPECT_EQ(op.GetOutputAttr(5, "c", flag), ge::GRAPH_FAILED);
}

TEST(GeOperator, VerifiesThatRequiredAttributesAreSet) {
  Custom op("custom");
  EXPECT_EQ(op.VerifyAllAttr(), ge::GRAPH_FAILED);
  op.SetAttr("size", int64_t{4});
  EXPECT_EQ(op.VerifyAllAttr(), ge::GRAPH_SUCCESS);
  op.VerifierFuncRegister([](Operator&) { return ge::GRAPH_PARAM_INVALID; });
  EXPECT_EQ(op.VerifyAllAttr(), ge::GRAPH_PARAM_INVALID);
  std::map<AscendString, AscendString> declared;
  EXPECT_EQ(op.GetAllIrAttrNamesAndTypes(declared), ge::GRAPH_SUCCESS);
  EXPECT_EQ(declared.size(), 2U);
  EXPECT_EQ(declared["alpha"], "VT_FLOAT");
}

TEST(GeOperator, RunsItsOwnInference) {
  Custom op("custom");
  EXPECT_EQ(op.InferShapeAndType(), ge::GRAPH_FAILED) << "nobody said how";
  op.InferFuncRegister([](Operator& self) { return self.UpdateOutputDesc("y", self.GetInputDesc(0)); });
  EXPECT_EQ(op.UpdateInputDesc("x", TensorDesc(Shape({3, 3}))), ge::GRAPH_SUCCESS);
  EXPECT_EQ(op.InferShapeAndType(), ge::GRAPH_SUCCESS);
  EXPECT_EQ(op.GetOutputDesc(0).GetShape().GetDim(1), 3);
  op.InferFuncRegister([](Operator&) -> ge::graphStatus { throw 5; });
  EXPECT_EQ(op.InferShapeAndType(), ge::GRAPH_FAILED);
}

TEST(GeOperator, BuildsItsSubgraphsOnDemand) {
  Custom op("custom");
  int built = 0;
  op.SetSubgraphBuilder("body", 0, [&] {
    ++built;
    return ge::Graph("body_graph");
  });
  op.SubgraphCountRegister("branches", 2);
  EXPECT_EQ(op.GetSubgraphNames(), (std::vector<std::string>{"body", "branches_0", "branches_1"}));
  EXPECT_EQ(built, 0);
  EXPECT_EQ(op.GetSubgraph("body").GetName(), "body_graph");
  EXPECT_EQ(op.GetSubgraph("body").GetName(), "body_graph");
  EXPECT_EQ(built, 1);
  op.SetSubgraphBuilder("branches", 1, [] { return ge::Graph("second"); });
  EXPECT_EQ(op.GetDynamicSubgraph("branches", 1).GetName(), "second");
  EXPECT_EQ(op.GetSubgraph("branches1").GetName(), "second");
  EXPECT_FALSE(op.GetDynamicSubgraph("branches", 0).IsValid());
  EXPECT_EQ(op.GetDynamicSubgraphBuilder("branches", 1)().GetName(), "second");
  EXPECT_FALSE(op.GetSubgraphBuilder("nothing"));
  EXPECT_EQ(op.SetSubgraphInstanceName(0, "renamed"), ge::GRAPH_SUCCESS);
  EXPECT_EQ(op.GetSubgraph("body").GetName(), "renamed");
  EXPECT_EQ(op.SetSubgraphInstanceName(9, "renamed"), ge::GRAPH_FAILED);
}

TEST(GeInferenceContext, KeepsWhatOperatorsTellEachOther) {
  const std::shared_ptr<ge::InferenceContext> context = ge::InferenceContext::Create();
  ASSERT_NE(context, nullptr);
  context->SetMarks(std::vector<std::string>{"mark"});
  EXPECT_EQ(context->GetMarks(), std::vector<std::string>{"mark"});
  context->SetOutputHandleShapesAndTypes({{ge::ShapeAndType(Shape({2}), ge::DT_INT8)}});
  EXPECT_EQ(context->GetOutputHandleShapesAndTypes()[0][0].GetDataType(), ge::DT_INT8);
  EXPECT_EQ(context->AddChangedResourceKey("key"), ge::GRAPH_SUCCESS);
  EXPECT_EQ(context->GetChangedResourceKeys().count("key"), 1U);
  context->ClearChangedResourceKeys();
  EXPECT_TRUE(context->GetChangedResourceKeys().empty());
  EXPECT_EQ(context->GetResourceContext("key"), nullptr);
  Operator op("relu", "Relu");
  op.SetInferenceContext(context);
  EXPECT_EQ(op.GetInferenceContext(), context);
}

TEST(GeAttrValue, KeepsTheKindOfWhatWasSet) {
  AttrValue value;
  int64_t number = 0;
  EXPECT_EQ(value.GetAttrValue(number), ge::GRAPH_FAILED);
  EXPECT_EQ(value.SetAttrValue(int64_t{4}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(value.GetAttrValue(number), ge::GRAPH_SUCCESS);
  EXPECT_EQ(number, 4);
  AscendString text("before");
  EXPECT_EQ(value.GetValue(text), ge::GRAPH_FAILED);
  EXPECT_EQ(text, "before");
  int other = 0;
  EXPECT_EQ(value.GetValue<AttrValue::INT>(other), ge::GRAPH_SUCCESS);
  EXPECT_EQ(other, 4);
  EXPECT_EQ(value.SetAttrValue(AscendString("x")), ge::GRAPH_SUCCESS);
  std::string string;
  EXPECT_EQ(value.GetValue<AttrValue::STR>(string), ge::GRAPH_SUCCESS);
  EXPECT_EQ(string, "x");
  EXPECT_EQ(AttrValue::CreateFrom<AttrValue::FLOAT>(2), 2.0F);
}

}  // namespace

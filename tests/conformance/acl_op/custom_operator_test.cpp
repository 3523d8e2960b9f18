// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of the program, from ASCEND_CUSTOM_OPP_PATH: by aclop, in graphs, and what is refused. Each test
// is a program of its own, since the path is read once.
#include <filesystem>
#include <fstream>

#include "conformance/acl_op/op_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "conformance/kernel_binary.h"
#include "graph/operator_reg.h"
#include "parser/onnx_parser.h"

namespace ge {

// Programs may have classes of their operators.
// clang-format off
REG_OP(TestSum)
    .DYNAMIC_INPUT(x, TensorType({DT_FLOAT}))
    .OUTPUT(y, TensorType({DT_FLOAT}))
    .OP_END_FACTORY_REG(TestSum)
// clang-format on

}  // namespace ge

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void WithOperators(const std::function<void()>& body) {
  InChild({{"ASCEND_CUSTOM_OPP_PATH", "no/such/folder::" + FileBesideTests("test_operators.so")}}, body);
}

TEST(CustomOperators, RunByName) {
  WithOperators([] {
    const Session session;
    const auto x = OpTensor::Of<float>({2, 2}, {1, 2, 3, 4});
    const auto bias = OpTensor::Of<float>({1}, {100});
    const auto y = OpTensor::Room<float>({2, 2}, 4);
    const Attributes attributes;
    EXPECT_OK(aclopSetAttrFloat(attributes, "scale", 10));
    EXPECT_OK(Op("TestAffine", {x, OpTensor::Absent()}, {y}, attributes).CompileAndExecute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(y->Read<float>(4), (FloatList{13, 23, 33, 43}));
    const float shifts[] = {0.5f};
    EXPECT_OK(aclopSetAttrListFloat(attributes, "shifts", 1, shifts));
    EXPECT_OK(aclopSetAttrBool(attributes, "negate", 1));
    EXPECT_OK(Op("TestAffine", {x, bias}, {y}, attributes).CompileAndExecute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(y->Read<float>(4), (FloatList{-110.5, -120.5, -130.5, -140.5}));
  });
}

TEST(CustomOperators, AreCheckedLikeBuiltInOnes) {
  WithOperators([] {
    const Session session;
    const auto x = OpTensor::Of<float>({2}, {1, 2});
    const auto whole = OpTensor::Of<int32_t>({2}, {1, 2});
    const auto y = OpTensor::Room<float>({2}, 2);
    EXPECT_NE(Op("TestAffine", {x}, {y}).CompileAndExecute(), ACL_SUCCESS) << "scale is required";
    const Attributes attributes;
    EXPECT_OK(aclopSetAttrFloat(attributes, "scale", 10));
    EXPECT_NE(Op("TestAffine", {whole}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("input 'x' has type"));
    EXPECT_OK(aclopSetAttrString(attributes, "mode", "wild"));
    EXPECT_NE(Op("TestAffine", {x}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("mode must be 'plain'"));
    EXPECT_OK(aclopSetAttrString(attributes, "mode", "throw"));
    EXPECT_NE(Op("TestAffine", {x}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("as the test wants"));
    for (const char* mode : {"null dims", "many dims"}) {
      EXPECT_OK(aclopSetAttrString(attributes, "mode", mode));
      EXPECT_NE(Op("TestAffine", {x}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
      EXPECT_THAT(RecentError(), HasSubstr("its shape rule sets output 0 with"));
    }
    for (const char* mode : {"ask again", "ask for nothing"}) {
      EXPECT_OK(aclopSetAttrString(attributes, "mode", mode));
      EXPECT_NE(Op("TestAffine", {x, OpTensor::Absent()}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
      EXPECT_THAT(RecentError(), HasSubstr("its shape rule needs"));
    }
    EXPECT_OK(aclopSetAttrString(attributes, "mode", "all memory"));
    EXPECT_NE(Op("TestAffine", {x}, {y}, attributes).CompileAndExecute(), ACL_SUCCESS);
    EXPECT_THAT(RecentError(), HasSubstr("a workspace of 18446744073709551615 bytes"));
    EXPECT_OK(aclopSetAttrString(attributes, "mode", "fail in the kernel"));
    EXPECT_OK(Op("TestAffine", {x}, {y}, attributes).CompileAndExecute());
    EXPECT_OP_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "as the test wants", aclrtSynchronizeStream(nullptr));
    for (const char* left_out : {"TestNoKernel", "TestOldSize"})
      EXPECT_NE(Op(left_out, {x, whole}, {y}).CompileAndExecute(), ACL_SUCCESS);
    const auto sum = OpTensor::Room<float>({2}, 2);
    EXPECT_OK(Op("Add", {x, x}, {sum}).CompileAndExecute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(sum->Read<float>(2), (FloatList{2, 4})) << "built-in operators are not replaced";
  });
}

TEST(CustomOperators, AreInGraphs) {
  WithOperators([] {
    const Engine engine;
    EXPECT_TRUE(ge::OperatorFactory::IsExistOp("TestAffine"));
    EXPECT_FALSE(ge::OperatorFactory::IsExistOp("TestNoKernel"));
    const ge::op::Data x = FloatData("x", 0, {3});
    ge::Operator affine = ge::OperatorFactory::CreateOperator("affine", "TestAffine");
    affine.SetInput("x", x);
    affine.SetAttr("scale", 2.0f);
    ge::op::TestSum sum("sum");
    sum.create_dynamic_input_x(2).set_dynamic_input_x(0, affine, "y").set_dynamic_input_x(1, x);
    ge::op::Data count("count");
    const ge::TensorDesc desc(ge::Shape(std::vector<int64_t>{1}), ge::FORMAT_ND, ge::DT_INT32);
    count.set_attr_index(1).update_input_desc_x(desc);
    count.update_output_desc_y(desc);
    ge::Operator head = ge::OperatorFactory::CreateOperator("head", "TestHead");
    head.SetInput("x", sum, "y");
    head.SetInput("count", count);
    const ge::Graph graph =
        ge::Graph("custom").SetInputs({x, count}).SetOutputs(std::vector<ge::Operator>{head});
    ge::Session session(GeOptions{});
    ASSERT_GE_OK(session.AddGraph(1, graph));
    std::vector<ge::Tensor> outputs;
    ASSERT_GE_OK(session.RunGraph(1, {First::Make({3}, {1, 2, 3}), First::MakeInts({1}, {2})}, outputs));
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].GetTensorDesc().GetShape().GetDims(), (Dims{2}));
    const auto* const values = reinterpret_cast<const float*>(outputs[0].GetData());
    EXPECT_EQ(Floats(values, values + 2), (Floats{6, 9}));
    EXPECT_NE(session.RunGraph(1, {First::Make({3}, {1, 2, 3}), First::MakeInts({1}, {7})}, outputs),
              ge::SUCCESS);
    EXPECT_THAT(GraphError(), HasSubstr("not so many"));
  });
}

// Fields of a message of protobuf: texts and messages, numbers, floats.
std::string Bytes(int field, const std::string& value) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(value.size())} + value;
}
std::string Number(int field, int value) {
  const std::string key =
      field < 16 ? std::string{static_cast<char>(field << 3)}
                 : std::string{static_cast<char>((field << 3 & 0x7F) | 0x80), static_cast<char>(field >> 4)};
  return key + static_cast<char>(value);
}
std::string Real(int field, float value) {
  std::string bytes(1, static_cast<char>(field << 3 | 5));
  return bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A model with one node of a domain of its own: y = TestAffine(x), scale 2.
std::string ModelWithOneNode(const std::string& attribute) {
  const std::string tensor = Bytes(1, Number(1, 1) + Bytes(2, Bytes(1, Number(1, 3))));
  const std::string node = Bytes(1, "x") + Bytes(2, "y") + Bytes(4, "TestAffine") +
                           Bytes(5, Bytes(1, attribute) + Real(2, 2) + Number(20, 1)) + Bytes(7, "my.domain");
  const std::string graph = Bytes(1, node) + Bytes(2, "g") + Bytes(11, Bytes(1, "x") + Bytes(2, tensor)) +
                            Bytes(12, Bytes(1, "y") + Bytes(2, tensor));
  return Number(1, 8) + Bytes(7, graph) + Bytes(8, Bytes(1, "") + Number(2, 13)) +
         Bytes(8, Bytes(1, "my.domain") + Number(2, 1));
}

TEST(CustomOperators, AreInOnnxModelsByName) {
  WithOperators([] {
    const Engine engine;
    const std::string model = ModelWithOneNode("scale");
    ge::Graph graph("imported");
    ASSERT_EQ(ge::aclgrphParseONNXFromMem(model.data(), model.size(), {}, graph), ge::GRAPH_SUCCESS)
        << GraphError();
    ge::Session session(GeOptions{});
    ASSERT_GE_OK(session.AddGraph(1, graph));
    std::vector<ge::Tensor> outputs;
    ASSERT_GE_OK(session.RunGraph(1, {First::Make({3}, {1, 2, 3})}, outputs));
    ASSERT_EQ(outputs.size(), 1u);
    const auto* const values = reinterpret_cast<const float*>(outputs[0].GetData());
    EXPECT_EQ(Floats(values, values + 3), (Floats{5, 7, 9}));
    const std::string wrong = ModelWithOneNode("shale");
    EXPECT_NE(ge::aclgrphParseONNXFromMem(wrong.data(), wrong.size(), {}, graph), ge::GRAPH_SUCCESS);
    EXPECT_THAT(GraphError(), HasSubstr("no attribute 'shale'"));
  });
}

extern "C" const char* aclGetCustomOpLibPath();

TEST(CustomOperators, PathIsKnownToAdapters) {
  WithOperators([] { EXPECT_THAT(aclGetCustomOpLibPath(), HasSubstr("test_operators.so")); });
}

// A folder of hostile files and a good one.
TEST(CustomOperators, BrokenFilesDoNotHarmOthers) {
  const fs::path folder = fs::path(testing::TempDir()) / ("operators" + std::to_string(getpid()));
  const char* const named = std::getenv("ASCEND_CUSTOM_OPP_PATH");
  if (named == nullptr) {
    fs::create_directories(folder / "foothold");
    std::ofstream(folder / "not_elf.so") << "{}";
    std::ofstream(folder / "empty.so");
    fs::copy_file(KernelFile(), folder / "no_operators.so");
    fs::copy_file(FileBesideTests("test_operators.so"), folder / "foothold" / "good.so");
  }
  InChild({{"ASCEND_CUSTOM_OPP_PATH", folder.string()}}, [] {
    const Session session;
    const auto x = OpTensor::Of<float>({2}, {1, 2});
    const auto y = OpTensor::Room<float>({2}, 2);
    EXPECT_OK(Op("TestSum", {x, x, x}, {y}).CompileAndExecute());
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(y->Read<float>(2), (FloatList{3, 6}));
  });
  if (named == nullptr) fs::remove_all(folder);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <memory>

#include "array_ops.h"
#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/config_file.h"
#include "matrix_calculation_ops.h"
#include "nonlinear_fuc_ops.h"

namespace {

using ::testing::StrEq;

ge::Graph NamedGraph(const std::string& input) {
  const ge::op::Data x = FloatData(input.c_str(), 0, {2, 3});
  const ge::op::Relu y = ge::op::Relu("relu").set_input_x(x);
  return ge::Graph("named").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

TEST(ModelDescription, TellsInputsAndOutputs) {
  Session session;
  const LoadedModel model(BuildModel(NamedGraph("picture")));
  EXPECT_EQ(aclmdlGetNumInputs(model.desc()), 1u);
  EXPECT_EQ(aclmdlGetNumOutputs(model.desc()), 1u);
  EXPECT_STREQ(aclmdlGetInputNameByIndex(model.desc(), 0), "picture");
  EXPECT_STREQ(aclmdlGetOutputNameByIndex(model.desc(), 0), "output_0_relu_0");
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 24u);
  EXPECT_EQ(aclmdlGetOutputSizeByIndex(model.desc(), 0), 24u);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_FLOAT);
  EXPECT_EQ(aclmdlGetOutputDataType(model.desc(), 0), ACL_FLOAT);
  EXPECT_EQ(aclmdlGetInputFormat(model.desc(), 0), ACL_FORMAT_ND);
  EXPECT_EQ(aclmdlGetOutputFormat(model.desc(), 0), ACL_FORMAT_ND);
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{2, 3}));
  EXPECT_THAT(dims.name, StrEq("picture"));
  ASSERT_OK(aclmdlGetInputDimsV2(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{2, 3}));
  ASSERT_OK(aclmdlGetOutputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{2, 3}));
  ASSERT_OK(aclmdlGetCurOutputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{2, 3}));
  size_t index = 9;
  ASSERT_OK(aclmdlGetInputIndexByName(model.desc(), "picture", &index));
  EXPECT_EQ(index, 0u);
  ASSERT_OK(aclmdlGetOutputIndexByName(model.desc(), "output_0_relu_0", &index));
  EXPECT_EQ(index, 0u);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "'picture'",
                    aclmdlGetInputIndexByName(model.desc(), ACL_DYNAMIC_TENSOR_NAME, &index));
}

TEST(ModelDescription, AnswersNothingForWhatIsNotThere) {
  Session session;
  const LoadedModel model(BuildModel(NamedGraph("picture")));
  aclmdlIODims dims;
  size_t index = 0;
  for (aclmdlDesc* desc :
       {model.desc(), static_cast<aclmdlDesc*>(nullptr), reinterpret_cast<aclmdlDesc*>(uintptr_t{0x1234})}) {
    EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 7), 0u);
    EXPECT_EQ(aclmdlGetOutputSizeByIndex(desc, 7), 0u);
    EXPECT_STREQ(aclmdlGetInputNameByIndex(desc, 7), "");
    EXPECT_STREQ(aclmdlGetOutputNameByIndex(desc, 7), "");
    EXPECT_EQ(aclmdlGetInputFormat(desc, 7), ACL_FORMAT_UNDEFINED);
    EXPECT_EQ(aclmdlGetOutputFormat(desc, 7), ACL_FORMAT_UNDEFINED);
    EXPECT_EQ(aclmdlGetInputDataType(desc, 7), ACL_DT_UNDEFINED);
    EXPECT_EQ(aclmdlGetOutputDataType(desc, 7), ACL_DT_UNDEFINED);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputDims(desc, 7, &dims));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetOutputDims(desc, 7, &dims));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetCurOutputDims(desc, 7, &dims));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputIndexByName(desc, "none", &index));
    EXPECT_EQ(aclmdlGetTensorRealName(desc, "none"), nullptr);
  }
  EXPECT_EQ(aclmdlGetNumInputs(nullptr), 0u);
  EXPECT_EQ(aclmdlGetNumOutputs(nullptr), 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetInputDims(model.desc(), 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyDesc(nullptr));
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, aclmdlGetDesc(model.desc(), 4000000000u));
}

Dims OutputDimsOf(const LoadedModel& model) {
  aclmdlIODims dims;
  EXPECT_OK(aclmdlGetOutputDims(model.desc(), 0, &dims));
  return DimsOf(dims);
}

TEST(ModelDescription, TellsTheRankOfOutputsWithAnOpenBatch) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {-1, 3});
  const ge::op::Const w = FloatConst("w", {3, 4}, Floats(12, 1.0f));
  const auto y = ge::op::MatMulV2("product").set_input_x1(x).set_input_x2(w);
  const auto graph = ge::Graph("open").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  EXPECT_EQ(OutputDimsOf(LoadedModel(BuildModel(graph))), (Dims{-1, 4}));
}

// With one element it has another number of dimensions than with several.
TEST(ModelDescription, TellsNoRankThatDependsOnTheSize) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {-1, 3});
  const auto y = ge::op::Squeeze("squeezed").set_input_x(x);
  const auto graph = ge::Graph("open").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  EXPECT_EQ(OutputDimsOf(LoadedModel(BuildModel(graph))), (Dims{-2}));
}

TEST(ModelDescription, CutsLongNamesAndKnowsTheRealOnes) {
  Session session;
  const std::string fits(127, 'n'), name(128, 'n');
  const LoadedModel short_name(BuildModel(NamedGraph(fits))), model(BuildModel(NamedGraph(name)));
  EXPECT_STREQ(aclmdlGetInputNameByIndex(short_name.desc(), 0), fits.c_str());
  const std::string cut = "acl_modelId_" + std::to_string(model.id()) + "_input_0";
  EXPECT_STREQ(aclmdlGetInputNameByIndex(model.desc(), 0), cut.c_str());
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_STREQ(dims.name, cut.c_str());
  EXPECT_STREQ(aclmdlGetTensorRealName(model.desc(), cut.c_str()), name.c_str());
  EXPECT_STREQ(aclmdlGetTensorRealName(model.desc(), name.c_str()), name.c_str());
}

TEST(ModelDescription, ComesFromAFileWithoutALoad) {
  Session session;
  const TemporaryDirectory directory;
  const ge::ModelBufferData bytes = BuildModel(NamedGraph("picture"));
  const std::string path = directory.path() + "/model";
  ASSERT_EQ(ge::aclgrphSaveModel(path.c_str(), bytes), ge::GRAPH_SUCCESS);
  aclmdlDesc* desc = aclmdlCreateDesc();
  for (const bool from_file : {true, false}) {
    ASSERT_OK(from_file ? aclmdlGetDescFromFile(desc, (path + ".om").c_str())
                        : aclmdlGetDescFromMem(desc, bytes.data.get(), bytes.length));
    EXPECT_STREQ(aclmdlGetInputNameByIndex(desc, 0), "picture");
    aclmdlIODims dims;
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "loaded model", aclmdlGetCurOutputDims(desc, 0, &dims));
    EXPECT_EQ(aclmdlGetOpAttr(desc, "relu", ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES), nullptr);
  }
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, aclmdlGetDescFromFile(desc, "/absent/model.om"));
  EXPECT_OK(aclmdlDestroyDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyDesc(desc));
}

TEST(ModelDescription, KnowsOfNoPreprocessing) {
  Session session;
  const LoadedModel model(BuildModel(NamedGraph("picture")));
  aclmdlInputAippType type = ACL_DYNAMIC_AIPP_NODE;
  size_t attached = 0;
  ASSERT_OK(aclmdlGetAippType(model.id(), 0, &type, &attached));
  EXPECT_EQ(type, ACL_DATA_WITHOUT_AIPP);
  EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetAippType(model.id(), 1, &type, &attached));
  auto info = std::make_unique<aclAippInfo>();
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_NOT_EXIST, aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
}

TEST(ModelDescription, TellsTheOriginalNamesOfAnOperator) {
  Session session;
  const ge::op::Data x = FloatData("x", 0, {2});
  ge::op::Relu y("relu");
  y.set_input_x(x);
  y.SetAttr(ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES, std::vector<ge::AscendString>{"conv", "bn_1"});
  const ge::op::Abs z = ge::op::Abs("abs").set_input_x(y);
  const LoadedModel model(
      BuildModel(ge::Graph("names").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{z})));
  const char* attribute = ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES;
  EXPECT_STREQ(aclmdlGetOpAttr(model.desc(), "relu", attribute), "[4]conv[4]bn_1");
  EXPECT_STREQ(aclmdlGetOpAttr(model.desc(), "abs", attribute), "");
  EXPECT_EQ(aclmdlGetOpAttr(model.desc(), "none", attribute), nullptr);
  EXPECT_EQ(aclmdlGetOpAttr(model.desc(), "relu", "other"), nullptr);
}

}  // namespace

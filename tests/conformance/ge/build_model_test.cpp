// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fstream>

#include "conformance/acl_mdl/model_fixture.h"
#include "conformance/config_file.h"
#include "nonlinear_fuc_ops.h"

namespace {

using ::testing::HasSubstr;

// One aclgrphBuildInitialize to aclgrphBuildFinalize.
class Builder {
 public:
  explicit Builder(GeOptions options = {}) {
    EXPECT_EQ(ge::aclgrphBuildInitialize(options), ge::GRAPH_SUCCESS) << GraphError();
  }
  ~Builder() {
    ge::aclgrphBuildFinalize();
    ForgetMessages();
  }
};

Floats RunOnce(const ge::ModelBufferData& bytes, const Floats& input, size_t count) {
  const LoadedModel model(bytes);
  DeviceSet inputs, outputs;
  inputs.Add(input);
  outputs.Add(count * sizeof(float));
  EXPECT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  return outputs.Read(0, count);
}

ge::Graph TwoSteps() {
  const ge::op::Data x = FloatData("x", 0, {4});
  const ge::op::Abs first = ge::op::Abs("first").set_input_x(x);
  const ge::op::Neg second = ge::op::Neg("second").set_input_x(first);
  return ge::Graph("steps").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{second});
}

TEST(BuildModel, NeedsInitialisationAndMayBeFinalisedAnyTime) {
  ge::aclgrphBuildFinalize();
  ge::ModelBufferData model;
  EXPECT_REFUSED(ge::GRAPH_FAILED, "aclgrphBuildInitialize",
                 ge::aclgrphBuildModel(TwoSteps(), GeOptions(), model));
  {
    const Builder builder;
    GeOptions again;
    EXPECT_EQ(ge::aclgrphBuildInitialize(again), ge::GRAPH_SUCCESS);
    EXPECT_THAT(ge::GEGetWarningMsg(), HasSubstr("before"));
    EXPECT_EQ(ge::aclgrphBuildModel(TwoSteps(), GeOptions(), model), ge::GRAPH_SUCCESS) << GraphError();
    EXPECT_GT(model.length, 0u);
  }
  ge::aclgrphBuildFinalize();
}

TEST(BuildModel, TakesOptionsAsTextsOfEitherKind) {
  Session session;
  std::map<std::string, std::string> global = {{ge::ir_option::SOC_VERSION, "Ascend310"}};
  ASSERT_EQ(ge::aclgrphBuildInitialize(global), ge::GRAPH_SUCCESS);
  const std::map<std::string, std::string> options = {{ge::ir_option::INPUT_SHAPE, "x:4"}};
  ge::ModelBufferData model, of_list;
  EXPECT_EQ(ge::aclgrphBuildModel(TwoSteps(), options, model), ge::GRAPH_SUCCESS) << GraphError();
  const std::vector<ge::Graph> graphs = {TwoSteps()};
  EXPECT_EQ(ge::aclgrphBuildModel(graphs, options, of_list), ge::GRAPH_SUCCESS) << GraphError();
  ge::aclgrphBuildFinalize();
  EXPECT_EQ(RunOnce(model, {-1, 2, -3, 4}, 4), (Floats{-1, -2, -3, -4}));
  EXPECT_EQ(RunOnce(of_list, {-1, 2, -3, 4}, 4), (Floats{-1, -2, -3, -4}));
}

TEST(BuildModel, ReadsInputShapesInAllTheirForms) {
  Session session;
  const Builder builder;
  const ge::op::Data x = FloatData("x", 0, {-1, -1});
  const ge::op::Data s = FloatData("s", 1, {-1});
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(s);
  const ge::Graph graph = ge::Graph("shapes").SetInputs({x, s}).SetOutputs(std::vector<ge::Operator>{sum});
  for (const char* shape : {"x:2,3;s:;", "x: 2,3;s;", " x : 2, 3 ; s:", "2,3;s"}) {
    ge::ModelBufferData bytes;
    ASSERT_EQ(ge::aclgrphBuildModel(graph, GeOptions{{"input_shape", shape}}, bytes), ge::GRAPH_SUCCESS)
        << shape << GraphError();
    const LoadedModel model(bytes);
    EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 24u) << shape;
    EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 1), 4u) << shape;
  }
  ge::ModelBufferData bytes;
  EXPECT_REFUSED(ge::GRAPH_FAILED, "none",
                 ge::aclgrphBuildModel(graph, GeOptions{{"input_shape", "none:2,3"}}, bytes));
}

TEST(BuildModel, GivesOutValuesInside) {
  Session session;
  const Builder builder;
  ge::ModelBufferData model;
  ASSERT_EQ(ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::OUT_NODES, "first:0;"}}, model),
            ge::GRAPH_SUCCESS)
      << GraphError();
  EXPECT_EQ(RunOnce(model, {-1, 2, -3, 4}, 4), (Floats{1, 2, 3, 4}));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "third:0",
                 ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::OUT_NODES, "third:0"}}, model));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "first:7",
                 ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::OUT_NODES, "first:7"}}, model));
}

TEST(BuildModel, ChangesTypesAtTheBorders) {
  Session session;
  const Builder builder;
  for (const char* type : {"FP16", "second:0:FP16"}) {
    ge::ModelBufferData bytes;
    ASSERT_EQ(ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::OUTPUT_TYPE, type}}, bytes),
              ge::GRAPH_SUCCESS)
        << GraphError();
    const LoadedModel model(bytes);
    EXPECT_EQ(aclmdlGetOutputDataType(model.desc(), 0), ACL_FLOAT16);
    EXPECT_EQ(aclmdlGetOutputSizeByIndex(model.desc(), 0), 8u);
    EXPECT_STREQ(aclmdlGetOutputNameByIndex(model.desc(), 0), "output_0_second_0");
    EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_FLOAT);
  }
  ge::ModelBufferData bytes;
  ASSERT_EQ(ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::INPUT_FP16_NODES, "x"}}, bytes),
            ge::GRAPH_SUCCESS)
      << GraphError();
  const LoadedModel model(bytes);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_FLOAT16);
  DeviceSet inputs, outputs;
  inputs.Add(8);
  outputs.Add(16);
  const uint16_t halves[] = {aclFloatToFloat16(-1), aclFloatToFloat16(2), aclFloatToFloat16(0.5f), 0};
  ASSERT_OK(aclrtMemcpy(aclGetDataBufferAddr(inputs.buffer(0)), 8, halves, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 4), (Floats{-1, -2, -0.5f, -0.0f}));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "FP7",
                 ge::aclgrphBuildModel(TwoSteps(), GeOptions{{ge::ir_option::OUTPUT_TYPE, "FP7"}}, bytes));
}

TEST(BuildModel, KeepsLayoutsAndRefusesPreprocessing) {
  Session session;
  const Builder builder(GeOptions{{ge::ir_option::PRECISION_MODE, "allow_fp32_to_fp16"}});
  const ge::op::Data x = FloatData("x", 0, {1, 2, 3, 4});
  const ge::op::Relu y = ge::op::Relu("y").set_input_x(x);
  const ge::Graph graph = ge::Graph("layout").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  ge::ModelBufferData bytes;
  ASSERT_EQ(
      ge::aclgrphBuildModel(graph, GeOptions{{ge::ir_option::INPUT_FORMAT, "NCHW"}, {"made.up", "1"}}, bytes),
      ge::GRAPH_SUCCESS)
      << GraphError();
  const LoadedModel model(bytes);
  EXPECT_EQ(aclmdlGetInputFormat(model.desc(), 0), ACL_FORMAT_NCHW);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_FLOAT);
  EXPECT_REFUSED(ge::GRAPH_FAILED, "AIPP",
                 ge::aclgrphBuildModel(graph, GeOptions{{ge::ir_option::INSERT_OP_FILE, "aipp.cfg"}}, bytes));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "UVW",
                 ge::aclgrphBuildModel(graph, GeOptions{{ge::ir_option::INPUT_FORMAT, "UVW"}}, bytes));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "precision_mode",
                 ge::aclgrphBuildModel(graph, GeOptions{{ge::ir_option::PRECISION_MODE, "best"}}, bytes));
}

TEST(SaveModel, WritesAFileWithItsSuffixOnce) {
  const TemporaryDirectory directory;
  const ge::ModelBufferData model = BuildModel(TwoSteps());
  const std::string path = directory.path() + "/steps";
  EXPECT_EQ(ge::aclgrphSaveModel(path, model), ge::GRAPH_SUCCESS);
  EXPECT_EQ(ge::aclgrphSaveModel((path + "2.om").c_str(), model), ge::GRAPH_SUCCESS);
  for (const char* name : {"/steps.om", "/steps2.om"}) {
    std::ifstream file(directory.path() + name, std::ios::ate | std::ios::binary);
    EXPECT_EQ(static_cast<uint64_t>(file.tellg()), model.length) << name;
  }
  EXPECT_REFUSED(ge::GRAPH_FAILED, "empty", ge::aclgrphSaveModel("", model));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "no bytes", ge::aclgrphSaveModel(path.c_str(), ge::ModelBufferData()));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "/absent/", ge::aclgrphSaveModel("/absent/folder/model", model));
}

TEST(BundleBuild, NeedsSeveralGraphs) {
  const Builder builder;
  ge::ModelBufferData bundle;
  EXPECT_REFUSED(ge::GRAPH_FAILED, "not 1",
                 ge::aclgrphBundleBuildModel({ge::GraphWithOptions{TwoSteps(), {}}}, bundle));
  const std::vector<ge::Graph> two = {TwoSteps(), TwoSteps()};
  EXPECT_REFUSED(ge::GRAPH_FAILED, "aclgrphBundleBuildModel",
                 ge::aclgrphBuildModel(two, GeOptions(), bundle));
}

TEST(GenerateForOp, MakesAGraphOfOneOperator) {
  Session session;
  ge::Graph graph;
  ASSERT_EQ(ge::aclgrphGenerateForOp("Add", {FloatDesc({2}), FloatDesc({2})}, {FloatDesc({2})}, graph),
            ge::GRAPH_SUCCESS)
      << GraphError();
  const LoadedModel model(BuildModel(graph));
  DeviceSet inputs, outputs;
  inputs.Add(Floats{1, 2}).Add(Floats{3, 4});
  outputs.Add(8);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 2), (Floats{4, 6}));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "NoSuchOp", ge::aclgrphGenerateForOp("NoSuchOp", {}, {}, graph));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "1 inputs",
                 ge::aclgrphGenerateForOp("Relu", {FloatDesc({2}), FloatDesc({2})}, {FloatDesc({2})}, graph));
}

TEST(GenerateForOp, TakesListsOfTensors) {
  Session session;
  ge::Graph graph;
  ASSERT_EQ(ge::aclgrphGenerateForOp("AddN", {FloatDesc({2}), FloatDesc({2}), FloatDesc({2})},
                                     {FloatDesc({2})}, graph),
            ge::GRAPH_SUCCESS)
      << GraphError();
  int64_t count = 3;
  for (const ge::GNode& node : graph.GetAllNodes()) {
    ge::AscendString type;
    node.GetType(type);
    if (type != "AddN") continue;
    EXPECT_EQ(node.SetAttr("N", count), ge::GRAPH_SUCCESS);
  }
  const LoadedModel model(BuildModel(graph));
  DeviceSet inputs, outputs;
  inputs.Add(Floats{1, 2}).Add(Floats{3, 4}).Add(Floats{5, 6});
  outputs.Add(8);
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 2), (Floats{9, 12}));
}

TEST(GraphTools, TellTheVersionWriteTextAndMarkOperators) {
  int32_t major = 0, minor = 9, patch = 9;
  EXPECT_EQ(ge::aclgrphGetIRVersion(&major, &minor, &patch), ge::GRAPH_SUCCESS);
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 0);
  EXPECT_EQ(patch, 0);
  EXPECT_REFUSED(ge::GRAPH_FAILED, "null", ge::aclgrphGetIRVersion(nullptr, &minor, &patch));
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/graph";
  EXPECT_EQ(ge::aclgrphDumpGraph(TwoSteps(), file.c_str(), file.size()), ge::GRAPH_SUCCESS);
  EXPECT_THAT(directory.AllText(), HasSubstr("second"));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "empty", ge::aclgrphDumpGraph(TwoSteps(), nullptr, 0));
  ge::Graph graph = TwoSteps();
  std::ofstream(file) << "first\n\nsecond\n";
  EXPECT_EQ(ge::aclgrphSetOpAttr(graph, ge::ATTR_TYPE_KEEP_DTYPE, file.c_str()), ge::GRAPH_SUCCESS);
  std::ofstream(file) << "third\n";
  EXPECT_REFUSED(ge::GRAPH_FAILED, "third",
                 ge::aclgrphSetOpAttr(graph, ge::ATTR_TYPE_WEIGHT_COMPRESS, file.c_str()));
  EXPECT_REFUSED(ge::GRAPH_FAILED, "/absent",
                 ge::aclgrphSetOpAttr(graph, ge::ATTR_TYPE_KEEP_DTYPE, "/absent"));
}

TEST(CompiledModel, OfASessionRunsOffline) {
  ge::ModelBufferData model;
  {
    const Engine engine;
    ge::GeSession session{GeOptions()};
    ASSERT_GE_OK(session.AddGraph(1, TwoSteps()));
    EXPECT_NE(session.GetCompiledModel(1, model), ge::SUCCESS);
    EXPECT_THAT(GraphError(), HasSubstr("CompileGraph"));
    ASSERT_GE_OK(session.CompileGraph(1));
    ASSERT_GE_OK(session.GetCompiledModel(1, model));
    EXPECT_EQ(session.GetCompiledModel(2, model), kNoSuchGraph);
  }
  Session session;
  EXPECT_EQ(RunOnce(model, {-1, 2, -3, 4}, 4), (Floats{-1, -2, -3, -4}));
}

}  // namespace

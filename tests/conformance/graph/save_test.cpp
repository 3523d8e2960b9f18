// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "ge/ge_api.h"
#include "graph/graph.h"

namespace {

using ge::AscendString;
using ge::GNode;
using ge::Graph;
using ge::Operator;
using ge::Shape;
using ge::Tensor;
using ge::TensorDesc;

std::string NameOfParent(const Graph& graph) {
  AscendString name;
  (void)graph.GetParentNode()->GetName(name);
  return name.GetString();
}

Graph Body(const char* name) {
  Operator data("x", "Data");
  Operator relu("relu", "Relu");
  relu.SetInput("x", data);
  Graph graph(name);
  graph.SetInputs({data}).SetOutputs(std::vector<Operator>{relu});
  return graph;
}

Graph Everything() {
  Operator data("x", "Data");
  TensorDesc desc(Shape({-1, 4}), ge::FORMAT_NHWC, ge::DT_FLOAT16);
  desc.SetOriginFormat(ge::FORMAT_NCHW);
  EXPECT_EQ(desc.SetShapeRange({{1, 8}, {4, 4}}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(data.UpdateOutputDesc("y", desc), ge::GRAPH_SUCCESS);
  Operator constant("c", "Const");
  constant.SetAttr("value",
                   Tensor(TensorDesc(Shape({2}), ge::FORMAT_ND, ge::DT_INT32), std::vector<uint8_t>(8, 3)));
  Operator add("add", "Add");
  add.SetInput("x1", data).SetInput("x2", constant);
  add.SetAttr("_list", std::vector<std::vector<int64_t>>{{1}, {2, 3}});
  add.SetAttr("_types", std::vector<ge::DataType>{ge::DT_BF16, ge::DT_INT4});
  add.SetAttr("_text", "a\"b").SetAttr("_float", 0.25F).SetAttr("_bytes", std::vector<uint8_t>{0, 255});
  Operator call("call", "PartitionedCall");
  call.AddControlInput(add);
  Graph graph("everything");
  graph.SetInputs({data}).SetOutputs(
      std::vector<std::pair<Operator, std::vector<size_t>>>{{add, {0}}, {add, {0}}});
  GNode node = *graph.FindNodeByName("call");
  EXPECT_EQ(node.SetSubgraph("f", Body("body")), ge::GRAPH_SUCCESS);
  ge::AttrValue value;
  EXPECT_EQ(value.SetAttrValue(int64_t{6}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.SetAttr("version", value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.AddSubGraph(Body("loose")), ge::GRAPH_SUCCESS);
  return graph;
}

std::string Text(const Graph& graph, Graph::DumpFormat format) {
  std::ostringstream out;
  EXPECT_EQ(graph.Dump(format, out), ge::GRAPH_SUCCESS);
  return out.str();
}

TEST(GeGraphFile, KeepsEverything) {
  const Graph saved = Everything();
  ge::GraphBuffer buffer;
  EXPECT_EQ(buffer.GetData(), nullptr);
  ASSERT_EQ(saved.SaveToMem(buffer), ge::GRAPH_SUCCESS);
  Graph loaded;
  ASSERT_EQ(loaded.LoadFromMem(buffer), ge::GRAPH_SUCCESS) << ge::GEGetErrorMsg();
  EXPECT_TRUE(loaded.IsValid());
  EXPECT_EQ(Text(loaded, Graph::DumpFormat::kTxt), Text(saved, Graph::DumpFormat::kTxt));
  EXPECT_EQ(Text(loaded, Graph::DumpFormat::kReadable), Text(saved, Graph::DumpFormat::kReadable));
  Tensor value;
  EXPECT_EQ(loaded.FindNodeByName("add")->GetInputConstData(1, value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(value.GetData()[7], 3);
  TensorDesc desc;
  EXPECT_EQ(loaded.FindNodeByName("x")->GetOutputDesc(0, desc), ge::GRAPH_SUCCESS);
  EXPECT_EQ(desc.GetOriginFormat(), ge::FORMAT_NCHW);
  EXPECT_NE(loaded.GetSubGraph("loose"), nullptr);
  EXPECT_EQ(NameOfParent(*loaded.GetSubGraph("body")), "call");
}

TEST(GeGraphFile, IsAFile) {
  const std::string path = testing::TempDir() + "save_test_graph.air";
  ASSERT_EQ(Everything().SaveToFile(path), ge::GRAPH_SUCCESS);
  Graph loaded("other");
  EXPECT_EQ(loaded.LoadFromFile(path.c_str()), ge::GRAPH_SUCCESS);
  EXPECT_EQ(loaded.GetName(), "everything");
  std::remove(path.c_str());
  EXPECT_EQ(loaded.LoadFromFile(path), ge::GRAPH_FAILED);
  EXPECT_EQ(loaded.GetName(), "everything") << "a failed load changes nothing";
  EXPECT_EQ(loaded.SaveToFile("/no/such/folder/graph.air"), ge::GRAPH_FAILED);
  EXPECT_EQ(loaded.SaveToFile(static_cast<const char*>(nullptr)), ge::GRAPH_FAILED);
  EXPECT_EQ(Graph().SaveToFile(path), ge::GRAPH_FAILED);
}

TEST(GeGraphFile, RefusesBytesThatAreNoGraph) {
  Graph graph;
  const uint8_t noise[] = {0xff, 0x03, 0x99};
  EXPECT_EQ(graph.LoadFromMem(noise, sizeof(noise)), ge::GRAPH_FAILED);
  EXPECT_EQ(graph.LoadFromMem(nullptr, 8), ge::GRAPH_FAILED);
  EXPECT_EQ(graph.LoadFromSerializedModelArray(noise, 0), ge::GRAPH_FAILED);
  EXPECT_FALSE(graph.IsValid());
}

TEST(GeGraphText, IsReadable) {
  Operator data("x", "Data");
  Operator split("split", "Split");
  class Access : public Operator {
   public:
    explicit Access(const Operator& op) : Operator(op) {}
    using Operator::DynamicOutputRegister;
  };
  Access(split).DynamicOutputRegister("y", 2);
  Operator dim("dim", "Const");
  const int32_t zero = 0;
  dim.SetAttr("value", Tensor(TensorDesc(Shape(), ge::FORMAT_ND, ge::DT_INT32),
                              reinterpret_cast<const uint8_t*>(&zero), sizeof(zero)));
  split.SetInput("x", data).SetInput("split_dim", dim).SetAttr("num_split", int64_t{2});
  Graph graph("net");
  graph.SetInputs({data}).SetOutputs(std::vector<Operator>{split});
  const std::string text = Text(graph, Graph::DumpFormat::kReadable);
  EXPECT_EQ(text.rfind("graph(\"net\"):\n", 0), 0U) << text;
  EXPECT_NE(text.find("%dim : [#users=1] = Node[type=Const] (attrs = {value: 0})"), std::string::npos)
      << text;
  EXPECT_NE(text.find("%split : [#users=2] = Node[type=Split] (inputs = (split_dim=%dim, x=%x), "
                      "attrs = {num_split: 2})"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("%ret_1 : [#users=1] = get_element[node=%split](1)"), std::string::npos) << text;
  EXPECT_NE(text.find("return (output_0=%ret, output_1=%ret_1)"), std::string::npos) << text;
}

TEST(GeGraphText, IsNotWrittenAsOnnx) {
  (void)ge::GEGetErrorMsg();
  std::ostringstream out;
  EXPECT_EQ(Body("b").Dump(Graph::DumpFormat::kOnnx, out), ge::GRAPH_FAILED);
  EXPECT_EQ(ge::GEGetErrorMsg().rfind("E10055: Graph::Dump", 0), 0U);
  EXPECT_EQ(out.str(), "");
}

}  // namespace

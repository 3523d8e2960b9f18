// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/graph_model.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "formats/graph_model.pb.h"
#include "formats/type_numbers.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GraphModel Load(const std::string& text) {
  model::ModelDef model;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model)) << text;
  const std::string bytes = model.SerializeAsString();
  return LoadGraphModel(bytes.data(), bytes.size());
}

std::string Refusal(const std::string& text) {
  try {
    Load(text);
    return "";
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(GraphModel, NamesPortsByTheirPrototype) {
  const GraphModel model = Load(R"(graph { name: "g"
      op { name: "x" type: "Data" output_desc {} }
      op { name: "cat" type: "ConcatD" input: "x:0" input: "x:0" output_desc {} } })");
  const Node& concat = *model.graph->Find("cat");
  EXPECT_EQ(concat.InputIndex("x1"), 1);
  EXPECT_THAT(concat.InputGroup("x"), ElementsAre(0, 1));
  EXPECT_EQ(concat.OutputIndex("y"), 0);
}

TEST(GraphModel, TakesNamesTheWriterGave) {
  const GraphModel model = Load(R"(graph { name: "g" op { name: "n" type: "NoSuchType" input: "" input: ""
      attr { key: "_input_name_key" value { list { val_type: STRING s: "b" s: "a" } } }
      attr { key: "_input_name_value" value { list { val_type: INT i: 1 i: 0 } } } } })");
  const Node& node = *model.graph->Find("n");
  EXPECT_EQ(node.InputIndex("a"), 0);
  EXPECT_EQ(node.InputIndex("b"), 1);
  EXPECT_TRUE(node.attributes.empty());
}

TEST(GraphModel, AddsDefaultsOfThePrototype) {
  const GraphModel model = Load(R"(graph { name: "g" op { name: "c" type: "Conv2D" } })");
  EXPECT_EQ(model.graph->Find("c")->Text("data_format", ""), "NHWC");
}

TEST(GraphModel, TurnsNetOutputIntoOutputs) {
  const GraphModel model = Load(R"(graph { name: "g"
      op { name: "b" type: "Data" output_desc {} attr { key: "index" value { i: 1 } } }
      op { name: "a" type: "Data" output_desc {} attr { key: "index" value { i: 0 } } }
      op { name: "out" type: "NetOutput" input: "b:0" input: "a:0" input: "a:-1" } })");
  const Graph& graph = *model.graph;
  EXPECT_EQ(graph.Find("out"), nullptr);
  EXPECT_THAT(graph.outputs.list(),
              ElementsAre(OutputRef{graph.Find("b"), 0}, OutputRef{graph.Find("a"), 0}));
  EXPECT_THAT(graph.targets, ElementsAre(graph.Find("a")));
  EXPECT_THAT(graph.inputs, ElementsAre(graph.Find("a"), graph.Find("b")));
}

TEST(GraphModel, RefusesWhatDoesNotFit) {
  EXPECT_THAT(Refusal("name: 'm'"), HasSubstr("no graph"));
  EXPECT_THAT(Refusal("graph { name: 'g' } graph { name: 'g' }"), HasSubstr("two graphs"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' } op { name: 'a' type: 'Relu' } }"),
              HasSubstr("two nodes"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' input: 'b:0' } }"), HasSubstr("no node 'b'"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' } op { name: 'b' type: 'Relu' input: 'a:0' } }"),
              HasSubstr("has 0 outputs"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' input: 'a:-2' } }"), HasSubstr("does not name"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' input_desc { layout: 'ABC' } } }"),
              HasSubstr("not the name of a layout"));
  EXPECT_THAT(Refusal("graph { op { name: 'a' type: 'Relu' attr { key: 'd' value { dt: 99 } } } }"),
              HasSubstr("not the number of an element type"));
  EXPECT_THAT(Refusal("graph { op { name: 'c' type: 'Const' } }"), HasSubstr("no value"));
  EXPECT_THAT(Refusal("graph { op { name: 'i' type: 'If' subgraph_name: 'x' } }"),
              HasSubstr("does not have"));
}

TEST(GraphModel, RefusesCircles) {
  EXPECT_THAT(Refusal(R"(graph { op { name: "a" type: "Relu" input: "b:0" output_desc {} }
                                 op { name: "b" type: "Relu" input: "a:0" output_desc {} } })"),
              HasSubstr("depends on itself"));
  EXPECT_THAT(Refusal("graph { name: 'g' op { name: 'i' type: 'If' subgraph_name: 'g' } }"),
              HasSubstr("two places"));
}

TEST(GraphModel, RefusesGraphsTooDeepInside) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += "graph { name: 'g" + std::to_string(i) +
            "' op { name: 'c' type: 'PartitionedCall' subgraph_name: 'g" + std::to_string(i + 1) + "' } } ";
  EXPECT_THAT(Refusal(text + "graph { name: 'g200' }"), HasSubstr("graphs deep"));
}

TEST(GraphModel, RefusesTensorsOfAnotherSize) {
  const std::string node = "graph { op { name: 'c' type: 'Const' attr { key: 'value' value { t { ";
  EXPECT_THAT(Refusal(node + "desc { dtype: DT_INT32 shape { dim: 3 } } data: 'abc' } } } } }"),
              HasSubstr("has 3 bytes, but needs 12"));
  EXPECT_THAT(Refusal(node + "desc { dtype: DT_INT32 shape { dim: 3 } } } } } } }"),
              HasSubstr("without data"));
  EXPECT_THAT(
      Refusal(node +
              "desc { dtype: DT_INT32 shape { dim: 4611686018427387904 dim: 8 } } data: 'abc' } } } } }"),
      testing::Not(""));
}

TEST(GraphModel, KeepsBuiltAndUnusedSubgraphsApart) {
  const GraphModel model =
      Load(R"(graph { name: "g" op { name: "i" type: "If" subgraph_name: "t" subgraph_name: "e" } }
      graph { name: "t" } graph { name: "e" } graph { name: "loose" })");
  const Node& branch = *model.graph->Find("i");
  ASSERT_EQ(branch.subgraphs.size(), 2U);
  EXPECT_EQ(branch.subgraphs[0].name, "then_branch");
  EXPECT_EQ(branch.subgraphs[1].graph->parent, &branch);
  ASSERT_EQ(model.unused_subgraphs.size(), 1U);
  EXPECT_EQ(model.unused_subgraphs[0]->name(), "loose");
}

TEST(GraphModel, KeepsNamesOfAnyBytes) {
  GraphModel model{std::make_shared<Graph>("g\xff"), {}};
  model.graph->Make("Relu", "r\xfe").attributes["a\xfd"] = std::string("\xfc");
  const std::string bytes = SaveGraphModel(model);
  const GraphModel loaded = LoadGraphModel(bytes.data(), bytes.size());
  EXPECT_EQ(loaded.graph->name(), "g\xff");
  ASSERT_NE(loaded.graph->Find("r\xfe"), nullptr);
  EXPECT_EQ(loaded.graph->Find("r\xfe")->Text("a\xfd", ""), "\xfc");
}

TEST(GraphModel, NumbersElementTypesInItsOwnOrder) {
  EXPECT_EQ(ModelTypeNumber(DataType::kInt32), 7);
  EXPECT_EQ(ModelTypeNumber(DataType::kInt4), 28);
  EXPECT_EQ(ModelTypeNumber(DataType::kUndefined), 0);
  for (int number = 0; number <= 41; ++number)
    EXPECT_EQ(ModelTypeNumber(TypeOfModelNumber(number)), number);
  EXPECT_THROW(TypeOfModelNumber(42), Error);
  EXPECT_THROW(TypeOfModelNumber(-1), Error);
}

}  // namespace
}  // namespace foothold

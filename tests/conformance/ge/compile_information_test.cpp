// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What can be asked about a compiled graph beside its memory: its steps, the streams they are on. And what
// answers that it is not supported.
#include "conformance/ge/graph_fixture.h"
#include "ge/ge_continuous_tensor_list_api.h"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr ge::Status kNotLoaded = 1343258628, kUnsupported = 1343225956;

template <typename Generation>
class CompileInformation : public testing::Test {
 protected:
  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(CompileInformation, Generations, GenerationNames);

TYPED_TEST(CompileInformation, PrintsTheStepsOfALoadedGraph) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1, "say \"add\"")));
  ge::AscendString text("before");
  EXPECT_REFUSED(kNotLoaded, "not loaded", this->session_.GraphDebugJSONPrint(1, 0, text));
  EXPECT_STREQ(text.GetString(), "before");
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  EXPECT_REFUSED(kNotLoaded, "not loaded", this->session_.GraphDebugJSONPrint(1, 0, text));
  ASSERT_GE_OK(this->session_.LoadGraph(1, GeOptions{}, nullptr));
  ASSERT_GE_OK(this->session_.GraphDebugJSONPrint(1, 0, text));
  EXPECT_THAT(text.GetString(), AllOf(HasSubstr("\"traceEvents\""), HasSubstr("\"name\": \"sum\""),
                                      HasSubstr("\"Stream ID\": 0"), HasSubstr("\"Task ID\": 0"),
                                      HasSubstr("\"Task Type\": \"Add\""), HasSubstr(R"("say \"add\"")")));
  EXPECT_REFUSED(kNoSuchGraph, "no graph 2", this->session_.GraphDebugJSONPrint(2, 0, text));
}

TYPED_TEST(CompileInformation, PrintsTheStepsOfAGraphThatRan) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
  ge::AscendString text;
  ASSERT_GE_OK(this->session_.GraphDebugJSONPrint(1, 0, text));
  EXPECT_THAT(text.GetString(), HasSubstr("\"sum\""));
}

std::vector<std::string> NamesOf(const std::vector<ge::GNode>& nodes) {
  std::vector<std::string> names;
  for (const ge::GNode& node : nodes) {
    ge::AscendString name;
    EXPECT_EQ(node.GetName(name), ge::GRAPH_SUCCESS);
    names.emplace_back(name.GetString());
  }
  return names;
}

TYPED_TEST(CompileInformation, HasAllNodesOnOneStream) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  const auto compiled = this->session_.GetCompiledGraphSummary(1);
  std::shared_ptr<ge::StreamAllocationSummary> streams;
  ASSERT_GE_OK(compiled->GetStreamAllocationSummary(streams));
  ASSERT_EQ(streams->GetAllLogicalStreamInfos().size(), 1u);
  const auto& infos = streams->GetAllLogicalStreamInfos().at("add");
  ASSERT_EQ(infos.size(), 1u);
  const ge::LogicalStreamAllocationInfo info = infos[0];
  EXPECT_EQ(info.GetLogicalStreamId(), 0);
  EXPECT_EQ(info.GetPhysicalStreamNum(), 1u);
  EXPECT_EQ(info.GetHcclFollowedStreamNum(), 0u);
  EXPECT_STREQ(info.GetUsrStreamLabel().GetString(), "");
  EXPECT_FALSE(info.IsAssignedByStreamPass());
  EXPECT_THAT(info.GetAttachedStreamIds(), IsEmpty());
  EXPECT_THAT(info.ToStringInfo().GetString(), HasSubstr("stream 0"));
  EXPECT_THAT(NamesOf(info.GetAllNodes()), UnorderedElementsAre("x", "step", "sum"));
  EXPECT_THAT(streams->ToStreamGraph().at("add").GetString(), HasSubstr("sum (Add)"));
}

TYPED_TEST(CompileInformation, HasPlainFunctionsForTheStreams) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1}, 1)));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  const auto compiled = this->session_.GetCompiledGraphSummary(1);
  std::map<ge::AscendString, std::vector<int64_t>> numbers;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetLogicalStreamIds(*compiled, numbers));
  EXPECT_THAT(numbers, ElementsAre(Pair("add", ElementsAre(0))));
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetPhysicalStreamNums(*compiled, numbers));
  EXPECT_THAT(numbers, ElementsAre(Pair("add", ElementsAre(1))));
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetHcclFollowedStreamNums(*compiled, numbers));
  EXPECT_THAT(numbers, ElementsAre(Pair("add", ElementsAre(0))));
  std::map<ge::AscendString, std::vector<bool>> flags;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryIsAssignedByStreamPass(*compiled, flags));
  EXPECT_THAT(flags, ElementsAre(Pair("add", ElementsAre(false))));
  std::map<ge::AscendString, std::vector<std::vector<int64_t>>> attached;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetAttachedStreamIds(*compiled, attached));
  EXPECT_THAT(attached, ElementsAre(Pair("add", ElementsAre(IsEmpty()))));
  std::map<ge::AscendString, std::vector<ge::AscendString>> texts;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetUsrStreamLabels(*compiled, texts));
  EXPECT_THAT(texts, ElementsAre(Pair("add", ElementsAre(""))));
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetStringInfos(*compiled, texts));
  EXPECT_THAT(texts.at("add").at(0).GetString(), HasSubstr("stream 0"));
  std::map<ge::AscendString, std::vector<std::vector<ge::GNode>>> nodes;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetAllNodes(*compiled, nodes));
  EXPECT_EQ(nodes.at("add").at(0).size(), 3u);
  std::map<ge::AscendString, ge::AscendString> graphs;
  EXPECT_GE_OK(ge::GEStreamAllocationSummaryGetStreamGraphs(*compiled, graphs));
  EXPECT_EQ(graphs.size(), 1u);
}

TEST(PlainFunctions, PrintTheStepsOfAGraph) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ge::AscendString text;
  EXPECT_REFUSED(kNoSuchGraph, "no graph 3", GeSessionGraphDebugJSONPrint(session, 3, 0, text));
}

TEST(ContinuousTensorList, IsAnInputOfRuns) {
  const Engine engine;
  ge::Session session(GeOptions{});
  const auto a = FloatData("a", 0, {3}), b = FloatData("b", 1, {1});
  const auto sum = ge::op::Add("sum").set_input_x1(a).set_input_x2(b);
  ASSERT_GE_OK(
      session.AddGraph(1, ge::Graph("sum").SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{sum})));
  ge::ContinuousTensorList list({FloatDesc({3}), FloatDesc({1})});
  EXPECT_EQ(list.GetTensorDescList().size(), 2u);
  EXPECT_THAT(list.GetTensorList(), IsEmpty());
  EXPECT_EQ(list.GetBuffer(), nullptr);
  ASSERT_EQ(list.Initialize(), ge::GRAPH_SUCCESS) << GraphError();
  EXPECT_EQ(list.Initialize(), ge::GRAPH_FAILED);
  EXPECT_THAT(list.GetSizeList(), ElementsAre(12u, 4u));
  const std::vector<uint8_t*> data = list.GetDataList();
  EXPECT_EQ(data.at(0), list.GetBuffer());
  EXPECT_LE(data.at(1) + 4, data.at(0) + list.GetBufferSize());
  const Floats values = {1, 2, 3}, step = {10};
  std::memcpy(data[0], values.data(), 12);
  std::memcpy(data[1], step.data(), 4);
  std::vector<ge::Tensor> outputs;
  ASSERT_GE_OK(session.RunGraph(1, list, outputs));
  EXPECT_THAT(ValuesOf<First>(outputs.at(0)), ElementsAre(11, 12, 13));
  Floats seen;
  ASSERT_GE_OK(session.RunGraphAsync(
      1, list, [&](ge::Status, std::vector<ge::Tensor>& results) { seen = ValuesOf<First>(results.at(0)); }));
  ASSERT_GE_OK(session.RemoveGraph(1));
  EXPECT_THAT(seen, ElementsAre(11, 12, 13));
  EXPECT_EQ(list.Finalize(), ge::GRAPH_SUCCESS);
  EXPECT_THAT(list.GetTensorList(), IsEmpty());
}

TEST(ContinuousTensorList, NeedsKnownShapes) {
  ge::ContinuousTensorList list({FloatDesc({-1})}), none;
  EXPECT_EQ(list.Initialize(), ge::GRAPH_FAILED);
  EXPECT_THAT(GraphError(), HasSubstr("ContinuousTensorList::Initialize"));
  EXPECT_EQ(none.Initialize(), ge::GRAPH_SUCCESS);
  EXPECT_EQ(none.GetBufferSize(), 0u);
}

TEST(UnsupportedMethods, NameThemselves) {
  const Engine engine;
  ge::Session session(GeOptions{});
  EXPECT_REFUSED(kUnsupported, "Session::ShardGraphs", session.ShardGraphs());
  EXPECT_REFUSED(kUnsupported, "Session::ShardGraphsToFile", session.ShardGraphsToFile("./"));
}

}  // namespace

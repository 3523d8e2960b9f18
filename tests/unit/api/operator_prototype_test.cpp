// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/operator_prototype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/operator_reg.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

using testing::ElementsAre;

TEST(OperatorPrototype, RegistersPortsAndSubgraphs) {
  ge::OperatorPrototype described("DescribedPorts");
  described.AddInput("x", "TensorType({DT_FLOAT})");
  described.AddOptionalInput("bias", "\"T\"");
  described.AddDynamicInput("more", "TensorType:ALL()");
  described.AddOutput("y", "\"T\"");
  described.AddDynamicOutput("rest", "TensorType::ALL()");
  described.AddGraph("body");
  described.AddDynamicGraph("branches");
  described.Register();
  const Prototype* prototype = FindPrototype("DescribedPorts");
  ASSERT_NE(prototype, nullptr);
  EXPECT_EQ(prototype->Input("x")->kind, PortKind::kRequired);
  EXPECT_EQ(prototype->Input("x")->symbol, "");
  EXPECT_EQ(prototype->Input("bias")->kind, PortKind::kOptional);
  EXPECT_EQ(prototype->Input("bias")->symbol, "T");
  EXPECT_EQ(prototype->Input("more")->kind, PortKind::kDynamic);
  EXPECT_EQ(prototype->Output("y")->kind, PortKind::kRequired);
  EXPECT_EQ(prototype->Output("rest")->kind, PortKind::kDynamic);
  EXPECT_FALSE(prototype->subgraphs.at(0).dynamic);
  EXPECT_TRUE(prototype->subgraphs.at(1).dynamic);
}

TEST(OperatorPrototype, RegistersAttributesWithTheirDefaults) {
  ge::OperatorPrototype described("DescribedAttributes");
  described.AddRequiredAttr("needed", "ListFloat");
  described.AddAttr("number", int64_t{7});
  described.AddAttr("mode", std::string("fast"));
  described.AddAttr("type", ge::DT_INT8);
  described.AddAttr("nothing", ge::DT_UNDEFINED);
  described.AddAttr("nested", std::vector<std::vector<int64_t>>{{1}, {}});
  described.AddAttr("names", std::vector<std::string>{"a", "b"});
  described.Register();
  const Prototype* prototype = FindPrototype("DescribedAttributes");
  ASSERT_NE(prototype, nullptr);
  EXPECT_TRUE(prototype->FindAttribute("needed")->required);
  EXPECT_EQ(prototype->FindAttribute("needed")->type, PrototypeAttributeType::kListFloat);
  EXPECT_EQ(std::get<std::int64_t>(prototype->FindAttribute("number")->default_value), 7);
  EXPECT_EQ(std::get<std::string>(prototype->FindAttribute("mode")->default_value), "fast");
  EXPECT_EQ(std::get<DataType>(prototype->FindAttribute("type")->default_value), DataType::kInt8);
  EXPECT_EQ(std::get<DataType>(prototype->FindAttribute("nothing")->default_value), DataType::kUndefined);
  EXPECT_EQ(prototype->FindAttribute("nested")->type, PrototypeAttributeType::kListListInt);
  EXPECT_THAT(std::get<std::vector<std::string>>(prototype->FindAttribute("names")->default_value),
              ElementsAre("a", "b"));
}

TEST(OperatorPrototype, RegistersSymbols) {
  ge::OperatorPrototype described("DescribedSymbols");
  described.AddSymbol("T", ge::TensorType({ge::DT_FLOAT, ge::DT_BF16}));
  described.AddSymbol("U", ge::Promote({"T", "V"}));
  described.Register();
  const Prototype* prototype = FindPrototype("DescribedSymbols");
  ASSERT_NE(prototype, nullptr);
  EXPECT_TRUE(prototype->symbols.at(0).types.Contains(DataType::kBfloat16));
  EXPECT_FALSE(prototype->symbols.at(0).types.Contains(DataType::kInt8));
  EXPECT_THAT(prototype->symbols.at(1).promoted_from, ElementsAre("T", "V"));
}

TEST(OperatorPrototype, IsNotRegisteredWithAnAttributeOfNoKnownType) {
  ge::OperatorPrototype described("DescribedWrongly");
  described.AddRequiredAttr("what", "Colour");
  described.Register();
  EXPECT_EQ(FindPrototype("DescribedWrongly"), nullptr);
}

using Dims = std::vector<int64_t>;

ge::graphStatus Broadcast(const Dims& first, const Dims& second, Dims& result) {
  return ge::BroadCastInfer([&] { return first; }, [&] { return second; },
                            [&](const Dims& dims) { result = dims; });
}

TEST(BroadCastInfer, StretchesOnes) {
  Dims result;
  EXPECT_EQ(Broadcast({8, 1, 6, 1}, {7, 1, 5}, result), ge::GRAPH_SUCCESS);
  EXPECT_EQ(result, (Dims{8, 7, 6, 5}));
  EXPECT_EQ(Broadcast({}, {2, 3}, result), ge::GRAPH_SUCCESS);
  EXPECT_EQ(result, (Dims{2, 3}));
  EXPECT_EQ(Broadcast({0, 3}, {1, 1}, result), ge::GRAPH_SUCCESS);
  EXPECT_EQ(result, (Dims{0, 3}));
}

TEST(BroadCastInfer, KeepsWhatIsUnknown) {
  Dims result;
  EXPECT_EQ(Broadcast({-1, 1, -1}, {4, -1, 1}, result), ge::GRAPH_SUCCESS);
  EXPECT_EQ(result, (Dims{4, -1, -1}));
  EXPECT_EQ(Broadcast({-2}, {2, 3}, result), ge::GRAPH_SUCCESS);
  EXPECT_EQ(result, (Dims{-2}));
}

TEST(BroadCastInfer, RefusesShapesThatDoNotFit) {
  Dims result = {42};
  EXPECT_EQ(Broadcast({2, 3}, {2, 4}, result), ge::GRAPH_FAILED);
  EXPECT_EQ(result, (Dims{42}));
}

}  // namespace
}  // namespace foothold

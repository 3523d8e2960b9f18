// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/prototype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Prototype& Known(std::string_view type) {
  const Prototype* prototype = FindPrototype(type);
  if (prototype == nullptr) throw std::runtime_error("no prototype of " + std::string(type));
  return *prototype;
}

template <class Items>
std::vector<std::string> Names(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items)
    names.push_back(item.name);
  return names;
}

template <class Value>
Value Default(std::string_view type, std::string_view attribute) {
  return std::get<Value>(Known(type).FindAttribute(attribute)->default_value);
}

TEST(PrototypeTable, HasAllOperatorsOfTheApi) {
  const std::vector<std::string_view> types = PrototypeTypes();
  EXPECT_GE(types.size(), 1826u);
  const auto built_in = std::count_if(types.begin(), types.end(), [](std::string_view type) {
    const Prototype& known = Known(type);
    return !known.header.empty() || type == "NetOutput";
  });
  constexpr int kOfTheApi = 1826, kOurs = 7;  // ours are what operators of aclnn need, in additional_ops.txt
  EXPECT_EQ(built_in, kOfTheApi + kOurs);
}

TEST(PrototypeTable, FindsEveryTypeItLists) {
  for (const std::string_view type : PrototypeTypes())
    EXPECT_EQ(Known(type).type, type);
}

TEST(PrototypeTable, DoesNotKnowOtherTypes) {
  EXPECT_EQ(FindPrototype(""), nullptr);
  EXPECT_EQ(FindPrototype("Conv"), nullptr);
  EXPECT_EQ(FindPrototype("conv2d"), nullptr);
  EXPECT_EQ(FindPrototype("Conv2DD"), nullptr);
  EXPECT_EQ(FindPrototype("zzz"), nullptr);
}

TEST(PrototypeTable, DescribesAConvolution) {
  const Prototype& conv = Known("Conv2D");
  EXPECT_EQ(conv.header, "nn_calculation_ops.h");
  EXPECT_THAT(Names(conv.inputs), ElementsAre("x", "filter", "bias", "offset_w"));
  EXPECT_EQ(conv.inputs[1].kind, PortKind::kRequired);
  EXPECT_EQ(conv.inputs[2].kind, PortKind::kOptional);
  EXPECT_THAT(Names(conv.outputs), ElementsAre("y"));
  EXPECT_TRUE(conv.inputs[0].types.Contains(DataType::kBfloat16));
  EXPECT_FALSE(conv.inputs[0].types.Contains(DataType::kInt32));
  EXPECT_FALSE(conv.inputs[0].types.Contains(DataType::kUndefined));
  EXPECT_THAT(Names(conv.attributes),
              ElementsAre("strides", "pads", "dilations", "groups", "data_format", "offset_x"));
  EXPECT_TRUE(conv.FindAttribute("strides")->required);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(conv.FindAttribute("strides")->default_value));
  EXPECT_EQ(AttributeTypeName(conv.FindAttribute("strides")->type), "VT_LIST_INT");
  EXPECT_EQ(conv.FindAttribute("padding"), nullptr);
}

TEST(PrototypeTable, DescribesOperatorsWithDynamicPorts) {
  const Prototype& concat = Known("ConcatD");
  EXPECT_EQ(concat.Input("x")->kind, PortKind::kDynamic);
  EXPECT_TRUE(concat.deprecated);
  EXPECT_EQ(concat.replaced_by, "Concat");
  const Prototype& save = Known("Save");
  EXPECT_EQ(save.Input("tensors")->kind, PortKind::kDynamic);
  EXPECT_THAT(save.outputs, IsEmpty());
  EXPECT_EQ(Known("NetOutput").header, "");
}

TEST(PrototypeTable, DescribesSubgraphs) {
  const Prototype& loop = Known("While");
  EXPECT_THAT(Names(loop.subgraphs), ElementsAre("cond", "body"));
  EXPECT_FALSE(loop.subgraphs[0].dynamic);
  EXPECT_TRUE(Known("Case").subgraphs[0].dynamic);
}

TEST(PrototypeTable, TellsOutputsThatAreInputs) {
  const Prototype& assign = Known("Assign");
  EXPECT_TRUE(assign.IsReference(*assign.Output("ref")));
  const Prototype& norm = Known("BatchNorm");
  EXPECT_EQ(norm.outputs.size(), 6u);
  EXPECT_FALSE(norm.IsReference(*norm.Output("y")));
}

TEST(PrototypeTable, KeepsTheSymbolsOfTypes) {
  const Prototype& product = Known("Mul");
  EXPECT_EQ(product.Input("x1")->symbol, "T1");
  EXPECT_TRUE(product.TypesOf(*product.Input("x1")).Contains(DataType::kDouble));
  EXPECT_THAT(product.symbols.back().promoted_from, ElementsAre("T1", "T2"));
  EXPECT_TRUE(Known("Add").Input("x1")->symbol.empty());
}

TEST(PrototypeTable, HasDefaultsOfEveryKind) {
  EXPECT_EQ(Default<std::int64_t>("Conv2D", "groups"), 1);
  EXPECT_EQ(Default<std::string>("Conv2D", "data_format"), "NHWC");
  EXPECT_THAT(Default<std::vector<std::int64_t>>("Conv2D", "dilations"), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(Default<float>("BatchNorm", "epsilon"), 0.0001f);
  EXPECT_EQ(Default<bool>("BatchNorm", "is_training"), true);
  EXPECT_EQ(Default<DataType>("Unique", "out_idx"), DataType::kInt32);
  EXPECT_EQ(Default<std::int64_t>("AscendQuant", "dst_type"), 2);
  EXPECT_THAT(Default<std::vector<float>>("RoiExtractor", "spatial_scale"),
              ElementsAre(0.25f, 0.125f, 0.0625f, 0.03125f));
  EXPECT_EQ(Default<TensorValue>("Const", "value").size(), 0u);
}

// Every attribute holds what its type says, or nothing.
TEST(PrototypeTable, HasDefaultsOfTheDeclaredKind) {
  for (const std::string_view type : PrototypeTypes()) {
    for (const PrototypeAttribute& attribute : Known(type).attributes) {
      const std::string_view kind = AttributeKind(attribute.default_value);
      EXPECT_EQ(kind, attribute.required ? "VT_NONE" : AttributeTypeName(attribute.type))
          << type << "." << attribute.name;
    }
  }
}

TEST(PrototypeTable, MakesAPrototypeOnce) {
  std::vector<const Prototype*> seen(4);
  std::vector<std::thread> threads;
  for (auto& found : seen)
    threads.emplace_back([&found] { found = FindPrototype("SoftmaxV2"); });
  for (auto& thread : threads)
    thread.join();
  EXPECT_THAT(std::set<const Prototype*>(seen.begin(), seen.end()), testing::SizeIs(1));
}

Prototype OwnOperator(std::string type, std::string input) {
  Prototype prototype;
  prototype.type = std::move(type);
  prototype.inputs.push_back({std::move(input), PortKind::kRequired, {}, {}});
  return prototype;
}

TEST(RegisteredPrototypes, AreFoundAndListed) {
  RegisterPrototype(OwnOperator("PrototypeTestFound", "x"));
  ASSERT_NE(FindPrototype("PrototypeTestFound"), nullptr);
  EXPECT_THAT(PrototypeTypes(), testing::Contains("PrototypeTestFound"));
}

TEST(RegisteredPrototypes, StayAsTheyWereFirst) {
  RegisterPrototype(OwnOperator("PrototypeTestFirst", "first"));
  const Prototype* first = FindPrototype("PrototypeTestFirst");
  RegisterPrototype(OwnOperator("PrototypeTestFirst", "second"));
  EXPECT_EQ(FindPrototype("PrototypeTestFirst"), first);
  EXPECT_EQ(first->inputs[0].name, "first");
}

TEST(RegisteredPrototypes, DoNotReplaceBuiltInOnes) {
  RegisterPrototype(OwnOperator("Conv2D", "mine"));
  EXPECT_EQ(Known("Conv2D").Input("mine"), nullptr);
}

}  // namespace
}  // namespace foothold

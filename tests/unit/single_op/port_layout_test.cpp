// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/port_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class Tensors {
 public:
  Tensors& Add(const std::string& name = {}, const std::string& list = {}) {
    made_.emplace_back(DataType::kFloat, Format::kNd, Shape());
    made_.back().name = name;
    made_.back().dynamic_input = list;
    return *this;
  }
  Tensors& AddNothing() {
    made_.emplace_back(DataType::kUndefined, Format::kUndefined, Shape());
    return *this;
  }
  TensorDescList all() const {
    TensorDescList all;
    for (const TensorDesc& desc : made_)
      all.push_back(&desc);
    return all;
  }

 private:
  std::vector<TensorDesc> made_;
};

Prototype WithInputs(const std::vector<std::pair<const char*, PortKind>>& inputs) {
  Prototype prototype;
  prototype.type = "Test";
  for (const auto& [name, kind] : inputs)
    prototype.inputs.push_back({name, kind, DataTypeSet(), ""});
  return prototype;
}

std::vector<std::pair<std::string, int>> Places(const Prototype& prototype, const Tensors& tensors) {
  std::vector<std::pair<std::string, int>> places;
  for (const PortSlot& slot : LayOutInputs(prototype, tensors.all()))
    places.emplace_back(slot.name, slot.tensor);
  return places;
}

std::string Refusal(const Prototype& prototype, const Tensors& tensors) {
  try {
    LayOutInputs(prototype, tensors.all());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kOpInputNotMatch);
    return error.message();
  }
  return "";
}

constexpr auto kRequired = PortKind::kRequired;
constexpr auto kOptional = PortKind::kOptional;
constexpr auto kDynamic = PortKind::kDynamic;

TEST(PortLayout, TakesTensorsInTheOrderOfPorts) {
  const Prototype op = WithInputs({{"x", kRequired}, {"bias", kOptional}, {"scale", kOptional}});
  EXPECT_THAT(Places(op, Tensors().Add()), ElementsAre(Pair("x", 0), Pair("bias", -1), Pair("scale", -1)));
  EXPECT_THAT(Places(op, Tensors().Add().AddNothing().Add()),
              ElementsAre(Pair("x", 0), Pair("bias", -1), Pair("scale", 2)));
  EXPECT_THAT(Refusal(op, Tensors().Add().Add().Add().Add()), HasSubstr("3 inputs, and 4 tensors"));
}

TEST(PortLayout, LetsNamesPassOverOptionalPorts) {
  const Prototype op = WithInputs({{"x", kRequired}, {"bias", kOptional}, {"scale", kOptional}});
  EXPECT_THAT(Places(op, Tensors().Add("x").Add("scale")),
              ElementsAre(Pair("x", 0), Pair("bias", -1), Pair("scale", 1)));
  EXPECT_THAT(Places(op, Tensors().Add("anything").Add("else")),
              ElementsAre(Pair("x", 0), Pair("bias", 1), Pair("scale", -1)));
  EXPECT_THAT(Places(op, Tensors().Add("scale").Add("x")),
              ElementsAre(Pair("x", 0), Pair("bias", 1), Pair("scale", -1)))
      << "a required port is not passed over";
}

TEST(PortLayout, GivesAListWhatTheOtherPortsLeave) {
  const Prototype first = WithInputs({{"x", kDynamic}, {"axis", kRequired}});
  EXPECT_THAT(Places(first, Tensors().Add().Add().Add()),
              ElementsAre(Pair("x0", 0), Pair("x1", 1), Pair("axis", 2)));
  const Prototype last = WithInputs({{"axis", kRequired}, {"x", kDynamic}});
  EXPECT_THAT(Places(last, Tensors().Add()), ElementsAre(Pair("axis", 0)));
  EXPECT_THAT(Places(last, Tensors().Add().Add().Add()),
              ElementsAre(Pair("axis", 0), Pair("x0", 1), Pair("x1", 2)));
}

TEST(PortLayout, NeedsNamesForSeveralLists) {
  const Prototype op = WithInputs({{"x", kDynamic}, {"y", kDynamic}});
  EXPECT_THAT(Refusal(op, Tensors().Add().Add()), HasSubstr("several lists"));
  const auto expected = ElementsAre(Pair("x0", 0), Pair("y0", 1), Pair("y1", 2));
  EXPECT_THAT(Places(op, Tensors().Add("x0").Add("y0").Add("y1")), expected);
  EXPECT_THAT(Places(op, Tensors().Add("", "x").Add("", "y").Add("", "y")), expected);
}

TEST(PortLayout, LeavesListsEmptyWhereOtherPortsTakeAll) {
  const Prototype op = WithInputs({{"a", kRequired}, {"b", kRequired}, {"x", kDynamic}, {"y", kDynamic}});
  EXPECT_THAT(Places(op, Tensors().Add().Add()), ElementsAre(Pair("a", 0), Pair("b", 1)));
  EXPECT_THAT(Refusal(op, Tensors().Add().Add().Add()), HasSubstr("several lists"));
}

TEST(PortLayout, DoesNotTakeANumberedPortForAList) {
  const Prototype op = WithInputs({{"x", kDynamic}, {"x1", kRequired}});
  EXPECT_THAT(Places(op, Tensors().Add("x0").Add("x1")), ElementsAre(Pair("x0", 0), Pair("x1", 1)));
}

}  // namespace
}  // namespace foothold

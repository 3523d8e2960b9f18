// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_attributes.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

Prototype WithTexts() {
  Prototype prototype;
  prototype.type = "Op";
  prototype.attributes = {{"needed", PrototypeAttributeType::kString, true, Attribute()},
                          {"mode", PrototypeAttributeType::kString, false, Attribute(std::string("usual"))}};
  return prototype;
}

// A literal of C++ is a truth to a function that takes truths, and not texts of that kind.
TEST(OpAttributes, ATruthInPlaceOfATextIsTheDefault) {
  const Attributes all = CompleteAttributes(WithTexts(), {{"needed", std::string("x")}, {"mode", true}});
  EXPECT_EQ(std::get<std::string>(all.at("mode")), "usual");
}

TEST(OpAttributes, AreRefusedWhereTheyAreOfAnotherKind) {
  EXPECT_THROW(CompleteAttributes(WithTexts(), {{"needed", true}}), Error);
  EXPECT_THROW(CompleteAttributes(WithTexts(), {{"needed", std::string("x")}, {"mode", std::int64_t{1}}}),
               Error);
}

}  // namespace
}  // namespace foothold

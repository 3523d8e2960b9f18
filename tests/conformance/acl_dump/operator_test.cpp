// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dumps of operators that are run by themselves ("dump_op_switch").
#include "conformance/acl_dump/dump_fixture.h"
#include "conformance/acl_op/op_fixture.h"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// 1, 2, 3 and 10 each added.
void AddTen() {
  const auto sum = OpTensor::Room<float>({3}, 3);
  Op add("Add", {OpTensor::Of<float>({3}, {1, 2, 3}), OpTensor::Of<float>({3}, {10, 10, 10})}, {sum});
  EXPECT_OK(add.CompileAndExecute());
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_THAT(sum->Read<float>(3), ElementsAre(11, 12, 13));
}

TEST(DumpOfOperators, HasTheirOutputs) {
  Session session;
  const DumpFile config(R"("dump_op_switch": "on")");
  EXPECT_OK(aclmdlInitDump());
  EXPECT_OK(aclmdlSetDump(config.path()));
  AddTen();
  EXPECT_OK(aclmdlFinalizeDump());
  EXPECT_THAT(DumpParts(FileOf(config.Files(), "Add.")).AsFloats(), ElementsAre(11, 12, 13));
  AddTen();
  EXPECT_EQ(config.Files().size(), 1u) << "the dump goes on after its end";
}

TEST(DumpOfOperators, GoesToTheFunctionOfTheProgram) {
  Session session;
  const DumpFile config(R"("dump_op_switch": "on", "dump_mode": "input")");
  EXPECT_OK(aclmdlInitDump());
  EXPECT_OK(aclmdlSetDump(config.path()));
  {
    const Receiving receiving;
    AddTen();
    EXPECT_THAT(DumpParts(FileOf(Received::Get().files(), "Add.")).AsFloats(),
                ElementsAre(1, 2, 3, 10, 10, 10));
  }
  EXPECT_OK(aclmdlFinalizeDump());
  EXPECT_THAT(config.Files(), IsEmpty());
}

}  // namespace

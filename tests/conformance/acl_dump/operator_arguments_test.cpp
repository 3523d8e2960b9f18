// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which single operators a program runs (aclopStartDumpArgs).
#include "conformance/acl_dump/dump_fixture.h"
#include "conformance/acl_op/op_fixture.h"

namespace {

using testing::HasSubstr;

struct Product {
  explicit Product(const TensorDims& dims, const FloatList& values)
      : x(OpTensor::Of<float>(dims, values)), y(OpTensor::Room<float>(dims, values.size())) {}
  void Run() {
    EXPECT_OK(op.CompileAndExecute(nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
  }
  OpTensorPtr x, y;
  Op op = Op("Mul", {x, x}, {y});
};

TEST(OperatorArguments, AreWrittenOnceForEachShape) {
  Session session;
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/made/here";
  ASSERT_OK(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()));
  EXPECT_FAILS(ACL_ERROR_DUMP_ALREADY_RUN, aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()));
  Product small({2}, {1, 2}), large({4}, {1, 2, 3, 4});
  small.Run();
  small.Run();
  large.Run();
  ASSERT_OK(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
  Product({3}, {1, 2, 3}).Run();
  EXPECT_EQ(FilesBelow(path).size(), 2u);
  EXPECT_THAT(directory.AllText(),
              HasSubstr("type: Mul\ninput 0: float[2]\ninput 1: float[2]\noutput 0: float[2]\n"));
  EXPECT_THAT(directory.AllText(), HasSubstr("input 0: float[4]"));
  EXPECT_FAILS(ACL_ERROR_DUMP_NOT_RUN, aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopStartDumpArgs(7, path.c_str()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, nullptr));
  RecentError();
}

}  // namespace

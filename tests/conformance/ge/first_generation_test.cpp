// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Methods that only the first generation of sessions has.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "acl/acl.h"
#include "conformance/config_file.h"
#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FirstGeneration : public testing::Test {
 protected:
  void TearDown() override { ForgetMessages(); }

  const Engine engine_;
  ge::Session session_{GeOptions{}};
};

TEST_F(FirstGeneration, RunsAGraphForEachDevice) {
  ASSERT_GE_OK(session_.AddGraph(1, AddGraphOf({2}, 1)));
  std::map<int32_t, std::vector<ge::Tensor>> inputs, outputs;
  inputs[0] = {First::Make({2}, {1, 2})};
  outputs[7] = {First::Make({1}, {3})};
  ASSERT_GE_OK(session_.RunGraphDistribute(1, inputs, outputs));
  ASSERT_EQ(outputs.size(), 1u) << "what was there before is gone";
  EXPECT_THAT(ValuesOf<First>(outputs[0].at(0)), ElementsAre(2, 3));
  EXPECT_NE(session_.RunGraphDistribute(2, inputs, outputs), ge::SUCCESS) << "no such graph";
  EXPECT_EQ(outputs.size(), 1u);
  inputs[99] = inputs[0];
  EXPECT_NE(session_.RunGraphDistribute(1, inputs, outputs), ge::SUCCESS) << "no such device";
  EXPECT_REFUSED(kParamInvalid, "nothing to run", session_.RunGraphDistribute(1, {}, outputs));
}

TEST_F(FirstGeneration, SavesItsGraphsAsText) {
  const TemporaryDirectory directory;
  const std::filesystem::path folder = std::filesystem::path(directory.path()) / "saved";
  ASSERT_GE_OK(session_.AddGraph(1, AddGraphOf({2}, 1, "first/one")));
  ASSERT_GE_OK(session_.AddGraph(5, AddGraphOf({2}, 1, "other")));
  ASSERT_GE_OK(session_.SaveGraphsToPb(folder.c_str()));
  for (const char* name : {"ge_proto_1_first_one.txt", "ge_proto_5_other.txt"}) {
    std::ifstream file(folder / name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), HasSubstr("\"sum\"")) << name;
  }
  EXPECT_REFUSED(kParamInvalid, "path", session_.SaveGraphsToPb(nullptr));
  EXPECT_REFUSED(kParamInvalid, "path", session_.SaveGraphsToPb(""));
  EXPECT_NE(session_.SaveGraphsToPb("/proc/nowhere"), ge::SUCCESS);
  EXPECT_THAT(GraphError(), HasSubstr("/proc/nowhere"));
}

TEST_F(FirstGeneration, TakesNoteOfMovedPagesOfKnownMemoryOnly) {
  const Session session;
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  const auto address = reinterpret_cast<uint64_t>(memory);
  EXPECT_GE_OK(session_.PaRemapped(address, 0, 4096));
  EXPECT_REFUSED(kParamInvalid, "va", session_.PaRemapped(address, 0, 1 << 20));
  EXPECT_REFUSED(kParamInvalid, "va", session_.PaRemapped(0, 0, 4096));
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_REFUSED(kParamInvalid, "va", session_.PaRemapped(address, 0, 4096));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives in the timeline.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "conformance/hccl/collectives.h"

namespace {

using ::testing::HasSubstr;

TEST(HcclTimeline, HasRankBytesAndWaiting) {
  char path[] = "/var/tmp/hccl_timeline_XXXXXX";
  close(mkstemp(path));
  InChild({{"FOOTHOLD_DEVICES", "2"}, {"FOOTHOLD_TRACE", path}}, [] {
    EXPECT_OK(aclInit(nullptr));
    {
      const Ranks ranks(2);
      AllReduce(ranks, TypeOf(HCCL_DATA_TYPE_FP32), 100, HCCL_REDUCE_SUM, false);
    }
    EXPECT_OK(aclFinalize());
  });
  if (std::getenv("FOOTHOLD_TRACE") != nullptr) return;  // the child has not written yet
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(text, HasSubstr(R"("cat": "collective", "name": "all-reduce")"));
  EXPECT_THAT(text, HasSubstr(R"("rank": 0, "ranks": 2, "bytes": 400)"));
  EXPECT_THAT(text, HasSubstr(R"("rank": 1, "ranks": 2, "bytes": 400)"));
  EXPECT_THAT(text, HasSubstr(R"("cat": "held", "name": "waits")"));
  unlink(path);
}

}  // namespace

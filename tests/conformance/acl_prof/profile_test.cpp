// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The aclprof functions: a profiling session and its timeline, marks, and operators of a model through a
// pipe.
#include "acl/acl_prof.h"

#include <thread>

#include "conformance/acl_dump/dump_fixture.h"

namespace {

using testing::HasSubstr;

aclprofConfig* ConfigOf(uint32_t device = 0) {
  uint32_t devices[] = {device};
  return aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
}

// From aclprofInit to aclprofFinalize, with a directory of its own.
class Profiling {
 public:
  Profiling() { EXPECT_OK(aclprofInit(directory_.path().c_str(), directory_.path().size())); }
  ~Profiling() {
    EXPECT_OK(aclprofFinalize());
    RecentError();
  }
  std::string Timeline() const { return directory_.AllText(); }

 private:
  TemporaryDirectory directory_;
};

TEST(Profile, LeavesATimelineOfCallsTasksAndNodes) {
  Session session;
  Profiling profiling;
  aclprofConfig* const config = ConfigOf();
  ASSERT_NE(config, nullptr);
  ASSERT_OK(aclprofStart(config));
  const aclrtStream stream = session.Stream();
  {
    const LoadedModel model(DoubleModel());
    DeviceSet inputs, outputs;
    inputs.Add(Floats(kCount, 1));
    outputs.Add(kBytes);
    ASSERT_OK(aclmdlExecuteAsync(model.id(), inputs.get(), outputs.get(), stream));
    ASSERT_OK(aclrtLaunchHostFunc(
        stream, [](void*) {}, nullptr));
    ASSERT_OK(aclrtSynchronizeStream(stream));
  }
  ASSERT_OK(aclprofStop(config));
  const std::string text = profiling.Timeline();
  EXPECT_THAT(text, HasSubstr(R"("cat": "api", "name": "aclmdlExecuteAsync")"));
  EXPECT_THAT(text, HasSubstr(R"("cat": "task", "name": "aclmdlExecuteAsync")"));
  EXPECT_THAT(text, HasSubstr(R"("cat": "node", "name": "product")"));
  EXPECT_THAT(text, HasSubstr(R"("cat": "callback")"));
  EXPECT_THAT(text, HasSubstr(R"("name": "memory of device 0")"));
  EXPECT_OK(aclprofDestroyConfig(config));
}

TEST(Profile, HasItsOrder) {
  Session session;
  aclprofConfig* const config = ConfigOf();
  EXPECT_FAILS_WITH(ACL_ERROR_PROF_NOT_RUN, "aclprofInit", aclprofStart(config));
  EXPECT_FAILS_WITH(ACL_ERROR_PROF_NOT_RUN, "aclprofInit", aclprofFinalize());
  {
    Profiling profiling;
    EXPECT_FAILS_WITH(ACL_ERROR_PROF_ALREADY_RUN, "already", aclprofInit("/tmp", 4));
    EXPECT_FAILS_WITH(ACL_ERROR_PROF_NOT_RUN, "aclprofStart", aclprofStop(config));
    ASSERT_OK(aclprofStart(config));
    EXPECT_FAILS_WITH(ACL_ERROR_PROF_ALREADY_RUN, "device 0", aclprofStart(config));
    EXPECT_FAILS_WITH(ACL_ERROR_PROF_ALREADY_RUN, "aclprofStop", aclprofDestroyConfig(config));
    ASSERT_OK(aclprofStop(config));
  }
  EXPECT_OK(aclprofDestroyConfig(config));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "destroyed", aclprofDestroyConfig(config));
}

TEST(Profile, ChecksItsArguments) {
  Session session;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofInit(nullptr, 4));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofInit("/tmp", 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "/no/such", aclprofInit("/no/such", 8));
  EXPECT_EQ(ConfigOf(999), nullptr);
  EXPECT_EQ(aclprofCreateConfig(nullptr, 1, ACL_AICORE_NONE, nullptr, 1), nullptr);
  EXPECT_OK(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 5));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetConfig(ACL_PROF_ARGS_MAX, "1", 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, nullptr, 1));
  RecentError();
}

TEST(ProfileConfiguration, OfAclInitRecordsUntilAclFinalize) {
  const TemporaryDirectory directory;
  const ConfigFile config(R"({"profiler": {"switch": "on", "output": ")" + directory.path() + "\"}}");
  ASSERT_OK(aclInit(config.path()));
  EXPECT_FAILS(ACL_ERROR_PROF_ALREADY_RUN, aclprofInit("/tmp", 4));
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtResetDevice(0));
  testing::internal::CaptureStderr();
  ASSERT_OK(aclFinalize());
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(directory.path() + "/foothold_timeline_"))
      << "who did not write the program is told where its timeline is";
  EXPECT_THAT(directory.AllText(), HasSubstr(R"("name": "aclrtSetDevice")"));
}

TEST(ProfileMarks, StandInTheTimeline) {
  Session session;
  Profiling profiling;
  EXPECT_EQ(aclprofCreateStamp(), nullptr) << "nothing is recorded yet";
  aclprofConfig* const config = ConfigOf();
  ASSERT_OK(aclprofStart(config));
  void* const stamp = aclprofCreateStamp();
  ASSERT_NE(stamp, nullptr);
  const auto name = [&](const std::string& text) {
    EXPECT_OK(aclprofSetStampTraceMessage(stamp, text.c_str(), static_cast<uint32_t>(text.size())));
  };
  name("a moment");
  EXPECT_OK(aclprofMark(stamp));
  name("outer");
  EXPECT_OK(aclprofPush(stamp));
  name("inner");
  EXPECT_OK(aclprofPush(stamp));
  EXPECT_OK(aclprofPop());
  EXPECT_OK(aclprofPop());
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofPop());
  name("across threads");
  uint32_t range = 0;
  EXPECT_OK(aclprofRangeStart(stamp, &range));
  std::thread([range] { EXPECT_OK(aclprofRangeStop(range)); }).join();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofRangeStop(range));
  const aclrtStream stream = session.Stream();
  EXPECT_OK(aclprofMarkEx("in the stream", 13, stream));
  aclprofStepInfo* const step = aclprofCreateStepInfo();
  EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
  EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclprofGetStepTimestamp(step, static_cast<aclprofStepTag>(7), stream));
  aclprofDestroyStepInfo(step);
  aclprofTensorInfo info = {};
  info.opNameId = aclprofStr2Id("described");
  aclprofEventAttributes attributes = {};
  attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
  attributes.size = sizeof attributes;
  attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO;
  attributes.message.tensorInfo = &info;
  EXPECT_OK(aclprofRangePushEx(&attributes));
  EXPECT_OK(aclprofRangePop());
  ASSERT_OK(aclrtSynchronizeStream(stream));
  aclprofDestroyStamp(stamp);
  ASSERT_OK(aclprofStop(config));
  const std::string text = profiling.Timeline();
  for (const char* mark : {"a moment", "outer", "inner", "across threads", "in the stream", "step begins",
                           "step ends", "described"})
    EXPECT_THAT(text, HasSubstr(std::string("\"name\": \"") + mark + "\""));
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofMarkEx("late", 4, stream));
  EXPECT_OK(aclprofDestroyConfig(config));
}

std::vector<char> ReadAll(int file, size_t bytes) {
  std::vector<char> all(bytes);
  size_t have = 0;
  while (have < bytes) {
    const ssize_t got = read(file, all.data() + have, bytes - have);
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  all.resize(have);
  return all;
}

TEST(ProfileSubscription, SendsOperatorsThroughThePipe) {
  Session session;
  const LoadedModel model(BuildModel(AddGraphOf({kCount}, 1)));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
  ASSERT_NE(config, nullptr);
  ASSERT_OK(aclprofModelSubscribe(model.id(), config));
  EXPECT_FAILS(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, aclprofModelSubscribe(model.id(), config));
  EXPECT_FAILS(ACL_ERROR_PROF_API_CONFLICT, aclprofInit("/tmp", 4));
  RunOnce(model, 1);
  RunOnce(model, 1);
  size_t size = 0;
  ASSERT_OK(aclprofGetOpDescSize(&size));
  const std::vector<char> records = ReadAll(ends[0], 2 * size);
  uint32_t count = 0;
  ASSERT_OK(aclprofGetOpNum(records.data(), records.size(), &count));
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(aclprofGetModelId(records.data(), records.size(), 1), model.id());
  size_t length = 0;
  ASSERT_OK(aclprofGetOpNameLen(records.data(), records.size(), 1, &length));
  std::vector<char> text(length);
  ASSERT_OK(aclprofGetOpName(records.data(), records.size(), 1, text.data(), length));
  EXPECT_STREQ(text.data(), "sum");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofGetOpName(records.data(), records.size(), 1, text.data(), 2));
  ASSERT_OK(aclprofGetOpTypeLen(records.data(), records.size(), 1, &length));
  text.resize(length);
  ASSERT_OK(aclprofGetOpType(records.data(), records.size(), 1, text.data(), length));
  EXPECT_STREQ(text.data(), "Add");
  const uint64_t start = aclprofGetOpStart(records.data(), records.size(), 1);
  const uint64_t end = aclprofGetOpEnd(records.data(), records.size(), 1);
  EXPECT_LT(start, end);
  EXPECT_GT(start, aclprofGetOpEnd(records.data(), records.size(), 0));
  EXPECT_EQ(aclprofGetOpDuration(records.data(), records.size(), 1), end - start);
  EXPECT_EQ(aclprofGetOpFlag(records.data(), records.size(), 1), ACL_SUBSCRIBE_OP);
  EXPECT_NE(aclprofGetOpAttriValue(records.data(), records.size(), 1, ACL_SUBSCRIBE_ATTRI_THREADID), nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclprofGetOpNum(records.data(), size - 1, &count));
  EXPECT_EQ(aclprofGetOpDuration(records.data(), records.size(), 2), 0u);
  ASSERT_OK(aclprofModelUnSubscribe(model.id()));
  EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, aclprofModelUnSubscribe(model.id()));
  EXPECT_OK(aclprofDestroySubscribeConfig(config));
  close(ends[0]);
  close(ends[1]);
}

TEST(ProfileSubscription, SurvivesAReaderThatIsGone) {
  Session session;
  const LoadedModel model(BuildModel(AddGraphOf({kCount}, 1)));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
  ASSERT_OK(aclprofModelSubscribe(model.id(), config));
  close(ends[0]);
  EXPECT_EQ(RunOnce(model, 1), Floats(kCount, 2));
  ASSERT_OK(aclprofModelUnSubscribe(model.id()));
  EXPECT_OK(aclprofDestroySubscribeConfig(config));
  close(ends[1]);
}

TEST(Trace, IsWrittenWhereTheEnvironmentSays) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/trace.json";
  InChild({{"FOOTHOLD_TRACE", path}}, [] {
    Session session;
    const LoadedModel model(DoubleModel());
    RunOnce(model, 1);
  });
  const std::string text = directory.AllText();
  if (text.empty() && std::getenv("FOOTHOLD_TRACE") != nullptr) return;  // inside the child
  EXPECT_THAT(text, HasSubstr(R"("name": "aclmdlExecute")"));
  EXPECT_THAT(text, HasSubstr(R"("cat": "node", "name": "product")"));
}

}  // namespace

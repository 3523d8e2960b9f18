// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program may ask of model instances, their streams and their tasks, and what it may change.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/acl_rt/built_model.h"

namespace {

std::vector<aclrtStream> StreamsOf(aclmdlRI model) {
  uint32_t count = 0;
  EXPECT_OK(aclmdlRIGetStreams(model, nullptr, &count));
  std::vector<aclrtStream> streams(count);
  EXPECT_OK(aclmdlRIGetStreams(model, streams.data(), &count));
  EXPECT_EQ(count, streams.size());
  return streams;
}

std::vector<aclmdlRITask> TasksOf(aclrtStream stream) {
  uint32_t count = 0;
  EXPECT_OK(aclmdlRIGetTasksByStream(stream, nullptr, &count));
  std::vector<aclmdlRITask> tasks(count);
  EXPECT_OK(aclmdlRIGetTasksByStream(stream, tasks.data(), &count));
  EXPECT_EQ(count, tasks.size());
  return tasks;
}

aclmdlRITaskType TypeOf(aclmdlRITask task) {
  aclmdlRITaskType type = ACL_MODEL_RI_TASK_DEFAULT;
  EXPECT_OK(aclmdlRITaskGetType(task, &type));
  return type;
}

// Captures what `body` queues.
template <typename Body>
aclmdlRI Captured(aclrtStream stream, Body&& body) {
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  body();
  EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
  return model;
}

std::string ContentOf(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST(aclmdlRIGetId, TellsInstancesApart) {
  const Session session;
  Building first, second;
  uint32_t one = 0, two = 0;
  EXPECT_OK(aclmdlRIGetId(first.get(), &one));
  EXPECT_OK(aclmdlRIGetId(second.get(), &two));
  EXPECT_NE(one, two);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetId(first.get(), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetId(nullptr, &one));
}

TEST(aclmdlRISetName, KeepsTheNameForGetName) {
  const Session session;
  Building building;
  char name[600] = "before";
  EXPECT_OK(aclmdlRIGetName(building.get(), sizeof(name), name));
  EXPECT_STREQ(name, "");
  EXPECT_OK(aclmdlRISetName(building.get(), "decoder"));
  EXPECT_OK(aclmdlRIGetName(building.get(), 8, name));
  EXPECT_STREQ(name, "decoder");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetName(building.get(), 7, name));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetName(building.get(), 8, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRISetName(building.get(), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRISetName(nullptr, "x"));
  EXPECT_OK(aclmdlRISetName(building.get(), std::string(511, 'n').c_str()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRISetName(building.get(), std::string(513, 'n').c_str()));
}

TEST(aclmdlRIGetStreams, AnswersTheBoundStreamsOfABuiltModel) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), other = building.Activated();
  EXPECT_EQ(StreamsOf(building.get()), (std::vector<aclrtStream>{head, other}));
  aclrtStream streams[2] = {};
  uint32_t count = 1;
  EXPECT_FAILS(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, aclmdlRIGetStreams(building.get(), streams, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetStreams(building.get(), streams, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetStreams(nullptr, streams, &count));
}

TEST(aclmdlRIGetStreams, AnswersStreamsForACapture) {
  const Session session;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  const Number sum, one(1), ten(10);
  const aclmdlRI model = Captured(stream, [&] {
    ASSERT_OK(aclrtRecordEvent(fork, stream));
    ASSERT_OK(aclrtStreamWaitEvent(other, fork));
    ten.Add(one, other);
    ASSERT_OK(aclrtRecordEvent(join, other));
    ASSERT_OK(aclrtStreamWaitEvent(stream, join));
    sum.Add(one, stream);
  });
  const auto streams = StreamsOf(model);
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_EQ(StreamsOf(model), streams) << "they stay the same";
  int32_t id = -1, first_id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_OK(aclrtStreamGetId(streams[0], &first_id));
  EXPECT_EQ(first_id, id);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStream(streams[0]));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStreamForce(streams[0]));
  std::vector<aclmdlRITaskType> types;
  for (const aclmdlRITask task : TasksOf(streams[0]))
    types.push_back(TypeOf(task));
  EXPECT_EQ(types, (std::vector{ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_EVENT_WAIT,
                                ACL_MODEL_RI_TASK_DEFAULT}));
  aclmdlRITaskParams params{};
  EXPECT_OK(aclmdlRITaskGetParams(TasksOf(streams[0])[0], &params));
  EXPECT_EQ(params.eventRecordTaskParams.event, fork);
  EXPECT_OK(aclmdlRITaskGetParams(TasksOf(streams[0])[1], &params));
  EXPECT_EQ(params.eventWaitTaskParams.event, join);
  const aclmdlRITask task = TasksOf(streams[0])[0];
  EXPECT_OK(aclmdlRIDestroy(model));
  aclmdlRITaskType type{};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskGetType(task, &type));
  uint32_t count = 0;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIGetTasksByStream(streams[0], nullptr, &count));
}

TEST(aclmdlRIGetTasksByStream, AnswersTheTasksInOrder) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtEvent event = session.Event();
  std::uint64_t* const cell = session.Cell(0);
  const Number sum, one(1);
  ASSERT_OK(aclrtValueWrite(cell, 3, 0, head));
  uint32_t last = 0;
  ASSERT_OK(aclrtGetThreadLastTaskId(&last));
  ASSERT_OK(aclrtValueWait(cell, 3, ACL_STREAM_WAIT_VALUE_EQ, head));
  ASSERT_OK(aclrtRecordEvent(event, head));
  ASSERT_OK(aclrtStreamWaitEvent(head, event));
  ASSERT_OK(aclrtResetEvent(event, head));
  sum.Add(one, head);
  const aclmdlRI model = building.End(head);
  const auto tasks = TasksOf(head);
  ASSERT_EQ(tasks.size(), 7u);
  const aclmdlRITaskType types[] = {ACL_MODEL_RI_TASK_VALUE_WRITE,  ACL_MODEL_RI_TASK_VALUE_WAIT,
                                    ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_EVENT_WAIT,
                                    ACL_MODEL_RI_TASK_EVENT_RESET,  ACL_MODEL_RI_TASK_DEFAULT,
                                    ACL_MODEL_RI_TASK_DEFAULT};
  uint32_t before = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_EQ(TypeOf(tasks[i]), types[i]) << i;
    uint32_t id = 0;
    EXPECT_OK(aclmdlRITaskGetSeqId(tasks[i], &id));
    EXPECT_EQ(id, i == 0 ? last : before + 1);
    before = id;
  }
  aclmdlRITaskParams params{};
  EXPECT_OK(aclmdlRITaskGetParams(tasks[0], &params));
  EXPECT_EQ(params.type, ACL_MODEL_RI_TASK_VALUE_WRITE);
  EXPECT_EQ(params.valueWriteTaskParams.devAddr, cell);
  EXPECT_EQ(params.valueWriteTaskParams.value, 3u);
  EXPECT_OK(aclmdlRITaskGetParams(tasks[1], &params));
  EXPECT_EQ(params.valueWaitTaskParams.flag, static_cast<uint32_t>(ACL_STREAM_WAIT_VALUE_EQ));
  EXPECT_OK(aclmdlRITaskGetParams(tasks[2], &params));
  EXPECT_EQ(params.eventRecordTaskParams.event, event);
  aclmdlRITask few[1] = {};
  uint32_t count = 1;
  EXPECT_FAILS(ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY, aclmdlRIGetTasksByStream(head, few, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetTasksByStream(head, few, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetTasksByStream(nullptr, few, &count));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIGetTasksByStream(session.Stream(), few, &count));
  Execute(model);
}

TEST(aclmdlRITaskGetType, RefusesWhatIsNoTask) {
  const Session session;
  aclmdlRITaskType type{};
  aclmdlRITaskParams params{};
  uint32_t id = 0;
  aclrtLaunchKernelAttrValue value{};
  for (const aclmdlRITask task : {aclmdlRITask{nullptr}, aclmdlRITask{session.Stream()}}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskGetType(task, &type));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskGetSeqId(task, &id));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskGetParams(task, &params));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskSetParams(task, &params));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskDisable(task));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, &value));
  }
}

TEST(aclmdlRITaskSetParams, ChangesTheRunsThatFollow) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* const cell = session.Cell(0);
  std::uint64_t* const other = session.Cell(0);
  const Number sum, one(1);
  const aclmdlRI model = Captured(stream, [&] {
    ASSERT_OK(aclrtValueWrite(cell, 3, 0, stream));
    sum.Add(one, stream);
  });
  const auto tasks = TasksOf(StreamsOf(model)[0]);
  ASSERT_EQ(tasks.size(), 2u);
  aclmdlRITaskParams params{};
  ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &params));
  params.valueWriteTaskParams = {other, 5};
  ASSERT_OK(aclmdlRITaskSetParams(tasks[0], &params));
  ASSERT_OK(aclmdlRIUpdate(model));
  Execute(model);
  EXPECT_EQ(session.Read(cell), 0u);
  EXPECT_EQ(session.Read(other), 5u);
  ASSERT_OK(aclmdlRITaskGetParams(tasks[0], &params));
  EXPECT_EQ(params.valueWriteTaskParams.value, 5u);
  std::uint64_t host = 0;
  params.valueWriteTaskParams.devAddr = &host;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskSetParams(tasks[0], &params));
  params.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskSetParams(tasks[0], &params));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRITaskSetParams(tasks[0], nullptr));
  params.type = ACL_MODEL_RI_TASK_DEFAULT;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRITaskSetParams(tasks[1], &params));
  Execute(model);
  EXPECT_EQ(session.Read(other), 5u);
}

TEST(aclmdlRITaskDisable, LeavesATaskOut) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const Number sum, one(1), ten(10);
  const aclmdlRI model = Captured(stream, [&] {
    sum.Add(one, stream);
    sum.Add(ten, stream);
  });
  const auto tasks = TasksOf(StreamsOf(model)[0]);
  Execute(model);
  ASSERT_OK(aclmdlRITaskDisable(tasks[0]));
  ASSERT_OK(aclmdlRIUpdate(model));
  Execute(model);
  EXPECT_EQ(sum.Get(), 21);
}

TEST(aclmdlRITaskDisable, MayBeAskedForAgain) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const Number sum, one(1);
  const aclmdlRI model = Captured(stream, [&] { sum.Add(one, stream); });
  const aclmdlRITask task = TasksOf(StreamsOf(model)[0])[0];
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(aclmdlRITaskDisable(task));
    ASSERT_OK(aclmdlRIUpdate(model));
  }
  EXPECT_OK(aclmdlRIDebugPrint(model));
  Execute(model);
  EXPECT_EQ(sum.Get(), 0);
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST(aclmdlRIUpdate, IsRefusedWhileTheInstanceRuns) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Gate gate;
  const aclmdlRI model = Captured(stream, [&] { gate.Hold(stream); });
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_TRUE(gate.Reached());
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_RUNNING, aclmdlRIUpdate(model));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclmdlRIUpdate(model));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIUpdate(nullptr));
}

TEST(aclmdlRIAbort, EndsWhatWaits) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  std::uint64_t* const cell = session.Cell(0);
  const Number sum, one(1);
  std::atomic<bool> reached{false};
  const auto tell = [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; };
  ASSERT_OK(aclrtLaunchHostFunc(head, tell, &reached));
  ASSERT_OK(aclrtValueWait(cell, 2, ACL_STREAM_WAIT_VALUE_EQ, head));
  sum.Add(one, head);
  const aclmdlRI model = building.End(head);
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  while (!reached)
    std::this_thread::yield();
  EXPECT_OK(aclmdlRIAbort(model));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_ABORT_NORMAL, aclrtSynchronizeStream(stream));
  EXPECT_EQ(sum.Get(), 0);
  const Number ten(10);
  sum.Add(ten, stream);
  EXPECT_OK(aclrtSynchronizeStream(stream)) << "the stream goes on";
  EXPECT_EQ(sum.Get(), 10);
  ASSERT_OK(aclrtPersistentTaskClean(head));
  sum.Add(one, head);
  Execute(model);
  EXPECT_EQ(sum.Get(), 11);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIAbort(nullptr));
}

TEST(aclmdlRIDestroyRegisterCallback, TellsWhenTheInstanceIsOver) {
  const Session session;
  static std::atomic<int> told{0};
  told = 0;
  const auto tell = [](void* by) { told += *static_cast<int*>(by); };
  const auto other = [](void*) { told += 1000; };
  int one = 1, ten = 10;
  {
    Building building;
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(building.get(), tell, &one));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(building.get(), tell, &one));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(building.get(), tell, &ten));
    ASSERT_OK(aclmdlRIDestroyRegisterCallback(building.get(), other, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclmdlRIDestroyRegisterCallback(building.get(), nullptr, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroyRegisterCallback(nullptr, tell, &one));
    EXPECT_OK(aclmdlRIDestroyUnregisterCallback(building.get(), other));
    EXPECT_OK(aclmdlRIDestroyUnregisterCallback(building.get(), other));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroyUnregisterCallback(building.get(), nullptr));
    EXPECT_EQ(told, 0);
    EXPECT_OK(aclmdlRIDestroy(building.get()));
    EXPECT_EQ(told, 11);
  }
  // Not before its runs are over.
  const aclrtStream stream = session.Stream();
  Gate gate;
  const aclmdlRI model = Captured(stream, [&] { gate.Hold(stream); });
  ASSERT_OK(aclmdlRIDestroyRegisterCallback(model, tell, &ten));
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_TRUE(gate.Reached());
  ASSERT_OK(aclmdlRIDestroy(model));
  EXPECT_EQ(told, 11);
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  while (told != 21)
    std::this_thread::yield();
}

TEST(aclmdlRIDebugJsonPrint, WritesATimelineOfStreamsTasksAndArrows) {
  const Session session;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  const Number sum, one(1);
  const aclmdlRI model = Captured(stream, [&] {
    sum.Add(one, stream);
    ASSERT_OK(aclrtRecordEvent(fork, stream));
    ASSERT_OK(aclrtStreamWaitEvent(other, fork));
    ASSERT_OK(aclrtRecordEvent(join, other));
    ASSERT_OK(aclrtStreamWaitEvent(stream, join));
    sum.Add(one, stream);
  });
  ASSERT_OK(aclmdlRISetName(model, "a \"name\"\n\xff"));
  const std::string path = testing::TempDir() + "timeline_" + std::to_string(getpid()) + ".json";
  for (const uint32_t flags : {ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY, ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE}) {
    ASSERT_OK(aclmdlRIDebugJsonPrint(model, path.c_str(), flags));
    const auto trace = nlohmann::json::parse(ContentOf(path));
    std::map<std::string, int> phases;
    std::map<int, double> ends;
    double start = 0;
    for (const auto& event : trace.at("traceEvents")) {
      const std::string phase = event.at("ph");
      ++phases[phase];
      EXPECT_TRUE(event.at("pid").is_number());
      EXPECT_TRUE(event.at("tid").is_number());
      if (phase == "s") start = event.at("ts");
      if (phase == "f") {
        EXPECT_GT(event.at("ts").get<double>(), start) << "arrows lead forward";
      }
      if (phase != "X") continue;
      // One after the other in each stream.
      const int thread = event.at("tid");
      EXPECT_GE(event.at("ts").get<double>(), ends[thread]);
      ends[thread] = event.at("ts").get<double>() + event.at("dur").get<double>();
      EXPECT_EQ(event.at("args").contains("arguments"), flags == ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE);
    }
    EXPECT_EQ(phases["X"], 6);
    EXPECT_EQ(phases["s"], 2);
    EXPECT_EQ(phases["f"], 2);
    EXPECT_EQ(phases["M"], 3) << "a process and two threads";
  }
  std::remove(path.c_str());
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDebugJsonPrint(model, path.c_str(), 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDebugJsonPrint(model, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDebugJsonPrint(nullptr, path.c_str(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_FILE_OPEN, aclmdlRIDebugJsonPrint(model, "/no/such/directory/x.json", 0));
}

TEST(aclmdlRIDebugJsonPrint, WritesToWhatIsNoRegularFile) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclmdlRI model = Captured(stream, [] {});
  const std::string file = testing::TempDir() + "instance.json", link = testing::TempDir() + "instance_link";
  unlink(link.c_str());
  ASSERT_EQ(symlink(file.c_str(), link.c_str()), 0);
  EXPECT_OK(aclmdlRIDebugJsonPrint(model, link.c_str(), 0));
  struct stat found = {};
  ASSERT_EQ(lstat(link.c_str(), &found), 0);
  EXPECT_TRUE(S_ISLNK(found.st_mode));
  EXPECT_NE(ContentOf(file), "");
  unlink(link.c_str());
  ASSERT_EQ(symlink("/dev/full", link.c_str()), 0);
  EXPECT_FAILS(ACL_ERROR_RT_FILE_WRITE, aclmdlRIDebugJsonPrint(model, link.c_str(), 0));
  unlink(link.c_str());
  unlink(file.c_str());
}

TEST(aclmdlRIDebugJsonPrint, ShowsBuiltModelsWithLoops) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), body = building.Activated();
  const Number value, one(1);
  value.Add(one, body);
  ASSERT_OK(aclrtActiveStream(body, head));
  ASSERT_OK(aclrtSwitchStream(value.get(), ACL_RT_LESS, one.get(), ACL_RT_SWITCH_INT32, head, nullptr, body));
  const aclmdlRI model = building.End(body);
  const std::string path = testing::TempDir() + "loops_" + std::to_string(getpid()) + ".json";
  ASSERT_OK(aclmdlRIDebugJsonPrint(model, path.c_str(), 0));
  EXPECT_GT(nlohmann::json::parse(ContentOf(path)).at("traceEvents").size(), 6u);
  std::remove(path.c_str());
}

TEST(aclmdlRIDebugPrint, TellsTheTasks) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  std::uint64_t* const cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 3, 0, head));
  ASSERT_OK(aclmdlRISetName(building.get(), "decoder"));
  const aclmdlRI model = building.End(head);
  testing::internal::CaptureStderr();
  EXPECT_OK(aclmdlRIDebugPrint(model));
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("decoder"), std::string::npos) << text;
  EXPECT_NE(text.find("aclrtValueWrite"), std::string::npos) << text;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDebugPrint(nullptr));
}

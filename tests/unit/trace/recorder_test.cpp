// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "trace/chrome_trace.h"

namespace foothold::trace {
namespace {

std::size_t CountOf(const char* name, Nanoseconds from) {
  std::size_t count = 0;
  for (const ThreadRecord& thread : Recorder::Get().Events(from))
    for (const Event& event : thread.events)
      count += event.name != nullptr && std::string(event.name) == name;
  return count;
}

TEST(Recorder, KeepsNothingUnlessItWasBegun) {
  { const Scope scope(Kind::kCall, "outside"); }
  Recorder::Get().Begin();
  const Nanoseconds from = Now();
  { const Scope scope(Kind::kCall, "inside"); }
  EXPECT_EQ(CountOf("inside", from), 1u);
  EXPECT_EQ(CountOf("outside", 0), 0u);
  Recorder::Get().End();
  EXPECT_FALSE(Active());
  EXPECT_EQ(CountOf("inside", 0), 0u) << "it is dropped with its last user";
}

TEST(Recorder, KeepsASecondRecordingOfTheSameThread) {
  Recorder::Get().Begin();
  {
    const Scope scope(Kind::kCall, "ends late");
    Recorder::Get().End();
  }
  Recorder::Get().Begin();
  { const Scope scope(Kind::kCall, "second"); }
  EXPECT_EQ(CountOf("second", 0), 1u);
  EXPECT_EQ(CountOf("ends late", 0), 0u);
  Recorder::Get().End();
}

TEST(Recorder, KeepsEventsOfThreadsThatHaveEnded) {
  Recorder::Get().Begin();
  const Nanoseconds from = Now();
  for (int i = 0; i < 3; ++i)
    std::thread([] {
      for (int k = 0; k < 1000; ++k)
        Moment({Kind::kMark, 0, "tick", nullptr, 0, 0, 0});
    }).join();
  EXPECT_EQ(CountOf("tick", from), 3000u);
  Recorder::Get().End();
}

TEST(Recorder, CountsWhatItCannotKeep) {
  Recorder::Get().Begin();
  for (std::size_t i = 0; i < Recorder::kMostEvents + 10; ++i)
    Moment({Kind::kMark, 0, "many", nullptr, 0, 0, 0});
  EXPECT_GE(Recorder::Get().lost(), 10u);
  Recorder::Get().End();
}

TEST(Recorder, GivesOneTextForEqualTexts) {
  EXPECT_EQ(Keep(std::string("node") + "1"), Keep("node1"));
  EXPECT_STREQ(Keep("node1"), "node1");
}

TEST(ChromeTrace, IsJsonWithAnArrowToEachTask) {
  Recorder::Get().Begin();
  const Nanoseconds from = Now();
  {
    const Scope scope(Kind::kCall, "call \"quoted\"\n");
    Moment({Kind::kQueued, 3, "call", nullptr, 17, 0, 0});
  }
  Moment({Kind::kTask, 3, "call", nullptr, 17, 0, 0});
  Moment({Kind::kMemory, 0, nullptr, nullptr, 4096, 0, 0});
  const nlohmann::json json = nlohmann::json::parse(ChromeTrace(from));
  Recorder::Get().End();
  std::string begin, end;
  bool memory = false, call = false;
  for (const auto& event : json.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (phase == "s") begin = event.at("id");
    if (phase == "f") end = event.at("id");
    if (phase == "C") memory = event.at("args").at("bytes") == 4096;
    if (phase == "X" && event.at("name") == "call \"quoted\"\n") call = event.at("dur") >= 0;
  }
  EXPECT_EQ(begin, "3.17");
  EXPECT_EQ(end, begin);
  EXPECT_TRUE(memory);
  EXPECT_TRUE(call);
}

}  // namespace
}  // namespace foothold::trace

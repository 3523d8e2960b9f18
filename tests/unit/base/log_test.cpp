// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The log reads its environment once, when the process starts, so each case runs this test binary again as a
// child with the environment under test; the part that logs is a test of its own, selected by name.
#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace foothold {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ReadAll(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class LogFiles : public ::testing::Test {
 protected:
  LogFiles() {
    std::string name = std::filesystem::temp_directory_path() / "foothold_log_XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~LogFiles() override { std::filesystem::remove_all(directory_); }

  // Standard output of this binary running the one test LogWriter.<name>.
  std::string RunChild(const std::string& name, const std::map<std::string, std::string>& environment) {
    std::string command =
        "env -u ASCEND_GLOBAL_LOG_LEVEL -u ASCEND_SLOG_PRINT_TO_STDOUT -u ASCEND_PROCESS_LOG_PATH";
    for (const auto& [key, value] : environment)
      command += " " + key + "='" + value + "'";
    command += " " + std::filesystem::read_symlink("/proc/self/exe").string() +
               " --gtest_brief=1 --gtest_filter=LogWriter." + name + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (int byte; (byte = std::fgetc(pipe)) != EOF;)
      output += static_cast<char>(byte);
    EXPECT_EQ(pclose(pipe), 0) << output;
    return output;
  }

  std::vector<std::filesystem::path> Files() const {
    std::vector<std::filesystem::path> files;
    const auto folder = directory_ / "debug" / "plog";
    if (!std::filesystem::exists(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
    return files;
  }

  std::filesystem::path directory_;
};

TEST(LogWriter, LogsAtEveryLevel) {
  Log(LogLevel::kDebug, "text {}", "debug");
  Log(LogLevel::kInfo, "text {}", "info");
  Log(LogLevel::kWarning, "text {}", "warning");
  Log(LogLevel::kError, "text {}", "error");
  EXPECT_FALSE(LogEnabled(LogLevel::kNone));
}

TEST(LogWriter, LogsBesideAForkedChild) {
  Log(LogLevel::kError, "parent before");
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop)
      Log(LogLevel::kDebug, "busy");
  });
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      Log(LogLevel::kError, "child record");
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

struct LogsWhenDestroyed {
  ~LogsWhenDestroyed() { Log(LogLevel::kError, "at the very end"); }
};

TEST(LogWriter, LogsFromAStaticDestructor) {
  static const LogsWhenDestroyed last;
}

TEST(LogWriter, DescribesItsSink) {
  std::printf("sink: %s\n", DescribeLogSink().c_str());
}

TEST_F(LogFiles, AreNotWrittenUnlessAskedFor) {
  EXPECT_THAT(RunChild("LogsAtEveryLevel", {{"ASCEND_GLOBAL_LOG_LEVEL", "0"}}), Not(HasSubstr("text")));
  EXPECT_TRUE(Files().empty());
}

TEST_F(LogFiles, HoldErrorsByDefault) {
  const std::string output = RunChild("LogsAtEveryLevel", {{"ASCEND_PROCESS_LOG_PATH", directory_}});
  EXPECT_THAT(output, Not(HasSubstr("text")));
  ASSERT_EQ(Files().size(), 1u);
  EXPECT_THAT(Files()[0].filename().string(), ContainsRegex("^plog-[0-9]+_[0-9]{20}\\.log$"));
  const std::string text = ReadAll(Files()[0]);
  EXPECT_THAT(
      text,
      ContainsRegex("^\\[ERROR\\] FOOTHOLD\\([0-9]+,[0-9]+\\):20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:"
                    "[0-9]{2}\\.[0-9]{6}Z text error\n$"));
}

TEST_F(LogFiles, HoldWhatTheLevelSays) {
  RunChild("LogsAtEveryLevel", {{"ASCEND_PROCESS_LOG_PATH", directory_}, {"ASCEND_GLOBAL_LOG_LEVEL", "0"}});
  ASSERT_EQ(Files().size(), 1u);
  const std::string text = ReadAll(Files()[0]);
  EXPECT_THAT(text, HasSubstr("text debug"));
  EXPECT_THAT(text, ContainsRegex("text debug\n.*text info\n.*text warning\n.*text error\n"));
}

TEST_F(LogFiles, AreNotWrittenAtLevelNone) {
  RunChild("LogsAtEveryLevel", {{"ASCEND_PROCESS_LOG_PATH", directory_}, {"ASCEND_GLOBAL_LOG_LEVEL", "4"}});
  EXPECT_TRUE(Files().empty());
}

TEST_F(LogFiles, GiveWayToStandardOutput) {
  const std::string output = RunChild(
      "LogsAtEveryLevel", {{"ASCEND_PROCESS_LOG_PATH", directory_}, {"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}});
  EXPECT_THAT(output, HasSubstr("text error"));
  EXPECT_THAT(output, Not(HasSubstr("text warning")));
  EXPECT_TRUE(Files().empty());
}

TEST_F(LogFiles, SayWhenTheLevelIsNotUnderstood) {
  for (const char* level : {"loud", "5", "-1", "3x"}) {
    const std::string output = RunChild(
        "LogsAtEveryLevel", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}, {"ASCEND_GLOBAL_LOG_LEVEL", level}});
    EXPECT_THAT(output, HasSubstr("[WARNING]"));
    EXPECT_THAT(output, HasSubstr("ASCEND_GLOBAL_LOG_LEVEL is \"" + std::string(level) + "\"; expected"));
    EXPECT_THAT(output, HasSubstr("text error"));
    EXPECT_THAT(output, Not(HasSubstr("text warning")));
  }
}

TEST_F(LogFiles, HoldErrorsWhenTheLevelIsEmpty) {
  const std::string output =
      RunChild("LogsAtEveryLevel", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}, {"ASCEND_GLOBAL_LOG_LEVEL", ""}});
  EXPECT_THAT(output, HasSubstr("text error"));
  EXPECT_THAT(output, Not(HasSubstr("[WARNING]")));
}

TEST_F(LogFiles, BelongToOneProcessEach) {
  RunChild("LogsBesideAForkedChild",
           {{"ASCEND_PROCESS_LOG_PATH", directory_}, {"ASCEND_GLOBAL_LOG_LEVEL", "0"}});
  int parents = 0;
  int children = 0;
  for (const auto& file : Files()) {
    const std::string text = ReadAll(file);
    const bool parent = text.find("parent before") != std::string::npos;
    const bool child = text.find("child record") != std::string::npos;
    EXPECT_NE(parent, child) << file;
    parents += parent;
    children += child;
  }
  EXPECT_EQ(parents, 1);
  EXPECT_EQ(children, 10);
}

TEST_F(LogFiles, TakeRecordsDuringStaticDestruction) {
  RunChild("LogsFromAStaticDestructor", {{"ASCEND_PROCESS_LOG_PATH", directory_}});
  ASSERT_EQ(Files().size(), 1u);
  EXPECT_THAT(ReadAll(Files()[0]), HasSubstr("at the very end"));
}

TEST_F(LogFiles, ThatCannotBeMadeDoNoHarmAndAreExplained) {
  const std::string blocked = directory_ / "file";
  std::ofstream(blocked) << "not a directory";
  const std::map<std::string, std::string> environment = {{"ASCEND_PROCESS_LOG_PATH", blocked}};
  EXPECT_THAT(RunChild("LogsAtEveryLevel", environment), Not(HasSubstr("text error")));
  EXPECT_THAT(RunChild("DescribesItsSink", environment), ContainsRegex("sink: none: .*file"));
}

TEST_F(LogFiles, AreNamedByTheSinkDescription) {
  EXPECT_THAT(RunChild("DescribesItsSink", {}), HasSubstr("sink: none\n"));
  EXPECT_THAT(RunChild("DescribesItsSink", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}}),
              HasSubstr("sink: standard output\n"));
  EXPECT_THAT(RunChild("DescribesItsSink", {{"ASCEND_PROCESS_LOG_PATH", directory_}}),
              HasSubstr("sink: " + (directory_ / "debug" / "plog" / "plog-").string()));
}

}  // namespace
}  // namespace foothold

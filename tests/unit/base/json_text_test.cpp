// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;

std::string Repeat(const std::string& text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i)
    repeated += text;
  return repeated;
}

std::string Nested(const std::string& open, const std::string& middle, const std::string& close, int depth) {
  return Repeat(open, depth) + middle + Repeat(close, depth);
}

// The message of the refusal; the code is checked on the way.
template <typename Function>
std::string Refusal(Code code, Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

std::string Refused(const std::string& text) {
  return Refusal(kParseFile, [&] { ParseConfigText(text); });
}

TEST(ConfigText, AcceptsObjects) {
  EXPECT_TRUE(ParseConfigText("{}").empty());
  EXPECT_EQ(ParseConfigText("\xEF\xBB\xBF {\"a\": [1, {\"b\": null}]}\n").at("a").at(0), 1);
}

TEST(ConfigText, PointsAtTheFault) {
  EXPECT_THAT(Refused("{\n  \"a\": 1,\n}"), HasSubstr("line 3, column 1"));
  EXPECT_THAT(Refused("{'a': 1}"), HasSubstr("not valid JSON"));
}

TEST(ConfigText, SaysItInWordsOfItsOwn) {
  const std::string no = "the configuration is not valid JSON: ";
  EXPECT_EQ(Refused("{\n  \"a\": 1,\n}"), no + "line 3, column 1: } cannot stand here");
  EXPECT_EQ(Refused("{\"a\": \"\xff\"}"), no + "line 1, column 8: byte 0xff cannot stand here");
  EXPECT_EQ(Refused("{\"a\": [1, 2"), no + "it ends before it is complete");
  EXPECT_EQ(Refused("{\"a\": 1e999}"), no + "it has a number that is too large");
  EXPECT_EQ(Refused(std::string("{}\0", 3)), no + "it holds a zero byte");
}

TEST(ConfigText, RefusesWhatIsNotAnObject) {
  EXPECT_THAT(Refused("[]"), HasSubstr("must be a JSON object such as {}, found: array"));
  for (const char* text :
       {"", " \n", "null", "1", "\"x\"", "{}{}", "{} x", "// comment\n{}", "{\"a\":}", "{\"a\"}", "{", "}",
        "{\"a\": 01}", "{\"a\": NaN}", "{\"a\": 1e999}", "{\"a\": \"\xff\"}", "{\"a\": \"\n\"}"}) {
    EXPECT_FALSE(Refused(text).empty()) << text;
  }
  EXPECT_FALSE(Refused(std::string("{}\0", 3)).empty());
  EXPECT_FALSE(Refused(std::string("\x7f\x45\x4c\x46\0\0\0\1", 8)).empty());
}

TEST(ConfigText, LimitsTheDepthOfObjects) {
  EXPECT_NO_THROW(ParseConfigText(Nested("{\"a\":", "1", "}", kMaxConfigNesting)));
  EXPECT_THAT(Refused(Nested("{\"a\":", "1", "}", kMaxConfigNesting + 1)),
              HasSubstr("objects are nested more than 10"));
  EXPECT_THAT(Refused(Nested("{\"a\":", "1", "}", 200000)), HasSubstr("objects are nested more than 10"));
}

TEST(ConfigText, LimitsTheDepthOfArrays) {
  EXPECT_NO_THROW(ParseConfigText("{\"a\":" + Nested("[", "1", "]", kMaxConfigNesting) + "}"));
  EXPECT_THAT(Refused("{\"a\":" + Nested("[", "1", "]", kMaxConfigNesting + 1) + "}"),
              HasSubstr("arrays are nested"));
  EXPECT_THAT(Refused("{\"a\":" + Repeat("[", 1000000)), HasSubstr("arrays are nested"));
  EXPECT_NO_THROW(ParseConfigText("{\"a\": [" + Repeat("[1],", 100) + "[{}]]}"));
}

TEST(ConfigText, RefusesAKeyGivenTwice) {
  EXPECT_THAT(Refused("{\"a\": 1, \"b\": 2, \"a\": 3}"), HasSubstr("key \"a\" is given twice"));
  EXPECT_NO_THROW(ParseConfigText("{\"a\": {\"a\": 1}, \"b\": [{\"a\": 1}, {\"a\": 2}]}"));
}

class ConfigFile : public ::testing::Test {
 protected:
  ConfigFile() {
    std::string name = std::filesystem::temp_directory_path() / "foothold_file_XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~ConfigFile() override { std::filesystem::remove_all(directory_); }
  std::string Path(const char* name) const { return directory_ / name; }

  std::filesystem::path directory_;
};

TEST_F(ConfigFile, IsReadCompletely) {
  const std::string text(100000, ' ');
  std::ofstream(Path("a")) << text << "{}";
  EXPECT_EQ(ReadConfigFile(Path("a").c_str()), text + "{}");
}

TEST_F(ConfigFile, MustExistAndBeAFile) {
  const auto refused = [](const std::string& path) {
    return Refusal(kInvalidFile, [&] { ReadConfigFile(path.c_str()); });
  };
  EXPECT_THAT(refused(Path("absent")), HasSubstr("absent\": No such file or directory"));
  EXPECT_THAT(refused(directory_), HasSubstr("is a directory, not a regular file"));
  EXPECT_THAT(refused("/dev/zero"), HasSubstr("is a device or pipe"));
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(refused(Path("pipe")), HasSubstr("is a device or pipe"));
  EXPECT_FALSE(refused(std::string(5000, 'x')).empty());
}

TEST_F(ConfigFile, HasALimitedSize) {
  std::ofstream(Path("big")) << "{}";
  std::filesystem::resize_file(Path("big"), kMaxConfigBytes + 1);
  EXPECT_THAT(Refusal(kInvalidFileSize, [&] { ReadConfigFile(Path("big").c_str()); }),
              HasSubstr("larger than 10485760"));
  std::filesystem::resize_file(Path("big"), kMaxConfigBytes);
  EXPECT_EQ(ReadConfigFile(Path("big").c_str()).size(), kMaxConfigBytes);
}

}  // namespace
}  // namespace foothold

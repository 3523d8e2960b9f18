// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The ONNX backend suite through the public API. Every installed case runs. Those in unsupported.txt and
// expected_failures.txt must fail: one that begins to pass fails here until its line is gone.
//
//   onnx_backend_tests --update     writes expected_failures.txt anew, with the reasons it has; counts
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <ostream>

#include "ge/ge_api.h"
#include "onnx/case_lists.h"
#include "onnx/onnx_run.h"

namespace foothold {

std::ostream& operator<<(std::ostream& out, const OnnxCase& test) {
  return out << test.name;
}

namespace {

const std::string kUnsupported = FOOTHOLD_SOURCE_DIR "/tests/onnx/unsupported.txt";
const std::string kExpectedFailures = FOOTHOLD_SOURCE_DIR "/tests/onnx/expected_failures.txt";

const CaseList& KnownFailures() {
  static const CaseList list = [] {
    CaseList all = ReadCaseList(kUnsupported);
    all.merge(ReadCaseList(kExpectedFailures));
    return all;
  }();
  return list;
}

std::string TestName(const testing::TestParamInfo<OnnxCase>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

class OnnxBackend : public testing::TestWithParam<OnnxCase> {};

TEST_P(OnnxBackend, GivesWhatTheSuiteExpects) {
  const std::string failure = RunOnnxCase(GetParam().folder);
  if (KnownFailures().count(GetParam().name) == 0) {
    EXPECT_EQ(failure, "");
  } else {
    EXPECT_NE(failure, "") << "passes now: remove its line from the list";
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, OnnxBackend, testing::ValuesIn(FindOnnxCases()), TestName);

TEST(OnnxBackendLists, NameOnlyCasesThatExistAndSayWhy) {
  CaseList cases;
  for (const OnnxCase& test : FindOnnxCases())
    cases[test.name] = test.folder;
  EXPECT_GE(cases.size(), 1000u) << "is libonnx-testdata installed?";
  for (const auto& [name, reason] : KnownFailures()) {
    EXPECT_EQ(cases.count(name), 1u) << name;
    EXPECT_NE(reason, "") << name;
  }
}

std::string FirstLine(const std::string& text) {
  std::string line = text.substr(
      text.find("cannot be imported:\n") == std::string::npos ? 0 : text.find("cannot be imported:\n") + 22);
  return line.substr(0, std::min<std::size_t>(line.find('\n'), 160));
}

int Update() {
  const CaseList unsupported = ReadCaseList(kUnsupported), before = ReadCaseList(kExpectedFailures);
  CaseList failures;
  std::size_t passed = 0, total = 0;
  for (const OnnxCase& test : FindOnnxCases()) {
    ++total;
    std::fprintf(stderr, "%s\n", test.name.c_str());
    const std::string failure = RunOnnxCase(test.folder);
    if (failure.empty()) ++passed;
    if (failure.empty() || unsupported.count(test.name) != 0) continue;
    const auto known = before.find(test.name);
    failures[test.name] = known == before.end() ? FirstLine(failure) : known->second;
  }
  WriteCaseList(kExpectedFailures, failures);
  std::printf("%zu of %zu cases pass, %zu are unsupported, %zu fail\n", passed, total, unsupported.size(),
              failures.size());
  return 0;
}

}  // namespace
}  // namespace foothold

int main(int argc, char** argv) {
  if (ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{}) != ge::SUCCESS) return 2;
  if (argc == 2 && std::strcmp(argv[1], "--update") == 0) return foothold::Update();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

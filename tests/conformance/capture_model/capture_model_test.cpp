// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Random captures give bit for bit what the same calls give when they are run one by one: with streams that
// fork and join, replaced groups, conditions, runs inside of runs, and two instances at once. The variable
// CAPTURE_PROGRAMS is the number of programs, CAPTURE_SEED the seed of the first.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "conformance/capture_model/play.h"

namespace capture_model {
namespace {

constexpr std::uint64_t kPrograms = 200;
constexpr unsigned kSecondsPerProgram = 60;
constexpr int kMostElements = 20'000;

std::uint64_t Number(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Comparison {
 public:
  Comparison() : direct_(kMostElements), first_(kMostElements), second_(kMostElements) {
    for (auto& streams : streams_)
      for (aclrtStream& stream : streams)
        stream = session_.Stream();
    for (aclrtStream* stream : {&run_first_, &run_second_, &update_})
      *stream = session_.Stream();
    event_ = session_.Event();
  }

  void Compare(const Program& program) {
    for (World* world : {&direct_, &first_, &second_})
      world->Start(program);
    const std::vector<char> at_first = direct_.Contents();
    Capture first(program, streams_, first_), second(program, streams_, second_);
    Expect(at_first, "the capture");
    for (std::size_t i = 0; i < program.runs.size() && !testing::Test::HasFailure(); ++i) {
      const bool is_last = i + 1 == program.runs.size();
      RunOnce(program, program.runs[i], first, second, is_last && program.seed % 2 == 0);
      Expect(direct_.Contents(), "run " + std::to_string(i));
    }
    for (Capture* capture : {&first, &second})
      if (capture->instance() != nullptr) capture->Destroy();
  }

 private:
  void RunOnce(const Program& program, const Run& run, Capture& first, Capture& second, bool destroy) {
    for (World* world : {&direct_, &first_, &second_})
      world->SetCells(run.cells);
    for (std::size_t group = 0; group < run.variants.size(); ++group)
      if (run.variants[group] >= 0) direct_.variants[group] = run.variants[group];
    first.Update(run.variants, update_);
    EXPECT_OK(aclrtRecordEvent(event_, update_));
    EXPECT_OK(aclrtStreamWaitEvent(run_first_, event_));
    second.Update(run.variants, run_second_);
    for (int i = 0; i < run.times; ++i) {
      EXPECT_OK(aclmdlRIExecuteAsync(first.instance(), run_first_));
      EXPECT_OK(aclmdlRIExecuteAsync(second.instance(), run_second_));
    }
    if (destroy) {
      first.Destroy();
      second.Destroy();
    }
    for (int i = 0; i < run.times; ++i)
      RunDirectly(program, streams_, direct_);
    EXPECT_OK(aclrtSynchronizeStream(run_first_));
    EXPECT_OK(aclrtSynchronizeStream(run_second_));
  }

  void Expect(const std::vector<char>& expected, const std::string& when) {
    for (const World* world : {&first_, &second_}) {
      const std::vector<char> found = world->Contents();
      const auto differs = std::mismatch(expected.begin(), expected.end(), found.begin());
      EXPECT_TRUE(differs.first == expected.end()) << when << ", " << (world == &first_ ? "first" : "second")
                                                   << " instance: byte " << differs.first - expected.begin();
    }
  }

  const Session session_;
  World direct_, first_, second_;
  Streams streams_{};
  aclrtStream run_first_ = nullptr, run_second_ = nullptr, update_ = nullptr;
  aclrtEvent event_ = nullptr;
};

TEST(aclmdlRIExecuteAsync, GivesWhatTheCallsGiveOneByOne) {
  Comparison comparison;
  const std::uint64_t first = Number("CAPTURE_SEED", 1), count = Number("CAPTURE_PROGRAMS", kPrograms);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = Generate(seed);
    alarm(kSecondsPerProgram);
    comparison.Compare(program);
    ASSERT_FALSE(HasFailure()) << Text(program);
  }
}

}  // namespace
}  // namespace capture_model

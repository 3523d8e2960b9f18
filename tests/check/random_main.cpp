// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
//   random_programs FIRST COUNT
//
// Draws programs and runs each as it is, which must report nothing, and without one of its waits, which must
// report a race if and only if the oracle finds one. FOOTHOLD_CHECK_OUTPUT is the file it reads the reports
// from. Prints what does not agree, and at the end how much was looked at.
#include <acl/acl_mdl.h>
#include <foothold/check.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "check/program.h"
#include "check/random_program.h"

using namespace checked;

namespace {

constexpr std::size_t kHalf = 256;

class Player {
 public:
  Player() {
    for (aclrtStream& stream : streams_)
      stream = NewStream();
    for (char*& buffer : buffers_)
      buffer = static_cast<char*>(DeviceMemory(2 * kHalf));
  }
  ~Player() {
    for (const aclrtStream stream : streams_)
      MUST(aclrtDestroyStream(stream));
    for (char* const buffer : buffers_)
      MUST(aclrtFree(buffer));
  }

  void Play(const RandomProgram& program) {
    events_.resize(static_cast<std::size_t>(program.events));
    for (aclrtEvent& event : events_)
      MUST(aclrtCreateEvent(&event));
    notifies_.resize(static_cast<std::size_t>(program.notifies));
    for (aclrtNotify& notify : notifies_)
      MUST(aclrtCreateNotify(&notify, 0));
    for (const Step& step : program.steps)
      Do(step);
    MUST(aclrtSynchronizeDevice());
    for (const aclrtEvent event : events_)
      MUST(aclrtDestroyEvent(event));
    for (const aclrtNotify notify : notifies_)
      MUST(aclrtDestroyNotify(notify));
    for (const auto& [object, instance] : instances_)
      MUST(aclmdlRIDestroy(instance));
    instances_.clear();
  }

 private:
  using Kind = Step::Kind;

  char* At(const Range& range) { return buffers_[range.buffer] + (range.part == 1 ? kHalf : 0); }
  static std::size_t Bytes(const Range& range) { return range.part == 2 ? 2 * kHalf : kHalf; }
  aclrtEvent& Event(const Step& step) { return events_[static_cast<std::size_t>(step.object)]; }
  aclrtNotify& Notify(const Step& step) { return notifies_[static_cast<std::size_t>(step.object)]; }

  void Do(const Step& step) {
    const aclrtStream stream = streams_[step.stream];
    const std::size_t bytes = Bytes(step.to);
    switch (step.kind) {
      case Kind::kFill:
        return MUST(aclrtMemsetAsync(At(step.to), bytes, 1, bytes, stream));
      case Kind::kCopy:
        return MUST(
            aclrtMemcpyAsync(At(step.to), bytes, At(step.from), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      case Kind::kRecordEvent:
        return MUST(aclrtRecordEvent(Event(step), stream));
      case Kind::kWaitEvent:
        return MUST(aclrtStreamWaitEvent(stream, Event(step)));
      case Kind::kRecordNotify:
        return MUST(aclrtRecordNotify(Notify(step), stream));
      case Kind::kWaitNotify:
        return MUST(aclrtWaitAndResetNotify(Notify(step), stream, 0));
      case Kind::kSyncStream:
        return MUST(aclrtSynchronizeStream(stream));
      case Kind::kSyncEvent:
        return MUST(aclrtSynchronizeEvent(Event(step)));
      case Kind::kHostFill:
        return MUST(aclrtMemset(At(step.to), bytes, 1, bytes));
      case Kind::kHostFunction:
        return CallFunction(step, stream);
      case Kind::kCapture:
        return Capture(step);
      case Kind::kRun:
        return MUST(aclmdlRIExecuteAsync(instances_.at(step.object), stream));
      case Kind::kHandOn:
        FootholdBlockGiven(At(step.to), stream);
        return FootholdBlockTaken(At(step.to), bytes, stream, "block");
    }
  }

  void CallFunction(const Step& step, aclrtStream stream) {
    struct Argument {
      char* memory;
      std::size_t bytes;
      aclrtContext context;
    } argument{At(step.to), Bytes(step.to), nullptr};
    MUST(aclrtGetCurrentContext(&argument.context));
    const auto fill = [](void* data) {
      const auto& argument = *static_cast<Argument*>(data);
      MUST(aclrtSetCurrentContext(argument.context));
      MUST(aclrtMemset(argument.memory, argument.bytes, 1, argument.bytes));
    };
    MUST(aclrtLaunchHostFunc(stream, fill, &argument));
    MUST(aclrtSynchronizeStream(stream));
  }

  void Capture(const Step& capture) {
    const aclrtStream main = streams_[capture.stream], other = streams_[capture.other];
    aclrtEvent fork = nullptr, join = nullptr;
    MUST(aclrtCreateEvent(&fork));
    MUST(aclrtCreateEvent(&join));
    bool forked = false;
    MUST(aclmdlRICaptureBegin(main, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    for (const Step& step : capture.inner) {
      if (step.stream == capture.other && !forked) {
        forked = true;
        MUST(aclrtRecordEvent(fork, main));
        MUST(aclrtStreamWaitEvent(other, fork));
      }
      Do(step);
    }
    if (forked) {
      MUST(aclrtRecordEvent(join, other));
      MUST(aclrtStreamWaitEvent(main, join));
    }
    aclmdlRI instance = nullptr;
    MUST(aclmdlRICaptureEnd(main, &instance));
    instances_[capture.object] = instance;
    MUST(aclrtDestroyEvent(fork));
    MUST(aclrtDestroyEvent(join));
  }

  aclrtStream streams_[kStreams] = {};
  char* buffers_[kBuffers] = {};
  std::vector<aclrtEvent> events_;
  std::vector<aclrtNotify> notifies_;
  std::map<int, aclmdlRI> instances_;
};

const char* NameOf(Step::Kind kind) {
  constexpr const char* kNames[] = {
      "fill",        "copy",       "record event", "wait for event", "record notify", "wait for notify",
      "sync stream", "sync event", "host fills",   "host function",  "capture",       "run",
      "hand on"};
  return kNames[static_cast<int>(kind)];
}

void Print(const std::vector<Step>& steps, const char* indent) {
  for (const Step& step : steps) {
    std::printf("%s%s, stream %d, object %d, to %d.%d, from %d.%d\n", indent, NameOf(step.kind), step.stream,
                step.object, step.to.buffer, step.to.part, step.from.buffer, step.from.part);
    Print(step.inner, "      ");
  }
}

// What was reported since the last question, as rules.
class Reports {
 public:
  explicit Reports(const char* path) : file_(path) {}
  std::string Take() {
    std::string rules;
    file_.clear();
    for (std::string line; std::getline(file_, line);) {
      const auto at = line.find("\"rule\":\"");
      if (at != std::string::npos) rules += line.substr(at + 8, line.find('"', at + 8) - at - 8) + " ";
    }
    return rules;
  }

 private:
  std::ifstream file_;
};

}  // namespace

int main(int argc, char** argv) {
  const char* const output = std::getenv("FOOTHOLD_CHECK_OUTPUT");
  if (argc != 3 || output == nullptr) return 2;
  const Session session;
  Reports reports(output);
  int wrong = 0, races = 0, harmless = 0;
  const auto first = static_cast<std::uint32_t>(std::atoi(argv[1]));
  const auto count = static_cast<std::uint32_t>(std::atoi(argv[2]));
  {
    Player player;
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
      RandomProgram program = DrawProgram(seed);
      player.Play(program);
      const std::string legal = reports.Take();
      if (!legal.empty())
        ++wrong, std::printf("program %u is legal, and reported: %s\n", seed, legal.c_str());
      if (!RemoveOneWait(program, seed)) continue;
      const bool race = HasRace(program);
      ++(race ? races : harmless);
      player.Play(program);
      const std::string found = reports.Take();
      if (race == found.empty())
        ++wrong, std::printf("program %u without a wait: a race%s, and reported: %s\n", seed,
                             race ? "" : " is not there", found.c_str());
      if (race == found.empty()) Print(program.steps, "  ");
    }
  }
  std::printf("%u programs; without one of their waits %d had a race, %d had none; %d do not agree\n", count,
              races, harmless, wrong);
  return wrong == 0 ? 0 : 1;
}

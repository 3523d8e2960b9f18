// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/race_reports.h"

#include <fmt/format.h>

#include <utility>

#include "base/programs_function.h"
#include "base/schedule.h"
#include "check/acts.h"
#include "check/check.h"
#include "check/history.h"
#include "check/pool_blocks.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct Kind {
  const char* key;
  const char* words;
};

Kind KindOf(const Touch& before, const Touch& now) {
  if (before.write && now.write) return {"WAW", "write after write"};
  return before.write ? Kind{"RAW", "read after write"} : Kind{"WAR", "write after read"};
}

// Bytes as the allocation counts them.
std::string Bytes(const Touch& touch, const std::optional<BlockRecord>& block) {
  const std::uintptr_t base = block ? block->base : 0;
  const char* const some = touch.exact ? "" : "some of ";
  return fmt::format("{} {}bytes {}-{}", touch.write ? "writes" : "reads", some, touch.address - base,
                     touch.end() - base - 1);
}

std::uint32_t Number(const Deed& deed) {
  return deed.task.value_or(0);
}

std::string Name(const Deed& deed) {
  return deed.what == nullptr ? "the host" : deed.Where();
}

// The two lie in blocks of a pool that were at one place one after the other.
bool AreTwoLives(const Hazard& hazard) {
  return hazard.before.touch.life != 0 && hazard.now.touch.life != 0 &&
         hazard.before.touch.life != hazard.now.touch.life;
}

bool IsOfHost(const std::optional<BlockRecord>& block) {
  return block && (block->kind == BlockKind::kPinned || block->kind == BlockKind::kRegistered);
}

// A call of the host meets a queued copy in memory of the host.
const char* RuleForHostMemory(const Hazard& hazard) {
  const Touch& of_task = hazard.before.deed->agent == kHost ? hazard.now.touch : hazard.before.touch;
  return of_task.write ? "ACL-RACE-002" : "ACL-RACE-004";
}

// Memory that is more than data to one of the two decides what was broken; null: it is data to both.
const char* RuleByRole(const Hazard& hazard) {
  const Touch& before = hazard.before.touch;
  const Touch& now = hazard.now.touch;
  const auto is = [&](MemoryRole role) { return before.role == role || now.role == role; };
  if (is(MemoryRole::kWorkspace)) return "NN-WS-002";
  if (is(MemoryRole::kModelWork)) return "ACL-MDL-008";
  if (is(MemoryRole::kGraphMemory)) return "GE-RUN-010";
  if (before.role == MemoryRole::kGraphInput && now.write) return "GE-RUN-002";
  if (before.role == MemoryRole::kGraphOutput && hazard.now.deed->agent == kHost) return "GE-RUN-004";
  return nullptr;
}

const char* RuleOfFree(const Touch& use, const std::optional<BlockRecord>& block) {
  if (use.role == MemoryRole::kWorkspace) return "NN-WS-003";
  if (use.role == MemoryRole::kPoolBlock || ProgramsFunction::Current() == ProgramsFunction::Kind::kAllocator)
    return "GE-ALLOC-007";
  const bool of_host = block && (block->kind == BlockKind::kPinned || block->kind == BlockKind::kRegistered);
  if (block && block->kind == BlockKind::kImported) return "ACL-MEM-070";
  return of_host ? "ACL-RACE-005" : "ACL-MEM-003";
}

// Both are tasks that were captured.
const char* RuleForCaptured(const Deed& before, const Deed& now) {
  if (before.instance != now.instance) return "ACL-RACE-051";
  return before.run == now.run ? "ACL-RACE-052" : "ACL-RACE-050";
}

const char* RuleFor(const Hazard& hazard, const std::optional<BlockRecord>& block, const RaceFacts& facts) {
  const Deed &before = *hazard.before.deed, &now = *hazard.now.deed;
  if (before.instance != 0 && now.instance != 0) return RuleForCaptured(before, now);
  if (AreTwoLives(hazard)) return "ACL-RACE-006";
  if ((before.agent == kHost || now.agent == kHost) && facts.timed_out) return "ACL-SYNC-010";
  if (before.in_callback || now.in_callback) return "ACL-RACE-008";
  if (before.agent == kHost || now.agent == kHost)
    return IsOfHost(block) ? RuleForHostMemory(hazard) : "ACL-RACE-003";
  return before.on_default_stream || now.on_default_stream ? "ACL-RACE-007" : "ACL-RACE-001";
}

std::string HeadlineFor(std::string_view rule, const Deed& before, const Deed& now, const Kind& kind) {
  if (rule == "NN-WS-002") return fmt::format("two operators use one workspace in no order ({})", kind.words);
  if (rule == "ACL-MDL-008")
    return fmt::format("the work memory of a model is used elsewhere at the same time ({})", kind.words);
  if (rule == "GE-RUN-010")
    return fmt::format("the memory of a graph is used elsewhere at the same time ({})", kind.words);
  if (rule == "GE-RUN-002")
    return fmt::format("an input of a run of a graph changes before the run is over ({})", kind.words);
  if (rule == "GE-RUN-004")
    return fmt::format("an output of a run of a graph is used before the run is over ({})", kind.words);
  if (rule == "ACL-SYNC-010")
    return fmt::format("{} uses memory of {}, which went on when the wait for it ran out of time ({})",
                       now.call, Name(before), kind.words);
  if (rule == "ACL-RACE-050")
    return fmt::format("two runs of model instance {} use the same memory in no order ({})", now.instance,
                       kind.words);
  if (rule == "ACL-RACE-051")
    return fmt::format("runs of model instances {} and {} use the same memory in no order ({})",
                       before.instance, now.instance, kind.words);
  if (rule == "ACL-RACE-052")
    return fmt::format(
        "two tasks of model instance {} use the same memory, and the capture has no order for "
        "them ({})",
        now.instance, kind.words);
  if (rule == "ACL-RACE-002" || rule == "ACL-RACE-003" || rule == "ACL-RACE-004")
    return fmt::format("{} does not wait for {}, which uses the same memory ({})", now.call, Name(before),
                       kind.words);
  if (rule == "ACL-RACE-008")
    return fmt::format(
        "a callback that does not hold up its stream and a later task use the same memory ({})", kind.words);
  if (rule == "ACL-RACE-006")
    return fmt::format("a pool gives a block to {} before {} is done with it ({})", Name(now), Name(before),
                       kind.words);
  if (rule == "ACL-RACE-007")
    return fmt::format("the default stream and another one use the same memory in no order ({})", kind.words);
  return fmt::format("two streams use the same memory in no order ({})", kind.words);
}

std::string FixFor(std::string_view rule, const Deed& before, const Deed& now) {
  if (rule == "ACL-SYNC-010" || before.instance != 0 || now.instance != 0) return {};  // the rule's
  if (rule == "ACL-RACE-008") return "launch the callback with ACL_CALLBACK_BLOCK";
  if (rule == "ACL-RACE-002" || rule == "ACL-RACE-003" || rule == "ACL-RACE-004" ||
      (now.agent == kHost && before.task))
    return fmt::format("synchronise {} behind task {}, or an event recorded there, before {}", Name(before),
                       Number(before), now.call);
  return fmt::format("record an event in {} behind task {} and let {} wait for it before task {}",
                     Name(before), Number(before), Name(now), Number(now));
}

std::string OrderOf(const Deed& before, const Deed& now, const RaceFacts& facts) {
  if (before.agent == kHost || !before.task || before.instance != 0) return {};
  if (!facts.known) return fmt::format("{} knows nothing of {}", Name(now), Name(before));
  return fmt::format("{} knows {} up to task {}", Name(now), Name(before), *facts.known);
}

void AddSync(Finding& finding, const Deed& before, const RaceFacts& facts) {
  if (!facts.synchronized || facts.synchronized_stream == before.Where()) return;
  finding.objects.push_back(
      {"sync",
       fmt::format("{} was synchronised, the data is in {}", facts.synchronized_stream, Name(before)),
       {{"by", facts.synchronized}}});
}

void AddTimeOut(Finding& finding, const RaceFacts& facts) {
  finding.objects.push_back({"timeout", "the wait that ran out of time", {{"by", facts.timed_out}}});
}

void AddRuns(Finding& finding, const Deed& before, const Deed& now) {
  for (const Deed* deed : {&now, &before})
    if (deed->instance != 0 && deed->run_by)
      finding.objects.push_back(
          {"run", fmt::format("of model instance {}", deed->instance), {{"by", deed->run_by}}});
}

// A wait for a stream that had nothing to do, while the data is in another one: only beside a race.
void AdviseOfSync(const Finding& race, const Deed& before, const RaceFacts& facts) {
  if (!facts.synchronized || !facts.synchronized_nothing || facts.synchronized_stream == before.Where())
    return;
  Finding finding;
  finding.rule = Wanted("ACL-SYNC-011");
  if (finding.rule == nullptr) return;
  finding.headline = fmt::format("{} had nothing to wait for, and the memory used next is in use by {}",
                                 facts.synchronized_stream, Name(before));
  finding.now = {
      .call = facts.synchronized.call, .arguments = {}, .does = {}, .agent = {}, .site = facts.synchronized};
  finding.before = race.before;
  Reporter::Get().Report(std::move(finding));
}

void AddSchedule(Finding& finding) {
  if (const char* const by = schedule::Name()) finding.key.emplace_back("schedule", by);
}

}  // namespace

Act ActOfAccess(const Access& access) {
  return ActOf(*access.deed, Bytes(access.touch, FindBlock(access.touch.serial)));
}

bool ReportRace(Hazard hazard, const RaceFacts& facts) {
  // In the order of the program's calls, whichever ran first.
  if (hazard.now.deed->sequence < hazard.before.deed->sequence) std::swap(hazard.now, hazard.before);
  const Deed& before = *hazard.before.deed;
  const Deed& now = *hazard.now.deed;
  Finding finding;
  const auto block = FindBlock(hazard.now.touch.serial);
  const char* id = RuleByRole(hazard);
  if (id == nullptr) id = RuleFor(hazard, block, facts);
  finding.rule = Wanted(id);
  if (finding.rule == nullptr) return false;
  const Kind kind = KindOf(hazard.before.touch, hazard.now.touch);
  finding.headline = HeadlineFor(id, before, now, kind);
  finding.now = ActOf(now, Bytes(hazard.now.touch, block));
  finding.before = ActOf(before, Bytes(hazard.before.touch, block));
  if (block) finding.objects.push_back(Describe(*block));
  for (const Access* const access : {&hazard.before, &hazard.now})
    if (auto life = AreTwoLives(hazard) ? DescribeLife(access->touch.life) : std::nullopt)
      finding.objects.push_back(std::move(*life));
  if (std::string_view(id) == "ACL-SYNC-010") AddTimeOut(finding, facts);
  AddRuns(finding, before, now);
  if (now.agent == kHost) AddSync(finding, before, facts);
  finding.order = OrderOf(before, now, facts);
  finding.fix = FixFor(id, before, now);
  finding.key = {{"hazard", kind.key}};
  AddSchedule(finding);
  if (now.agent == kHost) AdviseOfSync(finding, before, facts);
  return Reporter::Get().Report(std::move(finding));
}

bool ReportFree(const Deed& free, const Access& use, bool pending) {
  const auto block = FindBlock(use.touch.serial);
  Finding finding;
  finding.rule = Wanted(RuleOfFree(use.touch, block));
  if (finding.rule == nullptr) return false;
  const Deed& user = *use.deed;
  finding.headline =
      fmt::format("{} takes memory from {}, which is not known to be done with it", free.call, Name(user));
  finding.now = ActOf(free, "ends the memory");
  finding.before = ActOf(user, Bytes(use.touch, block));
  if (block) finding.objects.push_back(Describe(*block));
  finding.order = pending
                      ? fmt::format("task {} has not run yet", Number(user))
                      : fmt::format("task {} has run, and the program has not waited for it", Number(user));
  finding.fix = fmt::format("synchronise {}, or an event recorded there behind task {}, before {}",
                            Name(user), Number(user), free.call);
  finding.key = {{"hazard", use.touch.write ? "FAW" : "FAR"}};
  AddSchedule(finding);
  return Reporter::Get().Report(std::move(finding));
}

}  // namespace foothold::check

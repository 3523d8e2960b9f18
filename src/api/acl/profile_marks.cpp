// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "acl/acl_prof.h"
#include "api/acl/profile_stamp.h"
#include "api/guard.h"
#include "base/thread_id.h"
#include "check/open_things.h"
#include "device/current.h"
#include "profile/profile_codes.h"
#include "trace/trace.h"

namespace foothold {
namespace {

constexpr std::size_t kLongestMark = 127;

struct StepInfo {
  int steps = 0;
};
using StepInfos = ProfileObjects<StepInfo>;

struct OpenRange {
  const char* text;
  const char* detail;
  Nanoseconds begin;
};

std::vector<OpenRange>& OwnRanges() {
  thread_local const auto ranges = std::make_unique<std::vector<OpenRange>>();
  return *ranges;
}

struct SharedRanges {
  std::mutex mutex;  // guards both
  std::map<std::uint32_t, OpenRange> open;
  std::uint32_t last = 0;
};

SharedRanges& AllRanges() {
  static auto* const ranges = new SharedRanges;
  return *ranges;
}

void RequireRecording() {
  if (!trace::Active())
    Fail(kProfNotRun, "nothing is recorded now; marks belong between aclprofStart and aclprofStop");
}

// Apart from those that threads share: the thread stands above.
std::uint64_t IdOfOwn(std::size_t depth) {
  return std::uint64_t{KernelThreadId()} << 32 | depth;
}

void OpenOwn(const char* text, const char* detail = nullptr) {
  OwnRanges().push_back({text, detail, Now()});
  check::Opened(check::Thing::kRange, IdOfOwn(OwnRanges().size()));
}

void CloseOwn(const char* opened_by) {
  if (OwnRanges().empty()) Fail(kProfNotRun, "this thread has no range that {} has opened", opened_by);
  const OpenRange range = OwnRanges().back();
  check::Closed(check::Thing::kRange, IdOfOwn(OwnRanges().size()));
  OwnRanges().pop_back();
  trace::Record({trace::Kind::kRange, 0, range.text, range.detail, 0, range.begin, Now()});
}

// A moment of the stream, not of the thread that asks for it.
class MarkTask {
 public:
  static constexpr bool kReplays = true;

  explicit MarkTask(const char* text) : text_(text) {}
  Outcome Run(Stream&) {
    if (trace::Active()) trace::Moment({trace::Kind::kMark, 0, text_, nullptr, 0, 0, 0});
    return Outcome::kDone;
  }
  std::string Describe() const { return std::string("msg=") + text_; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  const char* text_;
};

const char* TextOf(std::uint64_t id) {
  return id == 0 ? "range" : reinterpret_cast<const char*>(id);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

void* aclprofCreateStamp(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<void*>(nullptr), [] {
    RequireRecording();
    return Stamps::Get().Add({});
  });
}

void aclprofDestroyStamp(void* stamp) {
  Guard(FOOTHOLD_CALL(stamp), [&] { Stamps::Get().Remove(stamp, "stamp"); });
}

aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen) {
  return Guard(FOOTHOLD_CALL(stamp, msgLen), [&] {
    CheckNotNull(msg, "msg", kInvalidParam);
    if (msgLen > kLongestMark)
      Fail(kInvalidParam, "msgLen is {}; a text has at most {} bytes", msgLen, kLongestMark);
    Stamps::Get().Find(stamp, "stamp")->text = trace::Keep(std::string_view(msg, msgLen));
  });
}

aclError aclprofPush(void* stamp) {
  return Guard(FOOTHOLD_CALL(stamp), [&] {
    const auto found = Stamps::Get().Find(stamp, "stamp");
    RequireRecording();
    OpenOwn(found->text, found->Detail());
  });
}

aclError aclprofPop(void) {
  return Guard(FOOTHOLD_CALL(), [] { CloseOwn("aclprofPush"); });
}

aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  return Guard(FOOTHOLD_CALL(stamp, rangeId), [&] {
    CheckNotNull(rangeId, "rangeId", kInvalidParam);
    const auto found = Stamps::Get().Find(stamp, "stamp");
    RequireRecording();
    SharedRanges& ranges = AllRanges();
    std::lock_guard<std::mutex> lock(ranges.mutex);
    *rangeId = ++ranges.last;
    check::Opened(check::Thing::kRange, *rangeId);
    ranges.open.emplace(*rangeId, OpenRange{found->text, found->Detail(), Now()});
  });
}

aclError aclprofRangeStop(uint32_t rangeId) {
  return Guard(FOOTHOLD_CALL(rangeId), [&] {
    SharedRanges& ranges = AllRanges();
    std::lock_guard<std::mutex> lock(ranges.mutex);
    const auto found = ranges.open.find(rangeId);
    if (found == ranges.open.end()) Fail(kInvalidParam, "rangeId is {}, which is no open range", rangeId);
    const OpenRange& range = found->second;
    trace::Record({trace::Kind::kSpan, 0, range.text, range.detail, rangeId, range.begin, Now()});
    ranges.open.erase(found);
    check::Closed(check::Thing::kRange, rangeId);
  });
}

aclError aclprofMark(void* stamp) {
  return Guard(FOOTHOLD_CALL(stamp), [&] {
    const auto found = Stamps::Get().Find(stamp, "stamp");
    RequireRecording();
    trace::Moment({trace::Kind::kMark, 0, found->text, found->Detail(), 0, 0, 0});
  });
}

aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(msgLen, stream), [&] {
    CheckNotNull(msg, "msg", kInvalidParam);
    if (msgLen == 0 || msgLen > kLongestMark)
      Fail(kInvalidParam, "msgLen is {}; a text has 1 to {} bytes", msgLen, kLongestMark);
    RequireRecording();
    FindStream(stream).Push("aclprofMarkEx",
                            MarkTask(trace::Keep(std::string_view(msg, strnlen(msg, msgLen)))));
  });
}

uint64_t aclprofStr2Id(const char* message) {
  return GuardValue(FOOTHOLD_CALL(message), uint64_t{0}, [&] {
    return uint64_t{
        reinterpret_cast<std::uintptr_t>(trace::Keep(CheckNotNull(message, "message", kInvalidParam)))};
  });
}

aclError aclprofRangePushEx(aclprofEventAttributes* attr) {
  return Guard(FOOTHOLD_CALL(attr), [&] {
    CheckNotNull(attr, "attr", kInvalidParam);
    if (attr->version != ACL_PROF_EVENT_ATTR_VERSION ||
        attr->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO)
      Fail(kInvalidParam, "attr has version {} and kind {}; expected {} and {}", attr->version,
           attr->messageType, ACL_PROF_EVENT_ATTR_VERSION,
           static_cast<int>(ACL_PROF_MESSAGE_TYPE_TENSOR_INFO));
    const aclprofTensorInfo* info =
        CheckNotNull(attr->message.tensorInfo, "attr->message.tensorInfo", kInvalidParam);
    RequireRecording();
    OpenOwn(TextOf(info->opNameId));
  });
}

aclError aclprofRangePop(void) {
  return Guard(FOOTHOLD_CALL(), [] { CloseOwn("aclprofRangePushEx"); });
}

aclprofStepInfo* aclprofCreateStepInfo(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclprofStepInfo*>(nullptr),
                    [] { return static_cast<aclprofStepInfo*>(StepInfos::Get().Add({})); });
}

void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  Guard(FOOTHOLD_CALL(stepinfo), [&] { StepInfos::Get().Remove(stepinfo, "stepinfo"); });
}

aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stepInfo, tag, stream), [&] {
    StepInfos::Get().Find(stepInfo, "stepInfo");
    if (tag != ACL_STEP_START && tag != ACL_STEP_END)
      Fail(kInvalidParam, "tag is {}; expected 0 (start) or 1 (end)", static_cast<int>(tag));
    FindStream(stream).Push("aclprofGetStepTimestamp",
                            MarkTask(tag == ACL_STEP_START ? "step begins" : "step ends"));
  });
}

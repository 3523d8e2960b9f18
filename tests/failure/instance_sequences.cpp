// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models built by hand, conditions inside captures, and what is asked of instances.
#include <acl/acl_mdl.h>

#include <cstdio>
#include <vector>

#include "failure/sweep.h"

namespace {

class StoredStream {
 public:
  explicit StoredStream(Trial& trial) : trial_(trial) {
    trial.Try("aclrtCreateStreamWithConfig",
              [&] { return aclrtCreateStreamWithConfig(&stream_, 0, ACL_STREAM_PERSISTENT); });
  }
  ~StoredStream() {
    if (stream_ != nullptr) trial_.End("aclrtDestroyStream", [&] { return aclrtDestroyStream(stream_); });
  }
  StoredStream(const StoredStream&) = delete;
  StoredStream& operator=(const StoredStream&) = delete;
  explicit operator bool() const { return stream_ != nullptr; }
  aclrtStream get() const { return stream_; }

 private:
  Trial& trial_;
  aclrtStream stream_ = nullptr;
};

class OwnInstance {
 public:
  explicit OwnInstance(Trial& trial) : trial_(trial) {}
  ~OwnInstance() {
    if (model != nullptr) trial_.End("aclmdlRIDestroy", [&] { return aclmdlRIDestroy(model); });
  }
  OwnInstance(const OwnInstance&) = delete;
  OwnInstance& operator=(const OwnInstance&) = delete;

  aclmdlRI model = nullptr;

 private:
  Trial& trial_;
};

bool Queue(Trial& trial, void* cell, aclrtStream stream) {
  return trial.Try("aclrtValueWrite", [&] { return aclrtValueWrite(cell, 1, 0, stream); });
}

// Two streams, a switch, a label and an event.
void BuiltModel(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnMemory memory(trial, 4096);
  const OwnStream stream(trial);
  const StoredStream head(trial), other(trial);
  OwnInstance owner(trial);
  if (!memory || !stream || !head || !other) return;
  if (!trial.Try("aclmdlRIBuildBegin", [&] { return aclmdlRIBuildBegin(&owner.model, 0); })) return;
  const auto bind = [&](const StoredStream& bound, std::uint32_t flag) {
    return trial.Try("aclmdlRIBindStream",
                     [&] { return aclmdlRIBindStream(owner.model, bound.get(), flag); });
  };
  if (!bind(head, ACL_MODEL_STREAM_FLAG_HEAD) || !bind(other, ACL_MODEL_STREAM_FLAG_DEFAULT)) return;
  if (!Queue(trial, memory.get(), head.get()) || !Queue(trial, memory.get(), other.get())) return;
  if (!trial.Try("aclrtActiveStream", [&] { return aclrtActiveStream(other.get(), head.get()); })) return;
  aclrtLabel label = nullptr;
  if (!trial.Try("aclrtCreateLabel", [&] { return aclrtCreateLabel(&label); })) return;
  aclrtLabelList list = nullptr;
  const bool listed =
      trial.Try("aclrtCreateLabelList", [&] { return aclrtCreateLabelList(&label, 1, &list); });
  const bool set = listed && trial.Try("aclrtSwitchLabelByIndex", [&] {
    return aclrtSwitchLabelByIndex(static_cast<char*>(memory.get()) + 64, 1, list, other.get());
  }) && trial.Try("aclrtSetLabel", [&] { return aclrtSetLabel(label, other.get()); });
  if (listed) trial.End("aclrtDestroyLabelList", [&] { return aclrtDestroyLabelList(list); });
  trial.End("aclrtDestroyLabel", [&] { return aclrtDestroyLabel(label); });
  if (!set) return;
  if (!trial.Try("aclmdlRIEndTask", [&] { return aclmdlRIEndTask(owner.model, other.get()); })) return;
  if (!trial.Try("aclmdlRIBuildEnd", [&] { return aclmdlRIBuildEnd(owner.model, nullptr); })) return;
  for (int run = 0; run < 2; ++run) {
    trial.Try("aclmdlRIExecute", [&] { return aclmdlRIExecute(owner.model, -1); });
    if (trial.Try("aclmdlRIExecuteAsync", [&] { return aclmdlRIExecuteAsync(owner.model, stream.get()); }))
      trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); });
  }
}
const bool built_model = Register("ModelBuiltByHand", BuiltModel);

// A capture in which something failed comes to nothing, which its end says.
bool EndCapture(Trial& trial, aclrtStream stream, aclmdlRI* model, bool whole) {
  const auto end = [&] { return aclmdlRICaptureEnd(stream, model); };
  if (whole) return trial.Try("aclmdlRICaptureEnd", end);
  trial.Do(end);
  return false;
}

bool CaptureChild(Trial& trial, aclrtStream stream, aclmdlRI child, void* cell) {
  const auto mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  if (!trial.Try("aclmdlRICaptureToModelRIBegin",
                 [&] { return aclmdlRICaptureToModelRIBegin(stream, child, mode); }))
    return false;
  const bool queued = trial.Try("aclrtValueWrite", [&] { return aclrtValueWrite(cell, 0, 0, stream); });
  aclmdlRI ended = nullptr;
  return EndCapture(trial, stream, &ended, queued);
}

// A loop that ends after one round, and what is asked of the instance.
void Conditions(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial), inner(trial);
  OwnInstance owner(trial);
  if (!stream || !inner) return;
  if (!trial.Try("aclmdlRICaptureBegin",
                 [&] { return aclmdlRICaptureBegin(stream.get(), ACL_MODEL_RI_CAPTURE_MODE_RELAXED); }))
    return;
  aclmdlRICaptureStatus status{};
  aclmdlRI model = nullptr, child = nullptr;
  aclmdlRICondHandle handle = nullptr;
  uint64_t* cell = nullptr;
  bool whole = trial.Try("aclmdlRICaptureGetInfo",
                         [&] { return aclmdlRICaptureGetInfo(stream.get(), &status, &model); });
  whole = whole && trial.Try("aclmdlRICondHandleCreate", [&] {
    return aclmdlRICondHandleCreate(model, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle);
  });
  whole = whole && trial.Try("aclmdlRICondHandleGetCondPtr",
                             [&] { return aclmdlRICondHandleGetCondPtr(handle, &cell); });
  whole = whole && trial.Try("aclmdlRIAddCondTask", [&] {
    return aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_WHILE, 1, &child}, stream.get(), 0);
  });
  whole = whole && CaptureChild(trial, inner.get(), child, cell);
  if (!EndCapture(trial, stream.get(), &owner.model, whole)) return;
  trial.Try("aclmdlRIExecute", [&] { return aclmdlRIExecute(owner.model, -1); });
  uint32_t count = 0;
  aclrtStream shown = nullptr;
  if (!trial.Try("aclmdlRIGetStreams", [&] { return aclmdlRIGetStreams(owner.model, nullptr, &count); }))
    return;
  trial.Expect(count == 1, "the capture has one stream");
  if (!trial.Try("aclmdlRIGetStreams", [&] { return aclmdlRIGetStreams(owner.model, &shown, &count); }))
    return;
  aclmdlRITask task = nullptr;
  if (trial.Try("aclmdlRIGetTasksByStream", [&] { return aclmdlRIGetTasksByStream(shown, &task, &count); }))
    trial.Expect(count == 1 && task != nullptr, "the capture has one task");
  trial.Try("aclmdlRISetName",
            [&] { return aclmdlRISetName(owner.model, "a name that needs memory of its own"); });
  const char* path = "failing_timeline.json";  // in the working folder
  if (trial.Try("aclmdlRIDebugJsonPrint", [&] { return aclmdlRIDebugJsonPrint(owner.model, path, 1); }))
    std::remove(path);
}
const bool conditions = Register("ConditionsInsideCaptures", Conditions);

}  // namespace

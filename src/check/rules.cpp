// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/rules.h"

#include <algorithm>
#include <array>

#include "check/rules_of_graphs.h"
#include "check/rules_of_use.h"

namespace foothold::check {
namespace {

using enum Group;
using enum Severity;

// Of memory, order, objects and calls; others stand in headers of their own.
constexpr Rule kBasicRules[] = {
    {"ACL-CB-001", kUsage, kError,
     "A callback may be launched only on a stream that a thread is subscribed to.",
     "aclrtSubscribeReport is missing, was called for another stream, or was undone before.",
     "Call aclrtSubscribeReport(threadId, stream) before the first aclrtLaunchCallback on that stream.",
     "callbacks.md"},
    {"ACL-CB-002", kUsage, kError,
     "The thread that is subscribed to a stream runs aclrtProcessReport as long as there may be callbacks.",
     "The thread has ended, was never started, or does something else, while a callback waits for it.\nThe "
     "thread that should run the callbacks waits for their stream itself.",
     "Let a thread of its own call aclrtProcessReport in a loop, and end it after the last synchronisation.",
     "callbacks.md"},
    {"ACL-CB-003", kUsage, kError, "A callback or host function must not wait for its own stream.",
     "A function of the program synchronises the stream it was launched on, or an event recorded there "
     "later: "
     "the stream cannot go on before the function returns.",
     "Wait outside of the function, or for another stream.\nLaunch what must follow as a task behind it.",
     "callbacks.md"},
    {"ACL-CB-004", kUsage, kAdvice, "A function of the program does not hold up its stream for long.",
     "A callback or host function waits, writes a file or computes for more than a second.",
     "Hand the work to a thread of the program, and return.", "callbacks.md"},
    {"ACL-CB-005", kUsage, kPortability,
     "Callbacks and host functions do not allocate, free, synchronise, launch or abort.",
     "It works here, and samples do it; the documents forbid it, because it can block a device's own thread.",
     "Tell another thread of the program to do it.", "callbacks.md"},
    {"ACL-CB-006", kUsage, kPortability, "A stream gets either callbacks or host functions, not both.",
     "aclrtLaunchCallback and aclrtLaunchHostFunc are used on one stream.",
     "Use one of the two, or two streams.", "callbacks.md"},
    {"ACL-CB-007", kUsage, kError,
     "The thread id of a subscription is pthread_self(), not a number of the kernel.",
     "gettid() or syscall(SYS_gettid) is passed to aclrtSubscribeReport.",
     "Pass pthread_self() of the thread, or native_handle() of a std::thread.", "callbacks.md"},
    {"ACL-CB-008", kUsage, kError, "A thread is unsubscribed only when no callback is outstanding.",
     "aclrtUnSubscribeReport is called before the stream was synchronised: the callbacks fail.",
     "Synchronise the stream first.", "callbacks.md"},
    {"ACL-CTX-001", kUsage, kError, "A thread needs a current context before it uses a device.",
     "A worker thread uses streams or memory of another thread: the current context belongs to the thread "
     "that "
     "called aclrtSetDevice or aclrtCreateContext.\nThe context was destroyed, or its device was reset.",
     "Call aclrtSetDevice or aclrtSetCurrentContext in each thread first.", "streams.md"},
    {"ACL-CTX-002", kUsage, kError, "Objects of one device must not be used for another.",
     "An event of one device is recorded in a stream of another.",
     "Make the event with the device current that it is recorded on; streams of other devices may wait for "
     "it.",
     "events.md"},
    {"ACL-CTX-005", kUsage, kError,
     "A forked child starts anew: no memory or handle of its parent is valid in it.",
     "The parent has used the library before fork, and the child goes on with what it has inherited.",
     "Call aclInit and aclrtSetDevice in the child, and make there what it uses.\nStart children before the "
     "library is used, or with exec.",
     "streams.md"},
    {"ACL-DUMP-001", kUsage, kError, "The chunk of a dump callback must not be used after it has returned.",
     "The callback keeps the pointer, or hands it to another thread, instead of the bytes.",
     "Copy the bytes inside of the callback.", "dump.md"},
    {"ACL-LEAK-001", kLeak, kWarning,
     "Device memory is freed before its device is reset or the library finalised.",
     "A path through the program, often one after an error, leaves without aclrtFree.",
     "Free what was allocated, or let an object do it whose end cannot be forgotten.", "memory.md"},
    {"ACL-LEAK-002", kLeak, kWarning,
     "Pinned, registered, managed and physical memory is given back before the program ends.",
     "aclrtFreeHost, aclrtHostUnregister, aclrtFree or aclrtFreePhysical is missing.",
     "Give back what was taken, in the same part of the program.", "memory.md"},
    {"ACL-LEAK-003", kLeak, kWarning,
     "Streams, events, notifies and contexts are destroyed before their device is reset or the library "
     "finalised.",
     "The destructor of a wrapper is missing, or runs after the device was reset.",
     "Destroy them before aclrtResetDevice.", "streams.md"},
    {"ACL-LEAK-004", kLeak, kWarning,
     "Datasets, data buffers, descriptions and configurations of models are destroyed before the program "
     "ends.",
     "aclmdlDestroyDataset does not destroy the data buffers in the dataset.",
     "Take the buffers from the dataset with aclmdlGetDatasetBuffer and destroy them first.",
     "offline_models.md"},
    {"ACL-LEAK-005", kLeak, kWarning,
     "Tensor descriptions, operator attributes and handles, allocator and dump descriptions are destroyed "
     "before the "
     "program ends.",
     "They are made for each call and the program keeps nobody to destroy them.",
     "Destroy them as soon as the call that takes them has returned.", "single_operators.md"},
    {"ACL-LEAK-006", kLeak, kWarning, "Tensors, lists, scalars, arrays and executors of aclnn are destroyed.",
     "The second call of an operator is left out after the first one.\nA list is destroyed, which destroys "
     "its "
     "tensors, but an array is not.",
     "Destroy what aclCreateTensor and its siblings made; run or destroy every executor.", "aclnn.md"},
    {"ACL-LEAK-007", kLeak, kWarning, "Objects made at one place of the program do not become more and more.",
     "A loop makes an object in each turn and destroys none, or only the one that holds it.",
     "Destroy the object in the turn that made it. Where it is a cache, suppress this place.", "errors.md"},
    {"ACL-LEAK-008", kLeak, kWarning,
     "Channels, items and datasets of transfers, attributes and routes of queues are destroyed before the "
     "program ends.",
     "acltdtDestroyDataset does not destroy the items in the dataset.\nA channel is stopped and not "
     "destroyed.",
     "Destroy the items first, then the dataset; acltdtDestroyChannel after acltdtStopChannel.",
     "transfer.md"},
    {"ACL-LIFE-001", kUsage, kError, "aclInit comes first.", "The library is used before aclInit was called.",
     "Call aclInit once, before everything else.", "streams.md"},
    {"ACL-LIFE-002", kUsage, kError, "Nothing may be used after aclFinalize.",
     "An object that lives longer than the library destroys its stream or memory in its destructor.\nOne "
     "part of "
     "the program finalises what another part still uses.",
     "Destroy everything before aclFinalize.\nWhere parts share the library, each calls "
     "aclFinalizeReference.",
     "streams.md"},
    {"ACL-LIFE-003", kUsage, kWarning, "Who got 100002 from aclInit must not finalise the library.",
     "A library in the process initialises although the program has done so, and then calls aclFinalize, "
     "which "
     "takes everything from the program.",
     "Remember whether aclInit answered 0, and finalise only then.\nOr call aclFinalizeReference.",
     "streams.md"},
    {"ACL-LIFE-005", kHandle, kError,
     "A handle must be one the library has given, of the right kind, and alive.",
     "The object was destroyed, or went with its device at a reset.\nA handle of another kind is "
     "passed.\nThe "
     "variable was never set.",
     "Keep the object until its last use.\nSet the variable to null when the object is destroyed.",
     "errors.md"},
    {"ACL-LIFE-007", kHandle, kError, "Each object is destroyed exactly once.",
     "Two owners destroy the same object.\nIt went with its device or context at a reset before.",
     "Let one place own the object.", "errors.md"},
    {"ACL-MDL-001", kUsage, kError,
     "A dataset has as many buffers as the model has inputs or outputs, each large enough.",
     "The model was changed and the program was not.\nSizes are computed for another type or batch.",
     "Ask the model: aclmdlGetNumInputs, aclmdlGetInputSizeByIndex and their siblings.", "offline_models.md"},
    {"ACL-MDL-050", kUsage, kError,
     "An update of captured tasks brings the same calls, as many and in the same order.",
     "Between aclmdlRICaptureTaskUpdateBegin and its end other functions are called than when the group was "
     "captured, or more or fewer of them.",
     "Make the same calls with other arguments. For other calls, capture again.", "capture.md"},
    {"ACL-MEM-001", kMemory, kError, "Host code must not follow a pointer to device memory.",
     "std::memcpy, a loop or a debugging print is given a pointer from aclrtMalloc.\nA buffer that may be on "
     "either side is treated as the host's.",
     "Copy with aclrtMemcpy, or use memory from aclrtMallocHost or aclrtMemAllocManaged.\nWhat a system call "
     "reads or writes there fails with EFAULT and is not reported.",
     "memory.md"},
    {"ACL-MEM-002", kMemory, kError, "A queued task must not use memory that was freed after it was queued.",
     "Scratch memory is freed when the function that queued the task returns.\nA buffer is replaced by a "
     "larger one "
     "while tasks still use the old one.",
     "Free it when the stream has passed the task: after a synchronisation, or in a host function behind it.",
     "memory.md"},
    {"ACL-MEM-003", kMemory, kError,
     "Device memory is freed only when every task that uses it is known to be over.",
     "aclrtFree follows an asynchronous call without a wait: it does not wait for streams.",
     "Synchronise the stream, or an event behind the last use, before the memory is freed.\nOr call "
     "aclrtFreeWithDevSync.",
     "memory.md"},
    {"ACL-MEM-004", kMemory, kError, "A copy, fill or reduction stays inside one allocation.",
     "An offset is added to the wrong pointer.\nA size is computed for another type or shape.",
     "Compare offset and size with the size the memory was allocated with.", "memory.md"},
    {"ACL-MEM-005", kMemory, kWarning, "destMax must not promise more bytes than lie behind dst.",
     "destMax is computed for another block, so it does not protect this one.",
     "Pass the bytes from dst to the end of its block, or count.", "memory.md"},
    {"ACL-MEM-006", kMemory, kError, "A data buffer or tensor must not claim more bytes than its memory has.",
     "The size is computed for another type or shape than the memory was.\nThe buffer begins inside of a "
     "block "
     "and is as long as all of it.",
     "Pass the bytes from the address to the end of its block, or fewer.", "memory.md"},
    {"ACL-MEM-007", kMemory, kError, "Nothing may be written behind the end of a block, or in front of it.",
     "Host code leaves its pinned or managed memory.\nA kernel of the program writes one row too many.\nA "
     "size "
     "is computed for float16 and the values are float, in a block of a pool that foothold/check.h tells of.",
     "Compare what is written with the size of the block.", "memory.md"},
    {"ACL-MEM-008", kInit, kError, "An operator must not read device bytes nobody has written.",
     "Rows that pad a batch were never filled: their numbers are what was there before, often NaN.\nThe copy "
     "or "
     "the kernel that should have written them is missing or too short.",
     "Set fresh memory with aclrtMemset, or let the operator see only the rows that were written.\nWhere a "
     "kernel of the program writes it unseen, say so with FootholdWritten.",
     "memory.md"},
    {"ACL-MEM-009", kInit, kWarning, "A copy to the host should not consist of bytes nobody has written.",
     "The result is copied from another block than it was written to.\nThe operator that writes it did not "
     "run.",
     "Copy from where the result is.", "memory.md"},
    {"ACL-MEM-010", kMemory, kError, "The kind of a copy must fit its two addresses.",
     "Pointers to device memory are copied with ACL_MEMCPY_HOST_TO_DEVICE, as if one were the host's.",
     "Pass the kind that fits, or ACL_MEMCPY_DEFAULT.", "memory.md"},
    {"ACL-MEM-011", kMemory, kError,
     "Memory is freed once, by the start of its block, with the function that fits.",
     "Two owners free the same block.\nA pointer inside the block is freed.\naclrtFreeHost gets device "
     "memory, or "
     "aclrtFree memory of the host.",
     "Let one place own the block, and free what the allocation has answered.", "memory.md"},
    {"ACL-MEM-012", kMemory, kPortability, "Addresses have the alignment devices need.",
     "A copy between two places of device memory begins at an address that is no multiple of 64.\nA tensor "
     "of a "
     "graph begins at one that is no multiple of 32, a value to be written or waited for at one that is no "
     "multiple of 8,\nmemory to be registered at one that is no multiple of 4096.",
     "Round offsets inside of a block up to 64 bytes, and allocate memory to be registered by pages.",
     "memory.md"},
    {"ACL-MEM-013", kMemory, kPortability,
     "A task on one device uses memory of another only with access between the two.",
     "aclrtDeviceEnablePeerAccess is missing, or was called for the other direction only.",
     "Ask aclrtDeviceCanAccessPeer and call aclrtDeviceEnablePeerAccess on both devices.", "memory.md"},
    {"ACL-MEM-014", kMemory, kWarning, "Source and destination of a copy must not overlap.",
     "Data is moved by a few elements inside one buffer.",
     "Copy through a second buffer. Here the result is as if that was done; devices do not promise it.",
     "memory.md"},
    {"ACL-MEM-015", kMemory, kError, "Virtual addresses are used only where memory is mapped.",
     "A copy goes over the end of a mapping, or uses addresses that were only reserved.\nAccess was not "
     "granted.",
     "Map memory to all addresses that are used (aclrtMapMem), and unmap after the last use.", "memory.md"},
    {"ACL-MEM-016", kMemory, kError, "Arguments that devices read or write are device memory.",
     "alpha or beta of an aclblas function, a value or a buffer is a pointer to memory of the host.",
     "Put the value into memory of aclrtMalloc.", "memory.md"},
    {"ACL-MEM-050", kMemory, kError, "Memory that captured tasks use is freed only after their last run.",
     "A buffer is replaced by a larger one, and the instance that was captured with the old one runs again.",
     "Keep what was captured with, or capture again.", "capture.md"},
    {"ACL-MEM-070", kMemory, kError,
     "Memory of another process is not used after it was closed, nor closed while a task uses it.",
     "aclrtIpcMemClose is called as soon as the copies are queued.\nAnother part of the program still has "
     "the "
     "address.",
     "Synchronise what uses it, then close it, and forget the address.", "sharing.md"},
    {"ACL-RACE-001", kRace, kError,
     "Two streams use the same bytes, one of them writing, only in an order the program has made.",
     "The event between producer and consumer is missing, was recorded too early, or is waited for in the "
     "wrong "
     "stream.\nA pool hands a block to another stream while the first still uses it.",
     "Record an event in the stream that comes first, behind its last use, and let the other wait for it.",
     "events.md"},
    {"ACL-RACE-002", kRace, kError,
     "The host must not use the target of a queued copy before it has waited for it.",
     "A result is read right after aclrtMemcpyAsync, or after a wait for another stream.\nThe "
     "synchronisation "
     "comes behind the use.",
     "Synchronise the stream, or an event behind the copy, before the memory is used.", "memory.md"},
    {"ACL-RACE-003", kRace, kError,
     "Synchronous copies and fills do not wait for streams: the program must have.",
     "aclrtMemcpy reads a result while the task that writes it is queued.\nAnother stream was synchronised "
     "than the one "
     "that has the work.",
     "Synchronise the stream that has the work before the copy.\nOr queue the copy in that stream.",
     "memory.md"},
    {"ACL-RACE-004", kRace, kError,
     "The source of a queued copy from the host must stay as it is until the copy is done.",
     "A loop fills one pinned buffer for each step and queues a copy of it.\nA staging buffer is used for "
     "the "
     "next transfer at once.",
     "Use two buffers in turn, and wait for an event behind the copy before one is filled again.\nOr copy "
     "with "
     "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, which takes the bytes at the call.",
     "memory.md"},
    {"ACL-RACE-005", kRace, kError,
     "Pinned or registered memory must not be freed or unregistered while a copy uses it.",
     "A staging buffer is freed right after aclrtMemcpyAsync.",
     "Synchronise first, or call aclrtFreeHostWithDevSync.", "memory.md"},
    {"ACL-RACE-006", kRace, kError,
     "A pool must not hand a block to another stream before its last users are over.",
     "A block goes back to the pool when the task that uses it is queued, and is taken for another "
     "stream.\nThe "
     "second stream of a tensor is not recorded with the pool.",
     "Let the new stream wait for an event behind the last use.\nOr hand the block only to the stream it "
     "came "
     "from.",
     "memory_pools.md"},
    {"ACL-RACE-007", kRace, kError, "The default stream orders nothing but itself.",
     "A habit from CUDA: work on the null stream, then on another one, or the other way round, without an "
     "event.",
     "Record an event in the one stream and let the other wait for it.", "streams.md"},
    {"ACL-RACE-008", kRace, kError,
     "What a callback with ACL_CALLBACK_NO_BLOCK reads must not be overwritten by later tasks of its stream.",
     "The stream does not wait for such a callback, and the next task writes what it reads.",
     "Launch it with ACL_CALLBACK_BLOCK, or use two buffers in turn.", "callbacks.md"},
    {"ACL-RACE-009", kRace, kPortability, "Single operators are queued on a stream by one thread at a time.",
     "Threads of a pool share one stream, or the default stream, and call aclopExecuteV2 without a lock. It "
     "works here; devices may mix up the work memory of the two.",
     "Give each thread a stream of its own, or hold a lock around the call.", "single_operators.md"},
    {"ACL-RACE-050", kRace, kError, "Two runs of one captured instance follow one another.",
     "The instance is run on two streams, or again before the program has waited, over the same memory. Here "
     "the second run waits for the first; that is no order for what comes before and after.",
     "Run it on one stream, or record an event behind the first run and let the other stream wait for it.",
     "capture.md"},
    {"ACL-RACE-051", kRace, kError,
     "Runs of two captured instances use the same bytes, one of them writing, only in an order the program "
     "has made.",
     "Two captures share a buffer or a pool and are run on two streams.",
     "Record an event behind the first run and let the other stream wait for it, or give each its own "
     "memory.",
     "capture.md"},
    {"ACL-RACE-052", kRace, kError,
     "Tasks of two streams of one capture use the same bytes, one of them writing, only in an order that "
     "events of the capture make.",
     "A stream forks off and comes back by events, and between the two a task of the other stream uses its "
     "memory.",
     "Record an event behind the first task and let the other stream wait for it, both inside the capture.",
     "capture.md"},
    {"ACL-STREAM-001", kUsage, kWarning,
     "A stream that is destroyed by force, or ends with its device, has no tasks left.",
     "aclrtDestroyStreamForce or a reset drops what is still queued, and nobody learns of it.",
     "Synchronise first, or abort the stream on purpose (aclrtStreamAbort).", "streams.md"},
    {"ACL-STREAM-002", kUsage, kError, "A stream is used in its own context.",
     "The thread has another device or context current than the one the stream was made in, often in a "
     "destructor.",
     "Call aclrtSetDevice or aclrtSetCurrentContext before, for each stream.", "streams.md"},
    {"ACL-STREAM-003", kUsage, kError, "The failure of a task is looked at before its stream ends.",
     "The code of aclrtSynchronizeStream is ignored, or the stream is destroyed without a synchronisation.",
     "Synchronise the stream and look at the code before it is destroyed.", "streams.md"},
    {"ACL-SYNC-001", kSync, kWarning, "A stream waits for an event only after it was recorded.",
     "Wait and record are queued in the wrong order, often by two threads: the wait passes at once.",
     "Record the event first. Threads that do it tell one another.", "events.md"},
    {"ACL-SYNC-002", kSync, kAdvice, "A recorded event is waited for, queried, synchronised or timed.",
     "The wait that belongs to the record was forgotten or removed.",
     "Wait for it where its work is needed, or leave the record out.", "events.md"},
    {"ACL-SYNC-003", kSync, kError, "An event is reset only when every wait for it is known to be over.",
     "A pool of events resets one while a stream still waits for it: on a device that stream may wait for "
     "ever.",
     "Reset it in the stream that waited, behind the wait.\nOr ask aclrtQueryEventWaitStatus first, or "
     "synchronise.",
     "events.md"},
    {"ACL-SYNC-004", kSync, kPortability,
     "A plain event is recorded again only when all waits for its last record are over.",
     "One event is recorded in each turn of a loop, and the other stream may not have come to the wait of "
     "the "
     "turn before. Here a wait keeps the record it was queued with; a device may lose it.",
     "Use two events in turn, or one of aclrtCreateEventExWithFlag.", "events.md"},
    {"ACL-SYNC-005", kSync, kError,
     "Elapsed time needs two records that are complete, the earlier one first.",
     "An event was not recorded, not waited for, or made without a time.\nThe events are passed in the wrong "
     "order.",
     "Synchronise with the second event first.\nMake events with aclrtCreateEvent, or with "
     "ACL_EVENT_TIME_LINE.",
     "events.md"},
    {"ACL-SYNC-006", kSync, kWarning,
     "A notify is recorded again only after a wait has taken the record before: records do not add up.",
     "Two records are queued before the first wait, or nothing says that the wait came between them: the "
     "second wait waits for ever.",
     "Wait between the records, with a notify in the other direction.\nOr use a counted notify.",
     "events.md"},
    {"ACL-SYNC-007", kSync, kError, "Streams, notifies and threads do not wait for one another in a circle.",
     "Two streams wait for one another before they tell one another.\nA thread waits for a stream whose "
     "callback only this thread can run.",
     "Let one side tell before it waits.\nSynchronise from another thread than the one that runs callbacks.",
     "events.md"},
    {"ACL-SYNC-008", kSync, kError, "Somebody is left who can end a wait.",
     "A notify is waited for and would be recorded by the thread that waits, behind the wait.\nThe notify "
     "was "
     "destroyed.",
     "Record first, or from another thread or stream.", "events.md"},
    {"ACL-SYNC-009", kSync, kWarning, "Something happens while the program waits (FOOTHOLD_CHECK_HANG).",
     "A thread that should record, write or run callbacks does something else, or is stuck.",
     "The report says who waits for whom: look at the one at the end.", "events.md"},
    {"ACL-SYNC-010", kSync, kError,
     "A wait that ran out of time is no end: what the stream uses is still in use.",
     "The code of aclrtSynchronizeStreamWithTimeout is ignored, or taken for an end.",
     "Wait again, or abort the stream, before its memory is used.", "streams.md"},
    {"ACL-SYNC-011", kSync, kAdvice, "The stream that is synchronised is the one that has the work.",
     "A thread synchronises a stream of its own, which is empty, and uses what another stream writes.",
     "Synchronise the stream that has the work, or an event recorded there.", "streams.md"},
    {"ACL-SYNC-050", kSync, kError, "Every stream that joined a capture comes back before it ends.",
     "The event behind the last task of the other stream, or the wait for it, is missing.",
     "Record an event behind its last task, and let the stream the capture began on wait for it.",
     "capture.md"},
    {"ACL-SYNC-051", kSync, kError,
     "A captured stream waits only for events of its capture, or for external ones.",
     "The event was recorded before the capture began, or in a stream that is not part of it.",
     "Wait before the capture begins, or create the event with ACL_EVENT_EXTERNAL.", "capture.md"},
};

template <std::size_t... kCounts>
consteval auto SortedById(const Rule (&... parts)[kCounts]) {
  std::array<Rule, (kCounts + ...)> all{};
  std::size_t count = 0;
  const auto add = [&](const auto& part) {
    for (const Rule& rule : part)
      all[count++] = rule;
  };
  (add(parts), ...);
  std::sort(all.begin(), all.end(),
            [](const Rule& a, const Rule& b) { return std::string_view(a.id) < std::string_view(b.id); });
  return all;
}

constexpr auto kRules = SortedById(kBasicRules, kRulesOfGraphs, kRulesOfUse);

constexpr Group kGroups[] = {kMemory, kInit, kRace, kSync, kHandle, kUsage, kLeak};

}  // namespace

std::span<const Rule> AllRules() noexcept {
  return kRules;
}

const Rule* FindRule(std::string_view id) noexcept {
  const auto found =
      std::lower_bound(std::begin(kRules), std::end(kRules), id,
                       [](const Rule& rule, std::string_view wanted) { return rule.id < wanted; });
  return found != std::end(kRules) && found->id == id ? &*found : nullptr;
}

std::span<const Group> AllGroups() noexcept {
  return kGroups;
}

const char* NameOf(Group group) noexcept {
  switch (group) {
    case kMemory:
      return "memory";
    case kInit:
      return "init";
    case kRace:
      return "race";
    case kSync:
      return "sync";
    case kHandle:
      return "handle";
    case kUsage:
      return "usage";
    case kLeak:
      return "leak";
  }
  return "";
}

const char* NameOf(Severity severity) noexcept {
  switch (severity) {
    case kError:
      return "error";
    case kWarning:
      return "warning";
    case kPortability:
      return "portability";
    case kAdvice:
      return "advice";
  }
  return "";
}

}  // namespace foothold::check

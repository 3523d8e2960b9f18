// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>

#include "acl/acl_dump.h"
#include "acl/acl_rt.h"
#include "python/chapters.h"
#include "python/python_callback.h"

namespace foothold {
namespace {

constexpr std::int32_t kChunkRefused = -1;

// The function and how many arguments it takes.
struct Receiver {
  Object function;
  int arguments = 1;
};

// Used with the interpreter's lock only, and never destroyed.
Receiver& DumpReceiver() {
  static auto& receiver = *new Receiver();
  return receiver;
}

Object ChunkToPython(const acldumpChunk& chunk) {
  const Object dict = NewDict();
  SetItem(dict, "file_name", FromText({chunk.fileName, strnlen(chunk.fileName, sizeof chunk.fileName)}));
  SetItem(dict, "data_buf", ToPython(&chunk.dataBuf[0]));
  SetItem(dict, "buf_len", ToPython(chunk.bufLen));
  SetItem(dict, "is_last_chunk", ToPython(chunk.isLastChunk));
  SetItem(dict, "offset", ToPython(chunk.offset));
  SetItem(dict, "flag", ToPython(chunk.flag));
  return dict;
}

// A function that returns a number decides with it; nothing means that it took the data.
std::int32_t CodeOf(const Object& result) {
  if (!result) return kChunkRefused;
  return PyLong_Check(result.get()) ? static_cast<std::int32_t>(ReadInteger(result.get())) : 0;
}

std::int32_t OnChunk(const acldumpChunk* chunk, std::int32_t length) {
  std::int32_t code = kChunkRefused;
  InPython([&] {
    const Receiver to = DumpReceiver();  // a copy: the function may register another
    const Object second = to.arguments == 2 ? ToPython(length) : Object();
    code = CodeOf(CallOrPrint(to.function, ChunkToPython(*chunk), second));
  });
  return code;
}

aclError Register(Object function, std::int32_t flag) {
  const int arguments = CheckTakesOneOrTwo(function, "fn(chunk)", "fn(chunk, length)");
  const Receiver before = DumpReceiver();
  DumpReceiver() = {function, arguments};  // a run that is on its way may use it at once
  const aclError code = WithoutGil([&] { return acldumpRegCallback(OnChunk, flag); });
  if (code != ACL_SUCCESS) DumpReceiver() = before;
  return code;
}

void Unregister() {
  WithoutGil(acldumpUnregCallback);
  DumpReceiver() = {};
}

const Function kDumpFunctions[] = {
    Bind<aclmdlInitDump>("init_dump", "-> ret", "Prepares for set_dump or dump_reg_callback."),
    Bind<aclmdlSetDump>("set_dump", "config_path -> ret", "What to dump of models loaded from now on."),
    Bind<aclmdlFinalizeDump>("finalize_dump", "-> ret", "Ends dumping."),
    Bind<Register>(
        "dump_reg_callback", "fn, flag -> ret",
        "Dumps call fn(chunk), or fn(chunk, length) if fn takes two arguments, and write no files; flag is "
        "0. "
        "The dict chunk has file_name, data_buf (an address, good while fn runs), buf_len, is_last_chunk, "
        "offset and flag.",
        "acldumpRegCallback"),
    BindQuick<Unregister>("dump_unreg_callback", "-> None", "Takes that back.", "acldumpUnregCallback"),
};

}  // namespace

std::span<const Function> DumpFunctions() {
  return kDumpFunctions;
}

}  // namespace foothold

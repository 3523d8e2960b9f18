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

RegisteredFunction& DumpFunction() {
  static auto& function = *new RegisteredFunction();
  return function;
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

std::int32_t OnChunk(const acldumpChunk* chunk, std::int32_t) {
  std::int32_t code = kChunkRefused;
  InPython([&] { code = CodeOf(CallOrPrint(DumpFunction().Get(), ChunkToPython(*chunk))); });
  return code;
}

aclError Register(Object function, std::int32_t flag) {
  CheckCallable(function);
  const Object before = DumpFunction().Get();
  DumpFunction().Set(function);  // a run that is on its way may use it at once
  const aclError code = WithoutGil([&] { return acldumpRegCallback(OnChunk, flag); });
  if (code != ACL_SUCCESS) DumpFunction().Set(before);
  return code;
}

void Unregister() {
  WithoutGil(acldumpUnregCallback);
  DumpFunction().Set({});
}

const Function kFunctions[] = {
    Bind<aclmdlInitDump>("init_dump", "-> ret", "Prepares for set_dump or dump_reg_callback."),
    Bind<aclmdlSetDump>("set_dump", "config_path -> ret", "What to dump of models loaded from now on."),
    Bind<aclmdlFinalizeDump>("finalize_dump", "-> ret", "Ends dumping."),
    Bind<Register>(
        "dump_reg_callback", "fn, flag -> ret",
        "Dumps call fn(chunk) and write no files; flag is 0. The dict chunk has file_name, data_buf (an "
        "address, good while fn runs), buf_len, is_last_chunk, offset and flag.",
        "acldumpRegCallback"),
    BindQuick<Unregister>("dump_unreg_callback", "-> None", "Takes that back.", "acldumpUnregCallback"),
};

}  // namespace

std::span<const Function> DumpFunctions() {
  return kFunctions;
}

}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody opens as a dump. Used by the fuzzer and by the replay of its corpus.
#pragma once

#include <string>

#include "base/error.h"
#include "formats/dump_file.h"
#include "fuzz/require.h"

namespace foothold {

// Refused, or a dump whose tensors lie inside the bytes and that is the same after it was written again.
inline void FuzzDumpFile(const std::string& bytes) {
  const auto all = std::as_bytes(std::span(bytes.data(), bytes.size()));
  try {
    const DumpRecord record = ReadDump(all);
    std::string again = DumpHeader(record);
    for (const auto* list : {&record.inputs, &record.outputs, &record.buffers})
      for (const DumpTensor& tensor : *list) {
        Require(tensor.data >= all.data() && tensor.data + tensor.size <= all.data() + all.size());
        again.append(reinterpret_cast<const char*>(tensor.data), static_cast<std::size_t>(tensor.size));
      }
    const DumpRecord same = ReadDump(std::as_bytes(std::span(again.data(), again.size())));
    Require(same.op_name == record.op_name && same.time == record.time);
    Require(same.inputs.size() == record.inputs.size() && same.outputs.size() == record.outputs.size());
  } catch (const Error& error) {
    Require(!error.message().empty());
  }
}

}  // namespace foothold

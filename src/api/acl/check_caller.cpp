// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For languages that call the library from inside of a program (src/python): they say before a call which of
// their functions it is in. No header has them; whoever calls them declares them weak.
#include "acl/acl_base.h"
#include "check/check.h"
#include "check/foreign_frames.h"

extern "C" {

struct FootholdFrame {
  const char* function;
  const char* file;
  int line;
};

ACL_FUNC_VISIBILITY int FootholdChecks(void);
ACL_FUNC_VISIBILITY void FootholdCheckCaller(const FootholdFrame* frames, size_t count);

}  // extern "C"

int FootholdChecks(void) {
  return foothold::check::On() ? 1 : 0;
}

void FootholdCheckCaller(const FootholdFrame* frames, size_t count) {
  try {
    std::vector<foothold::check::ForeignFrame> all;
    for (size_t i = 0; i < count; ++i)
      all.push_back({frames[i].function, frames[i].file, frames[i].line});
    foothold::check::SetForeignFrames(all);
  } catch (...) {  // no memory: without them
  }
}

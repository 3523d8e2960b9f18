// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/nested_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/programs_function.h"
#include "check/call_finding.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::string_view kNotInDumps[] = {
    "aclmdlExecute", "aclmdlInitDump",     "aclmdlSetDump",    "aclmdlFinalizeDump", "acldumpRegCallback",
    "aclopExecute",  "aclopCompileAndExe", "aclrtSynchronize", "GeSession::Run",     "Session::Run",
};
constexpr std::string_view kNotInAllocators[] = {"GeSession::", "Session::", "GEInitialize", "GEFinalize"};

template <std::size_t kCount>
bool BeginsLike(std::string_view call, const std::string_view (&names)[kCount]) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return call.starts_with(name); });
}

}  // namespace

void LookAtNestedCall(const char* call) noexcept try {
  const auto kind = ProgramsFunction::Current();
  const bool in_dump = kind == ProgramsFunction::Kind::kDumpCallback;
  if (in_dump ? !BeginsLike(call, kNotInDumps) : !BeginsLike(call, kNotInAllocators)) return;
  auto finding = FindingHere(in_dump ? "ACL-DUMP-002" : "GE-ALLOC-009",
                             fmt::format("{} is called inside {}", call,
                                         in_dump ? "the callback for dumps" : "an allocator of the program"));
  if (finding) Reporter::Get().Report(std::move(*finding));
} catch (...) {  // no memory for a report
}

}  // namespace foothold::check

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/watched_inputs.h"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <string>

#include "check/call_finding.h"
#include "check/check.h"
#include "check/reporter.h"

namespace foothold {
namespace {

constexpr const char* kRule = "GE-RUN-003";

// The program may have given the memory back to the system meanwhile: then there is nothing to compare.
std::optional<std::uint64_t> DigestOf(const void* address, std::size_t bytes) {
  std::string copy(bytes, '\0');
  const iovec to{copy.data(), bytes}, from{const_cast<void*>(address), bytes};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(bytes)) return std::nullopt;
  return std::hash<std::string>()(copy);
}

}  // namespace

std::shared_ptr<const WatchedInputs> WatchedInputs::Of(const std::vector<gert::Tensor>& tensors) {
  if (!check::On() || check::Wanted(kRule) == nullptr) return nullptr;
  auto watched = std::make_shared<WatchedInputs>();
  watched->site_ = check::SiteHere();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].GetPlacement() == gert::kOnDeviceHbm || tensors[i].GetAddr() == nullptr) continue;
    if (const auto digest = DigestOf(tensors[i].GetAddr(), tensors[i].GetSize()))
      watched->inputs_.push_back({i, tensors[i].GetAddr(), tensors[i].GetSize(), *digest});
  }
  return watched;
}

void WatchedInputs::LookAgain() const noexcept try {
  for (const Input& input : inputs_) {
    const auto digest = DigestOf(input.address, input.bytes);
    if (!digest || *digest == input.digest) continue;
    auto finding =
        check::FindingAt(kRule, site_,
                         fmt::format("input {} has changed between the call and the callback: {} bytes at {}",
                                     input.index, input.bytes, input.address));
    if (finding) check::Reporter::Get().Report(std::move(*finding));
  }
} catch (...) {  // no memory to look
}

}  // namespace foothold

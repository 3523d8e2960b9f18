// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/runtime_report.h"

#include <acl/acl.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/thread_pool.h"
#include "base/version.h"
#include "compiler/supported_types.h"
#include "foothold/model_buffers.h"
#include "kernels/cpu_target.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

std::string Line(const char* label, const std::string& value) {
  return fmt::format("{:<12}{}\n", label, value);
}

std::string DeviceLine() {
  std::uint32_t count = 0;
  std::size_t free = 0, total = 0;
  RUN_CHECK(aclInit(nullptr));
  RUN_CHECK(aclrtGetDeviceCount(&count));
  RUN_CHECK(aclrtSetDevice(0));
  RUN_CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  const std::string name = aclrtGetSocName();
  RUN_CHECK(aclrtResetDevice(0));
  RUN_CHECK(aclFinalize());
  return Line("devices", fmt::format("{} ({}), {:.1f} GiB of memory each", count, name,
                                     static_cast<double>(total) / (1 << 30)));
}

}  // namespace

std::string RuntimeText() {
  const auto types = PrototypeTypes();
  const auto running =
      std::count_if(types.begin(), types.end(), [](std::string_view type) { return IsSupported(type); });
  return Line("foothold", FOOTHOLD_VERSION) + Line("interface", kInterfaceVersion.Text()) + DeviceLine() +
         Line("threads", fmt::to_string(ParallelThreads())) + Line("kernels", CpuTarget()) +
         Line("operators", fmt::format("{} of {} run", running, types.size()));
}

}  // namespace foothold

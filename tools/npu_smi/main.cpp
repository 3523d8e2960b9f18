// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "base/version.h"
#include "npu_smi/tables.h"

namespace foothold::npu_smi {
namespace {

constexpr const char* kUsage =
    "Shows the devices of this machine as programs see them.\n\n"
    "  npu-smi info       a table of the devices\n"
    "  npu-smi info -l    their number and ids\n\n"
    "FOOTHOLD_DEVICES, FOOTHOLD_SOC_NAME and FOOTHOLD_DEVICE_MEMORY say what they are.\n";

void Check(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(fmt::format("the library answered {}: {}", code, text == nullptr ? "" : text));
}

DeviceRow Describe(int id) {
  std::size_t free = 0, total = 0;
  Check(aclrtSetDevice(id));
  Check(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  Check(aclrtResetDevice(id));
  return {aclrtGetSocName(), total - free, total};
}

std::uint32_t DeviceCount() {
  // This program shows what is there, not what one program may see of it.
  unsetenv("ASCEND_RT_VISIBLE_DEVICES");
  std::uint32_t count = 0;
  Check(aclInit(nullptr));
  Check(aclrtGetDeviceCount(&count));
  return count;
}

std::vector<DeviceRow> Devices() {
  std::vector<DeviceRow> devices(DeviceCount());
  for (std::size_t i = 0; i < devices.size(); ++i)
    devices[i] = Describe(static_cast<int>(i));
  return devices;
}

std::string Version() {
  return fmt::format("{}.{}.{}", kInterfaceVersion.major_number, kInterfaceVersion.minor_number,
                     kInterfaceVersion.patch_number);
}

std::string Answer(const std::vector<std::string>& words) {
  using Words = std::vector<std::string>;
  if (words == Words{"info"}) return DeviceTable(Devices(), Version());
  if (words == Words{"info", "-l"}) return DeviceList(DeviceCount());
  if (words == Words{"-h"} || words == Words{"--help"} || words == Words{"info", "-h"}) return kUsage;
  throw std::runtime_error(
      fmt::format("\"npu-smi {}\" is not supported, since there is no card it could "
                  "manage; \"npu-smi info\" and \"npu-smi info -l\" are",
                  fmt::join(words, " ")));
}

}  // namespace
}  // namespace foothold::npu_smi

int main(int argc, char** argv) try {
  fmt::print("{}", foothold::npu_smi::Answer({argv + 1, argv + argc}));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "npu-smi: {}\n", error.what());
  return 1;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/comm_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "api/hccl/hccl_guard.h"
#include "base/failure_text.h"
#include "base/first_time.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

struct Head {
  std::size_t size;
  std::uint32_t magic_word;
  std::uint32_t version;
};

constexpr std::size_t kLeastSize = offsetof(HcclCommConfig, hcclCommName);

[[noreturn]] void RefuseConfig(const std::string& why) {
  throw Error(kHcclPara, why, kTextHcclConfig);
}

// As the newest structure: what the program does not have is as if it were not set.
HcclCommConfig Complete(const HcclCommConfig& config) {
  Head head{};
  std::memcpy(&head, &config, sizeof(head));
  if (head.magic_word != HCCL_COMM_CONFIG_MAGIC_WORD || head.size < kLeastSize) {
    RefuseConfig(fmt::format(
        "config was not set up by HcclCommConfigInit: its size is {} and its magic word {:#x}, not {:#x}",
        head.size, head.magic_word, HCCL_COMM_CONFIG_MAGIC_WORD));
  }
  HcclCommConfig complete;
  HcclCommConfigInit(&complete);
  std::memcpy(&complete, &config, std::min(head.size, sizeof(complete)));
  return complete;
}

std::string Text(const char* text, std::size_t room, const char* field) {
  const std::size_t length = strnlen(text, room);
  if (length == room) RefuseConfig(fmt::format("{} of config has no end within {} characters", field, room));
  return {text, length};
}

void WarnUnused(const HcclCommConfig& config) {
  const auto warn = [](const char* field) {
    WarnOnce(field, "{} of HcclCommConfig has no effect here", field);
  };
  if (config.hcclOpExpansionMode != HCCL_COMM_DEFAULT_OP_EXPANSION_MODE) warn("hcclOpExpansionMode");
  if (config.hcclRdmaTrafficClass != HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET) warn("hcclRdmaTrafficClass");
  if (config.hcclRdmaServiceLevel != HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET) warn("hcclRdmaServiceLevel");
  if (config.hcclAlgo[0] != '\0') warn("hcclAlgo");
  if (config.hcclRetryEnable[0] != '\0') warn("hcclRetryEnable");
  if (config.hcclQos != HCCL_COMM_QOS_CONFIG_NOT_SET) warn("hcclQos");
}

}  // namespace

CommSettings SettingsOf(const HcclCommConfig& given) {
  const HcclCommConfig config = Complete(given);
  CommSettings settings = CommSettings::FromEnvironment();
  settings.name = Text(config.hcclCommName, sizeof(config.hcclCommName), "hcclCommName");
  settings.udi = Text(config.hcclUdi, sizeof(config.hcclUdi), "hcclUdi");
  const auto deterministic = config.hcclDeterministic;
  if (deterministic > 2 && deterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET)
    RefuseConfig(fmt::format("hcclDeterministic of config is {}, but must be 0, 1 or 2", deterministic));
  if (config.hcclExecTimeOut == 0) settings.exec_timeout = kForever;
  if (config.hcclExecTimeOut > 0) settings.exec_timeout = config.hcclExecTimeOut * kSecond;
  WarnUnused(config);
  return settings;
}

}  // namespace foothold::collectives

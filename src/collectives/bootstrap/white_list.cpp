// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/white_list.h"

#include <fmt/format.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/json_tree.h"
#include "collectives/bootstrap/small_file.h"
#include "collectives/codes.h"

namespace foothold::collectives {

std::optional<std::vector<std::string>> WhiteList() {
  const std::string disable = GetEnv("HCCL_WHITELIST_DISABLE").value_or("1");
  if (disable.empty() || disable == "1") return std::nullopt;
  const std::string path = GetEnv("HCCL_WHITELIST_FILE").value_or("");
  const auto text = ReadSmallFile(path);
  try {
    if (disable == "0" && text) return JsonTree::Parse(*text).at("host_ip").get<std::vector<std::string>>();
  } catch (const JsonTree::Mismatch&) {  // said below
  }
  throw Error(kHcclPara,
              fmt::format("HCCL_WHITELIST_DISABLE is {}, so HCCL_WHITELIST_FILE (\"{}\") must be a file like "
                          "{{\"host_ip\": [\"10.0.0.1\"]}}",
                          disable, path),
              kTextHcclEnvironment);
}

}  // namespace foothold::collectives

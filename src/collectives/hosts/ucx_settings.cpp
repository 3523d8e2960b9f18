// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/ucx_settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <list>

#include "base/environment.h"

namespace foothold::collectives {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGHUP};

// Other ways than TCP, which the interface would exclude.
bool HasFastNetwork() {
  std::error_code error;
  return !std::filesystem::is_empty("/sys/class/infiniband", error) && !error;
}

std::string FamilyFirst() {
  return GetEnv("HCCL_SOCKET_FAMILY").value_or("") == "AF_INET6" ? "inet6,inet" : "inet,inet6";
}

}  // namespace

UcxSettings::Environment& UcxSettings::NewEnvironment() {
  static auto* const all = new std::list<Environment>;
  return all->emplace_back();
}

UcxSettings::UcxSettings(const std::string& interface) : before_(environ), during_(NewEnvironment()) {
  Add("UCX_MEM_EVENTS", "n");
  Add("UCX_HANDLE_ERRORS", "none");
  Add("UCX_VFS_ENABLE", "n");
  Add("UCX_LOG_LEVEL", "fatal");
  // Shared memory is ours to use (decision 0042), and UCX's leaves its network namespace without being heard.
  Add("UCX_TLS", "^posix,sysv,cma,xpmem,knem");
  Add("UCX_TCP_KEEPIDLE", "2s");
  Add("UCX_TCP_KEEPINTVL", "1s");
  Add("UCX_TCP_KEEPCNT", "3");
  Add("UCX_TCP_MAX_NUM_EPS", "inf");
  Add("UCX_TCP_AF_PRIO", FamilyFirst());
  if (const auto ports = GetEnv("HCCL_NPU_SOCKET_PORT_RANGE"); ports && !ports->empty() && *ports != "auto")
    Add("UCX_TCP_PORT_RANGE", *ports);
  if (!interface.empty() && !HasFastNetwork()) Add("UCX_NET_DEVICES", interface);
  for (std::string& text : during_.texts)
    during_.pointers.push_back(text.data());
  for (char** one = before_; *one != nullptr; ++one)
    during_.pointers.push_back(*one);
  during_.pointers.push_back(nullptr);
  for (const int signal : kSignals) {
    struct sigaction handler {};
    if (sigaction(signal, nullptr, &handler) == 0) handlers_.emplace_back(signal, handler);
  }
  environ = during_.pointers.data();
}

UcxSettings::~UcxSettings() {
  if (environ == during_.pointers.data()) environ = before_;  // else somebody has set a variable meanwhile
  for (const auto& [signal, handler] : handlers_)
    sigaction(signal, &handler, nullptr);
}

bool UcxSettings::is_users(const char* name) const {
  const std::size_t length = std::strlen(name);
  for (char** one = before_; *one != nullptr; ++one) {
    if (std::strncmp(*one, name, length) == 0 && (*one)[length] == '=') return true;
  }
  return false;
}

void UcxSettings::Add(const char* name, const std::string& value) {
  if (!is_users(name)) during_.texts.push_back(std::string(name) + "=" + value);
}

}  // namespace foothold::collectives

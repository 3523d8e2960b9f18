// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// UCX changes a process that loads it: it patches functions of the C library and takes signals. While one of
// these exists, the environment has settings that prevent that, unless the user has set them; afterwards it
// and the handlers of signals are what they were. Other threads may read the environment meanwhile.
#pragma once

#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace foothold::collectives {

class UcxSettings {
 public:
  // Messages go through this interface; an empty one leaves the choice to UCX.
  explicit UcxSettings(const std::string& interface);
  ~UcxSettings();
  UcxSettings(const UcxSettings&) = delete;
  UcxSettings& operator=(const UcxSettings&) = delete;

  bool is_users(const char* name) const;

 private:
  void Add(const char* name, const std::string& value);

  // Stays, as a thread may still read it.
  struct Environment {
    std::vector<std::string> texts;
    std::vector<char*> pointers;
  };
  static Environment& NewEnvironment();

  char** const before_;
  Environment& during_;
  std::vector<std::pair<int, struct sigaction>> handlers_;
};

}  // namespace foothold::collectives

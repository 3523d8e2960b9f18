// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdio>

#include "foothold/command.h"

namespace foothold {
namespace {

class Version final : public Command {
 public:
  int Run(const CLI::App&) override {
    std::printf("foothold %s\n", FOOTHOLD_VERSION);
    return 0;
  }
};

const RegisterCommand<Version> version("version", "Print the version");

}  // namespace
}  // namespace foothold

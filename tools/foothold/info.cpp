// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/core.h>

#include <cstdio>
#include <string>

#include "base/error.h"
#include "foothold/command.h"
#include "foothold/runtime_report.h"
#include "model_report/model_report.h"

namespace foothold {
namespace {

constexpr int kExitBadFile = 2;  // not there, not a model, damaged

class Info final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option("model", path_, "An offline model (.om); without one, what this machine runs is shown");
    app.add_flag("--verify", verify_, "Compare all sections with their checksums, large ones too");
  }

  int Run(const CLI::App&) override try {
    if (path_.empty()) {
      fmt::print("{}", RuntimeText());
      return 0;
    }
    const auto file = OmFile::Open(path_);
    fmt::print("{}", ReportText(*file));
    if (!verify_) return 0;
    file->Verify();
    fmt::print("all {} checksums fit\n", file->entries().size());
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "foothold: {}\n", error.message());
    return kExitBadFile;
  }

 private:
  std::string path_;
  bool verify_ = false;
};

const RegisterCommand<Info> info("info",
                                 "Show what is inside an offline model (.om), or what this machine runs");

}  // namespace
}  // namespace foothold

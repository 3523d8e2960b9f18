// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "foothold/ascend_home_links.h"
#include "foothold/command.h"

namespace foothold {
namespace {

namespace fs = std::filesystem;
using State = AscendHomeLinks::State;

// The tree this program was installed with.
fs::path OwnTree() {
  const fs::path tree = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  if (IsToolkitTree(tree)) return tree;
  throw std::runtime_error("this program stands in no toolkit tree (" + tree.string() +
                           " is none): say which with --tree");
}

class AscendHome final : public Command {
 public:
  void AddOptions(CLI::App& app) override;
  int Run(const CLI::App& app) override;

 private:
  int Link() const;
  int Unlink() const;
  int Status() const;

  std::string root_ = "/", tree_;
};

void AscendHome::AddOptions(CLI::App& app) {
  app.require_subcommand(1);
  CLI::App* link = app.add_subcommand("link", "Make the names, unless a genuine installation is there");
  link->add_option("--tree", tree_, "The toolkit tree they lead to (default: the one of this program)");
  CLI::App* unlink = app.add_subcommand("unlink", "Remove what link made");
  CLI::App* status = app.add_subcommand("status", "Say what is there; exit status 1 if it is not Foothold");
  for (CLI::App* command : {link, unlink, status})
    command->add_option("--root", root_, "The folder that stands for /, for images and tests");
}

int AscendHome::Link() const {
  const fs::path tree = tree_.empty() ? OwnTree() : fs::absolute(tree_).lexically_normal();
  AscendHomeLinks(root_).Make(tree);
  return Status();
}

int AscendHome::Unlink() const {
  const auto removed = AscendHomeLinks(root_).Remove();
  for (const fs::path& path : removed)
    fmt::print("removed {}\n", path.string());
  if (removed.empty()) fmt::print("nothing of Foothold's to remove\n");
  return 0;
}

int AscendHome::Status() const {
  bool all_ours = true;
  for (const AscendHomeLinks::Place& place : AscendHomeLinks(root_).Look()) {
    fmt::print("{}: {}\n", place.path.string(), place.meaning);
    all_ours = all_ours && place.state == State::kOurs;
  }
  return all_ours ? 0 : 1;
}

int AscendHome::Run(const CLI::App& app) {
  if (app.got_subcommand("link")) return Link();
  return app.got_subcommand("unlink") ? Unlink() : Status();
}

const RegisterCommand<AscendHome> ascend_home(
    "ascend-home", "Make programs work that look for the toolkit in /usr/local/Ascend");

}  // namespace
}  // namespace foothold

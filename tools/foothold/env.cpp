// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "foothold/command.h"
#include "foothold/doctor.h"

namespace foothold {
namespace {

// What set_env.sh ($1) sets is known to nobody else: here, what a shell that knows nothing else knows after
// it.
constexpr const char* kShow = R"(source "$1" || exit
for name in $(env -i "$BASH" -c 'source "$1"; compgen -e' "$0" "$1"); do
  case $name in PWD|OLDPWD|SHLVL|_) ;; *) printf 'export %s=%q\n' "$name" "${!name}" ;; esac
done)";
constexpr const char* kRun = R"(source "$1" || exit; shift; exec -- "$@")";

class Env final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option("program", words_, "A program and its arguments, behind --");
    app.positionals_at_end();
    app.footer("For instance: foothold env -- python train.py");
  }

  int Run(const CLI::App&) override {
    const doctor::Tree tree = doctor::FindTree();
    const std::string script = tree.folder + "/set_env.sh";
    if (!std::filesystem::exists(script))
      throw std::runtime_error(
          fmt::format("there is no set_env.sh in {}: this program stands in no toolkit tree", tree.folder));
    std::vector<std::string> words = {"bash", "-c", words_.empty() ? kShow : kRun, "foothold env", script};
    words.insert(words.end(), words_.begin(), words_.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    throw std::runtime_error(fmt::format("bash, which set_env.sh is for: {}", std::strerror(errno)));
  }

 private:
  std::vector<std::string> words_;
};

const RegisterCommand<Env> env("env",
                               "Run a program with the environment set; alone, print what would be set");

}  // namespace
}  // namespace foothold

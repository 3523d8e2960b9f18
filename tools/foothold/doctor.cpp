// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "foothold/command.h"

namespace foothold::doctor {
namespace {

struct Section {
  const char* title;
  void (*check)(const Subject&, Findings&);
};
constexpr Section kSections[] = {{"environment", CheckEnvironment},
                                 {"library that programs load", CheckLibrary},
                                 {"names that binaries need", CheckNames},
                                 {"other toolkits", CheckOtherToolkits},
                                 {"processor and limits", CheckMachine},
                                 {"Python", CheckPython},
                                 {"PyTorch", CheckTorch},
                                 {"libraries loaded on demand", CheckOnDemand},
                                 {"operators of the program", CheckOperators},
                                 {"trial run", CheckTrial}};

const char* Sign(Level level) {
  return level == Level::kFine ? "ok" : level == Level::kNote ? "note" : "BAD";
}

void Print(const char* title, const Findings& findings) {
  fmt::print("{}\n", title);
  for (const Finding& finding : findings.all()) {
    fmt::print("  {:<5} {}\n", Sign(finding.level), finding.text);
    if (!finding.mend.empty()) fmt::print("        mend: {}\n", finding.mend);
  }
  std::fflush(stdout);  // before a later section starts programs that print
}

class Doctor final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option(
        "program", subject_.programs,
        "Programs, libraries, or folders of them (a wheel, a virtual environment): say which libraries they "
        "would load and which names they need");
    app.add_option("--python", subject_.python, "The Python that programs use")->default_val("python3");
    app.add_option("--root", subject_.root, "Look up paths of the system below this folder");
    app.footer("Exit status: 0 everything works, 1 something would not (BAD)");
  }

  int Run(const CLI::App&) override {
    subject_.tree = FindTree();
    fmt::print("foothold {} in {}\n\n", FOOTHOLD_VERSION, subject_.tree.folder);
    std::size_t bad = 0;
    for (const Section& section : kSections) {
      Findings findings;
      section.check(subject_, findings);
      Print(section.title, findings);
      bad += static_cast<std::size_t>(
          std::count_if(findings.all().begin(), findings.all().end(),
                        [](const Finding& one) { return one.level == Level::kBad; }));
    }
    fmt::print("\n{}\n",
               bad == 0 ? "everything works" : fmt::format("{} would not work: see BAD above", bad));
    return bad == 0 ? 0 : 1;
  }

 private:
  Subject subject_;
};

const RegisterCommand<Doctor> doctor("doctor",
                                     "Find out why a program does not start or run here, and what mends it");

}  // namespace
}  // namespace foothold::doctor

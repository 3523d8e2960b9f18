// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/core.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "foothold/command.h"
#include "foothold/timeline_text.h"
#include "trace/timeline.h"
#include "trace/timeline_ranks.h"

namespace foothold {
namespace {

constexpr int kExitBadFile = 2;

class Trace final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option("trace", paths_,
                   "A file FOOTHOLD_TRACE or the aclprof functions have left, or one of each rank")
        ->required();
    app.add_option("--svg", svg_, "Write a picture as well");
    app.add_option("--columns", columns_, "Width of the drawing in characters")->capture_default_str();
  }

  int Run(const CLI::App&) override try {
    const timeline::Timeline timeline = timeline::ReadTimeline(paths_);
    fmt::print("{}{}", timeline::DrawText(timeline, columns_), timeline::DescribeWaits(timeline));
    if (svg_.empty()) return 0;
    std::ofstream file(svg_);
    file << timeline::DrawSvg(timeline, paths_.front());
    if (!file.flush()) Fail(kInvalidFile, "the picture '{}' cannot be written", svg_);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "foothold: {}\n", error.message());
    return kExitBadFile;
  }

 private:
  std::vector<std::string> paths_;
  std::string svg_;
  std::size_t columns_ = 110;
};

const RegisterCommand<Trace> trace_command("trace", "Draw a recorded timeline");

}  // namespace
}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "foothold/command.h"
#include "foothold/comparison.h"
#include "foothold/latency.h"
#include "foothold/node_profile.h"
#include "foothold/output_files.h"
#include "foothold/run_inputs.h"
#include "foothold/run_model.h"
#include "formats/npy.h"

namespace foothold {
namespace {

constexpr int kExitDiffers = 1;  // an output is not what --compare expects
constexpr int kExitFailed = 2;   // the command line, a file or the model

class RunCommand final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option("model", path_, "An ONNX model (.onnx) or an offline model (.om)")->required();
    app.add_option("files", choice_.positional, "Inputs (.npy, or raw bytes), in the order of the model");
    app.add_option("-i,--input", choice_.named, "An input by name: name=file")->allow_extra_args(false);
    app.add_option("-s,--shape", choice_.shapes, "Dimensions of an open input: name:1,3,224,224")
        ->allow_extra_args(false);
    app.add_option("--range", choice_.ranges, "Ends of random elements: name:-1,1, or -1,1 for all inputs")
        ->allow_extra_args(false);
    app.add_option("--seed", choice_.seed, "Of random inputs")
        ->check(CLI::NonNegativeNumber);  // a negative one would become a large one
    app.add_option("-o,--output", folder_, "Write each output to a .npy file in this folder");
    app.add_option("-n,--repeat", repeat_, "Measured runs")->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--warmup", warmup_, "Runs before them")->check(CLI::Range(0, 1'000'000'000));
    app.add_option("--threads", threads_, "Threads that compute, as FOOTHOLD_THREADS says")
        ->check(CLI::Range(1, 1024));
    app.add_option("--dump", dump_, "Dump inputs and outputs of every operator to this folder");
    app.add_flag("--profile", profile_, "Show which operators the time goes to");
    app.add_option("--profile-rows", profile_rows_, "Nodes to show at most");
    app.add_option("--compare", compare_, "What an output should be: name=file.npy")->allow_extra_args(false);
    app.add_option("--tolerance", tolerance_, "How far an element may be away, absolute and relative")
        ->check(CLI::NonNegativeNumber);
  }

  int UsageStatus() const override { return kExitFailed; }

  int Run(const CLI::App&) override try {
    if (threads_ > 0) setenv("FOOTHOLD_THREADS", std::to_string(threads_).c_str(), 1);
    const auto start = Clock::now();
    run::RunModel model(path_, dump_);
    FeedAndShow(model, Since(start));
    Measure(model);
    const std::vector<TensorValue> outputs = model.Outputs();
    ShowAndWrite(model, outputs);
    return CompareAll(model, outputs) ? 0 : kExitDiffers;
  } catch (const Error& error) {
    std::fflush(stdout);
    fmt::print(stderr, "foothold: {}\n", error.message());
    return kExitFailed;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double Since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void FeedAndShow(run::RunModel& model, double seconds) {
    fmt::print("{:<10}{}, loaded in {:.2f} s\n", "model", path_, seconds);
    std::vector<TensorValue> values;
    for (const run::ChosenInput& input : run::ChooseInputs(model.inputs(), choice_)) {
      fmt::print("{:<10}{}: {} ({})\n", "input", model.inputs()[values.size()].name,
                 ToString(input.value.type()), input.origin);
      values.push_back(input.value);
    }
    model.SetInputs(values);
  }

  void Measure(run::RunModel& model) {
    for (int i = 0; i < warmup_; ++i)
      model.Execute();
    const auto profile = std::make_shared<run::NodeProfile>();
    if (profile_) WatchAllRuns(profile);
    std::vector<double> seconds;
    for (int i = 0; i < repeat_; ++i) {
      const auto start = Clock::now();
      model.Execute();
      seconds.push_back(Since(start));
    }
    if (profile_) StopWatchingAllRuns(*profile);
    fmt::print("\n{}\n", run::LatencyTable(seconds));
    if (profile_)
      fmt::print("{}\n", profile->Text(seconds.size(), std::accumulate(seconds.begin(), seconds.end(), 0.0),
                                       profile_rows_));
  }

  void ShowAndWrite(const run::RunModel& model, const std::vector<TensorValue>& outputs) const {
    std::vector<std::string> names;
    for (const run::ModelTensor& output : model.outputs())
      names.push_back(output.name);
    std::vector<std::string> files;
    if (!folder_.empty()) files = run::WriteOutputs(folder_, names, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      fmt::print("{:<10}{}: {}{}\n", "output", names[i], ToString(outputs[i].type()),
                 files.empty() ? "" : " -> " + files[i]);
  }

  bool CompareAll(const run::RunModel& model, const std::vector<TensorValue>& outputs) const {
    bool all = true;
    for (const std::string& text : compare_) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) Fail(kInvalidParam, "--compare \"{}\" is not name=file.npy", text);
      const std::size_t index = run::FindTensor(model.outputs(), text.substr(0, equals), "output");
      const std::string& name = model.outputs()[index].name;
      const run::Comparison result =
          run::Compare(outputs[index], ReadNpy(text.substr(equals + 1)), tolerance_, name);
      fmt::print("{:<10}{}: {}\n", "compared", name, result.Text());
      all = all && result.fits();
    }
    return all;
  }

  std::string path_, folder_, dump_;
  run::InputChoice choice_;
  std::vector<std::string> compare_;
  double tolerance_ = 1e-4;
  int repeat_ = 1, warmup_ = 0, threads_ = 0;
  bool profile_ = false;
  std::size_t profile_rows_ = 20;
};

const RegisterCommand<RunCommand> run_command("run", "Run a model, measure it, and compare what it computes");

}  // namespace
}  // namespace foothold

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "dump/statistics.h"
#include "foothold/command.h"
#include "foothold/dump_difference.h"
#include "foothold/dump_page.h"
#include "foothold/dump_reference.h"
#include "foothold/dump_set.h"
#include "formats/npy.h"
#include "model/offline_model.h"

namespace foothold {
namespace {

using namespace dump;

constexpr int kExitDiverges = 1;
constexpr int kExitBadFile = 2;
constexpr std::size_t kBars = 24;
constexpr std::size_t kBarWidth = 40;

DumpTensor AsDump(const DumpedTensor& tensor) {
  return {tensor.value.type(), tensor.value.size(), tensor.value.data()};
}

void PrintHistogram(const DumpedTensor& tensor) {
  const TensorStatistics statistics = StatisticsOf(AsDump(tensor));
  const double width = (statistics.max - statistics.min) / kBars;
  if (!std::isfinite(width) || width <= 0) return;
  std::vector<std::size_t> counts(kBars);
  ForEachValue(AsDump(tensor), [&](double value) {
    if (!std::isfinite(value)) return;
    const auto bar = static_cast<std::size_t>((value - statistics.min) / width);
    ++counts[std::min(bar, kBars - 1)];
  });
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  for (std::size_t i = 0; i < kBars; ++i) {
    std::string bar;
    for (std::size_t k = 0; k < counts[i] * kBarWidth / most; ++k)
      bar += "█";
    fmt::print("    {:>12.5g} {:>9} {}\n", statistics.min + width * (static_cast<double>(i) + 0.5), counts[i],
               bar);
  }
}

class Dump final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.require_subcommand(1);
    CLI::App* const show = app.add_subcommand("show", "List tensors with shapes and statistics");
    show->add_option("dump", first_, "A dump file, or a folder of them")->required();
    show->add_option("--node", node_, "Only tensors of nodes with this in their name");
    show->add_flag("--histogram", histogram_, "Draw how values are spread; always for a single file");
    CLI::App* const npy = app.add_subcommand("to-npy", "Write every tensor as a file for NumPy");
    npy->add_option("dump", first_, "A dump file, or a folder of them")->required();
    npy->add_option("folder", second_, "Where to; one folder inside per run")->required();
    CLI::App* const diff = app.add_subcommand("diff", "Compare two dumps, tensor by tensor");
    diff->add_option("first", first_, "A folder of dumps or .npy files")->required();
    diff->add_option("second", second_,
                     "What is expected: a folder of dumps or .npy files, or an .onnx model for ONNX Runtime")
        ->required();
    diff->add_option("-i,--input", inputs_,
                     "An input of the .onnx model that the dump does not have: name=file.npy")
        ->allow_extra_args(false);
    diff->add_option("--onnxruntime", library_, "The library of ONNX Runtime (libonnxruntime.so)");
    diff->add_option("--tolerance", tolerance_, "Allowed: tolerance * (1 + |expected|)")
        ->capture_default_str();
    diff->add_option("--html", html_, "Write a page with the graph, coloured by error");
    diff->add_option("--model", model_, "The offline model (.om) the graph of the page is taken from");
  }

  int Run(const CLI::App& app) override try {
    if (app.got_subcommand("show")) return Show();
    return app.got_subcommand("diff") ? Diff() : ToNpy();
  } catch (const Error& error) {
    fmt::print(stderr, "foothold: {}\n", error.message());
    return kExitBadFile;
  }

 private:
  static std::vector<DumpedTensor> Load(const std::string& path) {
    std::vector<std::string> skipped;
    std::vector<DumpedTensor> tensors = LoadTensors(path, &skipped);
    for (const std::string& file : skipped)
      if (file.size() < 4 || file.substr(file.size() - 4) != ".csv")
        fmt::print(stderr, "foothold: '{}' is no dump and is left out\n", file);
    if (tensors.empty()) Fail(kInvalidFile, "there are no tensors in '{}'", path);
    return tensors;
  }

  int Show() const {
    const bool single = !std::filesystem::is_directory(first_);
    std::vector<DumpedTensor> tensors = Load(first_);
    std::erase_if(tensors,
                  [&](const DumpedTensor& one) { return one.node.find(node_) == std::string::npos; });
    if (tensors.empty()) Fail(kInvalidFile, "no node in '{}' has \"{}\" in its name", first_, node_);
    fmt::print("{:>4} {:<16} {:<40} {:<30} {:>12} {:>12} {:>12}\n", "run", "operator", "tensor", "type",
               "min", "max", "mean");
    for (const DumpedTensor& tensor : tensors) {
      const TensorStatistics statistics = StatisticsOf(AsDump(tensor));
      fmt::print("{:>4} {:<16} {:<40} {:<30} {:>12.5g} {:>12.5g} {:>12.5g}", tensor.run, tensor.type,
                 tensor.Describe(), ToString(tensor.value.type()), statistics.min, statistics.max,
                 statistics.average);
      if (statistics.nan > 0) fmt::print("  {} NaN", statistics.nan);
      const std::uint64_t infinite = statistics.negative_infinity + statistics.positive_infinity;
      if (infinite > 0) fmt::print("  {} infinite", infinite);
      fmt::print("\n");
      if (histogram_ || single) PrintHistogram(tensor);
    }
    return 0;
  }

  int ToNpy() const {
    std::size_t written = 0;
    for (const DumpedTensor& tensor : Load(first_)) {
      const std::filesystem::path folder = std::filesystem::path(second_) / tensor.run;
      std::filesystem::create_directories(folder);
      const std::string path = (folder / NpyName(tensor)).string();
      WriteNpy(path, tensor.value.type(), {tensor.value.data(), tensor.value.size()});
      ++written;
    }
    fmt::print("{} files in {}\n", written, second_);
    return 0;
  }

  int Diff() const {
    if (second_.ends_with(".onnx")) return DiffWithPeer();
    const std::vector<DumpedTensor> first = Load(first_), second = Load(second_);
    return Answer(CompareDumps(first, second, tolerance_));
  }

  int DiffWithPeer() const {
    const Reference reference = MakeReference({second_, library_, inputs_}, Load(first_));
    if (reference.not_in_model + reference.other_form > 0)
      fmt::print(
          stderr,
          "foothold: left out: {} outputs of nodes '{}' does not have, {} that it has in another form\n",
          reference.not_in_model, second_, reference.other_form);
    return Answer(CompareDumps(reference.dumped, reference.expected, tolerance_));
  }

  int Answer(const DifferenceReport& report) const {
    Print(report);
    if (!html_.empty()) WritePage(report);
    if (report.differences.empty()) Fail(kInvalidFile, "the two have no tensor in common");
    return report.first_diverging() == nullptr ? 0 : kExitDiverges;
  }

  static void Print(const DifferenceReport& report) {
    fmt::print("{:<48} {:>10} {:>11} {:>11} {:>12}\n", "tensor", "cosine", "absolute", "relative", "ULP");
    for (const Difference& one : report.differences) {
      if (!one.problem.empty()) {
        fmt::print("{:<48} {}\n", one.tensor->Describe(), one.problem);
        continue;
      }
      fmt::print("{:<48} {:>10.6f} {:>11.3g} {:>11.3g} {:>12}{}\n", one.tensor->Describe(), one.cosine,
                 one.largest_absolute, one.largest_relative, one.largest_ulp,
                 one.diverges() ? "  diverges" : "");
    }
    for (const std::string& name : report.only_first)
      fmt::print("{:<48} only in the first\n", name);
    for (const std::string& name : report.only_second)
      fmt::print("{:<48} only in the second\n", name);
    const Difference* const bad = report.first_diverging();
    fmt::print("{}\n", bad == nullptr ? "all tensors are within the tolerance"
                                      : "the first that diverges is " + bad->tensor->Describe());
  }

  void WritePage(const DifferenceReport& report) const {
    std::shared_ptr<const OfflineModel> model;
    if (!model_.empty()) model = OfflineModel::Load(OmFile::Open(model_));
    std::ofstream page(html_);
    page << DifferencePage(report, first_ + " and " + second_, model ? &model->graph() : nullptr);
    if (!page.flush()) Fail(kInvalidFile, "the page '{}' cannot be written", html_);
  }

  std::string first_, second_, node_, html_, model_, library_;
  std::vector<std::string> inputs_;
  double tolerance_ = 1e-4;
  bool histogram_ = false;
};

const RegisterCommand<Dump> dump_command("dump", "Show, convert and compare dumps of tensors");

}  // namespace
}  // namespace foothold

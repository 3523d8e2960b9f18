// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// training_bench [results.md]: a step of training beside PyTorch's, by turns, with one thread and with two;
// fails where the losses after 100 steps are not the same.
// training_bench --only NAME...: these networks, to the terminal.
// training_bench --steps NAME N: so many steps of Foothold alone, with their times and losses.
// training_bench --turns NAME THREADS: in this process, as lines of "milliseconds PyTorch's, of
// processor time PyTorch's, loss PyTorch's".
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>

#include "candidate.h"
#include "graph_benches.h"
#include "report.h"
#include "training_networks.h"

namespace bench {
namespace {

constexpr int kSteps = 100, kTurn = 10;  // steps in all, and of one side in a row
constexpr double kSameLoss = 1e-3;
constexpr char kPeer[] = "tools/training/peer.py";
constexpr char kFolder[] = "build/training";

struct StepResult {
  double milliseconds = 0, used = 0, loss = 0;
};

// Foothold's side.
class Trainer {
 public:
  explicit Trainer(const std::string& network)
      : arrays_(ReadTrainingArrays(fmt::format("{}/{}", kFolder, network))),
        step_(MakeTrainingStep(network, arrays_)),
        session_(std::map<ge::AscendString, ge::AscendString>{}) {
    CheckGe(session_.AddGraph(1, step_.tape->MakeSetting()));
    CheckGe(session_.AddGraph(2, step_.graph));
    std::vector<ge::Tensor> values, none;
    for (const std::string& name : step_.tape->variables())
      values.push_back(step_.tape->InitialOf(name));
    CheckGe(session_.RunGraph(1, values, none));
    const std::int64_t batches = arrays_.at("inputs").dims.at(0);
    for (std::int64_t i = 0; i < batches; ++i)
      batches_.push_back({BatchOf("inputs", i), BatchOf("labels", i)});
  }

  StepResult Step() {
    std::vector<ge::Tensor> inputs = batches_[static_cast<std::size_t>(done_) % batches_.size()], outputs;
    ++done_;
    if (step_.optimizer == Optimizer::kAdamW)
      for (const double beta : {0.9, 0.999})
        inputs.push_back(NumberOf(static_cast<float>(std::pow(beta, done_))));
    const double start = Seconds(), used = ProcessorSeconds();
    CheckGe(session_.RunGraph(2, inputs, outputs));
    return {(Seconds() - start) * 1e3, (ProcessorSeconds() - used) * 1e3,
            *reinterpret_cast<const float*>(outputs.at(0).GetData())};
  }

 private:
  ge::Tensor BatchOf(const char* name, std::int64_t number) const {
    const TrainingArray& array = arrays_.at(name);
    const Dims dims(array.dims.begin() + 1, array.dims.end());
    const std::size_t bytes = array.bytes.size() / static_cast<std::size_t>(array.dims[0]);
    return ge::Tensor(ge::TensorDesc(ge::Shape(dims), dims.size() == 4 ? ge::FORMAT_NCHW : ge::FORMAT_ND,
                                     array.integers ? ge::DT_INT32 : ge::DT_FLOAT),
                      array.bytes.data() + static_cast<std::size_t>(number) * bytes, bytes);
  }

  static ge::Tensor NumberOf(float value) {
    return ge::Tensor(ge::TensorDesc(ge::Shape(), ge::FORMAT_ND, ge::DT_FLOAT),
                      reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
  }

  TrainingArrays arrays_;
  TrainingStep step_;
  ge::Session session_;
  std::vector<std::vector<ge::Tensor>> batches_;
  int done_ = 0;
};

// PyTorch's, a process that is asked by lines.
class Peer {
 public:
  Peer(const std::string& network, const std::string& threads) {
    int questions[2], answers[2];
    if (pipe(questions) != 0 || pipe(answers) != 0) std::abort();
    process_ = fork();
    if (process_ == 0) {
      dup2(questions[0], STDIN_FILENO);
      dup2(answers[1], STDOUT_FILENO);
      for (const int end : {questions[0], questions[1], answers[0], answers[1]})
        close(end);
      execl("/usr/bin/python3", "python3", kPeer, "train", kFolder, network.c_str(), threads.c_str(),
            nullptr);
      std::_Exit(127);
    }
    close(questions[0]);
    close(answers[1]);
    ask_ = fdopen(questions[1], "w");
    answer_ = fdopen(answers[0], "r");
  }
  ~Peer() {
    std::fclose(ask_);
    std::fclose(answer_);
    waitpid(process_, nullptr, 0);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  std::vector<StepResult> Steps(int count) {
    std::fprintf(ask_, "%d\n", count);
    std::fflush(ask_);
    std::vector<StepResult> results(static_cast<std::size_t>(count));
    for (StepResult& result : results)
      if (std::fscanf(answer_, "%lf %lf %lf", &result.milliseconds, &result.used, &result.loss) != 3) {
        std::fprintf(stderr, "PyTorch gave no answer\n");
        std::exit(1);
      }
    return results;
  }

 private:
  pid_t process_;
  std::FILE *ask_, *answer_;
};

int RunTurns(const std::string& network, const std::string& threads) {
  CheckGe(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{}));
  {
    Trainer trainer(network);
    Peer peer(network, threads);
    for (int done = 0; done < kSteps; done += kTurn) {
      const std::vector<StepResult> theirs = peer.Steps(kTurn);
      LetThreadsSleep();
      for (const StepResult& their : theirs) {
        const StepResult our = trainer.Step();
        std::cout << fmt::format("{:.4f} {:.4f} {:.4f} {:.4f} {:.7f} {:.7f}\n", our.milliseconds,
                                 their.milliseconds, our.used, their.used, our.loss, their.loss)
                  << std::flush;
      }
      LetThreadsSleep();
    }
  }
  CheckGe(ge::GEFinalize());
  return 0;
}

int RunSteps(const std::string& network, int steps) {
  CheckGe(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{}));
  {
    Trainer trainer(network);
    for (int i = 0; i < steps; ++i) {
      const auto [milliseconds, used, loss] = trainer.Step();
      std::cout << fmt::format("{:.3f} ms, {:.3f} of processor time, loss {:.6f}\n", milliseconds, used,
                               loss);
    }
  }
  CheckGe(ge::GEFinalize());
  return 0;
}

struct Turns {
  std::vector<double> ours, theirs, used, their_used;
  double apart = 0;  // the largest difference of losses on the way
  double our_loss = 0, their_loss = 0;
};

std::optional<Turns> Measure(const std::string& self, const std::string& network, int threads) {
  const std::string command =
      fmt::format("FOOTHOLD_THREADS={0} '{1}' --turns {2} {0}", threads, self, network);
  FILE* child = popen(command.c_str(), "r");
  if (child == nullptr) return std::nullopt;
  Turns turns;
  double our, their, used, their_used;
  while (std::fscanf(child, "%lf %lf %lf %lf %lf %lf", &our, &their, &used, &their_used, &turns.our_loss,
                     &turns.their_loss) == 6) {
    turns.ours.push_back(our);
    turns.theirs.push_back(their);
    turns.used.push_back(used);
    turns.their_used.push_back(their_used);
    turns.apart = std::max(turns.apart, std::abs(turns.our_loss - turns.their_loss));
  }
  pclose(child);
  if (turns.ours.size() != kSteps) return std::nullopt;
  return turns;
}

std::string FirstLineOf(const std::string& command) {
  FILE* child = popen(command.c_str(), "r");
  char line[512] = {};
  if (child == nullptr) return {};
  const bool said = std::fgets(line, sizeof line, child) != nullptr;
  while (std::fgetc(child) != EOF) {
  }
  pclose(child);
  if (!said) return {};
  line[std::strcspn(line, "\n")] = 0;
  return line;
}

using Rows = std::vector<std::vector<std::string>>;

// Whether the losses are the same.
bool AddRows(const std::string& self, const std::string& network, Rows& rows) {
  bool same = true;
  for (const int threads : {1, 2}) {
    const std::optional<Turns> turns = Measure(self, network, threads);
    if (!turns) return false;
    const auto ratio = [](const std::vector<double>& theirs, const std::vector<double>& ours,
                          double fraction) {
      return fmt::format("{:.2f}", Percentile(theirs, fraction) / Percentile(ours, fraction));
    };
    const auto time = [](const std::vector<double>& times, double fraction) {
      return fmt::format("{:.2f}", Percentile(times, fraction));
    };
    rows.push_back({network, std::to_string(threads), time(turns->ours, 0), time(turns->theirs, 0),
                    ratio(turns->theirs, turns->ours, 0), time(turns->ours, 0.5), time(turns->theirs, 0.5),
                    ratio(turns->theirs, turns->ours, 0.5), ratio(turns->their_used, turns->used, 0.5),
                    fmt::format("{:.5f}", turns->our_loss), fmt::format("{:.5f}", turns->their_loss),
                    fmt::format("{:.1e}", turns->apart)});
    same = same && std::abs(turns->our_loss - turns->their_loss) <= kSameLoss;
  }
  return same;
}

int RunAll(const std::vector<std::string>& networks, const char* results) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 1;
  const std::string configuration = FirstLineOf(fmt::format("/usr/bin/python3 {} configuration", kPeer));
  if (configuration.empty()) {
    std::cout << "make setup-training installs what this benchmark is measured against\n";
    return 0;
  }
  if (std::system(fmt::format("/usr/bin/python3 {} write {}", kPeer, kFolder).c_str()) != 0) return 1;
  Report report("Training");
  report.Section(
      "A step of training, batch 32",
      fmt::format("Milliseconds of forward pass, gradients and update, {} steps of each side by turns "
                  "of {}, with the same weights and data; the ratio is PyTorch's time to Foothold's. "
                  "Losses are those of the last step, and the largest difference of any. {}.",
                  kSteps, kTurn, configuration));
  Rows rows;
  bool same = true;
  for (const std::string& network : networks)
    same = AddRows(self, network, rows) && same;
  report.Table({"network", "threads", "best", "PyTorch", "ratio", "median", "PyTorch", "ratio",
                "processor time", "loss", "PyTorch's", "most apart"},
               rows);
  if (results != nullptr) report.Write(results);
  if (!same) std::cout << fmt::format("losses are more than {} apart\n", kSameLoss);
  return same ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  if (argc == 4 && way == "--turns") return bench::RunTurns(argv[2], argv[3]);
  if (argc == 4 && way == "--steps") return bench::RunSteps(argv[2], std::atoi(argv[3]));
  if (way == "--only") return bench::RunAll({argv + 2, argv + argc}, nullptr);
  return bench::RunAll(bench::TrainingNetworks(), argc > 1 ? argv[1] : "bench/results.md");
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>
#include <cstdio>
#include <cstring>

#include "base/log.h"
#include "ops/op.h"
#include "ops/skeleton/element_text.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// Printing is for people: it makes strings, which other kernels do not.
struct Shown {
  int port;
  TensorType type;
};

std::vector<Shown> AllConnected(const OpContext& context, int first) {
  std::vector<Shown> shown;
  for (int i = first; i < context.inputs(); ++i)
    if (context.Has(i)) shown.push_back({i, context.In(i)});
  return shown;
}

class PrintKernel : public Kernel {
 public:
  PrintKernel(std::string name, std::vector<Shown> shown)
      : name_(std::move(name)), shown_(std::move(shown)) {}
  void Run(const RunArgs& args) const override {
    for (const Shown& each : shown_)
      Log(LogLevel::kInfo, "{}: input {} is {}", name_, each.port,
          ElementText(each.type, args.inputs[each.port], kAll));
  }

 private:
  static constexpr std::int64_t kAll = -1;
  std::string name_;
  std::vector<Shown> shown_;
};

// A program asks for a stream of its own process by name; everything else of the library stays silent.
class StreamKernel : public Kernel {
 public:
  StreamKernel(std::string stream, TensorType type) : stream_(std::move(stream)), type_(std::move(type)) {}
  void Run(const RunArgs& args) const override {
    const std::string text = ElementText(type_, args.inputs[0], -1) + "\n";
    if (stream_ == "stderr" || stream_ == "stdout") {
      std::FILE* file = stream_ == "stderr" ? stderr : stdout;
      std::fwrite(text.data(), 1, text.size(), file);
      std::fflush(file);
    } else {
      WriteLog(Level(stream_), std::string_view(text).substr(0, text.size() - 1));
    }
  }
  static bool Knows(std::string_view stream) {
    return stream == "stderr" || stream == "stdout" || stream == "log(info)" || stream == "log(warning)" ||
           stream == "log(error)";
  }

 private:
  static LogLevel Level(std::string_view stream) {
    if (stream == "log(error)") return LogLevel::kError;
    return stream == "log(warning)" ? LogLevel::kWarning : LogLevel::kInfo;
  }
  std::string stream_;
  TensorType type_;
};

class PassingPrintKernel : public Kernel {
 public:
  PassingPrintKernel(std::string message, std::int64_t first_n, std::int64_t summarize, std::size_t bytes,
                     std::vector<Shown> shown)
      : message_(std::move(message)),
        summarize_(summarize),
        bytes_(bytes),
        shown_(std::move(shown)),
        left_(first_n) {}
  void Run(const RunArgs& args) const override {
    if (bytes_ > 0) std::memcpy(args.outputs[0], args.inputs[0], bytes_);
    if (!TakeTurn()) return;
    std::string text = message_;
    for (const Shown& each : shown_)
      text += ElementText(each.type, args.inputs[each.port], summarize_);
    Log(LogLevel::kInfo, "{}", text);
  }

 private:
  bool TakeTurn() const {
    std::int64_t left = left_.load();
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    return left != 0;  // negative: always
  }
  std::string message_;
  std::int64_t summarize_;
  std::size_t bytes_;
  std::vector<Shown> shown_;
  mutable std::atomic<std::int64_t> left_;  // the operator is defined by how often it has run
};

void InferNoOutputs(OpContext&) {}

std::unique_ptr<Kernel> LowerPrint(OpContext& context) {
  return std::make_unique<PrintKernel>(context.node().Description(), AllConnected(context, 0));
}

void InferPrintV2(OpContext& context) {
  const std::string stream = context.node().Text("output_stream", "stderr");
  if (!StreamKernel::Knows(stream))
    context.Refuse(
        "attribute 'output_stream' is '{}', expected stderr, stdout, log(info), log(warning) or log(error)",
        stream);
}

std::unique_ptr<Kernel> LowerPrintV2(OpContext& context) {
  return std::make_unique<StreamKernel>(context.node().Text("output_stream", "stderr"), context.In(0));
}

std::unique_ptr<Kernel> LowerPrintV3(OpContext& context) {
  const Node& node = context.node();
  return std::make_unique<PassingPrintKernel>(node.Text("message", ""), node.Int("first_n", -1),
                                              node.Int("summarize", 3), ByteSize(context.In(0)),
                                              AllConnected(context, 1));
}

const RegisterOp prints({
    OpDef("Print").Infer(InferNoOutputs).Lower(LowerPrint).Stateful().Types(FixedSizeTypes()),
    OpDef("PrintV2").Infer(InferPrintV2).Lower(LowerPrintV2).Stateful().Types(FixedSizeTypes()),
    OpDef("PrintV3").Infer(SameAsInput).Lower(LowerPrintV3).Stateful().Types(FixedSizeTypes()),
});

}  // namespace
}  // namespace foothold

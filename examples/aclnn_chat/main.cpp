// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Chats with a small language model whose every step is a call of aclnn, with weights of float16, INT8 and
// INT4.
//   aclnn_chat [--model FOLDER] [--weights f16|int8|int4|all] [--loss] [QUESTION...]
// The questions are the turns of one conversation; without any they are read from standard input. --loss
// computes instead how well the model predicts text it was not trained on.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "network.h"
#include "tokenizer.h"

namespace {

const int32_t kStart = 0;  // the token before a conversation

struct Settings {
  std::string folder = "examples/aclnn_chat", weights = "all";
  bool loss = false;
  std::vector<std::string> questions;
};

struct Kind {
  const char *option, *name;
  WeightType type;
};
const Kind kKinds[] = {{"f16", "float16", WeightType::kFloat16},
                       {"int8", "INT8", WeightType::kInt8},
                       {"int4", "INT4", WeightType::kInt4}};

// A conversation: what was said before stays in the network.
class Chat {
 public:
  Chat(Network& network, const Tokenizer& tokenizer) : network_(network), tokenizer_(tokenizer) {
    network.Forget();
  }

  // Prints the answer token by token.
  void Ask(const std::string& question) {
    std::vector<int32_t> tokens = tokenizer_.Encode("> " + question + "\n");
    tokens.insert(tokens.begin(), last_);
    if (tokens.size() >= network_.room()) {
      std::printf("(The conversation is too long and ends here.)\n");
      return;
    }
    last_ = network_.Next(tokens);
    while (tokenizer_.Piece(last_) != "\n" && network_.room() > 0) {
      std::printf("%s", tokenizer_.Piece(last_).c_str());
      std::fflush(stdout);
      last_ = network_.Next({last_});
    }
    std::printf("\n");
  }

 private:
  Network& network_;
  const Tokenizer& tokenizer_;
  int32_t last_ = kStart;  // said, but not yet read
};

bool ReadQuestion(std::string& line) {
  std::printf("> ");
  std::fflush(stdout);
  return static_cast<bool>(std::getline(std::cin, line));
}

void Talk(Network& network, const Tokenizer& tokenizer, const std::vector<std::string>& questions) {
  Chat chat(network, tokenizer);
  for (const std::string& question : questions) {
    std::printf("> %s\n", question.c_str());
    chat.Ask(question);
  }
  for (std::string line; questions.empty() && ReadQuestion(line);)
    chat.Ask(line);
}

// A conversation the network makes up, until it has no room for more.
double TokensPerSecond(Network& network) {
  network.Forget();
  int32_t token = network.Next({kStart});
  const size_t count = network.room();
  const auto begin = std::chrono::steady_clock::now();
  while (network.room() > 0)
    token = network.Next({token});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return static_cast<double>(count) / took.count();
}

// How unlikely, as a logarithm, the scores make a token.
double Surprise(const aclFloat16* scores, size_t vocabulary, int32_t token) {
  double most = aclFloat16ToFloat(*scores), sum = 0;
  for (size_t i = 0; i < vocabulary; ++i)
    most = std::max(most, static_cast<double>(aclFloat16ToFloat(scores[i])));
  for (size_t i = 0; i < vocabulary; ++i)
    sum += std::exp(aclFloat16ToFloat(scores[i]) - most);
  return most + std::log(sum) - aclFloat16ToFloat(scores[token]);
}

// Of all tokens but the first of each window.
double HeldOutLoss(Network& network, const std::vector<uint16_t>& tokens, const Sizes& sizes) {
  double sum = 0;
  size_t count = 0;
  const size_t window = static_cast<size_t>(sizes.context),
               vocabulary = static_cast<size_t>(sizes.vocabulary);
  for (size_t first = 0; first + window <= tokens.size(); first += window) {
    network.Forget();
    const std::vector<int32_t> shown(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                     tokens.begin() + static_cast<std::ptrdiff_t>(first + window));
    const Halves scores = network.Scores(shown);
    for (size_t i = 1; i < window; ++i, ++count)
      sum += Surprise(&scores[(i - 1) * vocabulary], vocabulary, shown[i]);
  }
  return sum / static_cast<double>(count);
}

std::vector<uint16_t> ReadTokens(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<uint16_t> tokens(bytes.size() / sizeof(uint16_t));
  if (tokens.empty()) {
    std::fprintf(stderr, "no tokens in %s\n", path.c_str());
    std::exit(1);
  }
  std::copy_n(bytes.begin(), tokens.size() * sizeof(uint16_t), reinterpret_cast<char*>(tokens.data()));
  return tokens;
}

int Usage() {
  std::fprintf(stderr, "aclnn_chat [--model FOLDER] [--weights f16|int8|int4|all] [--loss] [QUESTION...]\n");
  return 2;
}

bool Parse(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--loss")
      settings.loss = true;
    else if ((word == "--model" || word == "--weights") && i + 1 < argc)
      (word == "--model" ? settings.folder : settings.weights) = argv[++i];
    else if (word.compare(0, 1, "-") == 0)
      return false;
    else
      settings.questions.push_back(word);
  }
  return settings.weights == "all" ||
         std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const Kind& kind) { return settings.weights == kind.option; });
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!Parse(argc, argv, settings)) return Usage();
  const WeightsFile file = ReadWeights(settings.folder + "/chat.bin");
  const Tokenizer tokenizer(file.pieces);
  Device device;
  for (const Kind& kind : kKinds) {
    if (settings.weights != "all" && settings.weights != kind.option) continue;
    Network network(device, file, kind.type);
    std::printf("%s weights, %.2f MB\n", kind.name, static_cast<double>(network.weight_bytes()) / 1e6);
    if (settings.loss) {
      const std::vector<uint16_t> tokens = ReadTokens(settings.folder + "/held_out.bin");
      std::printf("held-out loss %.4f\n\n", HeldOutLoss(network, tokens, file.sizes));
      continue;
    }
    Talk(network, tokenizer, settings.questions);
    std::printf("%.0f tokens per second\n\n", TokensPerSecond(network));
  }
}

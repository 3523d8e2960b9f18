// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A network from an ONNX file: reads handwritten digits it was not trained on, and shows what it takes them
// for.
//   onnx_digits [FOLDER OF digits.onnx AND held_out.bin]
#include <ge/ge_api.h>
#include <parser/onnx_parser.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    ge::Status code = (call);                                                              \
    if (code != ge::SUCCESS) {                                                             \
      std::printf("%s returned %u\n%s\n", #call, code, ge::GEGetErrorMsgV2().GetString()); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

const size_t kSide = 8;
const size_t kPixels = kSide * kSide;
const size_t kClasses = 10;
const size_t kBatch = 40;
const size_t kShown = 10;
const size_t kNeeded = 340;  // of 360; training ended at 352

using Options = std::map<ge::AscendString, ge::AscendString>;

struct Digit {
  unsigned char pixels[kPixels];  // 0 white to 16 black
  unsigned char label;
};

struct Guess {
  size_t digit;
  float probability;
};

std::vector<Digit> ReadDigits(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Digit> digits(bytes.size() / sizeof(Digit));
  std::copy(bytes.begin(), bytes.begin() + digits.size() * sizeof(Digit),
            reinterpret_cast<char*>(digits.data()));
  return digits;
}

// The network takes any number of images at once.
ge::Tensor Images(const Digit* digits, size_t count) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    for (unsigned char pixel : digits[i].pixels)
      values.push_back(pixel / 16.0F);
  }
  const ge::TensorDesc desc(ge::Shape({static_cast<int64_t>(count), 1, kSide, kSide}), ge::FORMAT_NCHW,
                            ge::DT_FLOAT);
  return ge::Tensor(desc, reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float));
}

std::vector<Guess> GuessAll(ge::Session& session, const std::vector<Digit>& digits) {
  std::vector<Guess> guesses;
  for (size_t first = 0; first < digits.size(); first += kBatch) {
    const size_t count = std::min(kBatch, digits.size() - first);
    std::vector<ge::Tensor> outputs;
    CHECK(session.RunGraph(1, {Images(&digits[first], count)}, outputs));
    const float* probabilities = reinterpret_cast<const float*>(outputs[0].GetData());
    for (size_t i = 0; i < count; ++i, probabilities += kClasses) {
      const float* best = std::max_element(probabilities, probabilities + kClasses);
      guesses.push_back({static_cast<size_t>(best - probabilities), *best});
    }
  }
  return guesses;
}

// Two rows of pixels in one of text, images side by side.
void Draw(const std::vector<Digit>& digits, const std::vector<Guess>& guesses,
          const std::vector<size_t>& which) {
  for (size_t y = 0; y < kSide; ++y) {
    for (size_t one : which) {
      std::printf("  ");
      for (size_t x = 0; x < kSide; ++x) {
        static const char* const kShades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
        std::printf("%s", kShades[digits[one].pixels[y * kSide + x] / 4]);
      }
    }
    std::printf("\n");
  }
  for (size_t one : which) {
    const bool right = guesses[one].digit == digits[one].label;
    std::printf(
        "   %zu %3.0f %% %-8s", guesses[one].digit, guesses[one].probability * 100,
        right ? "" : (std::string("(is ") + static_cast<char>('0' + digits[one].label) + ")").c_str());
  }
  std::printf("\n\n");
}

// The first of the images, and after them those the network got wrong.
void Show(const std::vector<Digit>& digits, const std::vector<Guess>& guesses) {
  std::vector<size_t> some, wrong;
  for (size_t i = 0; i < digits.size(); ++i) {
    const bool right = guesses[i].digit == digits[i].label;
    if (right && some.size() < kShown) some.push_back(i);
    if (!right && wrong.size() < kShown) wrong.push_back(i);
  }
  for (const std::vector<size_t>& group : {some, wrong}) {
    for (size_t i = 0; i < group.size(); i += 5)
      Draw(digits, guesses, {group.begin() + i, group.begin() + std::min(group.size(), i + 5)});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples/onnx_digits";
  const std::vector<Digit> digits = ReadDigits(folder + "/held_out.bin");
  if (digits.empty()) {
    std::printf("no images in %s/held_out.bin\n", folder.c_str());
    return 1;
  }
  CHECK(ge::GEInitialize(Options()));
  ge::Graph graph("digits");
  CHECK(ge::aclgrphParseONNX((folder + "/digits.onnx").c_str(), Options(), graph));
  size_t right = 0;
  {
    ge::Session session((Options()));
    CHECK(session.AddGraph(1, graph));
    const std::vector<Guess> guesses = GuessAll(session, digits);
    Show(digits, guesses);
    for (size_t i = 0; i < digits.size(); ++i)
      right += guesses[i].digit == digits[i].label;
  }
  CHECK(ge::GEFinalize());
  std::printf("%zu of %zu images right (%.1f %%)\n", right, digits.size(), 100.0 * right / digits.size());
  return right >= kNeeded ? 0 : 1;
}

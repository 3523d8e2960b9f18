// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "peer_settings.h"

#include <array>
#include <fstream>
#include <memory>

#include "candidate.h"
#include "zoo_models.h"

namespace bench {
namespace {

// One departure from the defaults each. A way is kept with those that made it faster by more than the noise.
struct Departure {
  const char* words;
  bool (*is_in)(const PeerWay& way);
  void (*add)(PeerWay& way);
};
constexpr std::array<Departure, 5> kDepartures = {
    {{"outputs bound once", [](const PeerWay& way) { return way.bound; },
      [](PeerWay& way) { way.bound = true; }},
     {"parallel execution", [](const PeerWay& way) { return way.settings.parallel; },
      [](PeerWay& way) { way.settings.parallel = true; }},
     {"no spinning", [](const PeerWay& way) { return !way.settings.spinning; },
      [](PeerWay& way) { way.settings.spinning = false; }},
     {"no memory pattern", [](const PeerWay& way) { return !way.settings.memory_pattern; },
      [](PeerWay& way) { way.settings.memory_pattern = false; }},
     {"extended optimisations only", [](const PeerWay& way) { return !way.settings.layouts; },
      [](PeerWay& way) { way.settings.layouts = false; }}}};
constexpr double kNoise = 0.02;
constexpr int kTurns = 3;
constexpr double kLong = 0.05;  // of a run that is not repeated in its turn

// A way in a session of its own.
struct Tried {
  Tried(OnnxRuntime& peer, const std::string& bytes, int threads, const PeerWay& tried)
      : way(tried), model(peer, bytes, threads, tried.settings) {
    std::vector<PeerTensor> inputs = model.Inputs();
    FillInputs(inputs);
    model.Bind(inputs);
  }
  double Measure() {
    LetThreadsSleep();
    const double start = Seconds();
    way.Run(model);
    const double first = Seconds() - start;
    return first > kLong ? first : BestInARow([&] { way.Run(model); });
  }
  PeerWay way;
  OnnxRuntime::Model model;
};

// By turns, so that a slow moment of the machine meets both.
bool IsFaster(Tried& one, Tried& other) {
  double ones = 1e9, others = 1e9;
  for (int turn = 0; turn < kTurns; ++turn) {
    others = std::min(others, other.Measure());
    ones = std::min(ones, one.Measure());
  }
  return ones < others * (1 - kNoise);
}

PeerWay Search(OnnxRuntime& peer, const std::string& bytes, int threads) {
  auto best = std::make_unique<Tried>(peer, bytes, threads, PeerWay{});
  for (const Departure& departure : kDepartures) {
    PeerWay way = best->way;
    departure.add(way);
    auto tried = std::make_unique<Tried>(peer, bytes, threads, way);
    if (IsFaster(*tried, *best)) best = std::move(tried);
  }
  return best->way;
}

// Where a way is kept: the departures it has, a line each.
std::filesystem::path PlaceOf(const std::filesystem::path& network, int threads) {
  return std::filesystem::path("build/peer_settings") / std::to_string(threads) / network.filename();
}

void Write(const PeerWay& way, const std::filesystem::path& place) {
  std::filesystem::create_directories(place.parent_path());
  std::ofstream file(place);
  for (const Departure& departure : kDepartures)
    if (departure.is_in(way)) file << departure.words << "\n";
}

PeerWay Read(const std::filesystem::path& place) {
  PeerWay way;
  std::ifstream file(place);
  for (std::string line; std::getline(file, line);)
    for (const Departure& departure : kDepartures)
      if (line == departure.words) departure.add(way);
  return way;
}

}  // namespace

std::string Describe(const PeerWay& way) {
  std::string words;
  for (const Departure& departure : kDepartures)
    if (departure.is_in(way)) words += (words.empty() ? "" : ", ") + std::string(departure.words);
  return words.empty() ? "defaults" : words;
}

PeerWay FastestWay(OnnxRuntime& peer, const std::filesystem::path& network, int threads) {
  const std::filesystem::path place = PlaceOf(network, threads);
  if (!std::filesystem::exists(place)) Write(Search(peer, ReadFile(network), threads), place);
  return Read(place);
}

}  // namespace bench

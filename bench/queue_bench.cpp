// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Host functions through in-order queues: how many per second, and how long until one has run and the caller
// knows.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "benches.h"
#include "queue.h"
#include "report.h"

namespace bench {
namespace {

long counter = 0;
void Count(void*) {
  ++counter;
}

struct Measured {
  QueueKind kind;
  std::unique_ptr<Queue> queue;
  std::vector<double> rate;
  std::vector<double> hot;
  std::vector<double> idle;
  std::vector<double> idle_after_load;
};

void Throughput(Measured& one) {
  counter = 0;
  const double start = Seconds();
  for (long i = 0; i < one.kind.tasks; ++i)
    one.queue->Enqueue(Count, nullptr);
  one.queue->Synchronize();
  one.rate.push_back(one.kind.tasks / (Seconds() - start));
  if (counter != one.kind.tasks) {
    std::cerr << one.kind.name << " ran " << counter << " of " << one.kind.tasks << " tasks\n";
    std::exit(1);
  }
}

void Latency(Measured& one, std::vector<double>& into, int times, int pause_us) {
  for (int i = 0; i < times; ++i) {
    if (pause_us > 0) usleep(pause_us);
    const double start = Seconds();
    one.queue->Enqueue(Count, nullptr);
    one.queue->Synchronize();
    into.push_back(Seconds() - start);
  }
}

void Round(Measured& one) {
  Throughput(one);
  Latency(one, one.hot, 2000, 0);
  Latency(one, one.idle_after_load, 100, 300);
}

// The same in a process that has done nothing else: where a busy phase left the threads, the kernel keeps
// them, and waking one on another, halted core costs several times as much.
void IdleInOwnProcess(Measured& one, std::size_t index) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  FILE* child = popen(fmt::format("'{}' --idle {}", self, index).c_str(), "r");
  if (child == nullptr) return;
  for (double seconds; std::fscanf(child, "%lf", &seconds) == 1;)
    one.idle.push_back(seconds);
  pclose(child);
}

std::string Us(const std::vector<double>& values, double fraction) {
  return fmt::format("{:.2f}", Percentile(values, fraction) * 1e6);
}

}  // namespace

namespace {

std::vector<QueueKind> AllKinds([[maybe_unused]] std::string& missing) {
  std::vector<QueueKind> kinds;
  AddFoothold(kinds);
  AddMutex(kinds);
#ifdef FOOTHOLD_BENCH_ASIO
  AddAsio(kinds);
#else
  missing += " Boost.Asio is not installed.";
#endif
#ifdef FOOTHOLD_BENCH_TBB
  AddTbb(kinds);
#else
  missing += " oneTBB is not installed.";
#endif
#ifdef FOOTHOLD_BENCH_POCL
  AddPocl(kinds);
#else
  missing += " PoCL is not installed.";
#endif
  return kinds;
}

}  // namespace

void PrintIdleLatencies(std::size_t index) {
  std::string missing;
  const std::vector<QueueKind> kinds = AllKinds(missing);
  if (index >= kinds.size()) return;
  Measured one{kinds[index], kinds[index].make(), {}, {}, {}, {}};
  Latency(one, one.idle, 200, 300);
  for (double seconds : one.idle)
    std::cout << seconds << "\n";
}

void RunQueueBench(Report& report, int rounds) {
  std::string missing;
  std::vector<Measured> all;
  for (const QueueKind& kind : AllKinds(missing)) {
    try {
      all.push_back({kind, kind.make(), {}, {}, {}, {}});
    } catch (const std::exception& error) {
      missing += " " + kind.name + ": " + error.what() + ".";
    }
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      Round(all[i]);
      IdleInOwnProcess(all[i], i);
    }
  }
  report.Section(
      "Host functions through an in-order queue",
      "Throughput: enqueue many tiny functions, then synchronise. Latency: one enqueue until "
      "synchronise returns, "
      "back to back (hot) and after 300 µs without work: in a process of its own (idle), and in the "
      "one that did the rest (idle after load), where threads were left on cores that sleep now." +
          missing);
  std::vector<std::vector<std::string>> rows;
  const double ours = Percentile(all.front().rate, 0.5);
  for (Measured& one : all) {
    rows.push_back({one.kind.name, fmt::format("{:.2f}", Percentile(one.rate, 1) / 1e6),
                    fmt::format("{:.2f}", Percentile(one.rate, 0.5) / 1e6),
                    fmt::format("{:.1f}", ours / Percentile(one.rate, 0.5)), Us(one.hot, 0.5),
                    Us(one.hot, 0.99), Us(one.idle, 0.5), Us(one.idle, 0.99), Us(one.idle_after_load, 0.5)});
  }
  report.Table({"queue", "best M/s", "median M/s", "blocking callbacks / this", "hot p50 µs", "hot p99",
                "idle p50 µs", "idle p99", "idle after load p50"},
               rows);
}

}  // namespace bench

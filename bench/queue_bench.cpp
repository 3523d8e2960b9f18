// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Host functions through in-order queues: how many per second, and how long until one has run and the caller
// knows.
#include <fmt/format.h>
#include <unistd.h>

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
  Latency(one, one.idle, 100, 300);
}

std::string Us(const std::vector<double>& values, double fraction) {
  return fmt::format("{:.2f}", Percentile(values, fraction) * 1e6);
}

}  // namespace

void RunQueueBench(Report& report, int rounds) {
  std::vector<QueueKind> kinds;
  AddFoothold(kinds);
  AddMutex(kinds);
  std::string missing;
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
  std::vector<Measured> all;
  for (const QueueKind& kind : kinds) {
    try {
      all.push_back({kind, kind.make(), {}, {}, {}});
    } catch (const std::exception& error) {
      missing += " " + kind.name + ": " + error.what() + ".";
    }
  }
  for (int round = 0; round < rounds; ++round) {
    for (Measured& one : all)
      Round(one);
  }
  report.Section("Host functions through an in-order queue",
                 "Throughput: enqueue many tiny functions, then synchronise. Latency: one enqueue until "
                 "synchronise returns, "
                 "back to back (hot) and after 300 µs without work (idle)." +
                     missing);
  std::vector<std::vector<std::string>> rows;
  const double ours = Percentile(all.front().rate, 0.5);
  for (Measured& one : all) {
    rows.push_back({one.kind.name, fmt::format("{:.2f}", Percentile(one.rate, 1) / 1e6),
                    fmt::format("{:.2f}", Percentile(one.rate, 0.5) / 1e6),
                    fmt::format("{:.1f}", ours / Percentile(one.rate, 0.5)), Us(one.hot, 0.5),
                    Us(one.hot, 0.99), Us(one.idle, 0.5), Us(one.idle, 0.99)});
  }
  report.Table({"queue", "best M/s", "median M/s", "blocking callbacks / this", "hot p50 µs", "hot p99",
                "idle p50 µs", "idle p99"},
               rows);
}

}  // namespace bench

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/log.h"

#include <pthread.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "base/environment.h"
#include "base/process_events.h"

namespace foothold {
namespace {

constexpr std::size_t kMaxFileBytes = 20 << 20;
constexpr std::size_t kMaxOlderFiles = 10;

// Calendar fields in UTC, computed without the C library's time zone lock: that lock may be held for ever in
// a forked child.
struct UtcTime {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::microseconds> time;
};

UtcTime Now() {
  const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  return {std::chrono::year_month_day(day), std::chrono::hh_mm_ss(now - day)};
}

std::string FormatTime(const UtcTime& at,
                       fmt::format_string<int, unsigned, unsigned, long, long, long, long> format) {
  return fmt::format(format, static_cast<int>(at.date.year()), static_cast<unsigned>(at.date.month()),
                     static_cast<unsigned>(at.date.day()), at.time.hours().count(), at.time.minutes().count(),
                     static_cast<long>(at.time.seconds().count()),
                     static_cast<long>(at.time.subseconds().count()));
}

std::string NewFileName(pid_t pid) {
  return fmt::format("plog-{}_{}.log", pid, FormatTime(Now(), "{:04}{:02}{:02}{:02}{:02}{:02}{:06}"));
}

const char* LevelName(LogLevel level) {
  constexpr const char* kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  return kNames[static_cast<int>(level)];
}

std::string FormatRecord(LogLevel level, std::string_view text) {
  return fmt::format("[{}] FOOTHOLD({},{}):{} {}", LevelName(level), getpid(), gettid(),
                     FormatTime(Now(), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z"), text);
}

bool WantsStandardOutput() {
  return GetEnv("ASCEND_SLOG_PRINT_TO_STDOUT").value_or("") == "1";
}

class Logger {
 public:
  Logger();
  bool Enabled(LogLevel level) const noexcept { return level >= threshold_.load(std::memory_order_relaxed); }
  void Write(std::string_view record);
  std::string Sink();
  void Lock() { mutex_.lock(); }
  void Unlock() { mutex_.unlock(); }

 private:
  void OpenForThisProcess();

  std::atomic<LogLevel> threshold_{LogLevel::kNone};
  const bool to_stdout_ = WantsStandardOutput();
  const std::string directory_ = GetEnv("ASCEND_PROCESS_LOG_PATH").value_or("");
  std::mutex mutex_;
  // Guarded by mutex_.
  pid_t opened_by_ = 0;
  std::unique_ptr<spdlog::sinks::sink> sink_;
  std::string sink_text_ = "none";
};

Logger::Logger() {
  if (!to_stdout_ && directory_.empty()) return;
  const std::string wanted = GetEnv("ASCEND_GLOBAL_LOG_LEVEL").value_or("");
  const std::optional<std::int64_t> level = ParseInt(wanted.empty() ? "3" : wanted);
  const bool known = level && *level >= 0 && *level <= 4;
  threshold_ = known ? static_cast<LogLevel>(*level) : LogLevel::kError;
  if (known) return;
  Write(FormatRecord(
      LogLevel::kWarning,
      fmt::format("ASCEND_GLOBAL_LOG_LEVEL is \"{}\"; expected 0 (debug), 1 (info), 2 (warning), "
                  "3 (error) or 4 (none). Using 3.",
                  wanted)));
}

// A forked child is another process and gets a file of its own, so this also runs again when the pid has
// changed.
void Logger::OpenForThisProcess() {
  if (opened_by_ == getpid()) return;
  opened_by_ = getpid();
  sink_ = nullptr;
  try {
    if (to_stdout_) {
      sink_ = std::make_unique<spdlog::sinks::stdout_sink_st>();
      sink_text_ = "standard output";
    } else if (!directory_.empty()) {
      const auto file = std::filesystem::path(directory_) / "debug" / "plog" / NewFileName(opened_by_);
      sink_text_ = file;
      sink_ = std::make_unique<spdlog::sinks::rotating_file_sink_st>(file, kMaxFileBytes, kMaxOlderFiles);
    }
    if (sink_) sink_->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v"));
  } catch (const std::exception& failure) {
    sink_text_ = fmt::format("none: {}", failure.what());
  }
}

void Logger::Write(std::string_view record) {
  const std::lock_guard lock(mutex_);
  OpenForThisProcess();
  if (!sink_) return;
  sink_->log(spdlog::details::log_msg("foothold", spdlog::level::info, record));
  // At once, so that a crash loses nothing and a forked child does not write its parent's records again.
  sink_->flush();
}

std::string Logger::Sink() {
  const std::lock_guard lock(mutex_);
  OpenForThisProcess();
  return sink_text_;
}

// Never destroyed: static destructors of the program may still log.
Logger& TheLogger() {
  static Logger* const logger = new Logger;
  return *logger;
}

// A thread that holds the mutex does not exist in a forked child, so the forking thread takes it across the
// fork. Registered at load, which also makes the logger before there are threads.
void LockForFork() {
  TheLogger().Lock();
}
void UnlockAfterFork() {
  TheLogger().Unlock();
}
const AtFork at_fork((TheLogger(), ForkStage::kLog), {LockForFork, UnlockAfterFork, UnlockAfterFork});

// While it lives, pthread_cancel does not end the thread: files are written, which it would interrupt.
class NotCancelled {
 public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace

bool LogEnabled(LogLevel level) noexcept {
  return level < LogLevel::kNone && TheLogger().Enabled(level);
}

void WriteLog(LogLevel level, std::string_view text) noexcept {
  if (!LogEnabled(level)) return;
  const NotCancelled whole_record;
  try {
    TheLogger().Write(FormatRecord(level, text));
  } catch (...) {  // a log line is never worth a failure
  }
}

std::string DescribeLogSink() {
  return TheLogger().Sink();
}

}  // namespace foothold

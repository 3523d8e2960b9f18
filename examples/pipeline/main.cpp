// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An asynchronous pipeline on two streams, drawn as a timeline: pictures are uploaded on one stream; the
// other waits for each by an event, works on it and downloads it; a report thread is called back for every
// finished picture.
#include <acl/acl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

const int kPictures = 8;
const size_t kBytes = 12u << 20;
const int kWidth = 96;

// Microseconds on the clock that event timestamps use.
uint64_t NowUs() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Span {
  uint64_t start;
  uint64_t end;
};

struct Picture {
  int number;
  unsigned char* host;
  unsigned char* result;
  unsigned char* device;  // managed, so that Brighten, a function of the host, may follow it
  aclrtEvent upload_start, uploaded, work_start, work_end, downloaded;
  Span callback;
  unsigned checksum;
};

// Runs on a thread of the runtime, in stream order: brightens the picture in place, as a kernel would.
void Brighten(void* data) {
  Picture* picture = static_cast<Picture*>(data);
  for (size_t i = 0; i < kBytes; ++i)
    picture->device[i] = static_cast<unsigned char>(picture->device[i] + 1);
}

// Runs on the report thread: looks at the result.
void OnPicture(void* data) {
  Picture* picture = static_cast<Picture*>(data);
  picture->callback.start = NowUs();
  unsigned sum = 0;
  for (size_t i = 0; i < kBytes; i += 16)
    sum += picture->result[i];
  picture->checksum = sum;
  picture->callback.end = NowUs();
}

class ReportThread {
 public:
  explicit ReportThread(aclrtContext context)
      : stop_(false), thread_([this, context] {
          aclrtSetCurrentContext(context);
          id_.set_value(static_cast<uint64_t>(pthread_self()));
          while (!stop_)
            aclrtProcessReport(100);
        }) {
    number_ = id_.get_future().get();
  }
  ~ReportThread() {
    stop_ = true;
    thread_.join();
  }
  uint64_t id() const { return number_; }

 private:
  std::atomic<bool> stop_;
  std::promise<uint64_t> id_;
  uint64_t number_;
  std::thread thread_;
};

void Create(Picture& picture, int number) {
  picture.number = number;
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&picture.host), kBytes));
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&picture.result), kBytes));
  CHECK(aclrtMemAllocManaged(reinterpret_cast<void**>(&picture.device), kBytes, ACL_RT_MEM_ATTACH_GLOBAL));
  for (size_t i = 0; i < kBytes; ++i)
    picture.host[i] = static_cast<unsigned char>(number);
  std::fill(picture.result, picture.result + kBytes, 0);
  CHECK(aclrtMemset(picture.device, kBytes, 0, kBytes));
  for (aclrtEvent* event : {&picture.upload_start, &picture.uploaded, &picture.work_start, &picture.work_end,
                            &picture.downloaded}) {
    CHECK(aclrtCreateEvent(event));
  }
}

void Destroy(Picture& picture) {
  for (aclrtEvent event :
       {picture.upload_start, picture.uploaded, picture.work_start, picture.work_end, picture.downloaded}) {
    CHECK(aclrtDestroyEvent(event));
  }
  CHECK(aclrtFree(picture.device));
  CHECK(aclrtFreeHost(picture.host));
  CHECK(aclrtFreeHost(picture.result));
}

void Queue(Picture& picture, aclrtStream upload, aclrtStream work) {
  CHECK(aclrtRecordEvent(picture.upload_start, upload));
  CHECK(aclrtMemcpyAsync(picture.device, kBytes, picture.host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, upload));
  CHECK(aclrtRecordEvent(picture.uploaded, upload));
  CHECK(aclrtStreamWaitEvent(work, picture.uploaded));
  CHECK(aclrtRecordEvent(picture.work_start, work));
  CHECK(aclrtLaunchHostFunc(work, Brighten, &picture));
  CHECK(aclrtRecordEvent(picture.work_end, work));
  CHECK(aclrtMemcpyAsync(picture.result, kBytes, picture.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, work));
  CHECK(aclrtRecordEvent(picture.downloaded, work));
  CHECK(aclrtLaunchCallback(OnPicture, &picture, ACL_CALLBACK_NO_BLOCK, work));
}

uint64_t TimeOf(aclrtEvent event) {
  uint64_t time = 0;
  CHECK(aclrtEventGetTimestamp(event, &time));
  return time;
}

class Timeline {
 public:
  Timeline(uint64_t start, uint64_t end)
      : start_(start), end_(std::max(end, start + 1)), color_(isatty(STDOUT_FILENO) != 0) {}

  void Lane(const char* name, const std::vector<Span>& spans) const {
    std::string cells(kWidth, ' ');
    for (size_t i = 0; i < spans.size(); ++i) {
      const int from = Column(spans[i].start);
      const int to = std::max(from + 1, Column(spans[i].end));
      for (int column = from; column < to && column < kWidth; ++column)
        cells[column] = static_cast<char>('0' + i % 10);
    }
    std::printf("%-15s|", name);
    for (char cell : cells)
      Paint(cell);
    std::printf("|\n");
  }

  void Scale() const { std::printf("%-15s 0%*.1f ms\n", "", kWidth - 1, (end_ - start_) / 1000.0); }

 private:
  int Column(uint64_t time) const {
    return static_cast<int>((time - start_) * (kWidth - 1) / (end_ - start_));
  }
  void Paint(char cell) const {
    if (cell == ' ' || !color_) {
      std::putchar(cell);
    } else {
      std::printf("\033[%d;30m%c\033[0m", 41 + (cell - '0') % 6, cell);
    }
  }

  uint64_t start_;
  uint64_t end_;
  bool color_;
};

void Draw(const std::vector<Picture>& pictures, uint64_t start, uint64_t queued, uint64_t end) {
  std::vector<Span> uploads, works, downloads, callbacks;
  for (const Picture& picture : pictures) {
    uploads.push_back({TimeOf(picture.upload_start), TimeOf(picture.uploaded)});
    works.push_back({TimeOf(picture.work_start), TimeOf(picture.work_end)});
    downloads.push_back({TimeOf(picture.work_end), TimeOf(picture.downloaded)});
    callbacks.push_back(picture.callback);
  }
  const Timeline timeline(start, end);
  timeline.Lane("main queues", {{start, queued}});
  timeline.Lane("stream 1 upload", uploads);
  timeline.Lane("stream 2 work", works);
  timeline.Lane("stream 2 down", downloads);
  timeline.Lane("report thread", callbacks);
  timeline.Scale();
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtContext context;
  CHECK(aclrtGetCurrentContext(&context));
  aclrtStream upload, work;
  CHECK(aclrtCreateStream(&upload));
  CHECK(aclrtCreateStream(&work));
  std::vector<Picture> pictures(kPictures);
  for (int i = 0; i < kPictures; ++i)
    Create(pictures[i], i);
  std::printf(
      "%d pictures of %zu MiB on %s: upload, work, download, callback; digits are picture numbers\n\n",
      kPictures, kBytes >> 20, aclrtGetSocName());

  ReportThread report(context);
  CHECK(aclrtSubscribeReport(report.id(), work));
  const uint64_t start = NowUs();
  for (Picture& picture : pictures)
    Queue(picture, upload, work);
  const uint64_t queued = NowUs();
  CHECK(aclrtSynchronizeStream(work));
  const uint64_t end = NowUs();
  CHECK(aclrtUnSubscribeReport(report.id(), work));
  Draw(pictures, start, queued, end);

  bool right = true;
  for (const Picture& picture : pictures)
    right = right && picture.checksum == kBytes / 16 * (picture.number + 1u);
  std::printf("\nqueueing took %.2f ms, everything %.2f ms; every picture came back %s\n",
              (queued - start) / 1000.0, (end - start) / 1000.0, right ? "right" : "WRONG");
  for (Picture& picture : pictures)
    Destroy(picture);
  CHECK(aclrtDestroyStream(upload));
  CHECK(aclrtDestroyStream(work));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right ? 0 : 1;
}

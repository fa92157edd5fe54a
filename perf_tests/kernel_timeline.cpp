// SPDX-License-Identifier: BSD-3-Clause
// When does each kernel of a program run on a GPU? A tool for Kokkos programs, of Dromos or not, loaded when they
// start:
//
//   KOKKOS_PROFILE_LIBRARY=build-cuda/bin/libkernel_timeline.so TIMELINE_FOLDER=folder bench_bfs ...
//   perf_tests/plot_timeline.py folder/timeline.*.csv
//
// Each process (of several, name both with mpirun's -x) writes timeline.PID.csv there when it ends: a line for each
// kernel, copy and fill as CUPTI recorded it, and for each region that Kokkos::Profiling was told of:
//
//   begin, end in ns | kernel, copy, fill, region | stream | bytes | teams | threads of each | name
//
// Kernels are not waited for one by one, so that what overlaps overlaps here as well. Kokkos' own hooks see launches
// alone, which says nothing of a GPU's time.
#include <cupti.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

struct Event {
  std::uint64_t begin, end;
  const char* kind;
  std::uint32_t stream;
  std::uint64_t bytes;
  std::int64_t teams, threads;
  std::string name;
};

std::mutex events_mutex;  // CUPTI hands records over in a thread of its own
std::vector<Event> events;
std::vector<Event> open_regions;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *size = std::size_t(8) << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::lock_guard<std::mutex> lock(events_mutex);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      events.push_back({kernel.start, kernel.end, "kernel", kernel.streamId, 0, kernel.gridX,
                        std::int64_t(kernel.blockX) * kernel.blockY, kernel.name != nullptr ? kernel.name : ""});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto& copy = *reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      events.push_back({copy.start, copy.end, "copy", copy.streamId, copy.bytes, 0, 0, ""});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
      const auto& fill = *reinterpret_cast<const CUpti_ActivityMemset4*>(record);
      events.push_back({fill.start, fill.end, "fill", fill.streamId, fill.bytes, 0, 0, ""});
    }
  }
  std::free(buffer);
}

void write_events() {
  cuptiActivityFlushAll(1);
  const char* const folder = std::getenv("TIMELINE_FOLDER");
  const std::string path =
      std::string(folder != nullptr ? folder : ".") + "/timeline." + std::to_string(getpid()) + ".csv";
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool written = file != nullptr;
  const std::lock_guard<std::mutex> lock(events_mutex);
  for (std::size_t i = 0; written && i < events.size(); ++i) {
    const Event& e = events[i];
    written =
        std::fprintf(file, "%llu,%llu,%s,%u,%llu,%lld,%lld,%.400s\n", static_cast<unsigned long long>(e.begin),
                     static_cast<unsigned long long>(e.end), e.kind, e.stream, static_cast<unsigned long long>(e.bytes),
                     static_cast<long long>(e.teams), static_cast<long long>(e.threads), e.name.c_str()) > 0;
  }
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written) std::perror(("kernel_timeline: cannot write " + path).c_str());
}

std::uint64_t now() {
  std::uint64_t time = 0;
  cuptiGetTimestamp(&time);
  return time;
}

}  // namespace

// What Kokkos calls (its tools' C interface).
extern "C" {

/// As Kokkos lays it out.
struct KokkosToolSettings {
  bool requires_global_fencing;
  bool padding[255];
};

void kokkosp_request_tool_settings(std::uint32_t, KokkosToolSettings* settings) {
  settings->requires_global_fencing = false;  // it would wait for every kernel
}

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  CUptiResult result = cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
    if (result == CUPTI_SUCCESS) result = cuptiActivityEnable(kind);
  }
  if (result != CUPTI_SUCCESS) {
    const char* reason = "";
    cuptiGetResultString(result, &reason);
    std::fprintf(stderr, "kernel_timeline: CUPTI does not record: %s\n", reason);
  }
  std::atexit(write_events);
}

void kokkosp_push_profile_region(const char* name) { open_regions.push_back({now(), 0, "region", 0, 0, 0, 0, name}); }

void kokkosp_pop_profile_region() {
  if (open_regions.empty()) return;
  Event region = open_regions.back();
  open_regions.pop_back();
  region.end = now();
  const std::lock_guard<std::mutex> lock(events_mutex);
  events.push_back(region);
}

}  // extern "C"

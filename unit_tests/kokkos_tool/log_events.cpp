// SPDX-License-Identifier: BSD-3-Clause
// A Kokkos tool that writes what it is told, an event a line, to the file that DROMOS_TOOL_LOG names:
//
//   push dromos::bfs
//   kernel dromos::traverse::vertex_chunk
//   end
//   pop
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

std::FILE* log_file = nullptr;

void write(const char* event, const char* name) {
  if (log_file != nullptr) std::fprintf(log_file, name == nullptr ? "%s\n" : "%s %s\n", event, name);
}

void begin_kernel(const char* name, std::uint64_t* id) {
  static std::uint64_t number = 0;
  *id = number++;
  write("kernel", name);
}

}  // namespace

extern "C" {

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  const char* const path = std::getenv("DROMOS_TOOL_LOG");
  if (path != nullptr) log_file = std::fopen(path, "w");
}
void kokkosp_finalize_library() {
  write("finalize", nullptr);
  if (log_file != nullptr) std::fclose(log_file);
  log_file = nullptr;
}
void kokkosp_push_profile_region(const char* name) { write("push", name); }
void kokkosp_pop_profile_region() { write("pop", nullptr); }
void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* id) { begin_kernel(name, id); }
void kokkosp_end_parallel_for(std::uint64_t) { write("end", nullptr); }
void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* id) { begin_kernel(name, id); }
void kokkosp_end_parallel_reduce(std::uint64_t) { write("end", nullptr); }
void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* id) { begin_kernel(name, id); }
void kokkosp_end_parallel_scan(std::uint64_t) { write("end", nullptr); }

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
#include "ceilings.hpp"

#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <fstream>

namespace dromos::perf {
namespace {

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
using Words = Kokkos::View<std::uint32_t*, Memory>;
using ConstWords = Kokkos::View<const std::uint32_t*, Memory>;
using LongWords = Kokkos::View<std::uint64_t*, Memory>;

struct ReadInOrder {
  Kokkos::View<const std::uint64_t*, Memory> words;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::uint64_t& sum) const { sum += words(i); }
};

struct CopyInOrder {
  Kokkos::View<const std::uint64_t*, Memory> from;
  LongWords to;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { to(i) = from(i); }
};

/// Where access i goes in a table of 2^bits words: two multiplications, so that on CPUs computing stays below reading.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t scattered(std::int64_t i, int bits) {
  std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
  return static_cast<std::int64_t>(x >> (64 - bits));
}

struct ReadAnywhere {
  ConstWords table;
  int bits;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::uint64_t& sum) const { sum += table(scattered(i, bits)); }
};

struct AddAnywhere {
  Words table;
  int bits;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::uint64_t& sum) const {
    sum += dromos::atomic_fetch_add(&table(scattered(i, bits)), std::uint32_t(1));
  }
};

struct DoNothing {
  KOKKOS_FUNCTION void operator()(const std::int64_t) const {}
};

struct AnswerOne {
  KOKKOS_FUNCTION void operator()(const std::int64_t, std::int32_t& sum) const { sum += 1; }
};

/// The shortest of several runs, after one that is not measured.
template <class Run>
double best_seconds(const Run& run) {
  double best = 0;
  for (int i = -1; i < 5; ++i) {
    Kokkos::fence();
    const Kokkos::Timer timer;
    run();
    Kokkos::fence();
    const double seconds = timer.seconds();
    if (i == 0 || (i > 0 && seconds < best)) best = seconds;
  }
  return best;
}

/// How many a second, of a loop over so many that a run takes at least 10 ms.
template <class Functor>
double reduced_per_second(const char* label, const Functor& functor) {
  for (std::int64_t count = std::int64_t(1) << 20;; count *= 4) {
    const double seconds = best_seconds([&] {
      std::uint64_t sum = 0;
      Kokkos::parallel_reduce(label, Range(0, count), functor, sum);
    });
    if (seconds > 0.01 || count >= std::int64_t(1) << 32) return static_cast<double>(count) / seconds;
  }
}

Json speeds_json(const std::vector<TableSpeed>& speeds) {
  Json list = Json::array();
  for (const TableSpeed& speed : speeds) {
    list.push_back({{"table_bytes", speed.table_bytes}, {"per_second", speed.per_second}});
  }
  return list;
}

std::vector<TableSpeed> speeds_from(const Json& list) {
  std::vector<TableSpeed> speeds;
  for (const Json& entry : list) {
    speeds.push_back({entry.at("table_bytes").get<double>(), entry.at("per_second").get<double>()});
  }
  return speeds;
}

}  // namespace

Json Ceilings::to_json() const {
  return {{"read_bytes_per_second", read_bytes_per_second},
          {"copy_bytes_per_second", copy_bytes_per_second},
          {"random_reads", speeds_json(random_reads)},
          {"random_atomics", speeds_json(random_atomics)},
          {"launch_seconds", launch_seconds},
          {"answer_seconds", answer_seconds}};
}

Ceilings Ceilings::from_json(const Json& json) {
  Ceilings ceilings;
  ceilings.read_bytes_per_second = json.at("read_bytes_per_second").get<double>();
  ceilings.copy_bytes_per_second = json.at("copy_bytes_per_second").get<double>();
  ceilings.random_reads = speeds_from(json.at("random_reads"));
  ceilings.random_atomics = speeds_from(json.at("random_atomics"));
  ceilings.launch_seconds = json.at("launch_seconds").get<double>();
  ceilings.answer_seconds = json.at("answer_seconds").get<double>();
  return ceilings;
}

double Ceilings::seconds_for(const LeastWork& work) const {
  double seconds = work.bytes / read_bytes_per_second;
  if (work.random_reads > 0 && !random_reads.empty()) {
    double per_second = random_reads.front().per_second;
    for (const TableSpeed& speed : random_reads) {
      if (speed.table_bytes <= work.table_bytes) per_second = speed.per_second;
    }
    seconds += work.random_reads / per_second;
  }
  return seconds;
}

Ceilings measure_ceilings(double most_bytes) {
  Ceilings ceilings;
  {
    const std::int64_t num_words = static_cast<std::int64_t>(most_bytes / 2 / sizeof(std::uint64_t));
    const LongWords from("dromos::ceilings::from", num_words), to("dromos::ceilings::to", num_words);
    const double bytes = static_cast<double>(num_words) * sizeof(std::uint64_t);
    ceilings.read_bytes_per_second =
        bytes / best_seconds([&] {
          std::uint64_t sum = 0;
          Kokkos::parallel_reduce("dromos::ceilings::read", Range(0, num_words), ReadInOrder{from}, sum);
        });
    ceilings.copy_bytes_per_second =
        2 * bytes / best_seconds([&] {
          Kokkos::parallel_for("dromos::ceilings::copy", Range(0, num_words), CopyInOrder{from, to});
        });
  }
  for (int bits = 14; 4.0 * static_cast<double>(std::int64_t(1) << bits) <= most_bytes; bits += 2) {  // from 64 KiB
    const Words table("dromos::ceilings::table", std::int64_t(1) << bits);
    const double table_bytes = 4.0 * static_cast<double>(table.extent(0));
    ceilings.random_reads.push_back(
        {table_bytes, reduced_per_second("dromos::ceilings::random_reads", ReadAnywhere{table, bits})});
    ceilings.random_atomics.push_back(
        {table_bytes, reduced_per_second("dromos::ceilings::random_atomics", AddAnywhere{table, bits})});
  }
  constexpr int many = 100;
  ceilings.launch_seconds = best_seconds([] {
                              for (int i = 0; i < many; ++i) {
                                Kokkos::parallel_for("dromos::ceilings::launch", Range(0, 1), DoNothing{});
                                Kokkos::fence();
                              }
                            }) /
                            many;
  ceilings.answer_seconds = best_seconds([] {
                              for (int i = 0; i < many; ++i) {
                                std::int32_t answer = 0;
                                Kokkos::parallel_reduce("dromos::ceilings::answer", Range(0, 1), AnswerOne{}, answer);
                              }
                            }) /
                            many;
  return ceilings;
}

Ceilings read_ceilings(const std::string& path) {
  try {
    std::ifstream file(path);
    return Ceilings::from_json(Json::parse(file).at("rows").at(0));
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + " is not a result of bench_ceilings: " + error.what());
  }
}

}  // namespace dromos::perf

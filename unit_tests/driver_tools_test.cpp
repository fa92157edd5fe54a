// SPDX-License-Identifier: BSD-3-Clause
// What a Kokkos tool sees of the program: regions that nest as searches, levels and phases do, and kernels that all
// have a name. The tool is kokkos_tool/log_events.cpp. And how the program waits, shares cores, and works off batches.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

struct Kernel {
  std::string name;
  std::vector<std::string> regions;  ///< that it runs in, the outermost first
};

struct Timeline {
  std::vector<Kernel> kernels;
  std::vector<std::vector<std::string>> regions;  ///< each that was opened, within those around it
  bool balanced = false;                          ///< every region was closed before the end

  std::int64_t num_regions(const std::string& name) const {
    return std::count_if(regions.begin(), regions.end(), [&](const auto& path) { return path.back() == name; });
  }
};

/// Runs `dromos ARGUMENTS` with the tool loaded: by the variable of Kokkos before 4.0, and by that of later ones.
Timeline timeline_of(const std::string& arguments) {
  const RunDromos dromos;
  dromos.write("small.txt", "7 12\n12 900\n900 7\n900 31\n31 8\n8 31\n");
  const Outcome outcome = dromos.shell("env DROMOS_TOOL_LOG=log KOKKOS_PROFILE_LIBRARY='" DROMOS_TOOL
                                       "' KOKKOS_TOOLS_LIBS='" DROMOS_TOOL "' '" DROMOS_PROGRAM "' " +
                                       arguments);
  EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.error;
  Timeline timeline;
  std::vector<std::string> open;
  std::istringstream lines(dromos.read("log"));
  for (std::string line; std::getline(lines, line);) {
    const std::string event = line.substr(0, line.find(' '));
    const std::string name = line.size() > event.size() ? line.substr(event.size() + 1) : "";
    if (event == "push") {
      open.push_back(name);
      timeline.regions.push_back(open);
    } else if (event == "pop") {
      if (open.empty()) {
        ADD_FAILURE() << "a region is closed that was not open";
        return timeline;
      }
      open.pop_back();
    } else if (event == "kernel") {
      timeline.kernels.push_back({name, open});
    } else if (event == "finalize") {
      timeline.balanced = open.empty();
    }
  }
  return timeline;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

TEST(KokkosTools, EveryKernelAndRegionHasAName) {
  for (const std::string arguments :
       {"bfs --strategy all --validate --direction-optimizing --roots 2 --generate kronecker --scale 7",
        "bfs --strategy all --roots 2 small.txt", "cc --method all --validate small.txt",
        "scc --method all --strategy all --validate small.txt", "color --validate small.txt",
        "sssp --weights uniform --validate --relabel small.txt", "kcore --undirected --validate small.txt",
        "pagerank --validate small.txt", "bc --exact --validate small.txt",
        "diameter --undirected --validate small.txt", "info small.txt"}) {
    const Timeline timeline = timeline_of(arguments);
    EXPECT_FALSE(timeline.kernels.empty()) << arguments << ": was the tool loaded?";
    EXPECT_TRUE(timeline.balanced) << arguments;
    std::set<std::string> foreign;
    for (const Kernel& kernel : timeline.kernels) {
      // Kokkos names its own: copies, and the initialization of Views.
      if (!starts_with(kernel.name, "dromos::") && !starts_with(kernel.name, "Kokkos::")) foreign.insert(kernel.name);
    }
    for (const auto& path : timeline.regions) {
      if (!starts_with(path.back(), "dromos::") && !starts_with(path.back(), "Kokkos::")) foreign.insert(path.back());
    }
    EXPECT_EQ(foreign, std::set<std::string>()) << arguments;
  }
}

TEST(KokkosTools, LevelsLieWithinTheirSearch) {
  const Timeline timeline =
      timeline_of("bfs --strategy vertex-chunk --root 0 --no-fusion --generate path --vertices 5");
  // One search that is measured, one before it; five levels each.
  EXPECT_EQ(timeline.num_regions("dromos::bfs"), 2);
  EXPECT_EQ(timeline.num_regions("dromos::bfs::level"), 10);
  EXPECT_EQ(timeline.num_regions("dromos::build_csr"), 1);
  for (const auto& path : timeline.regions) {
    if (path.back() != "dromos::bfs::level") continue;
    ASSERT_GE(path.size(), 2u);
    EXPECT_EQ(path[path.size() - 2], "dromos::bfs");
  }
  const auto sweep = std::find_if(timeline.kernels.begin(), timeline.kernels.end(), [](const Kernel& kernel) {
    return !kernel.regions.empty() && kernel.regions.back() == "dromos::bfs::level";
  });
  EXPECT_NE(sweep, timeline.kernels.end()) << "no kernel runs in a level";
}

/// Levels that are searched in one launch are one region, the first ones together with what goes before them.
TEST(KokkosTools, FusedLevelsLieWithinTheirSearch) {
  const Timeline timeline = timeline_of("bfs --root 0 --generate star --vertices 50000");
  EXPECT_EQ(timeline.num_regions("dromos::bfs::first_levels"), 2);
  EXPECT_EQ(timeline.num_regions("dromos::bfs::level"), 4);  // the hub and its neighbors
  EXPECT_EQ(timeline.num_regions("dromos::bfs::fused_levels"), 0);
  const Timeline deep = timeline_of("bfs --root 0 --generate path --vertices 1000");
  EXPECT_EQ(deep.num_regions("dromos::bfs::first_levels"), 2);
  EXPECT_EQ(deep.num_regions("dromos::bfs::level"), 0);
  for (const auto& path : deep.regions) {
    if (path.back() != "dromos::bfs::first_levels" && path.back() != "dromos::bfs::fused_levels") continue;
    ASSERT_GE(path.size(), 2u);
    EXPECT_EQ(path[path.size() - 2], "dromos::bfs");
  }
}

TEST(KokkosTools, PhasesOfAnAlgorithmLieWithinIt) {
  const Timeline timeline = timeline_of("scc --method multistep --generate kronecker --scale 9 --directed");
  ASSERT_GE(timeline.num_regions("dromos::scc"), 1);
  std::set<std::string> phases;
  for (const auto& path : timeline.regions) {
    if (path.size() > 1 && path[path.size() - 2] == "dromos::scc") phases.insert(path.back());
  }
  EXPECT_GE(phases.size(), 2u);
  for (const std::string& phase : phases) EXPECT_TRUE(starts_with(phase, "dromos::scc::")) << phase;
}

TEST(KokkosTools, SeeTheValidationApart) {
  const Timeline timeline = timeline_of("bfs --validate --generate path --vertices 5");
  EXPECT_EQ(timeline.num_regions("dromos::validate_bfs"), 1);
  for (const auto& path : timeline.regions) {
    const bool in_search = std::find(path.begin(), path.end(), "dromos::bfs") != path.end();
    EXPECT_FALSE(path.back() == "dromos::validate_bfs" && in_search);
  }
}

/// What GNU's OpenMP says of its environment while `dromos` runs with these variables; empty for another OpenMP.
struct Spins {
  std::string count;
  int starts = 0;  ///< of the program
};
bool operator==(const Spins& a, const Spins& b) { return a.count == b.count && a.starts == b.starts; }
void PrintTo(const Spins& spins, std::ostream* out) { *out << spins.count << " in " << spins.starts << " starts"; }

Spins spins_with(const RunDromos& dromos, const std::string& variables,
                 const std::string& words = "info --generate path --vertices 3") {
  const Outcome outcome = dromos.shell(
      "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u _ -u OLDPWD -u SHLVL OMP_NUM_THREADS=2 OMP_DISPLAY_ENV=verbose " +
      variables + " '" DROMOS_PROGRAM "' " + words);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const std::string name = "GOMP_SPINCOUNT = '";
  Spins spins;
  for (std::size_t at = 0; (at = outcome.error.find(name, at)) != std::string::npos; ++spins.starts) {
    at += name.size();
    spins.count = outcome.error.substr(at, outcome.error.find('\'', at) - at);  // of the last start
  }
  return spins;
}

TEST(WaitingThreads, SpinForAMomentUnlessTold) {
  const RunDromos dromos;
  const Spins told = spins_with(dromos, "GOMP_SPINCOUNT=77");
  if (told.count.empty()) GTEST_SKIP() << "this build has no OpenMP, or not GNU's";
  EXPECT_EQ(told, (Spins{"77", 1}));
  EXPECT_EQ(spins_with(dromos, "GOMP_SPINCOUNT=77 _=x"), (Spins{"77", 1}));
  EXPECT_EQ(spins_with(dromos, "OMP_WAIT_POLICY=passive _=x"), (Spins{"0", 1}));
  EXPECT_EQ(spins_with(dromos, "X=1"), (Spins{"3000", 2})) << "nothing in the environment can be spared";
#ifdef __GLIBC__
  for (const char* spared : {"_=x", "OLDPWD=/", "SHLVL=1"}) {
    EXPECT_EQ(spins_with(dromos, spared), (Spins{"3000", 1})) << spared;
  }
#endif
  EXPECT_NE(spins_with(dromos, "OMP_NUM_THREADS=1 _=x").count, "3000") << "one thread waits for nobody";
  EXPECT_EQ(spins_with(dromos, "OMP_NUM_THREADS=1").starts, 1);
  for (const char* words : {"--version", "--help", "help bfs", "bfs --help", "completion bash"}) {
    EXPECT_EQ(spins_with(dromos, "X=1", words).starts, 1) << words << " is a text, and starts no threads";
  }
  EXPECT_EQ(spins_with(dromos, "X=1", "--kokkos-disable-warnings info --generate path --vertices 3").count, "3000");
  dromos.write("help", "1 2\n");
  EXPECT_EQ(spins_with(dromos, "X=1", "info help").count, "3000") << "a file may have any name";
  // Words, standard input and the exit code are those of the program that was started.
  const std::string start = "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_NUM_THREADS=2 '" DROMOS_PROGRAM "' ";
  EXPECT_EQ(dromos.shell(start + "info 'no such file'").exit_code, 2);
  dromos.write("in put.txt", "1 2\n2 3\n");
  const Outcome piped = dromos.shell("{ cat 'in put.txt' | " + start + "info /dev/stdin; }");
  EXPECT_EQ(piped.exit_code, 0) << piped.error;
}

TEST(Batch, DoesEachLineAsItWouldAlone) {
  const RunDromos dromos;
  dromos.write("with blanks.txt", "7 12 3\n12 900 1\n900 7 9\n31 8 2\n");
  const std::vector<std::string> lines = {
      "sssp --root 7 --output OUT1 --json OUT2 'with blanks.txt'",
      "cc --quiet --output OUT3 \"with blanks.txt\"",
      "convert 'with blanks.txt' OUT4.mtx",
      "bfs --root 12 with' 'blanks.txt --output\tOUT5",
  };
  std::string batch = "# all of one graph\n\n";
  for (std::string line : lines) {
    EXPECT_EQ(dromos.run(line).exit_code, 0) << line;
    for (std::size_t at = 0; (at = line.find("OUT", at)) != std::string::npos; ++at) line.replace(at, 3, "ALL");
    batch += "  " + line + "\n";
  }
  dromos.write("lines.txt", batch);
  const Outcome outcome = dromos.run("batch lines.txt");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  for (const std::string end : {"1", "3", "4.mtx", "5"}) {
    EXPECT_FALSE(dromos.read("OUT" + end).empty()) << end;
    EXPECT_EQ(dromos.read("ALL" + end), dromos.read("OUT" + end)) << end;
  }
  auto alone = nlohmann::json::parse(dromos.read("OUT2")), together = nlohmann::json::parse(dromos.read("ALL2"));
  EXPECT_EQ(together["runs"][0]["largest_distance"], alone["runs"][0]["largest_distance"]);
  // --quiet is of its line alone.
  EXPECT_NE(outcome.out.find("ALL4.mtx: written"), std::string::npos) << outcome.out;
}

TEST(Batch, EndsWithTheFirstLineThatFails) {
  const RunDromos dromos;
  dromos.write("g.txt", "1 2\n2 3\n");
  dromos.write("lines.txt", "cc --output a g.txt\n# two\ninfo absent.txt\ncc --output b g.txt\n");
  const Outcome outcome = dromos.run("batch lines.txt");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("lines.txt:3: ended the batch\n"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("absent.txt"), std::string::npos) << outcome.error;
  EXPECT_FALSE(dromos.read("a").empty());
  EXPECT_EQ(dromos.files().count("b"), 0u);
  dromos.write("usage.txt", "cc --no-such-option g.txt\n");
  EXPECT_NE(
      expect_refusal(dromos, "batch usage.txt", {"there is no option --no-such-option"}).error.find("usage.txt:1"),
      std::string::npos);

  // What is wrong with the lines themselves is said before any of them runs.
  for (const auto& [line, word] : std::vector<std::pair<std::string, std::string>>{
           {"cc 'g.txt", "opens a word that nothing closes"}, {"batch more.txt", "a batch within a batch"}}) {
    dromos.write("wrong.txt", "cc --output c g.txt\n" + line + "\n");
    expect_refusal(dromos, "batch wrong.txt", {"wrong.txt:2: ", word});
  }
  dromos.write("threads.txt", "cc --threads 1 g.txt\n");
  expect_refusal(dromos, "batch threads.txt", {"--threads", "give it to batch itself"});
  expect_refusal(dromos, "batch absent.txt", {"absent.txt", "no such file", "expected a file of command lines"});
  dromos.write("empty.txt", "");
  expect_refusal(dromos, "batch empty.txt", {"expected a file of command lines, found an empty file"});
  dromos.write("data.txt", std::string("cc g.txt\n\0\1", 11));
  expect_refusal(dromos, "batch data.txt", {"data.txt:2: expected text, a file of command lines, found binary data"});
  expect_refusal(dromos, "batch .", {"expected a file of command lines, found a folder"});
  expect_refusal(dromos, "subgraph --list absent.txt -o part.txt g.txt", {"expected a list of vertices"});
  expect_refusal(dromos, "batch", {"name the file"});
  dromos.write("nothing.txt", "# nothing\n");
  EXPECT_EQ(dromos.run("batch --threads 1 nothing.txt").exit_code, 0);
}

/// Three others on the only core that the program may use.
TEST(SharedCores, AreNamedWithTheRemedy) {
  const RunDromos dromos;
  if (dromos.shell("taskset -c 0 true && cat /proc/self/schedstat").exit_code != 0) {
    GTEST_SKIP() << "there is no taskset, or no core 0 for it, or Linux keeps no statistics of its scheduler";
  }
  const std::string work = "pagerank --tolerance 0 --max-iterations 4000 --generate kronecker --scale 12 ";
  const auto beside_others = [&](const std::string& environment, const std::string& options) {
    return dromos.shell(
        "{ for i in 1 2 3; do taskset -c 0 sh -c 'while :; do :; done' & others=\"$others $!\"; done; env " +
        environment + " taskset -c 0 '" DROMOS_PROGRAM "' " + work + options +
        "; code=$?; kill $others; (exit $code); }");
  };
  const Outcome one = beside_others("DROMOS_LOAD_WARNING=1", "--threads 1");
  EXPECT_EQ(one.exit_code, 0) << one.error;
  EXPECT_NE(one.error.find("dromos: threads waited "), std::string::npos) << one.error;
  EXPECT_NE(one.error.find("run it where a core is free"), std::string::npos) << one.error;
  EXPECT_EQ(std::count(one.error.begin(), one.error.end(), '\n'), 1) << one.error;
  for (const char* const quiet : {"--threads 1 --quiet", "--threads 1"}) {
    const bool by_environment = std::string(quiet).find("--quiet") == std::string::npos;
    EXPECT_EQ(beside_others(by_environment ? "DROMOS_LOAD_WARNING=0" : "DROMOS_LOAD_WARNING=1", quiet).error, "");
  }
}

}  // namespace
}  // namespace dromos::test

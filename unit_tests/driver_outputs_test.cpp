// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the files that the program writes, when the command line is a mistake, the disk is full, or somebody
// stops it: what was there before stays, nothing is left half written, and exit code 0 means that all has arrived.
#include <signal.h>
#include <sys/stat.h>

#include <set>
#include <string>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

constexpr const char* graph = "%%MatrixMarket matrix coordinate pattern general\n5 5 4\n1 2\n2 3\n3 1\n4 5\n";
constexpr const char* components = "1 1\n2 1\n3 1\n4 4\n5 4\n";

struct stat status_of(const RunDromos& dromos, const std::string& name) {
  struct stat status = {};
  EXPECT_EQ(lstat((dromos.folder() + "/" + name).c_str(), &status), 0) << name;
  return status;
}

unsigned mode_of(const RunDromos& dromos, const std::string& name) { return status_of(dromos, name).st_mode & 07777; }

class OutputThatIsNeeded : public ::testing::TestWithParam<const char*> {};

TEST_P(OutputThatIsNeeded, IsRefused) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.shell("ln -s g.mtx link.mtx; ln g.mtx hard.mtx; mkdir folder; ln -s ../absent folder/a; ln -s absent b");
  expect_refusal(dromos, GetParam(), {"name"});
  EXPECT_EQ(dromos.read("g.mtx"), graph);
}

INSTANTIATE_TEST_SUITE_P(
    Outputs, OutputThatIsNeeded,
    ::testing::Values("cc --output g.mtx g.mtx", "cc --json g.mtx g.mtx", "cc --output ./g.mtx g.mtx",
                      "cc --output link.mtx g.mtx", "cc --output g.mtx link.mtx", "cc --json hard.mtx g.mtx",
                      "cc --output x --json x g.mtx", "cc --output x --json folder/../x g.mtx",
                      "cc --output folder/a --json b g.mtx", "bfs --output g.mtx g.mtx", "bfs --json g.mtx g.mtx",
                      "bfs --output x --json x g.mtx", "info --json g.mtx g.mtx", "convert g.mtx g.mtx",
                      "convert g.mtx link.mtx", "cc --output - --json - g.mtx",
                      "info --names x --json x --format csv g.mtx", "subgraph --list g.mtx -o x.txt --map x.txt g.mtx",
                      "subgraph --list g.mtx -o x.txt --map g.mtx absent.mtx", "info --plot x.svg --json x.svg g.mtx",
                      "condense --graph x.txt --feedback x.txt g.mtx"));

TEST(DriverOutputs, OnceToADeviceAndTwiceIsFine) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  EXPECT_EQ(dromos.run("cc --output /dev/null --json /dev/null g.mtx").exit_code, 0);
}

TEST(DriverOutputs, SymbolicLinksAreWrittenThrough) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.shell("mkdir data; echo old > data/old; ln -s data/old link; ln -s data/new dangling; ln -s dangling twice");
  for (const auto& [link, target] : {std::pair("link", "data/old"), std::pair("twice", "data/new")}) {
    const Outcome outcome = dromos.run(std::string("cc g.mtx --output ") + link);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_TRUE(S_ISLNK(status_of(dromos, link).st_mode)) << link;
    EXPECT_TRUE(S_ISREG(status_of(dromos, target).st_mode)) << link;
    EXPECT_EQ(dromos.read(target), components) << link;
  }
}

TEST(DriverOutputs, AnOpenStreamIsWrittenFromWhereItStands) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  // A link of our own: a program that is wrong replaces it, and as root it would replace the system's.
  dromos.shell("ln -s /proc/self/fd/1 stdout");
  const Outcome outcome = dromos.shell("{ echo before; '" DROMOS_PROGRAM "' cc g.mtx --json j --output stdout; }");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_TRUE(S_ISLNK(status_of(dromos, "stdout").st_mode));
  EXPECT_EQ(outcome.out.compare(0, 7, "before\n"), 0) << outcome.out;
  EXPECT_NE(outcome.out.find(components), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("method"), std::string::npos) << "the table is there as well: " << outcome.out;
}

TEST(DriverOutputs, PermissionsAreKept) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  const std::vector<std::string> outputs = {"cc g.mtx --output ", "cc g.mtx --output /dev/null --json ",
                                            "convert g.mtx --to hdf5 ", "convert g.mtx --to edge-list "};
  for (const std::string& arguments : outputs) {
    for (const char* mode : {"600", "640", "666"}) {
      dromos.shell(std::string("rm -f r; touch r; chmod ") + mode + " r");
      EXPECT_EQ(dromos.run(arguments + "r").exit_code, 0) << arguments;
      EXPECT_EQ(mode_of(dromos, "r"), std::stoul(mode, nullptr, 8)) << arguments;
      EXPECT_GT(status_of(dromos, "r").st_size, 0) << arguments;
    }
    dromos.shell("rm -f r; echo mine > r; chmod 444 r");
    expect_refusal(dromos, arguments + "r", {"r: its permissions forbid to write it", "chmod"});
    EXPECT_EQ(dromos.read("r"), "mine\n") << arguments;
  }
  // A new file has those that every new file gets.
  dromos.shell("umask 027; '" DROMOS_PROGRAM "' cc g.mtx --output new");
  EXPECT_EQ(mode_of(dromos, "new"), 0640u);
}

TEST(DriverOutputs, OwnersAreKept) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can give files away";
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.shell("touch r; chown 1234:4321 r");
  EXPECT_EQ(dromos.run("cc g.mtx --output r").exit_code, 0);
  EXPECT_EQ(status_of(dromos, "r").st_uid, 1234u);
  EXPECT_EQ(status_of(dromos, "r").st_gid, 4321u);
}

class StandardOutput : public ::testing::TestWithParam<const char*> {};

TEST_P(StandardOutput, ThatTakesNothingIsAnError) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  for (const char* stream : {"> /dev/full", ">&-"}) {
    const Outcome outcome = dromos.shell(std::string("{ '" DROMOS_PROGRAM "' ") + GetParam() + " " + stream + "; }");
    EXPECT_EQ(outcome.exit_code, 1) << stream << outcome.error;
    EXPECT_NE(outcome.error.find("stdout: cannot be written"), std::string::npos) << stream << outcome.error;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, StandardOutput,
                         ::testing::Values("--help", "--version", "bfs --help", "info g.mtx", "cc g.mtx --json -",
                                           "cc g.mtx", "bfs g.mtx", "man", "completion bash",
                                           "generate path --vertices 3 -o p.mtx"));

TEST(DriverOutputs, AClosedStreamIsNotTheNextFile) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.shell("{ '" DROMOS_PROGRAM "' cc g.mtx --output r >&-; }");
  EXPECT_EQ(dromos.read("r"), components);
}

TEST(DriverOutputs, AFullErrorStreamLeavesTheExitCode) {
  const RunDromos dromos;
  EXPECT_EQ(dromos.shell("{ '" DROMOS_PROGRAM "' info absent.mtx 2> /dev/full; }").exit_code, 2);
}

TEST(DriverOutputs, TheTableOutlivesAResultThatCannotBeWritten) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  for (const std::string command : {"cc", "bfs --root 1"}) {
    const Outcome outcome = dromos.run(command + " g.mtx --output /dev/full --json r.json");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.error.find("/dev/full: cannot be written: the disk is full"), std::string::npos) << outcome.error;
    EXPECT_NE(outcome.out.find("strategy"), std::string::npos) << outcome.out;
    EXPECT_NE(dromos.read("r.json").find("\"runs\""), std::string::npos);
  }
}

TEST(DriverOutputs, TheLimitOfFilesIsNamed) {
  const RunDromos dromos;
  for (const char* name : {"k.txt", "k.txt.gz", "k.txt.xz", "k.mtx", "k.h5"}) {
    const Outcome outcome = dromos.shell(
        std::string("{ ulimit -f 8; '" DROMOS_PROGRAM "' generate kronecker --scale 10 -o ") + name + "; }");
    EXPECT_EQ(outcome.exit_code, 1) << name << outcome.error;
    EXPECT_NE(outcome.error.find("ulimit -f"), std::string::npos) << name << ": " << outcome.error;
    EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
    EXPECT_TRUE(dromos.files().empty()) << name;
  }
}

/// Runs a command with a disk that fails at call number `at`; false where it does not come so far. Signals that whoever
/// runs the tests ignores (nohup, a background job) are not ignored there.
bool meets(const RunDromos& dromos, const std::string& kind, int at, const std::string& arguments, Outcome& outcome,
           const std::string& more = "") {
  const std::string met = dromos.folder() + "/../met";
  outcome = dromos.shell("rm -f " + met +
                         "; env --default-signal LD_PRELOAD='" DROMOS_FAILING_WRITES "' DROMOS_FAULT_FOLDER='" +
                         dromos.folder() + "' DROMOS_FAULT_AT=" + std::to_string(at) + " DROMOS_FAULT_KIND=" + kind +
                         " DROMOS_FAULT_MET=" + met + " ASAN_OPTIONS=verify_asan_link_order=0 " + more +
                         " '" DROMOS_PROGRAM "' " + arguments);
  return std::filesystem::exists(met);
}

class DiskThatFills : public ::testing::TestWithParam<const char*> {};

TEST_P(DiskThatFills, LosesNothingAndIsNamed) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  const std::string arguments = GetParam();
  const std::string output = arguments.substr(arguments.rfind(' ') + 1);
  dromos.write(output, "as before");
  const auto files = dromos.files();
  for (const char* kind : {"full", "once"}) {
    int at = 1;
    for (Outcome outcome; meets(dromos, kind, at, arguments, outcome); ++at) {
      ASSERT_LT(at, 1000);
      EXPECT_EQ(dromos.files(), files) << kind << " at " << at;
      EXPECT_EQ(outcome.exit_code, 1) << kind << " at " << at << ": " << outcome.error;
      EXPECT_EQ(dromos.read(output), "as before") << kind << " at " << at;
      EXPECT_NE(outcome.error.find(output + ": cannot be written: the disk is full"), std::string::npos)
          << kind << " at " << at << ": " << outcome.error;
      EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
    }
    EXPECT_GE(at, 3) << "there is at least writing, waiting for the disk, and renaming";
    EXPECT_NE(dromos.read(output), "as before") << "the last one met no fault";
    dromos.write(output, "as before");
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DiskThatFills,
                         ::testing::Values("cc g.mtx --output r.txt", "cc g.mtx --output r.h5",
                                           "cc g.mtx --json r.json", "bfs g.mtx --root 1 --output r.h5",
                                           "convert g.mtx r.txt", "convert g.mtx r.txt.gz", "convert g.mtx r.txt.xz",
                                           "convert --csr g.mtx r.h5", "convert --compression 3 g.mtx r.h5",
                                           "generate kronecker --scale 12 -o r.txt.xz",
                                           "generate kronecker --scale 12 -o r.h5"));

/// What the program did with the signal that meets() sent, or why it did not get it. Libraries may handle some, too:
/// UCX does SIGHUP.
constexpr const char* handled = "handled by dromos";
std::string fate_of_signal(const RunDromos& dromos) { return dromos.read("../met"); }

TEST(DriverOutputs, StoppedHalfwayNothingIsLeft) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  std::set<std::string> withheld;
  for (const char* output : {"r.txt", "r.h5"}) {
    const std::string command = std::string("cc g.mtx --output ") + output;
    ASSERT_EQ(dromos.run(command).exit_code, 0);
    const std::size_t size = dromos.read(output).size();  // HDF5 files differ in the time at which they were written
    dromos.write(output, "as before");
    const auto files = dromos.files();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
      int at = 1;
      for (Outcome outcome;
           meets(dromos, "stop", at, command, outcome, "DROMOS_FAULT_SIGNAL=" + std::to_string(signal)); ++at) {
        const std::string where = "signal " + std::to_string(signal) + " at " + std::to_string(at) + " of " + output;
        const std::string fate = fate_of_signal(dromos);
        EXPECT_EQ(dromos.files(), files) << where;
        if (outcome.exit_code == 0 && fate != handled) {
          EXPECT_EQ(dromos.read(output).size(), size) << where;
          withheld.insert("signal " + std::to_string(signal) + " (" + fate + ")");
          dromos.write(output, "as before");
          continue;
        }
        EXPECT_EQ(outcome.exit_code, 128 + signal) << where << " (" << fate << "): " << outcome.error;
        EXPECT_EQ(dromos.read(output), "as before") << where << " (" << fate << ")";
      }
      EXPECT_GE(at, 3);
      dromos.write(output, "as before");
    }
  }
  if (!withheld.empty()) GTEST_SKIP() << "the program does not get here: " << ::testing::PrintToString(withheld);
}

/// As launchers and impatient people do.
TEST(DriverOutputs, StoppedTwiceNothingIsLeft) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.write("r.txt", "as before");
  const auto files = dromos.files();
  for (const int signal : {SIGINT, SIGTERM}) {
    Outcome outcome;
    EXPECT_TRUE(
        meets(dromos, "twice", 1, "cc g.mtx --output r.txt", outcome, "DROMOS_FAULT_SIGNAL=" + std::to_string(signal)));
    EXPECT_EQ(dromos.files(), files) << signal;
    EXPECT_EQ(outcome.exit_code, 128 + signal) << fate_of_signal(dromos) << ": " << outcome.error;
  }
}

TEST(DriverOutputs, SignalsThatAreIgnoredStayIgnored) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  Outcome outcome;
  EXPECT_TRUE(meets(dromos, "stop", 1, "cc g.mtx --output r.txt", outcome,
                    "DROMOS_FAULT_SIGNAL=" + std::to_string(SIGHUP) + " env --ignore-signal=HUP"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(fate_of_signal(dromos), handled);
  EXPECT_EQ(dromos.shell("'" DROMOS_PROGRAM "' cc g.mtx --output s.txt").exit_code, 0);
  EXPECT_EQ(dromos.read("r.txt"), dromos.read("s.txt"));
}

/// A program in place of Python: draws by a word on descriptor 3, as the script does, and is done with `more`.
void write_interpreter(const RunDromos& dromos, const std::string& more = "") {
  dromos.write("draw", "#!/bin/sh\ncat > /dev/null\n[ -z \"$3\" ] && exit 0\necho \"a picture, $3\" >&3\n" + more);
  dromos.shell("chmod +x draw");
}

TEST(DriverOutputs, PicturesAreWrittenAsOtherFilesAre) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  write_interpreter(dromos);
  // Where an earlier version wrote: a name that everybody knew.
  dromos.shell("echo mine > victim; ln -s victim p.svg.part.svg; touch p.svg; chmod 640 p.svg; ln -s p.svg link.svg");
  const auto files = dromos.files();
  for (const std::string command : {"info", "bfs --root 1"}) {
    for (const char* name : {"p.svg", "link.svg"}) {
      dromos.write("p.svg", "");
      const Outcome outcome = dromos.run(command + " g.mtx --python ./draw --plot " + name);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
      EXPECT_EQ(dromos.read("p.svg"), "a picture, svg\n");
      EXPECT_TRUE(S_ISREG(status_of(dromos, "p.svg").st_mode));
      EXPECT_TRUE(S_ISLNK(status_of(dromos, "link.svg").st_mode));
      EXPECT_EQ(mode_of(dromos, "p.svg"), 0640u);
      EXPECT_EQ(dromos.read("victim"), "mine\n");
      EXPECT_EQ(dromos.files(), files);
    }
  }
}

TEST(DriverOutputs, PicturesThatAreNotFinishedAreNotThere) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.write("p.pdf", "as before");
  write_interpreter(dromos, "exit 5\n");
  const auto files = dromos.files();
  const Outcome outcome = dromos.run("info g.mtx --python ./draw --plot p.pdf");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.error.find("could not draw p.pdf"), std::string::npos) << outcome.error;
  EXPECT_EQ(dromos.read("p.pdf"), "as before");
  EXPECT_EQ(dromos.files(), files);
  // Stopped while it draws.
  write_interpreter(dromos, "kill -TERM $PPID\n");
  EXPECT_EQ(dromos.run("info g.mtx --python ./draw --plot p.pdf").exit_code, 128 + SIGTERM);
  EXPECT_EQ(dromos.read("p.pdf"), "as before");
  EXPECT_EQ(dromos.files(), files);
}

TEST(DriverOutputs, LinksAtNamesThatWereForeseenAreNotFollowed) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  dromos.write("victim", "mine");
  const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (const char digit : digits) {
    dromos.shell(std::string("ln -s victim r.txt.") + digit + "00000000000.part; ln -s absent s.txt." + digit +
                 "00000000000.part");
  }
  auto files = dromos.files();
  for (const char* name : {"r.txt", "s.txt"}) {
    const Outcome outcome =
        dromos.shell("DROMOS_PRETEND_RANDOM=1 LD_PRELOAD='" DROMOS_PRETENDED_SYSTEM
                     "' ASAN_OPTIONS=verify_asan_link_order=0 '" DROMOS_PROGRAM "' cc g.mtx --output " +
                     std::string(name));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(dromos.read(name), components);
    files.insert(name);
  }
  EXPECT_EQ(dromos.read("victim"), "mine");
  EXPECT_EQ(dromos.files(), files);
  EXPECT_TRUE(S_ISLNK(status_of(dromos, "r.txt.000000000000.part").st_mode));
}

TEST(DriverOutputs, LeftoversAreMentionedAndStay) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  const char* const names[] = {"r.txt.k3v8q0zm2xa1.part", "r.txt.part", "r.txt.k3v8.part", "other.k3v8q0zm2xa1.part"};
  for (const char* name : names) dromos.write(name, "half");
  const Outcome one = dromos.run("cc g.mtx --output r.txt");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.error,
            "dromos: r.txt.k3v8q0zm2xa1.part: left by a run that was killed before; delete what no other run is "
            "writing\n");
  for (const char* name : names) EXPECT_EQ(dromos.read(name), "half") << name;
  dromos.write("r.txt.a3v8q0zm2xa1.part", "half");
  EXPECT_EQ(dromos.run("cc g.mtx --output r.txt").error,
            "dromos: r.txt.a3v8q0zm2xa1.part and 1 more like it: left by runs that were killed before; delete what no "
            "other run is writing\n");
  EXPECT_EQ(dromos.run("cc --quiet g.mtx --output r.txt").error, "");
}

TEST(DriverOutputs, AFullDiskIsNamedWhateverWasPrinted) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  for (const char* arguments : {"cc g.mtx", "bfs g.mtx", "info g.mtx", "cc g.mtx --json -", "info g.mtx --json -",
                                "graph500 --scale 4 --roots 2 --json -", "graph500 --scale 4 --roots 2"}) {
    const Outcome outcome = dromos.shell(std::string("{ '" DROMOS_PROGRAM "' ") + arguments + " > /dev/full; }");
    if (outcome.error.find("needs MPI") != std::string::npos) continue;
    EXPECT_EQ(outcome.exit_code, 1) << arguments;
    EXPECT_EQ(outcome.error.find("dromos: error: stdout: cannot be written: the disk is full"), 0u)
        << arguments << ": " << outcome.error;
    EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
  }
}

TEST(DriverOutputs, TimersThatAreLostAreAnError) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  const Outcome outcome = dromos.shell("{ '" DROMOS_PROGRAM "' cc --timers g.mtx 2> /dev/full; }");
  EXPECT_EQ(outcome.exit_code, dromos.run("cc --timers g.mtx").exit_code == 0 ? 1 : 2);  // 2: built without Teuchos
}

TEST(DriverOutputs, NamesOnTheLineOfProgressAreNoCommandsToATerminal) {
  const RunDromos dromos;
  // Reading takes longer than what comes without a line of progress.
  const Outcome outcome = dromos.shell(
      "{ command -v script > /dev/null || exit 77; name=$(printf 'a\\033[7mb'); mkfifo \"$name\"; "
      "(exec 3> \"$name\"; sleep 4; echo 1 2 >&3) & script -qec \"'" DROMOS_PROGRAM "' info a*b\" /dev/null; }");
  if (outcome.exit_code == 77) GTEST_SKIP() << "there is no script(1), which makes a terminal";
  EXPECT_NE(outcome.out.find("dromos: reading a\\x1b[7mb"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("\033[7m"), std::string::npos);
}

TEST(DriverOutputs, AHostOfVeryManyThreadsIsNoError) {
  const RunDromos dromos;
  dromos.write("g.mtx", graph);
  const std::string pretend = "DROMOS_PRETEND_THREADS=600 LD_PRELOAD='" DROMOS_PRETENDED_SYSTEM
                              "' ASAN_OPTIONS=verify_asan_link_order=0 GOMP_SPINCOUNT=0 ";
  const Outcome outcome =
      dromos.shell("env -u OMP_NUM_THREADS " + pretend + "'" DROMOS_PROGRAM "' info g.mtx --json -");
  if (outcome.error.find("cannot be preloaded") != std::string::npos) GTEST_SKIP() << outcome.error;
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_LE(outcome.json()["kokkos"]["host_concurrency"], 512);
  const Outcome asked = dromos.shell("OMP_NUM_THREADS=600 '" DROMOS_PROGRAM "' info g.mtx");
  EXPECT_EQ(asked.exit_code, 2) << "who asks for a number is told";
}

}  // namespace
}  // namespace dromos::test

// SPDX-License-Identifier: BSD-3-Clause
// Options as Teuchos parameter lists: each field can be set and is written as it was read, what is wrong is refused in
// words that help, and Teuchos' own validation, files and timers take part.
#include <gtest/gtest.h>

#include <Teuchos_StandardParameterEntryValidators.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <cmath>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/teuchos/options.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <dromos/teuchos/region_timers.hpp>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using namespace dromos;
using Teuchos::ParameterList;

template <class Call>
std::string text_of_error(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

ParameterList yaml(const std::string& text) { return *Teuchos::getParametersFromYamlString("options:\n" + text); }

std::string xml_of(const ParameterList& list) {
  std::ostringstream text;
  Teuchos::writeParameterListToXmlOStream(list, text);
  return text.str();
}

std::string yaml_of(const ParameterList& list) {
  std::ostringstream text;
  text << std::showpoint;
  text.precision(17);
  Teuchos::writeParameterListToYamlOStream(list, text);
  return text.str();
}

/// A value other than this one that the parameter may have; false where a strategy's name decides over that.
bool change(ParameterList& list, const std::string& name, const ParameterList& valid) {
  if (list.isType<bool>(name)) {
    if (list.isParameter("name")) return false;  // a step of manhattan-local
    list.set(name, !list.get<bool>(name));
  } else if (list.isType<int>(name)) {
    if (list.isParameter("name") &&
        (list.get<std::string>("name") == "best" || (name != "team size" && name != "queue size"))) {
      return false;
    }
    list.set(name, list.get<int>(name) == 0 ? 7 : list.get<int>(name) + 1);
  } else if (list.isType<double>(name)) {
    list.set(name, list.get<double>(name) == 0 ? 0.25 : list.get<double>(name) / 2);
  } else {
    const auto choices = valid.getEntry(name).validator()->validStringValues();
    EXPECT_FALSE(choices.is_null()) << name;
    if (choices.is_null() || choices->empty()) return false;
    for (const std::string& choice : *choices) {
      if (choice != list.get<std::string>(name)) {
        list.set(name, choice);
        return true;
      }
    }
  }
  return true;
}

/// Changes one parameter after another, in sublists, too; calls check(path) after each.
template <class Check>
void change_each(ParameterList& list, const ParameterList& valid, const std::string& path, const Check& check) {
  for (auto i = valid.begin(); i != valid.end(); ++i) {
    const std::string name = valid.name(i);
    if (list.isSublist(name)) {
      change_each(list.sublist(name), valid.sublist(name), path + name + " -> ", check);
      continue;
    }
    const ParameterList before = list;
    if (change(list, name, valid)) check(path + name);
    list = before;
  }
}

template <class Options>
void expect_each_parameter_counts() {
  ParameterList list = teuchos::to_parameters(Options());
  EXPECT_EQ(xml_of(teuchos::to_parameters(teuchos::read_options<Options>(list))), xml_of(list));
  int num_parameters = 0;
  change_each(list, teuchos::valid_parameters<Options>(), "", [&](const std::string& path) {
    ++num_parameters;
    const ParameterList again = teuchos::to_parameters(teuchos::read_options<Options>(list));
    EXPECT_TRUE(Teuchos::haveSameValues(again, list)) << path << "\n" << yaml_of(list) << yaml_of(again);
  });
  EXPECT_GT(num_parameters, 0);
}

TEST(TeuchosOptions, EachParameterIsReadAndWritten) {
  expect_each_parameter_counts<BfsOptions>();
  expect_each_parameter_counts<DirectionOptions>();
  expect_each_parameter_counts<ColorOptions>();
  expect_each_parameter_counts<ComponentOptions>();
  expect_each_parameter_counts<SccOptions>();
  expect_each_parameter_counts<MultistepOptions>();
  expect_each_parameter_counts<ReachabilityOptions>();
  expect_each_parameter_counts<SsspOptions>();
  expect_each_parameter_counts<PageRankOptions>();
  expect_each_parameter_counts<KcoreOptions>();
  expect_each_parameter_counts<BetweennessOptions>();
  expect_each_parameter_counts<DiameterOptions>();
  expect_each_parameter_counts<RcmOptions>();
  expect_each_parameter_counts<ColoringOptions>();
  expect_each_parameter_counts<Mis2Options>();
  expect_each_parameter_counts<MatchingOptions>();
  expect_each_parameter_counts<BlockTriangularOptions>();
  expect_each_parameter_counts<TopologicalOptions>();
  expect_each_parameter_counts<FeedbackOptions>();
  expect_each_parameter_counts<BuildOptions>();
  expect_each_parameter_counts<ReadOptions>();
  expect_each_parameter_counts<KroneckerOptions>();
  expect_each_parameter_counts<ErdosRenyiOptions>();
  expect_each_parameter_counts<RandomGeometricOptions>();
  expect_each_parameter_counts<ChainOfCyclesOptions>();
#ifdef DROMOS_ENABLE_MPI
  expect_each_parameter_counts<Bfs1dOptions>();
  expect_each_parameter_counts<Bfs2dOptions>();
  expect_each_parameter_counts<BfsDelegateOptions>();
  expect_each_parameter_counts<DistributedOptions>();
#endif
}

TEST(TeuchosOptions, ParametersMeanTheFields) {
  const auto scc = teuchos::read_options<SccOptions>(yaml(R"(
  method: forward-backward
  strategy: {name: manhattan-local, team size: 4, coalesced: false}
  multistep: {waste limit: 1, serial cutoff: 5000}
)"));
  EXPECT_EQ(scc.method, SccMethod::forward_backward);
  ASSERT_EQ(strategy_name(scc.strategy), "manhattan-local");
  const auto& strategy = std::get<ManhattanLocal>(scc.strategy);
  EXPECT_EQ(strategy.team_size, 4);
  EXPECT_FALSE(strategy.coalesced);
  EXPECT_TRUE(strategy.team_scan);
  EXPECT_EQ(scc.multistep.waste_limit, 1.0);  // a whole number where a number is expected
  EXPECT_EQ(scc.multistep.serial_cutoff, 5000);

  ParameterList list;
  list.set("seed", static_cast<unsigned long long>(1) << 40);
  list.set("edge factor", 3L);
  const auto kronecker = teuchos::read_options<KroneckerOptions>(list);
  EXPECT_EQ(kronecker.seed, std::uint64_t(1) << 40);
  EXPECT_EQ(kronecker.edge_factor, 3);
  EXPECT_EQ(kronecker.scale, KroneckerOptions().scale);
  EXPECT_TRUE(list.getEntry("seed").isUsed());
}

TEST(TeuchosOptions, ShortFormsAndInfinity) {
  const auto bfs = teuchos::read_options<BfsOptions>(yaml("  strategy: hierarchical\n"));
  EXPECT_EQ(strategy_name(bfs.strategy), "hierarchical");
  const auto multistep = teuchos::read_options<MultistepOptions>(yaml("  waste limit: infinity\n"));
  EXPECT_TRUE(std::isinf(multistep.waste_limit));
  const ParameterList written = *Teuchos::getParametersFromXmlString(xml_of(teuchos::to_parameters(multistep)));
  EXPECT_TRUE(std::isinf(teuchos::read_options<MultistepOptions>(written).waste_limit));
}

TEST(TeuchosOptions, DefaultsAreTheCallers) {
  DirectionOptions defaults;
  defaults.forward_to_backward = 3;
  const auto direction = teuchos::read_options<DirectionOptions>(yaml("  backward to forward: 0.25\n"), defaults);
  EXPECT_EQ(direction.forward_to_backward, 3);
  EXPECT_EQ(direction.backward_to_forward, 0.25);
  BfsOptions bfs;
  bfs.strategy = VertexChunk{0, 256, 0};
  bfs = teuchos::read_options<BfsOptions>(yaml("  strategy: {queue size: 9}\n"), bfs);
  // Its tuning stays where the strategy is not another one.
  EXPECT_EQ(std::get<VertexChunk>(bfs.strategy).vertices_per_team, 256);
  EXPECT_EQ(std::get<VertexChunk>(bfs.strategy).queue_size, 9);
}

TEST(TeuchosOptions, MistakesAreNamed) {
  const auto scc = [](const std::string& text) {
    return text_of_error([&] { teuchos::read_options<SccOptions>(yaml(text)); });
  };
  EXPECT_EQ(scc("  metod: serial\n"),
            "there is no parameter 'metod' of 'options': did you mean method? There are method, strategy, waste "
            "limit, multistep");
  EXPECT_EQ(scc("  multistep: {waste_limit: 1}\n"),
            "there is no parameter 'waste_limit' of 'options -> multistep': did you mean waste limit? There are waste "
            "limit, serial cutoff, contraction cutoff");
  EXPECT_EQ(
      scc("  method: 3\n"),
      "parameter 'method' of 'options': expected one of multistep, forward-backward, coloring, serial, found 3 (a "
      "whole number)");
  EXPECT_EQ(scc("  method: parallel\n"),
            "parameter 'method' of 'options': expected one of multistep, forward-backward, coloring, serial, found "
            "'parallel' (a string)");
  EXPECT_EQ(scc("  multistep: {waste limit: -0.5}\n"),
            "parameter 'waste limit' of 'options -> multistep': expected a number from 0 on, found -0.5 (a number)");
  EXPECT_EQ(
      scc("  multistep: {serial cutoff: 2.5}\n"),
      "parameter 'serial cutoff' of 'options -> multistep': expected a whole number from -1 on, found 2.5 (a number)");
  EXPECT_EQ(scc("  multistep: 7\n"),
            "parameter 'multistep' of 'options': expected a sublist, found 7 (a whole number)");
  EXPECT_EQ(scc("  strategy: {name: vertex-chunk, warp size: 8}\n"),
            "'strategy': the strategy vertex-chunk has no 'warp size'");
  EXPECT_EQ(
      scc("  strategy: {name: hierarchical, team size: 4096}\n"),
      "parameter 'team size' of 'options -> strategy': expected a whole number from 0 to 1024, found 4096 (a whole "
      "number)");
  EXPECT_EQ(text_of_error([] { teuchos::read_options<BfsOptions>(yaml("  levels: 1\n")); }),
            "parameter 'levels' of 'options': expected true or false, found 1 (a whole number)");
  EXPECT_EQ(text_of_error([] { teuchos::read_options<PageRankOptions>(yaml("  damping: 1\n")); }),
            "parameter 'damping' of 'options': expected a number from 0 to below 1, found 1 (a whole number)");
  EXPECT_EQ(text_of_error([] { teuchos::read_options<PageRankOptions>(yaml("  damping: much\n")); }),
            "parameter 'damping' of 'options': expected a number from 0 to below 1, found 'much' (a string)");
}

/// Each parameter of a strategy is one of the list, so that none that is added is forgotten.
TEST(TeuchosOptions, EveryTuningOfAStrategyIsAParameter) {
  for (Strategy strategy : all_strategies()) {
    BfsOptions options;
    options.strategy = strategy;
    const Teuchos::ParameterList list = teuchos::to_parameters(options).sublist("strategy");
    const auto look = [&](const char* name, auto&) {
      EXPECT_TRUE(list.isParameter(name)) << name << " of " << strategy_name(strategy);
    };
    std::visit([&](auto& chosen) { chosen.fields(look); }, strategy);
  }
}

TEST(TeuchosOptions, TeuchosValidatesAndFilesKeepAll) {
  const ParameterList valid = teuchos::valid_parameters<SccOptions>();
  ParameterList list = yaml("  method: coloring\n  multistep: {waste limit: 0.125}\n");
  list.validateParametersAndSetDefaults(valid);
  const auto options = teuchos::read_options<SccOptions>(list);
  EXPECT_EQ(options.method, SccMethod::coloring);
  EXPECT_EQ(options.multistep.waste_limit, 0.125);
  EXPECT_THROW(yaml("  method: colouring\n").validateParameters(valid), Teuchos::Exceptions::InvalidParameter);
  EXPECT_THROW(yaml("  multistep: {waste: 1}\n").validateParameters(valid), Teuchos::Exceptions::InvalidParameter);

  const ParameterList written = teuchos::to_parameters(options);
  EXPECT_TRUE(Teuchos::haveSameValues(*Teuchos::getParametersFromXmlString(xml_of(written)), written));
  const auto from_yaml = teuchos::read_options<SccOptions>(*Teuchos::getParametersFromYamlString(yaml_of(written)));
  EXPECT_TRUE(Teuchos::haveSameValues(teuchos::to_parameters(from_yaml), written));
  EXPECT_NE(xml_of(valid).find("How components are found"), std::string::npos);
  EXPECT_NO_THROW(Teuchos::getParametersFromXmlString(xml_of(valid))->validateParameters(valid));
}

class ParameterFile : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    path_ = ::testing::TempDir() + "dromos_parameters_" +
            std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ofstream(path_) << text;
    return path_;
  }
  ~ParameterFile() override { std::remove(path_.c_str()); }

 private:
  std::string path_;
};

TEST_F(ParameterFile, XmlAndYamlSayTheSame) {
  const ParameterList from_yaml = teuchos::read_parameter_file(write("dromos scc:\n  method: serial\n  repeat: 3\n"));
  const ParameterList from_xml = teuchos::read_parameter_file(
      write("<ParameterList name=\"dromos scc\">\n  <Parameter name=\"method\" type=\"string\" value=\"serial\"/>\n"
            "  <Parameter name=\"repeat\" type=\"int\" value=\"3\"/>\n</ParameterList>\n"));
  EXPECT_EQ(from_yaml.name(), "dromos scc");
  EXPECT_EQ(from_xml.name(), "dromos scc");
  EXPECT_TRUE(Teuchos::haveSameValues(from_yaml, from_xml));
}

TEST_F(ParameterFile, WhatIsNoListIsRefusedByName) {
  EXPECT_NE(text_of_error([] {
              teuchos::read_parameter_file("/no/such.xml");
            }).find("/no/such.xml: cannot be read: No such file"),
            std::string::npos);
  EXPECT_NE(text_of_error([&] { teuchos::read_parameter_file(write(" \n")); }).find("is empty"), std::string::npos);
  const std::string broken = write("<ParameterList name=\"x\">\n  <Parameter name=\"a\" type=\"int\" value=\"1\"\n");
  const std::string error = text_of_error([&] { teuchos::read_parameter_file(broken); });
  EXPECT_NE(error.find(broken + ": is not a parameter list in XML"), std::string::npos) << error;
  EXPECT_EQ(error.find("Throw"), std::string::npos) << error;
  const std::string yaml_error = text_of_error([&] { teuchos::read_parameter_file(write("a: [1, 2\nb: }\n")); });
  EXPECT_NE(yaml_error.find("is not a parameter list in YAML"), std::string::npos) << yaml_error;
  EXPECT_EQ(yaml_error.find('\n'), std::string::npos) << yaml_error;
}

TEST(RegionTimers, RegionsBecomeTimersOnceEach) {
  const auto num_calls = [](const std::string& name) {
    const auto timer = Teuchos::TimeMonitor::lookupCounter(name);
    return timer.is_null() ? 0 : timer->numCalls();
  };
  const auto regions = [] {
    const ScopedRegion outer("dromos::test_outer");
    for (int i = 0; i < 3; ++i) const ScopedRegion inner("dromos::test_inner");
    const ScopedRegion other("application::test");
  };
  regions();
  EXPECT_EQ(num_calls("dromos::test_outer"), 0);
  {
    const teuchos::RegionTimers timers;
    EXPECT_NE(text_of_error([] { const teuchos::RegionTimers second; }).find("already"), std::string::npos);
    regions();
  }
  regions();
  EXPECT_EQ(num_calls("dromos::test_outer"), 1);
  EXPECT_EQ(num_calls("dromos::test_inner"), 3);
  EXPECT_EQ(num_calls("application::test"), 0);
}

std::string told;
void tell_begin(const char* name) { told += std::string("(") + name; }
void tell_end() { told += ")"; }

TEST(RegionTimers, ToolsKeepBeingTold) {
  const auto before = Kokkos::Tools::Experimental::get_callbacks();
  Kokkos::Tools::Experimental::set_push_region_callback(tell_begin);
  Kokkos::Tools::Experimental::set_pop_region_callback(tell_end);
  {
    const teuchos::RegionTimers timers;
    const ScopedRegion region("dromos::a");
  }
  { const ScopedRegion region("b"); }
  Kokkos::Tools::Experimental::set_callbacks(before);
  EXPECT_EQ(told, "(dromos::a)(b)");
}

}  // namespace

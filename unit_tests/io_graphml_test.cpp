// SPDX-License-Identifier: BSD-3-Clause
// GraphML as NetworkX, igraph and yEd write it, judged by edges written down by hand; and what is refused, and where.
#include <gtest/gtest.h>

#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

using GraphmlEdges = std::vector<NamedEdge>;

GraphFile<std::int32_t> read_xml(const std::string& text, bool weights = false, bool words = false,
                                 bool non_negative = false) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.weights = weights;
  options.words = words;
  options.non_negative_weights = non_negative;
  return read_graph<std::int32_t>(folder.write("graph", text), options);
}

std::string graphml(const std::string& elements, const std::string& direction = "directed") {
  return "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph edgedefault=\"" +
         direction + "\">\n" + elements + "</graph>\n</graphml>\n";
}

TEST(Graphml, OfNetworkX) {
  const std::string text = graphml(
      "  <node id=\"30\" />\n  <node id=\"7\"/>\n  <node id=\"900\"/>\n"
      "  <edge source=\"30\" target=\"7\">\n      <data key=\"d0\">0.5</data>\n    </edge>\n"
      "  <edge source=\"7\" target=\"30\"><data key=\"d0\"> 3 </data></edge>\n",
      "undirected");
  const auto file = read_xml(text, true);
  EXPECT_EQ(file.format, GraphFormat::graphml);
  EXPECT_EQ(file.directed, false);
  EXPECT_EQ(file.edges.num_vertices, 3) << "with the one that has no edge";
  EXPECT_EQ(file.names.find(900), 2) << "numbers keep their order";
  EXPECT_EQ(named_edges(file), (GraphmlEdges{{30, 7, 0.5f}, {7, 30, 3.0f}}));
  EXPECT_TRUE(file.words.empty());
  EXPECT_FALSE(read_xml(text).edges.weighted());
  EXPECT_EQ(read_xml(text, false, true).words, (std::vector<std::string>{"30", "7", "900"})) << "words by request";
}

TEST(Graphml, OfIgraphAndOthers) {
  // Ids that are words, references, comments, prefixes, attributes that nobody asked for, a default weight.
  const auto file = read_xml(
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!-- by hand -->\n"
      "<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns' xmlns:y='http://www.yworks.com/xml/graphml'>\n"
      "<g:key attr.name='weight' attr.type='double' for='edge' id='w'><g:default>2.5</g:default></g:key>\n"
      "<g:key id='name' for='node' attr.name='weight'/>\n<g:key for='node' id='d6' yfiles.type='nodegraphics'/>\n"
      "<g:graph id='G' edgedefault='directed'><g:desc>1 &lt; 2</g:desc>\n"
      "<g:node id='n0'><g:data key='d6'><y:ShapeNode><y:Fill color=\"#FF\"/></y:ShapeNode></g:data>"
      "<g:data key='name'>heavy</g:data><g:port name='p'/></g:node>\n"
      "<g:edge id='e0' source='n0' target='a &amp; &#98;' directed='true'/>"
      "<g:edge source='a &#x26; b' target='n1'><g:data key='other'>7</g:data><g:data key='w'>4</g:data></g:edge>\n"
      "<![CDATA[<node id='no node'/>]]></g:graph></g:graphml>",
      true);
  EXPECT_EQ(file.words, (std::vector<std::string>{"n0", "a & b", "n1"})) << "in the order of the file";
  EXPECT_EQ(named_edges(file), (GraphmlEdges{{0, 1, 2.5f}, {1, 2, 4.0f}}));
  EXPECT_EQ(file.directed, true);
}

TEST(Graphml, IdsThatAreNotNumbersAlone) {
  EXPECT_EQ(read_xml(graphml("<node id='7'/><node id='07'/>")).words, (std::vector<std::string>{"7", "07"}));
  EXPECT_EQ(read_xml(graphml("<node id='9223372036854775808'/>")).words.size(), 1u);
  EXPECT_EQ(read_xml(graphml("<node id='a'/><node id='&#97;'/><node id='&#98;'/><node id='b'/>")).words,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read_xml(graphml("<node id='&#228;&#8364;&#128512;'/>")).words.front(),
            "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(read_xml(graphml("")).edges.num_vertices, 0);
  EXPECT_EQ(read_xml(graphml("<edge source='0' target='0'/>")).edges.num_vertices, 1) << "nodes that edges name";
}

TEST(Graphml, WhatIsRefused) {
  struct Case {
    std::string text;
    std::int64_t line;
    std::string message;
    bool weights = false;
  };
  const std::string edge = "<edge source='0' target='1'>";
  const Case cases[] = {
      {"<?xml version='1.0'?>\n<gexf/>", 2, "found <gexf>"},
      {"<graphml>\n<graph edgedefault='directed'>\n<node id='0'>", 0, "the text ends inside of 'node'"},
      {"<graphml>\n<graph edgedefault='dir", 2, "expected a tag of XML"},
      {graphml("<node/>"), 5, "an attribute id"},
      {graphml("<edge source='0'/>"), 5, "an attribute target"},
      {graphml("<node id='0'></edge>"), 5, "expected </node>, found </edge>"},
      {"<graphml><graph edgedefault='directed'/></graphml>\n</graphml>", 2, "no further closing tag"},
      {graphml("<node id=0/>"), 5, "expected a tag of XML"},
      {graphml("<node id='a & b'/>"), 5, "write & as &amp;"},
      {graphml("<node id='&#1114112;'/>"), 5, "write & as &amp;"},
      {graphml("<node id='0'><graph edgedefault='directed'/></node>"), 5, "found another"},
      {graphml("<hyperedge/>"), 5, "found a hyperedge"},
      {graphml("<edge source='0' target='1' directed='false'/>"), 5, "found directed='false'"},
      {graphml("", "both"), 4, "edgedefault=\"directed\" or \"undirected\", found 'both'"},
      {"<graphml></graphml>", 0, "expected a <graph>"},
      {graphml("<!-- no end"), 5, "expected '-->'"},
      {graphml(edge + "</edge>"), 5, "expected a weight of the edge", true},
      {graphml(edge + "<data key='d0'>heavy</data></edge>"), 5, "found 'heavy'", true},
      {graphml(edge + "<data key='d0'>nan</data></edge>"), 5, "found 'nan'", true},
      {graphml(edge + "<data key='d0'></data></edge>"), 5, "found ''", true},
      {graphml(edge + "<data key='d0'>-1</data></edge>"), 5, "at least 0", true},
      {graphml(edge + "<data key='d0'>16777217</data></edge>"), 5, "16777217", true}};
  for (const Case& one : cases) {
    try {
      read_xml(one.text, one.weights, false, one.weights);
      ADD_FAILURE() << "read: " << one.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(one.message), std::string::npos) << error.what();
      EXPECT_EQ(error.line(), one.line) << error.what();
    }
  }
}

/// Ids, vertices without edges, self loops, repeated edges and weights come back; undirected edges once.
template <class Vertex>
void expect_round_trip(bool directed, bool weighted) {
  SCOPED_TRACE(std::string(directed ? "directed" : "undirected") + (weighted ? ", weighted" : ""));
  const TemporaryFolder folder;
  const std::string list = std::string(directed ? "# directed\n" : "# undirected\n") +
                           "7 12 0.5\n12 7 0.25\n12 9000000000 3\n40 40 1e-3\n7 12 8\n";
  ReadOptions options;
  options.weights = weighted;
  const auto listed = read_graph<Vertex>(folder.write("list.txt", list), options);
  for (const std::string name : {"g.graphml", "g.graphml.gz"}) {
    write_graph(folder.path(name), GraphFormat::graphml, listed.edges, listed.names, directed);
    const auto file = read_graph<Vertex>(folder.path(name), options);
    EXPECT_EQ(file.format, GraphFormat::graphml);
    EXPECT_EQ(file.directed, directed);
    EXPECT_EQ(file.edges.num_vertices, 4);
    const auto w = [&](float weight) { return weighted ? weight : 0.0f; };
    const std::vector<NamedEdge> as_listed = {
        {7, 12, w(0.5f)}, {12, 7, w(0.25f)}, {12, 9000000000, w(3)}, {40, 40, w(1e-3f)}, {7, 12, w(8)}};
    const std::vector<NamedEdge> once = {{7, 12, w(0.5f)}, {40, 40, w(1e-3f)}, {12, 9000000000, w(3)}};
    EXPECT_EQ(named_edges(file), directed ? as_listed : once) << name;
  }
}

TEST(Graphml, WrittenItReadsBackTheSame) {
  for (const bool directed : {false, true}) {
    for (const bool weighted : {false, true}) {
      expect_round_trip<std::int32_t>(directed, weighted);
      expect_round_trip<std::int64_t>(directed, weighted);
    }
  }
  const TemporaryFolder folder;
  const EdgeList<std::int32_t, Kokkos::HostSpace> none(3, 0);
  write_graph(folder.path("none.graphml"), GraphFormat::graphml, none, VertexNames::consecutive(3, 1), true);
  EXPECT_EQ(read_graph<std::int32_t>(folder.path("none.graphml")).edges.num_vertices, 3);
}

TEST(Graphml, EveryPrefixAndEveryChangedByteIsReadOrRefused) {
  const std::string whole = graphml("<node id='a&amp;b'/><edge source='0' target='1'><data key='d0'>3</data></edge>\n");
  const auto survives = [](const std::string& text) {
    try {
      read_xml(text, true);
    } catch (const InputError&) {
    }
  };
  for (std::size_t size = 1; size < whole.size(); ++size) survives(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char c : {'<', '>', '"', '\'', '&', '/', ' '}) {
      std::string changed = whole;
      changed[at] = c;
      survives(changed);
    }
  }
}

}  // namespace
}  // namespace dromos::test

// SPDX-License-Identifier: BSD-3-Clause
// GraphML, as NetworkX, igraph, Gephi and yEd write it: XML with an element for each vertex and each edge.
//
//   <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
//   <graph edgedefault="undirected">
//     <node id="7"/> <node id="12"/>
//     <edge source="7" target="12"><data key="d0">0.5</data></edge>
//
// Where all ids are whole numbers they are the names of the vertices; else ids are words, and vertices are numbered in
// the order in which the file has them. Everything else that the format may hold is skipped, but for graphs inside of
// vertices and edges of more than two ends, which are refused. One thread reads: elements may be anywhere on lines.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"

namespace dromos::io {
namespace {

bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && is_xml_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_xml_space(text.back())) text.remove_suffix(1);
  return text;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

/// &amp; and its four siblings, &#65; and &#x41;.
std::string without_references(std::string_view text) {
  static constexpr std::pair<std::string_view, char> named[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string plain;
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    plain += text.substr(0, at);
    if (at == std::string_view::npos) break;
    const std::size_t end = text.find(';', at);
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : text.substr(at + 1, end - at - 1);
    std::uint32_t code = 0;
    const bool hexadecimal = name.size() > 2 && name[0] == '#' && (name[1] == 'x' || name[1] == 'X');
    const char* const digits = name.data() + (hexadecimal ? 2 : 1);
    if (name.size() > 1 && name[0] == '#') {
      const auto [after, error] = std::from_chars(digits, name.data() + name.size(), code, hexadecimal ? 16 : 10);
      if (error != std::errc() || after != name.data() + name.size() || code > 0x10FFFF) code = 0;
      if (code != 0) append_utf8(plain, code);
    } else {
      for (const auto& [known, character] : named) {
        if (name == known) code = static_cast<unsigned char>(character);
      }
      if (code != 0) plain += static_cast<char>(code);
    }
    if (code == 0) {
      throw LineFault{text.data() + at,
                      "expected a character reference such as &amp; or &#38;, found " + quoted(text.substr(at, 12)) +
                          "; write & as &amp;",
                      false};
    }
    text.remove_prefix(end + 1);
  }
  return plain;
}

struct XmlTag {
  std::string_view name;  ///< without the prefix of a namespace
  bool opens = false, closes = false;
  const char* where = nullptr;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;

  /// As it stands, or nothing.
  std::optional<std::string_view> find(std::string_view attribute) const {
    for (const auto& [key, value] : attributes) {
      if (key == attribute) return value;
    }
    return std::nullopt;
  }
  std::string_view required(std::string_view attribute) const {
    if (const auto value = find(attribute)) return *value;
    throw LineFault{
        where, "expected an attribute " + std::string(attribute) + " of the element " + quoted(name) + ", found none",
        false};
  }
};

/// The tags of a text, one after the other, and what stands before each.
class XmlScanner {
 public:
  explicit XmlScanner(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  /// False at the end of the text. Throws LineFault for what is no XML.
  bool next(XmlTag& tag) {
    content_ = {};
    for (;;) {
      const char* const open = std::find(p_, end_, '<');
      if (open == end_) {
        if (!open_.empty())
          throw LineFault{nullptr,
                          "the text ends inside of " + quoted(open_.back()) + "; fetch or write the file again", false};
        return false;
      }
      if (!content_.empty() || open > p_) {
        const char* const from = content_.empty() ? p_ : content_.data();
        content_ = {from, static_cast<std::size_t>(open - from)};
      }
      p_ = open;
      if (starts_with("<!--")) {
        skip_past("-->");
        content_ = {};
      } else if (starts_with("<![CDATA[")) {
        skip_past("]]>");
      } else if (starts_with("<?")) {
        skip_past("?>");
      } else if (starts_with("<!")) {
        skip_past(">");
      } else {
        break;
      }
    }
    read_tag(tag);
    return true;
  }

  /// Between the last tag and the one before it.
  std::string_view content() const { return content_; }

 private:
  bool starts_with(std::string_view word) const {
    return static_cast<std::size_t>(end_ - p_) >= word.size() && std::equal(word.begin(), word.end(), p_);
  }

  void skip_past(std::string_view word) {
    const char* const found = std::search(p_, end_, word.begin(), word.end());
    if (found == end_)
      throw LineFault{p_, "expected " + quoted(word) + " at the end of what begins here, found none", false};
    p_ = found + word.size();
  }

  [[noreturn]] void fail(const char* where) const {
    throw LineFault{where, "expected a tag of XML such as <node id=\"1\"/>, found " + quoted(rest_of_line(where)),
                    false};
  }
  std::string_view rest_of_line(const char* where) const {
    const char* const stop = std::find(where, end_, '\n');
    return {where, static_cast<std::size_t>(stop - where)};
  }

  void skip_spaces() {
    while (p_ < end_ && is_xml_space(*p_)) ++p_;
  }

  std::string_view take_name() {
    const char* const begin = p_;
    while (p_ < end_ && !is_xml_space(*p_) && *p_ != '>' && *p_ != '/' && *p_ != '=' && *p_ != '<') ++p_;
    return {begin, static_cast<std::size_t>(p_ - begin)};
  }

  void read_tag(XmlTag& tag) {
    tag.where = p_;
    tag.attributes.clear();
    ++p_;
    const bool closing = p_ < end_ && *p_ == '/';
    if (closing) ++p_;
    const std::string_view name = take_name();
    if (name.empty()) fail(tag.where);
    const std::size_t colon = name.find(':');
    tag.name = colon == std::string_view::npos ? name : name.substr(colon + 1);
    for (skip_spaces(); p_ < end_ && *p_ != '>' && *p_ != '/'; skip_spaces()) {
      const std::string_view key = take_name();
      skip_spaces();
      if (key.empty() || closing || p_ == end_ || *p_ != '=') fail(tag.where);
      ++p_;
      skip_spaces();
      if (p_ == end_ || (*p_ != '"' && *p_ != '\'')) fail(tag.where);
      const char* const stop = std::find(p_ + 1, end_, *p_);
      if (stop == end_) fail(tag.where);
      tag.attributes.emplace_back(key, std::string_view(p_ + 1, static_cast<std::size_t>(stop - p_ - 1)));
      p_ = stop + 1;
    }
    const bool empty = p_ < end_ && *p_ == '/';
    if (empty) ++p_;
    if (p_ == end_ || *p_ != '>' || (empty && closing)) fail(tag.where);
    ++p_;
    tag.opens = !closing;
    tag.closes = closing || empty;
    if (tag.opens && !tag.closes) open_.push_back(name);
    if (!closing) return;
    if (open_.empty() || open_.back() != name) {
      throw LineFault{tag.where,
                      open_.empty()
                          ? "expected no further closing tag, found </" + std::string(name) + ">"
                          : "expected </" + std::string(open_.back()) + ">, found </" + std::string(name) + ">",
                      false};
    }
    open_.pop_back();
  }

  const char* p_;
  const char* const end_;
  std::string_view content_;
  std::vector<std::string_view> open_;
};

float parse_graphml_weight(std::string_view text, bool non_negative) {
  text = without_spaces(text);
  double weight = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || parse_number(text.data(), end, weight) != end ||
      !(std::fabs(weight) <= static_cast<double>(std::numeric_limits<float>::max()))) {
    throw LineFault{text.data(), "expected a number as the weight of an edge, found " + quoted(text), false};
  }
  if (non_negative && weight < 0) {
    throw LineFault{text.data(), "expected a weight of at least 0 for distances, found " + quoted(text), false};
  }
  if (non_negative && rounds_whole_number(weight)) {
    throw LineFault{text.data(), rounded_weight("weight", quoted(text)), false};
  }
  return static_cast<float>(weight);
}

/// The vertices as the file calls them, numbered in its order.
class GraphmlIds {
 public:
  /// The number of an id as it stands in an attribute.
  std::int64_t number(std::string_view id) {
    // Most ids have no references in them, and are looked up where they stand: the text outlives this.
    const bool plain = id.find('&') == std::string_view::npos;
    std::string word = plain ? std::string() : without_references(id);
    if (const auto found = numbers_.find(plain ? id : word); found != numbers_.end()) return found->second;
    if (plain && !referenced_.empty()) word = id;
    if (const auto found = referenced_.find(word); !referenced_.empty() && found != referenced_.end()) {
      return found->second;
    }
    const std::int64_t vertex = size();
    words_.push_back(plain ? std::string(id) : word);
    if (plain) {
      numbers_.emplace(id, vertex);
      note_value(id);
    } else {
      referenced_.emplace(std::move(word), vertex);
      all_numbers_ = false;
    }
    return vertex;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  bool all_numbers() const { return all_numbers_; }
  /// Where all_numbers().
  const std::vector<std::int64_t>& values() const { return values_; }
  std::vector<std::string> take_words() { return std::move(words_); }

 private:
  void note_value(std::string_view id) {
    std::uint64_t value = 0;
    const char* const end = id.data() + id.size();
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    all_numbers_ = all_numbers_ && !id.empty() && parse_digits(id.data(), end, end, value) == end && value <= largest &&
                   (id.size() == 1 || id[0] != '0');  // 07 and 7 are two ids
    if (all_numbers_) values_.push_back(static_cast<std::int64_t>(value));
  }

  std::unordered_map<std::string_view, std::int64_t> numbers_;
  std::unordered_map<std::string, std::int64_t> referenced_;  // those that are written with references
  std::vector<std::string> words_;
  std::vector<std::int64_t> values_;
  bool all_numbers_ = true;
};

/// What the elements say, as they come.
class GraphmlContent {
 public:
  explicit GraphmlContent(const ReadOptions& options) : options_(options) {}

  void read(std::string_view text) {
    XmlScanner scanner(text);
    XmlTag tag;
    bool has_root = false;
    while (scanner.next(tag)) {
      if (!has_root && tag.name != "graphml") {
        throw LineFault{tag.where,
                        "expected <graphml> as the first element of XML, found <" + std::string(tag.name) +
                            ">; of XML, GraphML alone is read",
                        false};
      }
      has_root = true;
      if (tag.opens) begin(tag);
      if (tag.closes) end(tag, scanner.content());
    }
    if (!has_graph_) throw LineFault{nullptr, "expected a <graph> in the GraphML file, found none", false};
  }

  GraphmlIds ids;
  std::vector<std::int64_t> source, target;
  std::vector<float> weight;
  bool directed = true;

 private:
  void begin(const XmlTag& tag) {
    if (tag.name == "graph") {
      begin_graph(tag);
    } else if (tag.name == "key") {
      const std::string_view of = tag.find("for").value_or("all"), name = tag.find("attr.name").value_or("");
      const std::string_view id = tag.required("id");
      key_is_weight_ = (of == "edge" || of == "all") && (name == "weight" || (name.empty() && id == "weight"));
      if (key_is_weight_) weight_keys_.insert(id);
    } else if (tag.name == "node") {
      ids.number(tag.required("id"));
    } else if (tag.name == "edge") {
      begin_edge(tag);
    } else if (tag.name == "data") {
      data_is_weight_ = in_edge_ && weight_keys_.count(tag.find("key").value_or("")) > 0;
    } else if (tag.name == "hyperedge") {
      throw LineFault{tag.where, "expected edges of two ends, found a hyperedge; replace it by edges", false};
    }
  }

  void begin_graph(const XmlTag& tag) {
    if (has_graph_) {
      throw LineFault{tag.where, "expected one graph in the file, found another; put each into a file of its own",
                      false};
    }
    has_graph_ = true;
    const std::string_view direction = tag.required("edgedefault");
    if (direction != "directed" && direction != "undirected") {
      throw LineFault{tag.where, "expected edgedefault=\"directed\" or \"undirected\", found " + quoted(direction),
                      false};
    }
    directed = direction == "directed";
  }

  void begin_edge(const XmlTag& tag) {
    const std::string_view own = tag.find("directed").value_or(directed ? "true" : "false");
    if ((own == "true") != directed) {
      throw LineFault{tag.where,
                      "expected all edges to be as the graph says, " +
                          std::string(directed ? "directed" : "undirected") + ", found directed=" + quoted(own) +
                          "; write a graph whose edges all have a direction, or none has",
                      false};
    }
    source.push_back(ids.number(tag.required("source")));
    target.push_back(ids.number(tag.required("target")));
    in_edge_ = true;
    edge_weight_.reset();
  }

  void end(const XmlTag& tag, std::string_view content) {
    if (content.empty()) content = {tag.where, 0};  // an error says where
    if (tag.name == "default") {
      if (key_is_weight_ && options_.weights)
        default_weight_ = parse_graphml_weight(content, options_.non_negative_weights);
    } else if (tag.name == "key") {
      key_is_weight_ = false;
    } else if (tag.name == "data") {
      if (data_is_weight_ && options_.weights)
        edge_weight_ = parse_graphml_weight(content, options_.non_negative_weights);
      data_is_weight_ = false;
    } else if (tag.name == "edge") {
      in_edge_ = false;
      if (!options_.weights) return;
      if (!edge_weight_) edge_weight_ = default_weight_;
      if (!edge_weight_) {
        throw LineFault{tag.where,
                        "expected a weight of the edge (<data> of a key whose attr.name is weight), found none; read "
                        "without weights",
                        false};
      }
      weight.push_back(*edge_weight_);
    }
  }

  const ReadOptions& options_;
  std::unordered_set<std::string_view> weight_keys_;
  std::optional<float> default_weight_, edge_weight_;
  bool has_graph_ = false, in_edge_ = false, key_is_weight_ = false, data_is_weight_ = false;
};

}  // namespace

bool looks_like_xml(std::string_view text) {
  text = without_spaces(text.substr(0, 4096));
  return text.substr(0, 5) == "<?xml" || text.substr(0, 8) == "<graphml" ||
         (!text.empty() && text[0] == '<' && text.find("<graphml") != std::string_view::npos);
}

template <class Vertex>
GraphFile<Vertex> read_graphml(std::string_view text, const ReadOptions& options) {
  GraphmlContent content(options);
  content.read(text);
  const std::int64_t n = content.ids.size();
  check_declared_vertices<Vertex>(n, nullptr);
  // Numbers keep their order: the vertex of each id that was met is its place among all of them.
  const bool words = options.words || !content.ids.all_numbers();
  std::vector<Vertex> vertex(static_cast<std::size_t>(n));
  GraphFile<Vertex> file;
  if (words) {
    for (std::size_t i = 0; i < vertex.size(); ++i) vertex[i] = static_cast<Vertex>(i);
    file.names = VertexNames::consecutive(n, 0);
    file.words = content.ids.take_words();
  } else {
    std::vector<std::int64_t> names = content.ids.values();
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < vertex.size(); ++i) {
      const auto place = std::lower_bound(names.begin(), names.end(), content.ids.values()[i]);
      vertex[i] = static_cast<Vertex>(place - names.begin());
    }
    file.names = VertexNames::table(std::move(names));
  }
  const std::size_t num_edges = content.source.size();
  const bool weighted = options.weights && num_edges > 0;
  EdgeColumns<Vertex> edges(static_cast<std::int64_t>(num_edges), weighted);
  for (std::size_t e = 0; e < num_edges; ++e) {
    edges.source(e) = vertex[static_cast<std::size_t>(content.source[e])];
    edges.target(e) = vertex[static_cast<std::size_t>(content.target[e])];
    if (weighted) edges.weight(e) = content.weight[e];
  }
  file.edges = edges.to_edge_list(static_cast<Vertex>(n));
  file.directed = content.directed;
  return file;
}

template GraphFile<std::int32_t> read_graphml(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_graphml(std::string_view, const ReadOptions&);

}  // namespace dromos::io

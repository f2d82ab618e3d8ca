#include "fewdim/link_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/describe.hpp"
#include "base/memory.hpp"
#include "base/remedy.hpp"
#include "fewdim/error.hpp"
#include "links/storage.hpp"

namespace fewdim {

std::string VertexNames::of(Index vertex) const {
  if (!texts.empty()) return texts[static_cast<std::size_t>(vertex)];
  if (!numbers.empty()) return std::to_string(numbers[static_cast<std::size_t>(vertex)]);
  return std::to_string(vertex + first);
}

bool LinkGraph::undirected() const { return storage_ && storage_->undirected; }

std::int64_t LinkGraph::repeated() const { return storage_ ? storage_->repeated : 0; }

LinkView LinkGraph::view() const {
  if (!storage_) return {};
  return {storage_->vertices, storage_->offsets.get(), storage_->sources.get(), storage_->weights.get(),
          storage_->outgoing.get()};
}

std::string LinkGraph::name(Index vertex) const { return storage_->names.of(vertex); }

Index LinkGraph::find(std::string_view name) const {
  if (!storage_) return -1;
  const VertexNames& names = storage_->names;
  if (!names.texts.empty()) {
    const auto found = std::find(names.texts.begin(), names.texts.end(), name);
    return found == names.texts.end() ? -1 : found - names.texts.begin();
  }
  std::uint32_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size()) return -1;
  if (names.numbers.empty()) {
    const Index vertex = Index{number} - names.first;
    return vertex >= 0 && vertex < vertices() ? vertex : -1;
  }
  const auto found = std::lower_bound(names.numbers.begin(), names.numbers.end(), number);
  return found != names.numbers.end() && *found == number ? found - names.numbers.begin() : -1;
}

Index LinkGraph::require(std::string_view name) const {
  const Index vertex = find(name);
  if (vertex >= 0) return vertex;
  if (vertices() == 0) throw DataError("the graph is empty; there is no vertex to find");
  if (storage_->names.texts.empty())
    throw DataError(fmt::format("no vertex is called '{}'; they are numbers from {} to {}", name, this->name(0),
                                this->name(vertices() - 1)));
  const std::string near = nearest_name(name, storage_->names.texts);
  throw DataError(near.empty() ? fmt::format("no vertex is called '{}'", name)
                               : fmt::format("no vertex is called '{}'; did you mean '{}'?", name, near));
}

LinkGraph make_links(Index vertices, const std::vector<DirectedLink>& links, const LinkOptions& options,
                     std::vector<std::string> names, const Execution& exec) {
  const std::string source = "links";
  if (!names.empty() && std::ssize(names) != vertices)
    throw DataError(fmt::format("links: {} names for {} vertices", names.size(), vertices));
  require_memory(exec, links.size() * 16, "links: a copy of the links", raise_option("memory_limit"));
  LinkList list = LinkList::with_room_for(links.size(), true);
  for (const DirectedLink& link : links) {
    if (link.from < 0 || link.to < 0 || link.from >= vertices || link.to >= vertices)
      throw DataError(fmt::format("links: link {} goes from {} to {}, but vertices are 0 .. {}", list.count + 1,
                                  link.from, link.to, vertices - 1));
    if (const std::string fault = weight_fault(link.weight); !fault.empty())
      throw DataError(fmt::format("links: link {}: {}", list.count + 1, fault));
    list.from[list.count] = link.from;
    list.to[list.count] = link.to;
    list.weights[list.count++] = link.weight;
  }
  return build_links(vertices, std::move(list), options, VertexNames{std::move(names), {}, 0}, source, exec);
}

}  // namespace fewdim

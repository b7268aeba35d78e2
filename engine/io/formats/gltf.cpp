#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <io/formats/gltf.hpp>
#include <io/formats/json_document.hpp>
#include <io/streams/file_error.hpp>
#include <span>

namespace sphaera::io {
namespace {

constexpr std::array<std::string_view, 7> root_keys{"asset",  "scene",     "scenes",        "nodes",
                                                    "meshes", "accessors", "extensionsUsed"};
constexpr std::array<std::string_view, 8> node_keys{"name",        "mesh",     "skin",  "matrix",
                                                    "translation", "rotation", "scale", "children"};
constexpr std::array<std::string_view, 4> accessor_keys{"min", "max", "componentType", "normalized"};

/// The JSON of a file: a whole .gltf, or the first chunk of a .glb.
class JsonPart : public ByteSource {
 public:
  explicit JsonPart(ByteSource& source)
      : ByteSource(source.name()), source_(source), head_(magic.size(), '\0') {
    head_.resize(source.read_fully(head_));
    if (head_ == magic) head_.clear(), left_ = length_of_chunk();
  }
  std::size_t read(std::span<char> buffer) override {
    if (!head_.empty()) {
      const std::size_t n = head_.copy(buffer.data(), buffer.size());
      head_.erase(0, n);
      return n;
    }
    if (left_ == 0) return 0;
    const std::size_t n = source_.read(buffer.first(std::min<std::uint64_t>(buffer.size(), left_)));
    if (n == 0 && left_ != to_the_end) fail(name(), "the file ends inside its JSON; it is cut short");
    if (left_ != to_the_end) left_ -= n;
    return n;
  }
  std::optional<std::uint64_t> remaining() const override {
    const std::optional<std::uint64_t> of_file = source_.remaining();
    return of_file ? std::optional(std::min(*of_file + head_.size(), left_)) : std::nullopt;
  }

 private:
  static constexpr std::string_view magic = "glTF";
  static constexpr std::uint64_t to_the_end = UINT64_MAX;

  /// Reads the rest of the header of a .glb, and that of its first chunk.
  std::uint64_t length_of_chunk() {
    static_assert(std::endian::native == std::endian::little);
    std::array<char, 16> bytes{};
    std::array<std::uint32_t, 4> words{};  // version, length of the file; length of the chunk, its type
    if (source_.read_fully(bytes) < bytes.size())
      fail(name(), "the file ends inside its header; it is cut short");
    std::memcpy(words.data(), bytes.data(), bytes.size());
    if (words[0] != 2)
      fail(name(), "glTF of version " + std::to_string(words[0]) + " is not read; export glTF 2.0");
    if (std::string_view(bytes.data() + 12, 4) != "JSON")
      fail(name(), "the first chunk is not JSON; is the file damaged?");
    return words[2];
  }

  ByteSource& source_;
  std::string head_;  // bytes that were read to see what this is
  std::uint64_t left_ = to_the_end;
};

struct Accessor {
  std::vector<double> min, max;
  std::int64_t type = 5126;  // float
  bool normalized = false;
};

/// A primitive's accessor of positions.
struct Positions {
  std::size_t mesh;
  std::int64_t accessor;
  const char* place;
};

/// An index, to be checked when all lists are read.
struct Reference {
  std::int64_t index;
  const char* place;
};

/// Reads the text. simdjson goes through it once, so that lists may come in any order, and are joined at the
/// end.
class TreeReader {
 public:
  explicit TreeReader(ByteSource& source)
      : document_(source, {.what = "glTF document", .least = R"({"asset": {"version": "2.0"}})"}) {}

  Gltf read() {
    document_.chosen_members(document_.root(), root_keys,
                             [&](std::size_t key, JsonValue value) { read_member(root_keys[key], value); });
    document_.expect_end();
    if (!has_version_) fail(document_.name(), 1, "the document lacks \"asset\" with its \"version\"");
    join_meshes();
    join_nodes();
    choose_roots();
    return std::move(gltf_);
  }

 private:
  void read_member(std::string_view key, JsonValue value);
  void read_node(JsonValue value);
  void read_mesh(JsonValue value);
  void read_accessor(JsonValue value);
  void check_version(JsonValue value);
  void join_meshes();
  void join_nodes();
  void choose_roots();
  GltfBox box_of(const Accessor& accessor, const char* place) const;
  template <class Handle>
  void each(JsonValue value, std::string_view key, const Handle& handle) const {
    document_.items(document_.array(value, key), handle);
  }
  template <std::size_t n>
  std::array<double, n> numbers(JsonValue value, std::string_view key) const;
  Reference reference(JsonValue value, std::string_view key) const {
    const char* const place = JsonDocument::place(value);
    return {document_.integer(value, key), place};
  }
  /// The index, if the list has so many items.
  std::size_t valid(const Reference& reference, std::size_t size, const char* list) const {
    if (reference.index >= 0 && static_cast<std::uint64_t>(reference.index) < size)
      return static_cast<std::size_t>(reference.index);
    document_.fail(reference.place, "there is no item " + std::to_string(reference.index) + " of '" + list +
                                        "', which has " + std::to_string(size));
  }

  JsonDocument document_;
  Gltf gltf_;
  std::vector<Accessor> accessors_;
  std::vector<Positions> positions_;
  std::vector<Reference> mesh_of_node_;                        // those of nodes that have one, −1: none
  std::vector<std::pair<std::uint32_t, Reference>> children_;  // by parent
  std::vector<std::vector<Reference>> scenes_;
  std::optional<Reference> scene_;
  bool has_version_ = false;
};

void TreeReader::read_member(std::string_view key, JsonValue value) {
  if (key == "asset") return check_version(value);
  if (key == "scene") {
    scene_ = reference(value, key);
  } else if (key == "scenes") {
    each(value, key, [&](JsonValue scene) {
      std::vector<Reference>& roots = scenes_.emplace_back();
      constexpr std::array<std::string_view, 1> keys{"nodes"};
      document_.chosen_members(document_.object(scene, "a scene"), keys, [&](std::size_t, JsonValue nodes) {
        each(nodes, "nodes", [&](JsonValue node) { roots.push_back(reference(node, "nodes")); });
      });
    });
  } else if (key == "nodes") {
    each(value, key, [&](JsonValue node) { read_node(node); });
  } else if (key == "meshes") {
    each(value, key, [&](JsonValue mesh) { read_mesh(mesh); });
  } else if (key == "accessors") {
    each(value, key, [&](JsonValue accessor) { read_accessor(accessor); });
  } else {
    each(value, key, [&](JsonValue name) {
      gltf_.has_instances |= document_.text(name, "extensionsUsed") == "EXT_mesh_gpu_instancing";
    });
  }
}

void TreeReader::check_version(JsonValue value) {
  constexpr std::array<std::string_view, 1> keys{"version"};
  document_.chosen_members(document_.object(value, "asset"), keys, [&](std::size_t, JsonValue version) {
    const char* const place = JsonDocument::place(version);
    const std::string_view text = document_.text(version, "version");
    if (!text.starts_with("2."))
      document_.fail(place, "glTF " + shown(text) + " is not read; export glTF 2.0");
    has_version_ = true;
  });
}

template <std::size_t n>
std::array<double, n> TreeReader::numbers(JsonValue value, std::string_view key) const {
  std::array<double, n> all{};
  std::size_t count = 0;
  const char* const place = JsonDocument::place(value);
  each(value, key, [&](JsonValue item) {
    const double number = document_.number(item, key);
    if (count < n) all[count] = number;
    ++count;
  });
  if (count != n)
    document_.fail(
        place, shown(key) + " must have " + std::to_string(n) + " numbers; it has " + std::to_string(count));
  return all;
}

/// The rotation of a quaternion (x, y, z, w) of any length, after a scale of each axis.
GltfTransform turned(const std::array<double, 4>& q, const Vec3& scale, const Vec3& origin) {
  const auto [x, y, z, w] = q;
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {scale.x * Vec3{1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
          scale.y * Vec3{s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)},
          scale.z * Vec3{s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)}, origin};
}

void TreeReader::read_node(JsonValue value) {
  const char* const place = JsonDocument::place(value);
  const auto number = static_cast<std::uint32_t>(gltf_.nodes.size());
  GltfNode node;
  node.line = document_.line(place);
  std::array<double, 4> rotation{0, 0, 0, 1};
  Vec3 scale{1, 1, 1}, translation;
  std::optional<GltfTransform> matrix;
  Reference mesh{-1, place};
  document_.chosen_members(
      document_.object(value, "a node"), node_keys, [&](std::size_t key, JsonValue member) {
        const std::string_view name = node_keys[key];
        if (name == "name") node.name = document_.text(member, name);
        if (name == "mesh") mesh = reference(member, name);
        if (name == "skin") node.has_skin = true;
        if (name == "translation") translation = document_.vector(member, name);
        if (name == "rotation") rotation = numbers<4>(member, name);
        if (name == "scale") scale = document_.vector(member, name);
        if (name == "children")
          each(member, name,
               [&](JsonValue child) { children_.emplace_back(number, reference(child, name)); });
        if (name == "matrix") {
          const std::array<double, 16> m = numbers<16>(member, name);
          matrix = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
        }
      });
  node.local = matrix ? *matrix : turned(rotation, scale, translation);
  mesh_of_node_.push_back(mesh);
  gltf_.nodes.push_back(std::move(node));
}

void TreeReader::read_mesh(JsonValue value) {
  constexpr std::array<std::string_view, 2> keys{"name", "primitives"};
  constexpr std::array<std::string_view, 1> primitive_keys{"attributes"}, attribute_keys{"POSITION"};
  const std::size_t mesh = gltf_.meshes.size();
  gltf_.meshes.emplace_back();
  document_.chosen_members(document_.object(value, "a mesh"), keys, [&](std::size_t key, JsonValue member) {
    if (key == 0) {
      gltf_.meshes[mesh].name = document_.text(member, "name");
      return;
    }
    each(member, "primitives", [&](JsonValue primitive) {
      document_.chosen_members(
          document_.object(primitive, "a primitive"), primitive_keys, [&](std::size_t, JsonValue attributes) {
            document_.chosen_members(document_.object(attributes, "attributes"), attribute_keys,
                                     [&](std::size_t, JsonValue position) {
                                       const auto [accessor, place] = reference(position, "POSITION");
                                       positions_.push_back({mesh, accessor, place});
                                     });
          });
    });
  });
}

void TreeReader::read_accessor(JsonValue value) {
  Accessor accessor;
  document_.chosen_members(document_.object(value, "an accessor"), accessor_keys,
                           [&](std::size_t key, JsonValue member) {
                             const std::string_view name = accessor_keys[key];
                             const auto gather = [&](std::vector<double>& list) {
                               constexpr std::size_t most = 16;  // of a matrix
                               each(member, name, [&](JsonValue item) {
                                 const double number = document_.number(item, name);
                                 if (list.size() < most) list.push_back(number);
                               });
                             };
                             if (name == "min") gather(accessor.min);
                             if (name == "max") gather(accessor.max);
                             if (name == "componentType") accessor.type = document_.integer(member, name);
                             if (name == "normalized")
                               accessor.normalized = *JsonDocument::place(member) == 't';  // true
                           });
  accessors_.push_back(std::move(accessor));
}

/// The box of positions; integers that are normalized stand for −1 … 1 or 0 … 1 (KHR_mesh_quantization).
GltfBox TreeReader::box_of(const Accessor& accessor, const char* place) const {
  if (accessor.min.size() != 3 || accessor.max.size() != 3) {
    document_.fail(
        place,
        "the accessor of these positions lacks 'min' or 'max' of three numbers, which glTF demands; "
        "export the file again");
  }
  constexpr std::array<double, 4> largest{127, 255, 32767, 65535};  // of componentType 5120 …
  const std::int64_t type = accessor.type - 5120;
  const bool divided = accessor.normalized && type >= 0 && type < 4;
  const double unit = divided ? largest[static_cast<std::size_t>(type)] : 1;
  const auto vector = [&](const std::vector<double>& v) {
    return Vec3{v[0] / unit, v[1] / unit, v[2] / unit};
  };
  return {vector(accessor.min), vector(accessor.max)};
}

void TreeReader::join_meshes() {
  for (const auto& [mesh, accessor, place] : positions_) {
    const GltfBox box = box_of(accessors_[valid({accessor, place}, accessors_.size(), "accessors")], place);
    std::optional<GltfBox>& all = gltf_.meshes[mesh].box;
    if (!all) all = box;
    const auto join = [](const Vec3& a, const Vec3& b, auto choose) {
      return Vec3{choose(a.x, b.x), choose(a.y, b.y), choose(a.z, b.z)};
    };
    all = {join(all->lower, box.lower, [](double a, double b) { return std::min(a, b); }),
           join(all->upper, box.upper, [](double a, double b) { return std::max(a, b); })};
  }
}

/// Enters meshes and children. A node that is a child twice is an error: with it, only cycles are no trees,
/// and these are not below a node without parent.
void TreeReader::join_nodes() {
  for (std::size_t i = 0; i < gltf_.nodes.size(); ++i) {
    if (mesh_of_node_[i].index != -1)
      gltf_.nodes[i].mesh = static_cast<std::int64_t>(valid(mesh_of_node_[i], gltf_.meshes.size(), "meshes"));
  }
  std::vector<bool> has_parent(gltf_.nodes.size());
  for (const auto& [parent, reference] : children_) {
    const std::size_t child = valid(reference, gltf_.nodes.size(), "nodes");
    if (has_parent[child])
      document_.fail(reference.place,
                     "node " + std::to_string(child) + " is a child twice; nodes form trees");
    has_parent[child] = true;
    gltf_.nodes[parent].children.push_back(static_cast<std::uint32_t>(child));
  }
  for (std::uint32_t i = 0; i < gltf_.nodes.size(); ++i)
    if (!has_parent[i]) gltf_.roots.push_back(i);
  if (gltf_.roots.empty() && !gltf_.nodes.empty())
    fail(document_.name(), gltf_.nodes.front().line, "every node is a child; nodes form trees, not cycles");
}

void TreeReader::choose_roots() {
  if (scenes_.empty() && !scene_) return;
  const std::size_t scene = scene_ ? valid(*scene_, scenes_.size(), "scenes") : 0;
  std::vector<std::uint32_t> shown_roots;
  for (const Reference& reference : scenes_[scene]) {
    const auto node = static_cast<std::uint32_t>(valid(reference, gltf_.nodes.size(), "nodes"));
    if (!std::ranges::binary_search(gltf_.roots, node)) {
      document_.fail(reference.place, "node " + std::to_string(node) +
                                          " of the scene is a child of a node; nodes form trees, not cycles");
    }
    shown_roots.push_back(node);
  }
  std::ranges::sort(shown_roots);
  shown_roots.erase(std::unique(shown_roots.begin(), shown_roots.end()), shown_roots.end());
  gltf_.roots = std::move(shown_roots);
}

}  // namespace

Gltf read_gltf(ByteSource& source) {
  JsonPart part(source);
  return TreeReader(part).read();
}

}  // namespace sphaera::io

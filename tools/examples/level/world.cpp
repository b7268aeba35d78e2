#include "world.hpp"

#include <array>
#include <cmath>
#include <sphaera/closed_form/pierce.hpp>
#include <sphaera/closed_form/ray_sphere.hpp>
#include <sphaera/embree.hpp>
#include <stdexcept>

#include "house.hpp"

namespace level {
namespace {

using namespace sphaera;

struct Release {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using DeviceHandle = std::unique_ptr<RTCDeviceTy, Release>;
using SceneHandle = std::unique_ptr<RTCSceneTy, Release>;
using GeometryHandle = std::unique_ptr<RTCGeometryTy, Release>;

DeviceHandle new_device() {
  DeviceHandle device(rtcNewDevice(nullptr));
  if (!device) throw std::runtime_error("Embree gives no device");
  return device;
}

/// The mesh as a geometry with buffers of its own.
GeometryHandle triangles_of(RTCDevice device, const Mesh& mesh) {
  GeometryHandle geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
  void* vertices = rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                           sizeof(mesh.vertices[0]), mesh.vertices.size());
  void* triangles = rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            sizeof(mesh.triangles[0]), mesh.triangles.size());
  if (!vertices || !triangles) throw std::bad_alloc();
  std::copy(mesh.vertices.begin(), mesh.vertices.end(), static_cast<std::array<float, 3>*>(vertices));
  std::copy(mesh.triangles.begin(), mesh.triangles.end(),
            static_cast<std::array<std::uint32_t, 3>*>(triangles));
  rtcCommitGeometry(geometry.get());
  return geometry;
}

bool is_in(Part part, View view) {
  if (view == View::whole) return true;
  return part != Part::ceiling && (view == View::open || part != Part::people);
}

}  // namespace

/// The order of the members matters: each needs earlier ones.
struct World::Data {
  Data(const Mesh& statue, const std::vector<Sphere>& spheres)
      : meshes{walls(), floor_of_house(), ceiling_of_house(), statue},
        people(Scene::build(spheres)),
        device(new_device()),
        crowd(device.get(), people,
              {.contexts = embree::Contexts::extended, .extent = 64, .layers = all_layers}) {
    for (const View view : {View::whole, View::open, View::unpeopled}) {
      SceneHandle& scene = scenes[static_cast<std::size_t>(view)];
      scene.reset(rtcNewScene(device.get()));
      if (is_in(Part::people, view))
        rtcAttachGeometryByID(scene.get(), crowd.get(), static_cast<unsigned>(Part::people));
    }
    for (unsigned part = 0; part < meshes.size(); ++part) {
      if (meshes[part].triangles.empty()) continue;
      const GeometryHandle geometry = triangles_of(device.get(), meshes[part]);
      for (const View view : {View::whole, View::open, View::unpeopled})
        if (is_in(Part(part), view))
          rtcAttachGeometryByID(scenes[static_cast<std::size_t>(view)].get(), geometry.get(), part);
    }
    for (const SceneHandle& scene : scenes) rtcCommitScene(scene.get());
    if (rtcGetDeviceError(device.get()) != RTC_ERROR_NONE) throw std::runtime_error("Embree failed to build");
  }

  std::array<Mesh, 4> meshes;
  Scene people;
  DeviceHandle device;
  embree::SphereGeometry crowd;
  std::array<SceneHandle, 3> scenes;
};

World::World(const Mesh& statue, const std::vector<Sphere>& people)
    : data_(std::make_unique<Data>(statue, people)) {}
World::~World() = default;

const Scene& World::people() const { return data_->people; }
std::span<const Mesh> World::meshes() const { return data_->meshes; }

LevelHit World::first(const Ray& ray, View view, std::int64_t ignored) const {
  Hit hit;
  embree::QueryContext context;
  context.rays = {&ray, 1};  // the ray's id is 0
  context.hits = {&hit, 1};
  context.ignore = {&ignored, 1};
  RTCRayHit query = embree::float_ray_hit(ray);
  embree::intersect1(data_->scenes[static_cast<std::size_t>(view)].get(), context, query);

  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  const Part part{query.hit.geomID};
  if (part == Part::people) {
    const auto surface = hit_point(ray, data_->people.spheres()[static_cast<std::size_t>(hit.sphere)]);
    if (!surface) throw std::logic_error("a sphere that is hit is missed");
    return {part, hit.t_enter, surface->point, surface->normal, hit.sphere};
  }
  const double t{query.ray.tfar};
  Vec3 normal{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z};
  normal = (dot(normal, ray.direction) > 0 ? -1 : 1) / std::sqrt(dot(normal, normal)) * normal;
  return {part, t, point_at(ray, t), normal, -1};
}

bool World::blocked(const Ray& ray, View view) const {
  embree::QueryContext context;
  context.rays = {&ray, 1};
  RTCRay query = embree::float_ray(ray);
  embree::occluded1(data_->scenes[static_cast<std::size_t>(view)].get(), context, query);
  return query.tfar < 0;  // Embree's sign for a ray that something blocks
}

}  // namespace level

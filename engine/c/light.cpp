#include <c/ask.hpp>

// The light of stars, viewpoint indexes, and the sky.

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_scene_starlight(const SphaeraScene* scene, const SphaeraStar* stars, size_t star_count,
                                      const SphaeraObserver* observers, size_t observer_count,
                                      const SphaeraQueryOptions* options, SphaeraVisibility* out,
                                      size_t out_count) {
  return ask(scene, observer_count, options, [&](const Scene& s, const QueryOptions& o) {
    s.starlight(rows_of(stars, star_count, "stars"), rows_of(observers, observer_count, "observers"),
                rows_of(out, out_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_starlight_observer(const SphaeraScene* scene, const SphaeraStar* star,
                                               const SphaeraObserver* observer,
                                               const SphaeraQueryOptions* options, SphaeraVisibility* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.starlight(row_of(star, "star"), row_of(observer, "observer"), o);
  });
}
SphaeraStatus sphaera_scene_irradiance(const SphaeraScene* scene, const SphaeraSource* sources,
                                       size_t source_count, const SphaeraReceiver* receivers,
                                       size_t receiver_count, const SphaeraQueryOptions* options,
                                       double* out) {
  return ask(scene, receiver_count, options, [&](const Scene& s, const QueryOptions& o) {
    s.irradiance(rows_of(sources, source_count, "sources"), rows_of(receivers, receiver_count, "receivers"),
                 rows_of(out, receiver_count, "out"), o);
  });
}
SphaeraStatus sphaera_scene_sky(const SphaeraScene* scene, const SphaeraSkyPoint* points, size_t count,
                                const SphaeraSkyOptions* sky, const SphaeraQueryOptions* options,
                                SphaeraSkyShare* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.sky(rows_of(points, count, "points"), rows_of(out, count, "out"), sky_options(sky), o);
  });
}
SphaeraStatus sphaera_scene_sky_point(const SphaeraScene* scene, const SphaeraSkyPoint* point,
                                      const SphaeraSkyOptions* sky, const SphaeraQueryOptions* options,
                                      SphaeraSkyShare* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") = s.sky(row_of(point, "point"), sky_options(sky), o);
  });
}

SphaeraStatus sphaera_viewpoint_index_build(const SphaeraScene* scene, const SphaeraStar* star,
                                            const SphaeraViewpointIndexOptions* options,
                                            SphaeraViewpointIndex** index) {
  return call([&] {
    place(index, "index");
    const Scene& s = readable<SceneObject>(scene).scene();
    ViewpointIndex built = s.viewpoint_index(row_of(star, "star"), viewpoint_index_options(options));
    give(std::make_unique<ViewpointIndexObject>(std::move(built)), index);
  });
}
SphaeraStatus sphaera_viewpoint_index_info(const SphaeraViewpointIndex* index,
                                           SphaeraViewpointIndexInfo* info) {
  return call([&] {
    const ViewpointIndex& of = object_of<ViewpointIndexObject>(index).index;
    SphaeraViewpointIndexInfo& out = sized_place(info, "info");
    out.bytes = of.bytes(), out.boxes = of.boxes(), out.pays = of.pays() ? 1 : 0;
  });
}
SphaeraStatus sphaera_viewpoint_index_destroy(SphaeraViewpointIndex* index) {
  return destroy<ViewpointIndexObject>(index);
}

SphaeraStatus sphaera_starlight(const SphaeraStar* star, const SphaeraObserver* observer,
                                const SphaeraSphere* spheres, size_t count, SphaeraVisibility* out) {
  return call([&] {
    row_of(out, "out") =
        starlight(row_of(star, "star"), row_of(observer, "observer"), rows_of(spheres, count, "spheres"));
  });
}
SphaeraStatus sphaera_irradiance(const SphaeraSource* source, const SphaeraReceiver* receiver, double flux,
                                 double* out) {
  return call(
      [&] { row_of(out, "out") = irradiance(row_of(source, "source"), row_of(receiver, "receiver"), flux); });
}
SphaeraStatus sphaera_normal_irradiance(const SphaeraSource* source, const SphaeraVec3* position, double flux,
                                        double* out) {
  return call([&] {
    row_of(out, "out") = normal_irradiance(row_of(source, "source"), row_of(position, "position"), flux);
  });
}
SphaeraStatus sphaera_limb_darkening_intensity(const SphaeraLimbDarkening* law, double mu, double* out) {
  return call([&] { row_of(out, "out") = row_of(law, "law").intensity(mu); });
}

#include <io/streams/output.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/scene/scene_summary.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

class Info : public Verb {
  static constexpr const char* about = R"(
Describes a scene: its contents, likely mistakes (duplicates, nested spheres), and the memory and build time of
its index, which it builds.)";
  static constexpr const char* help = R"(
Result: labeled lines of text; with --format jsonl one JSON object on one line, with these keys:
  scene, time, unit                       unit: as the file gives it, empty if it does not
  spheres, layers                         counts; `layers` is an object: name of a layer, spheres on it
  stars                                   number and name of each
  lower, upper                            corners [x,y,z] of the box around all balls
  radius_min, radius_median, radius_max
  moving, speed_max                       spheres whose velocity is not 0, and the greatest speed
  orbiting, spinning                      spheres with an ephemeris, spheres with a spin
  duplicates                              spheres equal to a sphere of lower id; all are checked
  neighbors_checked                       number of spheres checked for the next two: all, or in a large scene a
                                          random sample, the same in every run
  nested                                  spheres inside another, larger one
  touching                                spheres that touch or overlap another one
  sphere_bytes, index_bytes               memory of the spheres and of the index
  index_peak_bytes, build_seconds         the most that the index held, and the time taken, while it was built
  frame_center, frame_half_size           frame of the index's single-precision boxes
  inflation                               how much these boxes are enlarged, so that no touch is missed
  frames                                  for each depth: number of frames, spheres in them, half-sizes,
                                          inflation; dense groups of small spheres in a large scene get nested
                                          frames
  warnings                                sentences: duplicates, nested spheres, spheres that meet a star (one
                                          inside it hides nothing; if one intersects its surface, `starlight`
                                          gives no numbers)
  orbiting_stars                          stars with an ephemeris of their own
  covered_from, covered_to                the times that all ephemerides cover; -inf, inf without any
Lengths are in the scene's unit. With --layers, `spheres`, corners, radii, motion, duplicates, neighbors and warnings
cover only the spheres on these layers; `layers`, `stars`, memory and the index's figures cover the whole scene.
All but build_seconds and index_peak_bytes are the same in every run.

Example:
  sphaera info solar_system.json --format jsonl
)";

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    scene_.declare(app);
    star_options_.declare(app);
    layers_.declare(app);
    add_text(app, "--format", format_, "text or jsonl; default text")
        .one_of({"text", "jsonl"})
        .type_name("FORMAT");
    index_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      common_.protect("the scene", scene_.path);
      io::Output output(common_.output);
      const SceneSummary found =
          describe_scene(scene_, common_, star_options_, layers_, index_, stop).summary;
      output.write(format_ == "jsonl" ? json_of(found) : text_of(found));
      output.commit();
    });
  }

 private:
  CommonOptions common_;
  SceneOptions scene_;
  IndexOptions index_;
  LayerOptions layers_;
  StarOptions star_options_;
  std::string format_ = "text";
};

}  // namespace

const VerbEntry info_verb{"info", "counts, extent, likely mistakes and the cost of the index",
                          make_verb<Info>};

}  // namespace sphaera::tool

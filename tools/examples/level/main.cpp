/// \file A level: walls and people in one Embree scene. See README.md.

#include <charconv>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sphaera/error.hpp>
#include <string>

#include "house.hpp"
#include "picture.hpp"
#include "questions.hpp"

namespace level {
namespace {

struct Options {
  std::size_t people = 260, bullets = 2000, verify = 1000;
  std::uint64_t seed = 1;
  std::string statue = "/usr/share/glmark2/models/bunny.obj", picture;
  PictureOptions pixels{};
};

constexpr const char* usage =
    "level [--people N] [--bullets N] [--verify N] [--seed N] [--statue FILE.obj] [--picture FILE.png]\n"
    "      [--width PIXELS] [--samples N]\n";

/// The value of an option: a whole number from `least` to `most`.
std::size_t number(const std::string& option, const std::string& text, std::size_t least, std::size_t most) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    throw std::invalid_argument(option + " takes a whole number from " + std::to_string(least) + " to " +
                                std::to_string(most) + ", not '" + text + "'");
  return value;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; k += 2) {
    const std::string name = argv[k];
    if (k + 1 == argc) throw std::invalid_argument(name + " is unknown, or lacks its value");
    const std::string value = argv[k + 1];
    if (name == "--statue") {
      options.statue = value;
    } else if (name == "--picture") {
      options.picture = value;
    } else if (name == "--people") {
      options.people = number(name, value, 0, 100'000);
    } else if (name == "--bullets") {
      options.bullets = number(name, value, 0, 10'000'000);
    } else if (name == "--verify") {
      options.verify = number(name, value, 0, 10'000'000);
    } else if (name == "--seed") {
      options.seed = number(name, value, 0, ~std::size_t{0});
    } else if (name == "--width") {
      options.pixels.width = static_cast<std::uint32_t>(number(name, value, 2, 8192));
      options.pixels.height = options.pixels.width / 2;
    } else if (name == "--samples") {
      options.pixels.samples = static_cast<int>(number(name, value, 1, 16));
    } else {
      throw std::invalid_argument("unknown option '" + name + "'");
    }
  }
  return options;
}

Mesh statue_of(const Options& options) {
  Mesh statue;
  try {
    add_statue(statue, read_obj(options.statue), statue_foot, statue_height);
  } catch (const std::runtime_error& error) {
    std::cerr << "level: no statue: " << error.what() << " (Debian package glmark2-data)\n";
  }
  return statue;
}

int run(const Options& options) {
  const World world(statue_of(options), people(options.people, options.seed));
  std::size_t triangles = 0;
  for (const Mesh& mesh : world.meshes()) triangles += mesh.triangles.size();
  std::cout << "level: " << triangles << " triangles, of which the statue has "
            << world.meshes()[static_cast<std::size_t>(Part::statue)].triangles.size() << ", and "
            << world.people().spheres().size() / spheres_per_person << " people of " << spheres_per_person
            << " spheres\n";
  print_looks(world, std::cout);
  print_light(world, std::cout);
  const auto bullets = shoot_all(world, options.bullets, options.seed);
  print_bullets(bullets, std::cout);
  const std::size_t wrong = verify(world, bullets, options.verify, options.seed, std::cout);
  if (!options.picture.empty()) {
    const std::span<const std::vector<Leg>> drawn(bullets.data(), std::min<std::size_t>(bullets.size(), 8));
    write_png(options.picture, draw(world, lamps(), drawn, options.pixels));
  }
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace level

int main(int argc, char** argv) {
  level::Options options;
  try {
    options = level::read_options(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "level: " << error.what() << '\n' << level::usage;
    return 2;
  }
  try {
    return level::run(options);
  } catch (const std::exception& error) {
    std::cerr << "level: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

/// \file Outcomes instead of exceptions.

#include <sphaera/scene.hpp>
#include <sphaera/status.hpp>

#include <cmath>
#include <new>
#include <stdexcept>

#include <tests/catch.hpp>

namespace sphaera {

TEST_CASE("status_of returns what would be thrown", "[base]") {
  Scene scene;
  CHECK(status_of([&] { scene = Scene::build({{{0, 0, 0}, 1}, {{5, 0, 0}, 1}}); }).ok());
  CHECK(scene.size() == 2);
  const std::vector<Vec3> centers{{0, 0, 0}, {std::nan(""), 0, 0}};
  const Status status = status_of([&] { scene.update(centers); });
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code() == ErrorCode::invalid_argument);
  CHECK(status.error().element() == 1);
  CHECK(std::string(status.error().what()).find("sphere 1") == 0);
  CHECK(scene.spheres()[1].center == Vec3{5, 0, 0});

  const Status no_memory = status_of([] { throw std::bad_alloc(); });
  CHECK((!no_memory && no_memory.error().code() == ErrorCode::out_of_memory));
  CHECK_THROWS_AS(status_of([] { throw std::domain_error("mine"); }), std::domain_error);
}

}  // namespace sphaera

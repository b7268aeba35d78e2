#include <base/errors.hpp>
#include <optional>
#include <tests/catch.hpp>
#include <type_traits>

using namespace sphaera;

static_assert(std::is_nothrow_copy_constructible_v<Error> && std::is_nothrow_copy_assignable_v<Error>);

TEST_CASE("an error is its subject, its reason and its element", "[base]") {
  const Error error(ErrorCode::invalid_argument, "ray 17", "direction is zero; give any: non-zero one", 17);
  CHECK(error.what() == std::string("ray 17: direction is zero; give any: non-zero one"));
  CHECK(error.code() == ErrorCode::invalid_argument);
  CHECK(error.subject() == "ray 17");
  CHECK(error.reason() == "direction is zero; give any: non-zero one");
  CHECK(error.element() == 17);
}

TEST_CASE("an error without a subject is its reason alone, whatever colons it has", "[base]") {
  const Error error(ErrorCode::internal, "Embree: error 5");
  CHECK(error.what() == std::string("Embree: error 5"));
  CHECK(error.subject().empty());
  CHECK(error.reason() == "Embree: error 5");
  CHECK(error.element() == Error::no_element);

  const Error bare(ErrorCode::internal, "ray 3", "");
  CHECK(bare.what() == std::string("ray 3"));
  CHECK(bare.subject() == "ray 3");
  CHECK(bare.reason().empty());
}

TEST_CASE("a copy of an error has a subject and a reason that outlive the original", "[base]") {
  std::optional<Error> original(std::in_place, ErrorCode::bad_file, "scene.csv:17", "the row is short", 15);
  const Error copy = *original;
  Error assigned(ErrorCode::internal, "another");
  assigned = *original;
  original.reset();
  for (const Error& error : {copy, assigned}) {
    CHECK(error.what() == std::string("scene.csv:17: the row is short"));
    CHECK(error.code() == ErrorCode::bad_file);
    CHECK(error.subject() == "scene.csv:17");
    CHECK(error.reason() == "the row is short");
    CHECK(error.element() == 15);
  }
}

TEST_CASE("an error gets a place in front of its subject", "[base]") {
  CHECK(base::numbered("ray", 17) == "ray 17");
  CHECK(base::numbered("ray", Error::no_element) == "ray");
  const Error inner = base::located("scene.json", Error(ErrorCode::io, "sphere 3", "it: is far"), 3);
  CHECK(inner.what() == std::string("scene.json: sphere 3: it: is far"));
  CHECK(inner.code() == ErrorCode::io);
  CHECK(inner.subject() == "scene.json: sphere 3");
  CHECK(inner.reason() == "it: is far");
  CHECK(inner.element() == 3);
  const Error plain = base::located("scene.json", Error(ErrorCode::io, "it is far", 4), Error::no_element);
  CHECK(plain.what() == std::string("scene.json: it is far"));
  CHECK(plain.subject() == "scene.json");
  CHECK(plain.reason() == "it is far");
  CHECK(plain.element() == Error::no_element);
}

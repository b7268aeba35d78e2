#include <cmath>
#include <exact/numbers/bounded.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <exact/predicates/later_stages.hpp>
#include <tests/cases/stages.hpp>

namespace sphaera::test {

namespace {

template <class Input>
std::string wrong(const char* stage, const char* predicate, int expected, int got, const Input& input) {
  return std::string(stage) + ": " + predicate + " is " + std::to_string(expected) + ", not " +
         std::to_string(got) + "; " + describe(input);
}

/// Counts whether a stage was sure. Returns a message if its answer is wrong.
template <class Input>
std::string book(const char* stage, Knowledge& knowledge, const char* predicate,
                 const std::optional<int>& sign, int expected, const Input& input) {
  ++(sign ? knowledge.sure : knowledge.unsure);
  return !sign || *sign == expected ? std::string() : wrong(stage, predicate, expected, *sign, input);
}

/// Checks meets and contact by FilteredPredicate, as the queries' inner loop asks them.
template <class Arithmetic>
std::string check_filtered_predicate(const char* stage, const Case& c, const Truths& truths) {
  exact::Counts counts;
  const exact::Path path = path_of(c);
  if (!(path.t_min <= path.t_max)) return {};
  const exact::FilteredPredicate<Arithmetic> predicate(path, c.a, counts);
  const int meets = *truths[Predicates::number_of<predicates::Meets>()],
            contact = *truths[Predicates::number_of<predicates::Contact>()];
  if (predicate.meets() != meets) return wrong(stage, "meets", meets, !meets, c);
  for (const Contact got : {predicate.contact(), predicate.contact(predicate.root_estimates())}) {
    if (static_cast<int>(got) != contact) return wrong(stage, "contact", contact, static_cast<int>(got), c);
  }
  return {};
}

}  // namespace

std::string check_filter(const Case& c, const Truths& truths, Stages& stages) {
  std::string message;
  Predicates::each([&]<class Predicate>(Predicate predicate, int q) {
    if constexpr (HasFilter<Predicate>) {
      const std::optional<int> expected = truths[static_cast<std::size_t>(q)];
      if (!expected || !message.empty()) return;
      message = book("fused filter", stages.filter_fused, predicate.name,
                     predicate.template filtered<exact::Fused>(c, 1), *expected, c) +
                book("plain filter", stages.filter_plain, predicate.name,
                     predicate.template filtered<exact::Plain>(c, 1), *expected, c);
    }
  });
  if (!message.empty()) return message;
  return check_filtered_predicate<exact::Fused>("fused predicate", c, truths) +
         check_filtered_predicate<exact::Plain>("plain predicate", c, truths);
}

std::string check_sums(const SplitPair& s, Stages& stages) {
  const Seen seen(s);
  std::string message;
  Predicates::each([&]<class Predicate>(Predicate predicate, int) {
    if constexpr (HasPolynomial<Predicate>) {
      const std::optional<int> expected = predicate.truth_of(s, seen);
      if (!expected || !message.empty()) return;
      message = book("fused double-double", stages.double_double_fused, predicate.name,
                     predicate.template sign_by<exact::Bounded<exact::Fused>>(s), *expected, s) +
                book("plain double-double", stages.double_double_plain, predicate.name,
                     predicate.template sign_by<exact::Bounded<exact::Dekker>>(s), *expected, s);
      exact::Counts counts;
      const int by_integers = *predicate.template sign_by<exact::Integer>(s),
                by_both = predicate.later(s, counts);
      if (by_integers != *expected) message += wrong("integers", predicate.name, *expected, by_integers, s);
      if (by_both != *expected) message += wrong("refinement", predicate.name, *expected, by_both, s);
    }
  });
  return message;
}

}  // namespace sphaera::test

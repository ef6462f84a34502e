// SPDX-License-Identifier: Apache-2.0
//
// The main function of the test programs. With THIESSEN_ALLOWED_SKIPS in the environment, a regular
// expression, a test that is skipped for another reason fails.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>

namespace thiessen::testing {
namespace {

class SkipsAreAllowed : public ::testing::EmptyTestEventListener {
 public:
  explicit SkipsAreAllowed(const char* allowed) : allowed_(allowed) {}

  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (!test.result()->Skipped()) return;
    for (int i = 0; i < test.result()->total_part_count(); ++i) {
      const ::testing::TestPartResult& part = test.result()->GetTestPartResult(i);
      if (part.skipped() && !std::regex_search(part.message(), allowed_))
        ADD_FAILURE() << "skipped, and THIESSEN_ALLOWED_SKIPS has no such reason: "
                      << part.message();
    }
  }

 private:
  std::regex allowed_;
};

}  // namespace
}  // namespace thiessen::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (const char* allowed = std::getenv("THIESSEN_ALLOWED_SKIPS"))
    ::testing::UnitTest::GetInstance()->listeners().Append(
        new thiessen::testing::SkipsAreAllowed(allowed));
  return RUN_ALL_TESTS();
}

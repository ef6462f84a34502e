// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

namespace thiessen {

/// A parameter that takes any function object for as long as a call runs, and no memory. Do not
/// keep one: it refers to its argument.
template <class Signature>
class FunctionRef;

template <class Returned, class... Taken>
class FunctionRef<Returned(Taken...)> {
 public:
  template <class Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, FunctionRef>)
      FunctionRef(const Function& function)  // NOLINT(google-explicit-constructor): a parameter
      : function_(&function), call_([](const void* own, Taken... taken) -> Returned {
          return (*static_cast<const Function*>(own))(std::forward<Taken>(taken)...);
        }) {}

  Returned operator()(Taken... taken) const {
    return call_(function_, std::forward<Taken>(taken)...);
  }

 private:
  const void* function_;
  Returned (*call_)(const void*, Taken...);
};

}  // namespace thiessen

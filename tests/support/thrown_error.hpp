// The Error that a call throws, for tests that look into it.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "core/base/error.hpp"

namespace headroom::tests {

/// Nothing, and a failed test, where `call` throws no base::Error.
template <typename Call>
std::optional<base::Error> thrown_error(Call call) {
  try {
    call();
  } catch (const base::Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return std::nullopt;
}

}  // namespace headroom::tests

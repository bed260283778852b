#include <cstdio>

#include "core/base/build_info.hpp"

int main() {
  std::printf("headroom %s\n", headroom::base::build_commit().data());
  return 0;
}

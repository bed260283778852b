#pragma once
// GDCM as this layer uses it. Any thread.

namespace headroom::formats {

/// Keeps GDCM from writing to standard error. The first call does it; its trace is global by its
/// design, and this is its one owner.
void prepare_gdcm();

}  // namespace headroom::formats

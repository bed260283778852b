#pragma once
// The process-wide state of GDAL, set once. Safe from any thread.

namespace headroom::formats {

/// Registers GDAL's drivers and sets its process-wide options: no side files read or written, no
/// folder listings, a bounded block cache, damaged JPEG data is an error. The first call does it;
/// every function of this layer that opens a file calls it, so that nobody can forget to. GDAL's
/// registry is global by its design; this is its one owner.
void prepare_gdal();

}  // namespace headroom::formats

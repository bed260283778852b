// Compiled with AVX2 and FMA on x86-64: see CMakeLists.txt.
#include "models/norm_act_loops.inc"

namespace headroom::models {

NormActLoops avx2_norm_act_loops() { return loops_here(); }

}  // namespace headroom::models

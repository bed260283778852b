#include "models/norm_act_loops.inc"

namespace headroom::models {

NormActLoops baseline_norm_act_loops() { return loops_here(); }

}  // namespace headroom::models

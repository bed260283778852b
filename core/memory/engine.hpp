#pragma once
// Makes the checkpointing engine LibTorch's autograd engine. Internal to core/memory;
// install_runtime() calls it once.

namespace headroom::memory {

void install_engine();

}  // namespace headroom::memory

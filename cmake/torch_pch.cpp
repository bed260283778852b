// The unit that carries the precompiled header shared by the layers that use torch.

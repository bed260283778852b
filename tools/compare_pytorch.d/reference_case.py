"""The network, its input and its step, as both programs run them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReferenceCase:
    levels: int = 5
    base_channels: int = 32  # of the first stage; each level doubles them
    channels: int = 3
    classes: int = 2
    batch: int = 2
    side: int = 256  # pixels; the input is [batch, channels, side, side]
    learning_rate: float = 1e-3

    @property
    def stages(self) -> int:
        return 2 * self.levels - 1


CASE = ReferenceCase()

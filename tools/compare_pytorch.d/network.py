"""The U-Net of Headroom's models/ as one writes it in PyTorch: with a concatenation, and nothing else different."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from reference_case import ReferenceCase


def convolution_block(in_channels: int, out_channels: int) -> nn.Sequential:
    """x [n, in, h, w] -> [n, out, h, w]: twice a 3x3 convolution, batch norm and ReLU."""
    layers = []
    for entry in (in_channels, out_channels):
        layers += [
            nn.Conv2d(entry, out_channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True),
        ]
    return nn.Sequential(*layers)


class EncoderStage(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, pool: bool):
        super().__init__()
        self.pool = nn.MaxPool2d(2) if pool else nn.Identity()
        self.block = convolution_block(in_channels, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.pool(x))


class DecoderStage(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.up = nn.ConvTranspose2d(2 * channels, channels, 2, stride=2)
        self.block = convolution_block(2 * channels, channels)

    def forward(self, x: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        """x [n, 2c, h, w], skip [n, c, 2h, 2w] -> [n, c, 2h, 2w]."""
        return self.block(torch.cat([skip, self.up(x)], dim=1))


class UNet(nn.Module):
    """image [n, channels, h, w] -> logits [n, classes, h, w]; h and w are multiples of 2 ** (levels - 1)."""

    def __init__(self, case: ReferenceCase, use_checkpoint: bool):
        super().__init__()
        self.use_checkpoint = use_checkpoint
        widths = [case.base_channels << level for level in range(case.levels)]
        entries = [case.channels, *widths[:-1]]
        self.encoder = nn.ModuleList(
            EncoderStage(entry, width, pool=level > 0)
            for level, (entry, width) in enumerate(zip(entries, widths))
        )
        self.decoder = nn.ModuleList(DecoderStage(width) for width in reversed(widths[:-1]))
        self.head = nn.Conv2d(case.base_channels, case.classes, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = image
        skips = []
        for stage in self.encoder:
            x = self.run_stage(stage, x)
            skips.append(x)
        skips.pop()  # the bottleneck has no skip
        for stage in self.decoder:
            x = self.run_stage(stage, x, skips.pop())
        return self.head(x)

    def run_stage(self, stage: nn.Module, *inputs: torch.Tensor) -> torch.Tensor:
        if self.use_checkpoint:
            return checkpoint(stage, *inputs, use_reentrant=False)
        return stage(*inputs)

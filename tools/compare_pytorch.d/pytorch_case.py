"""Runs one case in PyTorch and prints one JSON document. A process of its own, started by compare.py."""

import argparse
import json
import os
import resource
import sys
import time

# Only what is called is looked up, so that the stand-ins for CUDA libraries (environment.py) are enough.
sys.setdlopenflags(os.RTLD_LAZY)

import torch
from torch.autograd import DeviceType
from torch.autograd.profiler import profile

from network import UNet
from reference_case import CASE

MEMORY_FORMATS = {"contiguous": torch.contiguous_format, "channels-last": torch.channels_last}


class TrainingStep:
    """The step that is measured: gradients dropped, forward, loss, backward, optimizer."""

    def __init__(self, precision: str, memory_format: str, use_checkpoint: bool):
        torch.manual_seed(0)
        order = MEMORY_FORMATS[memory_format]
        self.use_bf16 = precision == "bf16"
        self.model = UNet(CASE, use_checkpoint).to(memory_format=order).train()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=CASE.learning_rate)
        shape = (CASE.batch, CASE.channels, CASE.side, CASE.side)
        self.image = torch.randn(shape).contiguous(memory_format=order)
        self.labels = torch.randint(CASE.classes, (CASE.batch, CASE.side, CASE.side))

    def drop_gradients(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)

    def run(self) -> None:
        self.drop_gradients()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.use_bf16):
            loss = torch.nn.functional.cross_entropy(self.model(self.image), self.labels)
        loss.backward()
        self.optimizer.step()


def minor_faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def measure_time(step: TrainingStep, warmup: int, repeat: int) -> dict:
    for _ in range(warmup):
        step.run()
    seconds = []
    faults_before = minor_faults()
    for _ in range(repeat):
        start = time.perf_counter()
        step.run()
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "minor_faults_per_step": (minor_faults() - faults_before) / repeat}


def measure_peak(step: TrainingStep, warmup: int) -> dict:
    """Highest number of tensor bytes that were live at once in a step, above what was live before it."""
    for _ in range(warmup):
        step.run()
    step.drop_gradients()
    with profile(profile_memory=True) as recorded:
        step.run()
    events = [event for event in recorded.kineto_results.events()
              if event.name() == "[memory]" and event.device_type() == DeviceType.CPU]
    live = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        live += event.nbytes()
        peak = max(peak, live)
    gradients = sum(p.grad.untyped_storage().nbytes() for p in step.model.parameters())
    if live != gradients:
        raise RuntimeError(f"the step's memory events leave {live} bytes, its gradients have {gradients}: "
                           "the events are not complete, and a peak made of them would be wrong")
    return {"peak_bytes": peak}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", choices=("time", "peak"), required=True)
    parser.add_argument("--precision", choices=("fp32", "bf16"), required=True)
    parser.add_argument("--memory-format", choices=MEMORY_FORMATS, required=True)
    parser.add_argument("--checkpoint", action="store_true")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--warmup", type=int, required=True)
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    step = TrainingStep(arguments.precision, arguments.memory_format, arguments.checkpoint)
    if arguments.measure == "time":
        measured = measure_time(step, arguments.warmup, arguments.repeat)
    else:
        measured = measure_peak(step, arguments.warmup)
    measured |= {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "parameters": sum(parameter.numel() for parameter in step.model.parameters()),
    }
    print(json.dumps(measured))


if __name__ == "__main__":
    main()

"""What is compared, and how one process measures one case."""

import json
import os
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from environment import Environment, clean_variables
from failure import Failure
from reference_case import CASE

# glibc then takes memory for tensors from one heap that never shrinks, so that freed pages are used again.
KEEP_PAGES = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**40),
    "MALLOC_TOP_PAD_": str(64 * 2**20),
}
# Pages are kept where a step faults in less than this share of what it does with the allocator's defaults.
MOST_FAULTS_KEPT = 0.1


@dataclass(frozen=True)
class Case:
    key: str
    name: str
    precision: str
    memory_format: str
    plan: str = ""  # of Headroom; empty: PyTorch
    use_checkpoint: bool = False
    keep_pages: bool = False

    @property
    def is_headroom(self) -> bool:
        return bool(self.plan)


@dataclass(frozen=True)
class Comparison:
    """Cases that belong in one table; the first one is what the others are compared with."""

    key: str
    title: str
    cases: list[Case]


@dataclass(frozen=True)
class NamedPlan:
    """A plan of Headroom that is measured beside Keep and Full."""

    key: str
    name: str
    plan: str  # as `headroom bench --plans` takes it

    @classmethod
    def given(cls, plan: str) -> "NamedPlan":
        return cls(plan, plan, plan)


ENCODERS = [f"enc{level}" for level in range(1, CASE.levels + 1)]
DECODERS = [f"dec{level}" for level in range(CASE.levels - 1, 0, -1)]


def mixture(full: list[str]) -> str:
    """Full for the stages named, Light for the others."""
    return ",".join(f"{stage}={'full' if stage in full else 'light'}" for stage in ENCODERS + DECODERS)


PLANS = [
    NamedPlan("light", "Light everywhere", "light"),
    NamedPlan("enc1_full", "Full enc1, Light else", mixture(["enc1"])),
    NamedPlan("encoders_full", f"Full enc1..{ENCODERS[-1]}, Light else", mixture(ENCODERS)),
    NamedPlan("all_full_but_dec1", "Full, dec1 Light", mixture(ENCODERS + DECODERS[:-1])),
]


def same_settings(key: str, title: str, precision: str, plans: list[NamedPlan]) -> Comparison:
    settings = {"precision": precision, "memory_format": "channels-last"}
    return Comparison(key, title, [
        Case("headroom_keep", "Headroom, Keep", plan="keep", **settings),
        *(Case(f"headroom_{plan.key}", f"Headroom, {plan.name}", plan=plan.plan, **settings) for plan in plans),
        Case("headroom_full", "Headroom, Full everywhere", plan="full", **settings),
        Case("pytorch", "PyTorch", **settings),
        Case("pytorch_checkpoint", f"PyTorch, `checkpoint` on all {CASE.stages} stages", use_checkpoint=True,
             **settings),
        Case("pytorch_pages_kept", "PyTorch, allocator keeps its pages", keep_pages=True, **settings),
    ])


DEFAULTS = Comparison("defaults", "Default settings of both", [
    Case("headroom_defaults", "Headroom's default settings", plan="auto", precision="auto", memory_format="auto"),
    Case("pytorch_defaults", "PyTorch's defaults (fp32, contiguous)", precision="fp32", memory_format="contiguous"),
])


def all_comparisons(plans: list[NamedPlan], with_bf16: bool) -> list[Comparison]:
    found = [same_settings("fp32", "fp32, channels-last", "fp32", plans)]
    if with_bf16:
        found.append(same_settings("bf16", "bf16 autocast, channels-last", "bf16", plans))
    return [*found, DEFAULTS]


@dataclass
class Samples:
    """What the rounds measured of one case."""

    round_medians: list[float] = field(default_factory=list)  # seconds of a step
    steps: int = 0
    peak_bytes: int = 0
    resident_bytes: int = 0  # highest of the whole process
    minor_faults_per_step: float | None = None  # PyTorch only
    threads: int = 0
    parameters: int = 0
    version: str = ""
    settings: str = ""  # precision and memory format, resolved

    @property
    def seconds(self) -> float:
        return statistics.median(self.round_medians)

    def note_process(self, document: dict, resident_bytes: int) -> None:
        self.version = document["torch"]
        self.threads = document["threads"]
        self.resident_bytes = max(self.resident_bytes, resident_bytes)


class Runner:
    """Runs one process at a time. Throws Failure when one fails."""

    def __init__(self, headroom: Path, environment: Environment, threads: int, warmup: int, repeat: int):
        self.headroom = headroom
        self.environment = environment
        self.threads = threads
        self.warmup = warmup
        self.repeat = repeat

    def measure(self, case: Case, samples: Samples) -> None:
        """One more round of `case`."""
        if case.is_headroom:
            self.measure_headroom(case, samples)
        else:
            self.measure_pytorch(case, samples)

    def measure_headroom(self, case: Case, samples: Samples) -> None:
        document, resident_bytes = self.run(self.headroom_command(case), clean_variables(self.threads))
        found = document["cases"][0]
        samples.round_medians.append(found["seconds_per_step"]["median"])
        samples.steps += found["seconds_per_step"]["n"]
        samples.peak_bytes = max(samples.peak_bytes, found["peak_bytes"])
        samples.parameters = document["model"]["parameters"]
        samples.settings = f"{found['precision']}, {found['memory_format']}"
        samples.note_process(document, resident_bytes)

    def measure_pytorch(self, case: Case, samples: Samples) -> None:
        command = self.pytorch_command(case, "time") + ["--repeat", str(self.repeat)]
        document, resident_bytes = self.run(command, self.pytorch_variables(case))
        samples.round_medians.append(statistics.median(document["seconds"]))
        samples.steps += len(document["seconds"])
        samples.minor_faults_per_step = document["minor_faults_per_step"]
        samples.parameters = document["parameters"]
        samples.settings = f"{case.precision}, {case.memory_format}"
        samples.note_process(document, resident_bytes)

    def measure_pytorch_peak(self, case: Case, samples: Samples) -> None:
        """Apart from the rounds: recording every allocation takes time."""
        document, _ = self.run(self.pytorch_command(case, "peak"), self.pytorch_variables(case))
        samples.peak_bytes = document["peak_bytes"]

    def headroom_command(self, case: Case) -> list[str]:
        return [
            str(self.headroom), "bench", "--json", "--quiet",
            "--plans", case.plan, "--warmup", str(self.warmup), "--repeat", str(self.repeat),
            "--model", "unet", "--levels", str(CASE.levels), "--base-channels", str(CASE.base_channels),
            "--norm", "batch", "--channels", str(CASE.channels), "--classes", str(CASE.classes),
            "--tile", str(CASE.side), "--batch", str(CASE.batch), "--loss", "ce", "--optimizer", "adamw",
            "--precision", case.precision, "--memory-format", case.memory_format,
            "--device", "cpu", "--threads", str(self.threads),
        ]

    def pytorch_command(self, case: Case, measure: str) -> list[str]:
        script = Path(__file__).with_name("pytorch_case.py")
        command = [
            str(self.environment.python), "-B", str(script), "--measure", measure,
            "--precision", case.precision, "--memory-format", case.memory_format,
            "--threads", str(self.threads), "--warmup", str(self.warmup),
        ]
        return command + (["--checkpoint"] if case.use_checkpoint else [])

    def pytorch_variables(self, case: Case) -> dict[str, str]:
        return self.environment.variables(self.threads) | (KEEP_PAGES if case.keep_pages else {})

    @staticmethod
    def run(command: list[str], variables: dict[str, str]) -> tuple[dict, int]:
        """The JSON document that `command` prints, and the most memory that the process had."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
            try:
                process = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=messages)
            except OSError as error:
                raise Failure(f"cannot run {command[0]}: {error.strerror}",
                              "build it with ./run --build-only") from error
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:  # the comparison is being ended: nothing of it stays behind
                process.kill()
                process.wait()
                raise
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            messages.seek(0)
            if process.returncode != 0:
                last = messages.read().decode(errors="replace").strip().splitlines()[-8:]
                raise Failure(f"{' '.join(command)} ended with {process.returncode}:\n  " + "\n  ".join(last),
                              "run that command by itself")
            return json.loads(output.read()), usage.ru_maxrss * 1024

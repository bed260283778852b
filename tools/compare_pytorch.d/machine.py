"""What is known of the machine, and whether it was busy with something else."""

import os
import platform
import resource
import time
from pathlib import Path

# More than this, in processors, and the timings are not to be trusted.
MOST_LOAD_OF_OTHERS = 0.5


def cpu_flags_and_model() -> tuple[set[str], str]:
    flags: set[str] = set()
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            flags = set(value.split())
        elif name.strip() == "model name":
            model = value.strip()
    return flags, model


def computes_bf16() -> bool:
    flags, _ = cpu_flags_and_model()
    return bool(flags & {"avx512_bf16", "amx_bf16"})


def describe(load_at_start: float) -> dict:
    huge_pages = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    return {
        "cpu": cpu_flags_and_model()[1],
        "logical_cpus": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(),
        "c_library": " ".join(platform.libc_ver()),
        "transparent_huge_pages": huge_pages.read_text().strip() if huge_pages.exists() else "",
        "load_average_at_start": load_at_start,
    }


class OthersWatch:
    """Measures how many processors other programs kept busy while ours ran."""

    def __init__(self) -> None:
        self.start = (time.monotonic(), self.busy_seconds(), self.own_seconds())

    def processors(self) -> float:
        seconds = time.monotonic() - self.start[0]
        busy = self.busy_seconds() - self.start[1]
        own = self.own_seconds() - self.start[2]
        return max(0.0, (busy - own) / seconds)

    @staticmethod
    def busy_seconds() -> float:
        """Of all processors since boot; what the host of a virtual machine took away counts too."""
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        user, nice, system, _idle, _wait, interrupt, soft_interrupt, stolen = map(int, fields)
        return (user + nice + system + interrupt + soft_interrupt + stolen) / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def own_seconds() -> float:
        """Of this process and of those it waited for."""
        return sum(used.ru_utime + used.ru_stime
                   for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))

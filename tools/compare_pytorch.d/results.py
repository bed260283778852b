"""Medians, paired ratios, and how they are shown: a JSON document and the same as Markdown."""

import statistics
from dataclasses import asdict, dataclass

from cases import MOST_FAULTS_KEPT, Case, Comparison, Samples
from machine import MOST_LOAD_OF_OTHERS
from reference_case import CASE

Measured = dict[tuple[str, str], Samples]  # by keys of comparison and case

METHOD = (
    "A step is: gradients dropped, forward, loss, backward, optimizer. Headroom's also contains the copy of the batch, "
    "the gradient norm and the check for values that are not finite. Each round runs one process per case, one at a "
    "time, and every second round in reverse order; a case's time is the median of its rounds' medians, a ratio the "
    "median of the ratios within the rounds, with the lowest and the highest in brackets. Peak: the highest number of "
    "tensor bytes live at once in a step, above what was live before it (weights, optimizer state, the batch); "
    "Headroom's from its metering allocator, PyTorch's from its profiler's memory events, every allocation and free of "
    "one step of a run that is not timed, checked to add up to the gradients. Resident: the most physical memory that "
    "the process ever had, Python and libraries included."
)


@dataclass(frozen=True)
class Ratio:
    """Of the times of two cases, paired by round."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, samples: Samples, reference: Samples) -> "Ratio":
        ratios = [a / b for a, b in zip(samples.round_medians, reference.round_medians, strict=True)]
        return cls(statistics.median(ratios), min(ratios), max(ratios))


# What is asked most: the time of the first case over that of the second. Every other plan of Headroom is compared with
# Keep and with PyTorch too: against a slow Keep alone, any plan looks cheap.
PAIRS = (
    ("headroom_keep", "pytorch"),
    ("headroom_keep", "pytorch_pages_kept"),
    ("headroom_full", "headroom_keep"),
    ("pytorch_checkpoint", "pytorch"),
    ("headroom_defaults", "pytorch_defaults"),
)


def remarks(comparisons: list[Comparison], measured: Measured, machine: dict) -> list[str]:
    """What a reader has to know before believing the figures."""
    found = []
    load, others = machine["load_average_at_start"], machine["processors_used_by_others"]
    if load > MOST_LOAD_OF_OTHERS:
        found.append(f"The machine was not idle at the start (load average {load:.2f}): do not trust the times.")
    if others > MOST_LOAD_OF_OTHERS:
        found.append(f"Other programs kept {others:.2f} processors busy meanwhile: do not trust the times.")
    for comparison in comparisons:
        kept = measured.get((comparison.key, "pytorch_pages_kept"))
        plain = measured.get((comparison.key, "pytorch"))
        if kept and plain and kept.minor_faults_per_step > MOST_FAULTS_KEPT * plain.minor_faults_per_step:
            found.append(f"{comparison.title}: the allocator did not keep its pages; that row says nothing.")
    versions = {samples.version.split("+")[0] for samples in measured.values()}
    if len(versions) > 1:
        found.append(f"Headroom and PyTorch ran different versions: {', '.join(sorted(versions))}.")
    if "bf16" not in {comparison.key for comparison in comparisons}:
        found.append("This processor does not compute bf16: that comparison was left out.")
    return found


def pairs_of(comparison: Comparison) -> list[tuple[str, str]]:
    """PAIRS that the comparison has, and those of the plans that are not in them."""
    keys = [case.key for case in comparison.cases]
    pairs = [pair for pair in PAIRS if set(pair) <= set(keys)]
    named = {key for pair in PAIRS for key in pair}
    for case in comparison.cases:
        if case.is_headroom and case.key not in named:
            pairs += [(case.key, "headroom_keep"), (case.key, "pytorch")]
    return pairs


def case_document(case: Case, samples: Samples, first: Samples, pytorch: Samples) -> dict:
    return {
        "case": case.key,
        "name": case.name,
        "settings": samples.settings,
        "seconds_per_step": {"median": samples.seconds, "rounds": samples.round_medians, "n": samples.steps},
        "ratio_to_first": asdict(Ratio.of(samples, first)),
        "ratio_to_pytorch": asdict(Ratio.of(samples, pytorch)),
        "peak_bytes": samples.peak_bytes,
        "resident_bytes": samples.resident_bytes,
        "minor_faults_per_step": samples.minor_faults_per_step,
    }


def answers(comparisons: list[Comparison], measured: Measured) -> list[dict]:
    found = []
    for comparison in comparisons:
        names = {case.key: case.name for case in comparison.cases}
        for first, second in pairs_of(comparison):
            ratio = Ratio.of(measured[comparison.key, first], measured[comparison.key, second])
            what = f"{names[first]} / {names[second]}"
            found.append({"comparison": comparison.title, "what": what, **asdict(ratio)})
    return found


def comparison_document(comparison: Comparison, measured: Measured) -> dict:
    cases = comparison.cases
    first = measured[comparison.key, cases[0].key]
    pytorch = measured[comparison.key, next(case.key for case in cases if not case.is_headroom)]
    return {"comparison": comparison.key, "title": comparison.title,
            "cases": [case_document(case, measured[comparison.key, case.key], first, pytorch) for case in cases]}


def as_document(comparisons: list[Comparison], measured: Measured, machine: dict) -> dict:
    any_samples = next(iter(measured.values()))
    return {
        "torch": any_samples.version,
        "threads": any_samples.threads,
        "network": {"name": "unet", "levels": CASE.levels, "base_channels": CASE.base_channels,
                    "channels": CASE.channels, "classes": CASE.classes, "norm": "batch",
                    "parameters": any_samples.parameters},
        "step": {"batch": CASE.batch, "height": CASE.side, "width": CASE.side, "loss": "ce", "optimizer": "adamw"},
        "method": METHOD,
        "machine": machine,
        "remarks": remarks(comparisons, measured, machine),
        "ratios": answers(comparisons, measured),
        "comparisons": [comparison_document(comparison, measured) for comparison in comparisons],
    }


def mebibytes(count: int) -> str:
    return f"{count / 2**20:.1f}"


def as_text(ratio: dict) -> str:
    return f"{ratio['median']:.3f} [{ratio['least']:.3f}..{ratio['most']:.3f}]"


def table(comparison: dict) -> list[str]:
    lines = [f"## {comparison['title']}", "",
             "| case | ran as | s/step | of the first | of PyTorch | peak MiB | resident MiB | page faults/step |",
             "| --- | --- | --: | --: | --: | --: | --: | --: |"]
    for case in comparison["cases"]:
        faults = case["minor_faults_per_step"]
        lines.append(" | ".join([
            f"| {case['name']}", case["settings"], f"{case['seconds_per_step']['median']:.3f}",
            as_text(case["ratio_to_first"]), as_text(case["ratio_to_pytorch"]), mebibytes(case["peak_bytes"]),
            f"{case['resident_bytes'] / 2**20:.0f}", "" if faults is None else f"{faults:.0f}"]) + " |")
    return lines + [""]


def as_markdown(document: dict) -> str:
    network, step, machine = document["network"], document["step"], document["machine"]
    first = document["comparisons"][0]["cases"][0]["seconds_per_step"]
    lines = [
        "# Headroom and PyTorch, paired", "",
        f"U-Net, {network['levels']} levels, {network['base_channels']} base channels, {network['parameters']} "
        f"parameters in both programs; input {step['batch']}x{network['channels']}x{step['height']}x{step['width']}, "
        f"{network['classes']} classes, cross-entropy, AdamW.",
        f"LibTorch {document['torch']}; {document['threads']} threads on {machine['cpu']} "
        f"({machine['logical_cpus']} logical), {machine['memory_bytes'] / 2**30:.1f} GiB, {machine['c_library']}; "
        f"{len(first['rounds'])} round(s), {first['n']} step(s) of each case.", "",
    ]
    lines += [f"**{remark}**\n" for remark in document["remarks"]]
    for comparison in document["comparisons"]:
        lines += table(comparison)
    lines += ["## Ratios", "", "| settings | time of a step | ratio |", "| --- | --- | --: |"]
    lines += [f"| {ratio['comparison']} | {ratio['what']} | {as_text(ratio)} |" for ratio in document["ratios"]]
    return "\n".join([*lines, "", document["method"], ""])

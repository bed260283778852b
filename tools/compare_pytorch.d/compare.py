"""Compares Headroom with PyTorch, paired: see --help."""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import environment
import machine
import results
from cases import PLANS, Comparison, NamedPlan, Runner, Samples, all_comparisons
from failure import Failure

ROOT = Path(__file__).resolve().parents[2]
LEAST_STEPS = 10  # of a case, over all rounds
WARMUP_STEPS = 2


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tools/compare_pytorch",
        description="Time and memory of a training step: Headroom against PyTorch 2.15.0 in Python, the same network, "
                    "in turns. Builds Headroom where needed; PyTorch gets its own virtual environment in the cache "
                    "folder (0.55 GB to download once). Prints Markdown. Let the machine be idle.")
    parser.add_argument("--rounds", type=positive, default=5, metavar="N",
                        help="how often the cases take turns (default 5)")
    parser.add_argument("--threads", type=positive, default=2, metavar="N",
                        help="compute threads of both programs (default 2)")
    parser.add_argument("--plan", action="append", default=[], metavar="PLAN",
                        help="a plan of Headroom to measure beside keep and full, as headroom bench takes it; may be "
                             "given often (default: light, and three mixtures of full and light)")
    parser.add_argument("--quick", action="store_true",
                        help="one round of one step: shows that everything works, its times mean nothing")
    parser.add_argument("--out", type=output_file, action="append", default=[], metavar="FILE",
                        help="also write the result here, .md or .json; may be given twice")
    parser.add_argument("--headroom", type=Path, metavar="FILE", help="measure this program and build nothing")
    return parser.parse_args()


def positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text}: give a whole number of at least 1")
    return int(text)


def output_file(text: str) -> Path:
    path = Path(text)
    if path.suffix not in (".md", ".json"):
        raise argparse.ArgumentTypeError(f"{text}: the name must end in .md or .json")
    if not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text}: its folder does not exist or may not be written to")
    return path


def built_headroom() -> Path:
    if subprocess.run([ROOT / "tools" / "build", "release", "headroom"], check=False).returncode != 0:
        raise Failure("Headroom could not be built (see above)", "mend the build, or give --headroom FILE")
    return ROOT / "build" / "release" / "headroom"


def cache_folder() -> Path:
    """Where tools/setup keeps what it brings."""
    done = subprocess.run([ROOT / "tools" / "setup", "--where"], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Failure("the cache folder is not known (see above)", "set HEADROOM_DEPS to a folder")
    return Path(os.fsdecode(done.stdout).strip()).parent


def take_turns(comparisons: list[Comparison], runner: Runner, rounds: int) -> results.Measured:
    measured: results.Measured = {}
    turns = [(comparison, case) for comparison in comparisons for case in comparison.cases]
    for index in range(rounds):
        for comparison, case in turns if index % 2 == 0 else reversed(turns):
            samples = measured.setdefault((comparison.key, case.key), Samples())
            runner.measure(case, samples)
            say(f"round {index + 1}/{rounds}  {comparison.title:30} {case.name:46} {samples.round_medians[-1]:.3f} s")
    return measured


def add_pytorch_peaks(comparisons: list[Comparison], runner: Runner, measured: results.Measured) -> None:
    for comparison in comparisons:
        for case in comparison.cases:
            if not case.is_headroom:
                say(f"memory events  {comparison.title:30} {case.name}")
                runner.measure_pytorch_peak(case, measured[comparison.key, case.key])


def check_networks(measured: results.Measured) -> None:
    counts = {samples.parameters for samples in measured.values()}
    if len(counts) != 1:
        raise Failure(f"the programs ran different networks, of {', '.join(map(str, sorted(counts)))} parameters",
                      "compare models/ with tools/compare_pytorch.d/network.py")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def compare(arguments: argparse.Namespace) -> None:
    load_at_start = os.getloadavg()[0]
    headroom = arguments.headroom or built_headroom()
    pytorch = environment.provide(cache_folder())
    rounds = 1 if arguments.quick else arguments.rounds
    repeat = 1 if arguments.quick else math.ceil(max(LEAST_STEPS, 3 * rounds) / rounds)
    runner = Runner(headroom.resolve(), pytorch, arguments.threads, WARMUP_STEPS, repeat)
    plans = [NamedPlan.given(plan) for plan in dict.fromkeys(arguments.plan)] or PLANS
    comparisons = all_comparisons(plans, machine.computes_bf16())

    watch = machine.OthersWatch()
    measured = take_turns(comparisons, runner, rounds)
    busy_elsewhere = watch.processors()
    check_networks(measured)
    add_pytorch_peaks(comparisons, runner, measured)
    facts = machine.describe(load_at_start) | {"processors_used_by_others": busy_elsewhere}
    document = results.as_document(comparisons, measured, facts)
    markdown = results.as_markdown(document)
    print(markdown, end="")
    for path in arguments.out:
        text = markdown if path.suffix == ".md" else json.dumps(document, indent=2) + "\n"
        path.write_text(text, encoding="utf-8")


def main() -> int:
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        compare(arguments)
    except Failure as failure:
        say(f"compare_pytorch: error: {failure}\n  {failure.remedy}")
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        say(f"compare_pytorch: error: {error}")
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())

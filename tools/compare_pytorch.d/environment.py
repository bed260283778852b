"""PyTorch's own virtual environment in the cache folder: made at first use, found at every later one.

PyTorch's wheel names CUDA libraries of 2.9 GB that a step on the CPU never calls. Each of them gets a stand-in: a
library of the same name without code, which is all that the loader asks for. They lie in a folder of their own.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from failure import Failure

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
NEEDED_BYTES = 3 * 2**30  # while pip unpacks

# Library -> the version name that its symbols carry.
STAND_INS = {
    "libcublas.so.13": "libcublas.so.13",
    "libcublasLt.so.13": "libcublasLt.so.13",
    "libcudnn.so.9": "libcudnn.so.9",
    "libcufft.so.12": "libcufft.so.12",
    "libcufile.so.0": "libcufile.so.0",
    "libcusparse.so.12": "libcusparse.so.12",
    "libcusparseLt.so.0": "libcusparseLt.so.0",
    "libnccl.so.2": "libnccl.so.2",
    "libnvrtc.so.13": "libnvrtc.so.13",
    "libnvshmem_host.so.3": "NVSHMEM",
}
# Symbols whose address PyTorch takes when it is loaded.
ADDRESSES = {
    "libnvshmem_host.so.3": (
        "nvshmem_init",
        "nvshmem_selected_device_transport",
        "nvshmemi_device_only_state",
        "nvshmemi_get_device_state_ptrs",
    ),
}


class Environment:
    def __init__(self, folder: Path):
        self.python = folder / "bin" / "python"
        self.stand_ins = folder / "stand_ins"

    def variables(self, threads: int) -> dict[str, str]:
        """Environment variables of a process that runs PyTorch."""
        return clean_variables(threads) | {"LD_LIBRARY_PATH": str(self.stand_ins)}


def clean_variables(threads: int) -> dict[str, str]:
    """This process's environment variables without those that change how a program allocates, computes or is loaded."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "MALLOC_", "GLIBC_", "OMP_", "GOMP_", "KMP_", "MKL_", "LD_", "TORCH_"))}
    return kept | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": str(threads)}


def provide(cache: Path) -> Environment:
    """The environment, made if it is not there. Throws Failure."""
    basis = REQUIREMENTS.read_bytes() + repr((STAND_INS, ADDRESSES, sys.version_info[:2])).encode()
    final = cache / f"pytorch-{hashlib.sha256(basis).hexdigest()[:16]}"
    if final.is_dir():
        return Environment(final)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with open(cache / ".lock", "w") as lock:  # the one that tools/setup takes
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not final.is_dir():
                make_whole(cache, final)
    except OSError as error:
        raise Failure(f"cannot make PyTorch's environment in {cache}: {error.strerror}",
                      "set HEADROOM_DEPS to a folder that you may write, with 3 GB free") from error
    return Environment(final)


def make_whole(cache: Path, final: Path) -> None:
    """Under a partial name first, so that a folder with the final name is always complete."""
    if sys.version_info[:2] != (3, 11):
        raise Failure(f"the pinned PyTorch is the one for Python 3.11; this is {sys.version.split()[0]}",
                      "run this on Debian 12, whose Python is 3.11")
    if shutil.disk_usage(cache).free < NEEDED_BYTES:
        raise Failure(f"PyTorch's environment needs 3 GB in {cache}, and less is free there",
                      "free some space, or set HEADROOM_DEPS to a folder on a larger disk")
    partial = Path(tempfile.mkdtemp(prefix=".partial.pytorch.", dir=cache))
    try:
        print(f"making PyTorch's environment in {final} (0.55 GB to download)", file=sys.stderr)
        call([sys.executable, "-m", "venv", "--without-pip", partial], "making the virtual environment")
        install(partial)
        made = Environment(partial)
        make_stand_ins(made.stand_ins)
        prove(made)
        partial.chmod(0o755)
        partial.rename(final)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def install(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet",
               "--disable-pip-version-check", "--no-cache-dir", "--no-deps", "--only-binary=:all:",
               "--require-hashes", "--requirement", REQUIREMENTS]
    # The temporary folder may be small: what pip downloads stays beside where it goes.
    variables = os.environ | {"PIP_REQUIRE_VIRTUALENV": "0", "TMPDIR": str(folder)}
    call(command, "installing PyTorch", "is this machine online? Nothing was kept; run this again", variables)


def make_stand_ins(folder: Path) -> None:
    folder.mkdir()
    for library, version in STAND_INS.items():
        script = folder / "versions"
        script.write_text(f"{version} {{ }};\n")
        definitions = [f"-Wl,--defsym,{symbol}=0" for symbol in ADDRESSES.get(library, ())]
        call(["g++", "-shared", "-nostdlib", f"-Wl,-soname,{library}", f"-Wl,--version-script,{script}",
              *definitions, "-x", "c++", "/dev/null", "-o", folder / library],
             f"making the stand-in for {library}", "tools/setup brings g++")
        script.unlink()


def prove(environment: Environment) -> None:
    script = "import os, sys; sys.setdlopenflags(os.RTLD_LAZY); import torch; torch.ones(2).sum().item()"
    call([environment.python, "-c", script], "loading PyTorch", "report this",
         environment.variables(threads=1))


def call(command: list, purpose: str, remedy: str = "see the message above",
         variables: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError as error:
        raise Failure(f"{purpose}: {command[0]} was not found", remedy) from error
    if done.returncode != 0:
        print("\n".join(done.stdout.strip().splitlines()[-6:]), file=sys.stderr)
        raise Failure(f"{purpose} failed (see above)", remedy)

"""Compiles the modules of compiled.txt with mypyc; where that cannot be, sheepfold runs as plain Python.

SHEEPFOLD_PURE=1 compiles nothing; SHEEPFOLD_COMPILE=1 fails where it cannot, so that no release goes out uncompiled.
"""

import os
import shutil
import sys
import sysconfig
from glob import glob
from pathlib import Path

from setuptools import setup

COMPILED = [path for line in Path("compiled.txt").read_text().split() for path in sorted(glob(line))]


COMPILING = {"bdist_wheel", "build", "build_ext", "develop", "editable_wheel", "install"}
"""The commands for which it is worth while; a list of files or of requirements needs none."""
GCC = ("-Wno-error", "-Wno-all", "-fno-semantic-interposition")
"""A newer C compiler's new warning must not stop a newcomer; nobody reads warnings about generated C, and finding them takes a third of the
time; nobody replaces our functions, so small ones may be inlined."""


def extensions():
    if os.environ.get("SHEEPFOLD_PURE") == "1" or not COMPILING & set(sys.argv):
        return []
    must = os.environ.get("SHEEPFOLD_COMPILE") == "1"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if not must and not shutil.which(compiler):
        print(f"sheepfold: no C compiler ({compiler}); the games run uncompiled, about 20 times slower", file=sys.stderr)
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        if must:
            raise
        print("sheepfold: mypyc is not installed; the games run uncompiled", file=sys.stderr)
        return []
    only = os.environ.get("SHEEPFOLD_ONLY")  # one game's folder, for quicker builds while working on it
    chosen = [path for path in COMPILED if not only or "/games/" not in path or only in path or "flock" in path]
    modules = mypycify(
        ["--follow-imports=silent", *chosen],  # what they import is `make check`'s matter, and need not be installed yet
        opt_level=os.environ.get("SHEEPFOLD_OPT", "3"),
        debug_level="0",
        group_name="sheepfold",
    )
    for module in modules:
        module.extra_compile_args += GCC if sys.platform != "win32" else ()
    return modules


setup(ext_modules=extensions())

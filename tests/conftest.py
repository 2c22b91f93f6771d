"""Makes the toy games importable, and quiets Hypothesis: the time of a test is no fault of it, and every run draws the same examples.

NumPy multiplies with one thread: with more, on a busy machine, most of the time goes into waiting for each other. Bytecode is kept,
whatever the environment says: tests start hundreds of processes, and without it each spends half of its start on compiling our sources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
sys.path.insert(0, str(Path(__file__).parent / "toys"))
sys.path.insert(0, str(Path(__file__).parent / "table"))

settings.register_profile("sheepfold", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
settings.load_profile("sheepfold")

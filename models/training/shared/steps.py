"""Runs the steps of a training one after the other."""

import os
import subprocess
import sys

TRAINING = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TRAINING)


def run(step, *arguments):
    print(f"== {step}", flush=True)
    subprocess.run([sys.executable, "-m", step, *arguments], cwd=TRAINING, check=True)

